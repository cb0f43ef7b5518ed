use super::*;
use crate::rng::Rng;
use damier_engine::search::Detections;
use damier_rules::notation::{fen, moves};
use damier_rules::{Position, Status};
use std::time::Duration;

fn game(text: &str) -> Game {
    Game::new(fen::parse(text).expect("a position"))
}

fn play(game: &mut Game, texts: &str) {
    for text in texts.split_whitespace() {
        let mv = moves::parse(game.position(), text).expect(text);
        game.play(mv);
    }
}

fn exact() -> TableAdjudicator {
    TableAdjudicator::new(Tables::open(None).expect("the tables in the program"))
}

const WHITE: Option<(GameOutcome, Ending)> = Some((GameOutcome::Won(Color::White), Ending::Tables));
const BLACK: Option<(GameOutcome, Ending)> = Some((GameOutcome::Won(Color::Black), Ending::Tables));
const DRAWN: Option<(GameOutcome, Ending)> = Some((GameOutcome::Drawn, Ending::Tables));

#[test]
fn tables_give_the_game_to_the_side_that_wins_whoever_moves() {
    let mut judge = exact();
    for (text, expected) in [
        // Two kings win against a man, whichever side is to move.
        ("W:WK28,K50:B20", WHITE),
        ("B:WK28,K50:B20", WHITE),
        ("B:BK23,K1:W31", BLACK),
        ("W:BK23,K1:W31", BLACK),
        // On one diagonal: whichever side is to move is captured.
        ("W:WK46:BK5", BLACK),
        ("B:WK46:BK5", WHITE),
        ("W:WK46,K28:BK4", DRAWN),
        ("B:WK46,K28:BK4", DRAWN),
    ] {
        assert_eq!(judge.decide(&game(text), None), expected, "{text}");
    }
    // Five pieces: without distances, the counters cannot be checked.
    assert_eq!(judge.decide(&game("W:WK46,K28,K50,K37:BK4"), None), None);
}

/// Plays random moves in an ending with a counter; returns the first position that is won or lost, but not within the
/// limit of the counter.
fn too_late(start: &str, seed: u64) -> Option<Game> {
    let exact = exact();
    let mut rng = Rng::new(seed);
    let mut game = game(start);
    while game.status() == Status::Playing {
        let position = game.position();
        let verdict = exact.tables.probe(position, 4)?;
        if verdict.value != Value::Draw && !is_certain(verdict, position, &game.clock()) {
            return Some(game);
        }
        let legal = position.legal_moves();
        let mv = legal[rng.below(legal.len() as u64) as usize];
        game.play(mv);
    }
    None
}

#[test]
fn a_win_that_comes_too_late_is_not_given() {
    let starts = [
        "W:WK1,K2,K24:BK50",
        "B:WK6,31,36:BK50",
        "W:WK6,41:BK50",
        "B:W10:BK6,K46,20",
    ];
    let play = |start| (0..3000).filter_map(move |seed| too_late(start, seed));
    let found: Vec<Game> = starts.into_iter().flat_map(play).collect();
    assert!(!found.is_empty());
    for game in found {
        let position = *game.position();
        let text = fen::format(&position);
        assert_eq!(exact().decide(&game, None), None, "{text}");
        // Without the earlier moves it would be a win.
        let fresh = exact().result(&Game::new(position));
        let won_by_mover = exact().tables.probe(&position, 4).expect("known").value == Value::Win;
        let winner = if won_by_mover {
            position.turn()
        } else {
            !position.turn()
        };
        assert_eq!(fresh, Some(Some(winner)), "{text}");
    }
}

#[test]
fn one_player_alone_decides_no_game() {
    let ply = |mv, score| PlyRecord {
        mv,
        score: Some(score),
        depth: None,
        nodes: None,
        detections: Detections::default(),
        elapsed: Duration::ZERO,
        overshoot: None,
    };
    let mut judge = ScoreAdjudicator::new(5.0, 1);
    let mut game = Game::new(Position::start());
    let mut verdict = |text: &str, score| {
        play(&mut game, text);
        let mv = *game.moves().last().expect("a move");
        judge.decide(&game, Some(&ply(mv, score)))
    };
    assert_eq!(verdict("32-28", 9.0), None);
    assert_eq!(verdict("19-23", 0.5), None);
    assert_eq!(verdict("28x19", 9.0), None);
    let won = Some((GameOutcome::Won(Color::White), Ending::Scores));
    assert_eq!(verdict("14x23", -9.0), won);
}
