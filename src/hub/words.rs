//! The engine's types in the protocol's words.

use crate::engine::{Clock, Kind, Level, Options, Purpose, Scope};
use crate::notation::{hub_board, moves};
use crate::protocol::hub::{GoMode, Id, Info, LevelArgs, Param, ParamKind, Seconds};
use crate::rules::{Game, Move, Position, Status};
use crate::search::{Outcome, Report};
use crate::settings::Setting;

/// The last key of an `info` that is not of the best line.
const RANK: &str = "multi-pv";

/// Who plays.
pub(super) fn id() -> Id {
    Id {
        name: "Damier".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        author: "The Damier authors".to_owned(),
        country: String::new(),
    }
}

/// An option as a parameter.
pub(super) fn param(spec: &Setting<Options, Scope>, options: &Options) -> Param {
    Param {
        name: spec.name.to_owned(),
        value: spec.get(options),
        kind: match spec.kind {
            Kind::Bool => ParamKind::Bool,
            Kind::Int(min, max) | Kind::PowerOfTwo(min, max) => ParamKind::Int { min, max },
            Kind::File(_) | Kind::Folder | Kind::Ascii(_) | Kind::Text(_) => ParamKind::String,
            Kind::Choice(words) => ParamKind::Enum {
                values: words.iter().map(|word| (*word).to_owned()).collect(),
            },
        },
    }
}

/// What a search is for.
pub(super) fn purpose(mode: GoMode) -> Purpose {
    match mode {
        GoMode::Think => Purpose::Think,
        GoMode::Ponder => Purpose::Ponder,
        GoMode::Analyze => Purpose::Analyse,
    }
}

/// The level that a client has asked for.
pub(super) fn level(args: &LevelArgs) -> Level {
    let clock = |time: Seconds| Clock {
        time: time.get(),
        increment: args.inc.map_or(0.0, Seconds::get),
        moves: args.moves,
    };
    Level {
        depth: args.depth,
        nodes: args.nodes,
        move_time: args.move_time.map(Seconds::get),
        clock: args.time.map(clock),
    }
}

/// The game that the 51 characters (or the start position) and moves make.
///
/// # Errors
/// What cannot be read or played, in words.
pub(super) fn game(pos: Option<&str>, moves: &[String]) -> Result<Game, String> {
    let start = pos
        .map_or(Ok(Position::start()), hub_board::parse)
        .map_err(|error| error.to_string())?;
    let mut game = Game::new(start);
    for (index, text) in moves.iter().enumerate() {
        let mv = moves::parse(game.position(), text)
            .map_err(|error| format!("move {} {text:.20} is not played: {error}", index + 1))?;
        game.play(mv);
    }
    Ok(game)
}

/// A line of the search. Those after the best one have their rank behind everything else.
pub(super) fn info(report: &Report) -> Info {
    let rank = (report.rank > 1).then(|| (RANK.to_owned(), report.rank.to_string()));
    Info {
        depth: Some(report.depth),
        mean_depth: Some(report.mean_depth),
        score: Some(f64::from(report.score.centimen()) / 100.0),
        nodes: Some(report.nodes),
        time: Some(report.time),
        nps: Some(report.nps() / 1e6),
        pv: report.pv.iter().map(ToString::to_string).collect(),
        extra: rank.into_iter().collect(),
    }
}

/// The reply to think on in the opponent's time. None when it ends the game: some clients would have a finished game
/// searched, and find no move.
pub(super) fn ponder_move(game: &Game, found: &Outcome) -> Option<Move> {
    let (best, reply) = (found.best?, found.ponder?);
    let mut game = game.clone();
    game.play(best);
    game.play(reply);
    (game.status() == Status::Playing).then_some(reply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Job, Options};
    use crate::notation::fen;
    use crate::search::Control;

    #[test]
    fn a_reply_that_ends_the_game_is_no_ponder_move() {
        let options = Options {
            tt_size: 16,
            ..Options::default()
        };
        let mut engine = Engine::new(options).expect("a small table");
        let mut analyse = |text: &str| {
            let game = Game::new(fen::parse(text).expect("a good FEN"));
            let job = Job::new(game.clone(), Level::depth(5)).with_purpose(Purpose::Analyse);
            let found = engine.run(&job, &Control::new(), &mut ());
            (ponder_move(&game, &found), found)
        };
        // 36-31 is forced, and 27x36 takes the last man.
        let (reply, found) = analyse("W:W36:B22,27");
        assert_eq!(
            found.best.map(|mv| mv.to_string()).as_deref(),
            Some("36-31")
        );
        assert_eq!((found.report.pv.len(), reply), (2, None));
        assert!(analyse("W:W31-50:B1-20").0.is_some());
    }

    #[test]
    fn only_lines_after_the_first_say_their_rank() {
        let line = |rank| {
            let report = Report {
                rank,
                ..Report::default()
            };
            info(&report).extra
        };
        assert_eq!(line(1), []);
        assert_eq!(line(3), [("multi-pv".to_owned(), "3".to_owned())]);
    }
}
