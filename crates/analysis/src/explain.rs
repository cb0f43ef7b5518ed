//! What a position is about: what is threatened, and what the last move gave away.

use super::annotate::Mark;
use super::evaluation::Look;
use super::{Stop, meaning};
use damier_engine::eval::Score;
use damier_engine::search::{Outcome, Stopped};
use damier_engine::{Engine, Level};
use damier_rules::{Game, Move, Position, Setup, Status};

/// The search for a threat has one of so many nodes of the search of the position.
const SHARE: u64 = 3;
/// Fewest nodes of a search.
const FEWEST: u64 = 2_000;
/// Expected points from which on a threat is one: over the best defence, and over the evaluation of the position in
/// which it is carried out.
pub const THREAT: f64 = 0.05;

/// What the opponent would play if the side to move could pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Threat {
    /// The line.
    pub line: Vec<Move>,
    /// Score, for the side that threatens.
    pub score: Score,
    /// Expected points that it would win over the best defence.
    pub gain: f64,
}

/// What the last move gave away.
#[derive(Clone, PartialEq, Debug)]
pub struct LastMove {
    /// The move.
    pub mv: Move,
    /// Whether it was the only legal one.
    pub is_forced: bool,
    /// Expected points lost, from 0 to 1.
    pub loss: f64,
    /// The better line; empty where nothing was lost.
    pub better: Vec<Move>,
    /// The score of the better line, for the side that moved.
    pub score: Score,
}

/// The position with the other side to move.
pub fn passed(position: &Position) -> Position {
    let setup = Setup {
        turn: !position.turn(),
        ..Setup::from(position)
    };
    // The pieces stand as legally as before.
    Position::try_from(setup).unwrap_or(*position)
}

/// The threat in a position that was searched with this outcome. None: nothing is threatened, or the side to move must
/// capture and could not pass.
///
/// # Errors
/// It was stopped.
pub fn threat(
    engine: &mut Engine,
    game: &Game,
    outcome: &Outcome,
    stop: &Stop,
) -> Result<Option<Threat>, Stopped> {
    let other = passed(game.position());
    if game.position().must_capture() || game.status() != Status::Playing || other.is_terminal() {
        return Ok(None);
    }
    let now = points(engine, game, outcome.report.score);
    let level = Level::nodes((outcome.report.nodes / SHARE).max(FEWEST));
    let threatened = Game::new(other);
    let found = Look::at(&threatened, level).run(engine, stop)?;
    let won = points(engine, &threatened, found.score);
    let gain = won - (1.0 - now);
    // Where the side to move has a combination, any move that prevents it gains much; that alone is no threat.
    let at_rest = engine.wdl(engine.evaluate(&other), &other).expected();
    let is_threat = gain.min(won - at_rest) >= THREAT;
    let threat = Threat {
        line: found.line,
        score: found.score,
        gain,
    };
    Ok(is_threat.then_some(threat))
}

/// What the last move of a game gave away, whose last position was searched with this outcome. None: there is no last
/// move, or the game was over before it.
///
/// # Errors
/// It was stopped.
pub fn last_move(
    engine: &mut Engine,
    game: &Game,
    outcome: &Outcome,
    stop: &Stop,
) -> Result<Option<LastMove>, Stopped> {
    let mut before = game.clone();
    let Some(mv) = before.take_back() else {
        return Ok(None);
    };
    if before.status() != Status::Playing {
        return Ok(None);
    }
    let mut last = LastMove {
        mv,
        is_forced: before.position().legal_moves().len() == 1,
        loss: 0.0,
        better: Vec::new(),
        score: Score::DRAW,
    };
    if last.is_forced {
        return Ok(Some(last));
    }
    let level = Level::nodes(outcome.report.nodes.max(FEWEST));
    let found = Look::at(&before, level).run(engine, stop)?;
    let best = points(engine, &before, found.score);
    let played = 1.0 - points(engine, game, outcome.report.score);
    let other = found.line.first().copied().filter(|first| *first != mv);
    let Some(other) = other.filter(|_| best - played >= Mark::DUBIOUS) else {
        return Ok(Some(last));
    };
    // From behind it, so that neither move is seen farther than the other.
    let mut after = before;
    after.play(other);
    let reply = Look::at(&after, level).run(engine, stop)?;
    let second = 1.0 - points(engine, &after, reply.score);
    let loss = (best - played).min(second - played);
    if loss >= Mark::DUBIOUS {
        last.loss = loss;
        let better = reply.one_ply_earlier(other);
        (last.score, last.better) = (better.score, better.line);
    }
    Ok(Some(last))
}

/// Expected points of the side to move: of a score, or of the endgame tables and the rules where they are certain.
fn points(engine: &Engine, game: &Game, score: Score) -> f64 {
    let searched = || engine.wdl(score, game.position()).expected();
    certain(engine, game).unwrap_or_else(searched)
}

/// Expected points for the side to move by the rules or the endgame tables.
fn certain(engine: &Engine, game: &Game) -> Option<f64> {
    if let Some(wdl) = meaning::of_status(game) {
        return Some(wdl.expected());
    }
    let advice = meaning::advice(engine, game)?;
    let wdl = meaning::of_value(advice.ruled.value);
    advice.certain.then(|| wdl.expected())
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_engine::search::Control;
    use damier_engine::{Job, Options, Purpose};
    use damier_rules::notation::{fen, moves};

    fn explained(fen: &str, line: &str) -> (Option<Threat>, Option<LastMove>) {
        let options = Options {
            tt_size: 16,
            ..Options::default()
        };
        let mut engine = Engine::new(options).expect("an engine");
        let mut game = Game::new(fen::parse(fen).expect("a position"));
        let line = moves::parse_line(game.position(), line).expect("legal");
        line.into_iter().for_each(|mv| game.play(mv));
        let job = Job::new(game.clone(), Level::nodes(20_000)).with_purpose(Purpose::Analyse);
        let outcome = engine.run(&job, &Control::new(), &mut ());
        let stop = Stop::new();
        let threat = threat(&mut engine, &game, &outcome, &stop).expect("not stopped");
        let last = last_move(&mut engine, &game, &outcome, &stop).expect("not stopped");
        (threat, last)
    }

    #[test]
    fn a_quiet_position_has_no_threat_and_no_last_move() {
        assert_eq!(explained("W:W31-50:B1-20", ""), (None, None));
    }

    #[test]
    fn who_must_capture_cannot_pass_and_a_forced_move_loses_nothing() {
        let (none, _) = explained("W:W28,40:B22,5", "");
        assert_eq!(none, None);
        let (_, last) = explained("W:W28,40:B22,5", "28x17");
        let last = last.expect("a last move");
        assert!(last.is_forced && last.loss == 0.0);
    }

    #[test]
    fn a_man_given_away_is_seen_with_a_better_line() {
        let line = "32-28 18-23 34-30 23x32 37x28 20-25 40-34 14-20 44-40 12-18";
        let (threat, last) = explained("W:W31-50:B1-20", line);
        let last = last.expect("a last move");
        assert!(last.loss >= Mark::DUBIOUS, "{last:?}");
        assert!(last.better.len() > 1 && last.better[0] != last.mv);
        // Black would have to prevent 30-24, which is no threat.
        assert_eq!(threat, None);
    }

    #[test]
    fn a_combination_that_waits_for_the_opponent_to_pass_is_a_threat() {
        let text = "B:W30-32,34,36-50:B1-12,14,15,17,19-22";
        let (threat, _) = explained(text, "");
        let threat = threat.expect("31-27 22x31 36x16");
        let position = passed(&fen::parse(text).expect("a position"));
        assert_eq!(moves::short(&position, threat.line[0]), "31-27");
        assert!(threat.gain >= THREAT && threat.score > Score::new(100));
    }
}
