use super::*;
use crate::level::Remaining;
use crate::referee::adjudicate::ScoreAdjudicator;
use damier_engine::search::Detections;
use damier_rules::GameResult;
use damier_rules::notation::fen;
use std::sync::{Arc, Mutex};

/// What a test player does at a turn.
type Act = dyn FnMut(&Turn<'_>, u32) -> Result<PlayerReply, EngineFault> + Send;

/// What a player was told.
#[derive(Default)]
struct Seen {
    remaining: Vec<Option<Remaining>>,
    patience: Vec<Duration>,
    results: Vec<GameResult>,
    restarts: u32,
}

struct Actor {
    act: Box<Act>,
    turns: u32,
    begins: Result<(), EngineFault>,
    seen: Arc<Mutex<Seen>>,
}

impl Actor {
    fn new(
        act: impl FnMut(&Turn<'_>, u32) -> Result<PlayerReply, EngineFault> + Send + 'static,
    ) -> Actor {
        Actor {
            act: Box::new(act),
            turns: 0,
            begins: Ok(()),
            seen: Arc::default(),
        }
    }

    fn plain() -> Actor {
        Actor::new(|turn, _| Ok(first_move(turn, 0.0, Duration::ZERO)))
    }
}

impl Player for Actor {
    fn begin(&mut self, _: &Position, _: Color, _: GameLevel) -> Result<(), EngineFault> {
        self.begins.clone()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<PlayerReply, EngineFault> {
        let mut seen = self.seen.lock().expect("no panic before");
        seen.remaining.push(turn.remaining);
        seen.patience.push(turn.patience);
        self.turns += 1;
        (self.act)(turn, self.turns)
    }

    fn finish(&mut self, _: &Game, result: GameResult) -> Result<(), EngineFault> {
        self.seen
            .lock()
            .expect("no panic before")
            .results
            .push(result);
        Ok(())
    }

    fn restart(&mut self) {
        self.seen.lock().expect("no panic before").restarts += 1;
    }

    fn transcript(&self) -> Vec<String> {
        vec!["> go think".to_owned()]
    }
}

fn first_move(turn: &Turn<'_>, score: f64, elapsed: Duration) -> PlayerReply {
    PlayerReply {
        answer: Answer::Move(turn.game.position().legal_moves()[0]),
        score: Some(score),
        depth: None,
        nodes: None,
        detections: Detections::default(),
        elapsed,
    }
}

const TERMS: GameLimits = GameLimits {
    max_moves: Some(200),
    margin: Duration::from_millis(100),
    patience: Duration::from_secs(60),
};

fn game(white: &mut Actor, black: &mut Actor, level: GameLevel, terms: &GameLimits) -> GameAttempt {
    let mut seats = [
        GameSide {
            player: white,
            level,
        },
        GameSide {
            player: black,
            level,
        },
    ];
    play(&mut seats, terms, &mut [], &AtomicBool::new(false))
}

fn play(
    seats: &mut [GameSide<'_>; 2],
    limits: &GameLimits,
    adjudicators: &mut [Box<dyn Adjudicator>],
    stop: &AtomicBool,
) -> GameAttempt {
    let watch = &mut |_: &Scene<'_>| {};
    Referee {
        limits,
        adjudicators,
        stop,
        watch,
    }
    .play(GameId(0), &Position::start(), seats)
}

fn record(played: GameAttempt) -> GameRecord {
    match played {
        GameAttempt::Finished(record) => *record,
        other => panic!("{other:?}"),
    }
}

fn nodes() -> GameLevel {
    GameLevel::Nodes(1)
}

#[test]
fn a_game_goes_on_until_the_rules_end_it() {
    let (mut white, mut black) = (Actor::plain(), Actor::plain());
    let game = record(game(&mut white, &mut black, nodes(), &TERMS));
    assert!(game.plies.len() > 20 && game.fault.is_none());
    assert!(
        matches!(game.ending, Ending::NoMove | Ending::Rule(_)),
        "{:?}",
        game.ending
    );
    let results = [&white, &black].map(|actor| actor.seen.lock().expect("whole").results.clone());
    assert_eq!(results[0], [game.outcome.of(Color::White)]);
    assert_eq!(results[1], [game.outcome.of(Color::Black)]);
}

#[test]
fn a_fault_loses_for_the_side_that_commits_it() {
    let fault = EngineFault::Crash("gone".to_owned());
    let breaks = fault.clone();
    let mut black = Actor::new(move |turn, count| match count {
        3 => Err(breaks.clone()),
        _ => Ok(first_move(turn, 0.0, Duration::ZERO)),
    });
    let mut white = Actor::plain();
    let game = record(game(&mut white, &mut black, nodes(), &TERMS));
    assert_eq!(
        (game.outcome, game.ending),
        (GameOutcome::Won(Color::White), Ending::Fault)
    );
    let note = game.fault.expect("a fault");
    assert_eq!((note.color, note.kind), (Color::Black, FaultKind::Crash));
    assert_eq!(note.what, fault.to_string());
    assert_eq!((game.plies.len(), note.lines.len()), (5, 1));
    assert_eq!(note.position.turn(), Color::Black);
    assert_eq!(black.seen.lock().expect("whole").restarts, 1);
    assert_eq!(white.seen.lock().expect("whole").restarts, 0);
}

#[test]
fn claims_are_judged() {
    let claims = |claim| {
        let mut white = Actor::new(move |turn, _| {
            Ok(PlayerReply {
                answer: Answer::Claim(claim),
                ..first_move(turn, 0.0, Duration::ZERO)
            })
        });
        record(game(&mut white, &mut Actor::plain(), nodes(), &TERMS))
    };
    let resigned = claims(Claim::Loss);
    assert_eq!(
        (resigned.outcome, resigned.ending),
        (GameOutcome::Won(Color::Black), Ending::Resigned)
    );
    for claim in [Claim::Win, Claim::Draw, Claim::Unknown] {
        let game = claims(claim);
        assert_eq!(game.outcome, GameOutcome::Won(Color::Black));
        assert_eq!(game.fault.map(|fault| fault.kind), Some(FaultKind::Illegal));
    }
}

#[test]
fn a_move_that_is_not_legal_here_is_not_played() {
    let other = fen::parse("W:W28:B1").expect("a position").legal_moves()[0];
    let mut white = Actor::new(move |turn, _| {
        Ok(PlayerReply {
            answer: Answer::Move(other),
            ..first_move(turn, 0.0, Duration::ZERO)
        })
    });
    let game = record(game(&mut white, &mut Actor::plain(), nodes(), &TERMS));
    assert_eq!(game.outcome, GameOutcome::Won(Color::Black));
    assert!(game.plies.is_empty());
}

#[test]
fn a_late_move_loses_and_one_within_the_margin_does_not() {
    let level = GameLevel::MoveTime(Duration::from_millis(500));
    let takes = |millis| {
        Actor::new(move |turn: &Turn<'_>, _| {
            Ok(first_move(turn, 0.0, Duration::from_millis(millis)))
        })
    };
    let terms = GameLimits {
        max_moves: Some(3),
        ..TERMS
    };
    let fine = record(game(&mut takes(600), &mut takes(100), level, &terms));
    assert_eq!(
        (fine.outcome, fine.ending),
        (GameOutcome::Drawn, Ending::MaxMoves)
    );
    assert_eq!(fine.plies.len(), 6);
    assert_eq!(fine.plies[0].overshoot, Some(Duration::from_millis(100)));
    assert_eq!(fine.plies[1].overshoot, Some(Duration::ZERO));
    let late = record(game(&mut takes(601), &mut takes(100), level, &terms));
    assert_eq!(late.outcome, GameOutcome::Won(Color::Black));
    assert_eq!(late.fault.map(|fault| fault.kind), Some(FaultKind::Late));
}

#[test]
fn players_are_told_their_clocks_and_waited_for() {
    let level = GameLevel::Clock {
        moves: None,
        time: Duration::from_secs(10),
        increment: Duration::from_secs(1),
    };
    let terms = GameLimits {
        max_moves: Some(2),
        ..TERMS
    };
    let mut white = Actor::new(|turn, _| Ok(first_move(turn, 0.0, Duration::from_secs(4))));
    record(game(&mut white, &mut Actor::plain(), level, &terms));
    let seen = white.seen.lock().expect("whole");
    let times: Vec<_> = seen
        .remaining
        .iter()
        .flatten()
        .map(|left| left.time)
        .collect();
    assert_eq!(times, [Duration::from_secs(10), Duration::from_secs(7)]);
    assert_eq!(
        seen.patience[0],
        Duration::from_millis(11_000 + 100 + 5_000)
    );
    let mut white = Actor::plain();
    record(game(&mut white, &mut Actor::plain(), nodes(), &terms));
    let seen = white.seen.lock().expect("whole");
    assert_eq!(seen.patience[0], TERMS.patience);
}

#[test]
fn agreed_scores_end_a_game_only_when_both_agree_for_long_enough() {
    let says = |score: f64| {
        Actor::new(move |turn: &Turn<'_>, _| Ok(first_move(turn, score, Duration::ZERO)))
    };
    let adjudicated = |mut white: Actor, mut black: Actor| {
        let (player, level) = (&mut white as &mut dyn Player, nodes());
        let other = &mut black as &mut dyn Player;
        let mut seats = [
            GameSide { player, level },
            GameSide {
                player: other,
                level,
            },
        ];
        let mut judges: [Box<dyn Adjudicator>; 1] = [Box::new(ScoreAdjudicator::new(3.0, 6))];
        let stop = AtomicBool::new(false);
        record(play(&mut seats, &TERMS, &mut judges, &stop))
    };
    let agreed = adjudicated(says(-3.5), says(3.0));
    assert_eq!(
        (agreed.outcome, agreed.ending),
        (GameOutcome::Won(Color::Black), Ending::Scores)
    );
    assert_eq!(agreed.plies.len(), 6);
    assert_ne!(adjudicated(says(-3.5), says(2.9)).ending, Ending::Scores);
    assert_ne!(adjudicated(says(5.0), says(5.0)).ending, Ending::Scores);
}

#[test]
fn a_player_that_cannot_begin_and_a_stopped_match_are_no_games() {
    let mut black = Actor::plain();
    black.begins = Err(EngineFault::Crash("no".to_owned()));
    match game(&mut Actor::plain(), &mut black, nodes(), &TERMS) {
        GameAttempt::NotBegun { color, .. } => assert_eq!(color, Color::Black),
        other => panic!("{other:?}"),
    }
    assert_eq!(black.seen.lock().expect("whole").restarts, 1);
    let stop = Arc::new(AtomicBool::new(false));
    let (sets, level) = (Arc::clone(&stop), nodes());
    // Interrupted while thinking: not the player's fault.
    let mut white = Actor::new(move |_, _| {
        sets.store(true, Relaxed);
        Err(EngineFault::Silence(Duration::ZERO))
    });
    let mut black = Actor::plain();
    let mut seats = [
        GameSide {
            player: &mut white,
            level,
        },
        GameSide {
            player: &mut black,
            level,
        },
    ];
    let played = play(&mut seats, &TERMS, &mut [], &stop);
    assert!(matches!(played, GameAttempt::Stopped));
}
