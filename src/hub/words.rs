//! Conversions between the engine's types and the protocol's.

use crate::engine::{Clock, Handicap, Kind, Level, Options, Purpose, Scope, Strength};
use crate::notation::{fen, hub_board, moves};
use crate::protocol::hub::{GoMode, Id, Info, LevelArgs, Param, ParamKind, Seconds};
use crate::rules::{Game, Move, Position, Status};
use crate::search::{Outcome, Report};
use crate::settings::Setting;

/// Last key of an `info` for other lines than the best.
const RANK: &str = "multi-pv";
/// Win, draw and loss in thousandths, after the line.
const WDL: &str = "wdl";

/// Inconsistencies that the search detected, and whether the move depends on the last one.
const DETECTIONS: &str = "detections";

/// Name, version and author of the engine.
pub(super) fn id() -> Id {
    Id {
        name: "Damier".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        author: "The Damier authors".to_owned(),
        country: String::new(),
    }
}

/// The parameter that names the game, and the only game.
pub(super) const VARIANT: &str = "variant";
pub(super) const NORMAL: &str = "normal";

/// The game as a Hub parameter.
pub(super) fn variant() -> Param {
    Param {
        name: VARIANT.to_owned(),
        value: NORMAL.to_owned(),
        kind: ParamKind::Enum {
            values: vec![NORMAL.to_owned()],
        },
    }
}

/// An option as a Hub parameter.
pub(super) fn param(spec: &Setting<Options, Scope>, options: &Options) -> Param {
    Param {
        name: spec.name.to_owned(),
        value: spec.get(options),
        kind: match spec.kind {
            Kind::Bool => ParamKind::Bool,
            Kind::Int(min, max) | Kind::PowerOfTwo(min, max) => ParamKind::Int { min, max },
            Kind::ZeroOr(_, max) => ParamKind::Int { min: 0, max },
            Kind::File(_) | Kind::Folder | Kind::Ascii(_) | Kind::Text(_) => ParamKind::String,
            Kind::Choice(words) => ParamKind::Enum {
                values: words.iter().map(|word| (*word).to_owned()).collect(),
            },
        },
    }
}

/// The purpose of a search.
pub(super) fn purpose(mode: GoMode) -> Purpose {
    match mode {
        GoMode::Think => Purpose::Think,
        GoMode::Ponder => Purpose::Ponder,
        GoMode::Analyze => Purpose::Analyse,
    }
}

/// The level that a client requests.
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

/// Playing strength: the handicap of the level, if any, or else that of the options.
pub(super) fn strength(level: &LevelArgs) -> Strength {
    let handicap = Handicap {
        step: level.handicap.unwrap_or(0),
        ply: level.ply.unwrap_or(0),
    };
    match handicap.is_none() {
        true => Strength::AsOptions,
        false => Strength::Handicap(handicap),
    }
}

/// The position of a board of 51 characters, or of a FEN.
fn position(text: &str) -> Result<Position, String> {
    hub_board::parse(text).or_else(|error| {
        let read = fen::parse(text);
        read.map_err(|other| match text.contains(':') {
            true => other.to_string(),
            false => error.to_string(),
        })
    })
}

/// The game given by a board of 51 characters or a FEN (or the start position) and moves.
///
/// # Errors
/// Which part cannot be parsed or played.
pub(super) fn game(pos: Option<&str>, moves: &[String]) -> Result<Game, String> {
    let start = pos.map_or(Ok(Position::start()), position)?;
    let mut game = Game::new(start);
    for (index, text) in moves.iter().enumerate() {
        let mv = moves::parse(game.position(), text)
            .map_err(|error| format!("move {} {text:.20} cannot be played: {error}", index + 1))?;
        game.play(mv);
    }
    Ok(game)
}

/// A line of the search. For lines after the first, the rank is the last key.
pub(super) fn info(report: &Report) -> Info {
    let rank = (report.rank > 1).then(|| (RANK.to_owned(), report.rank.to_string()));
    let wdl = report.wdl.map(|wdl| {
        let [win, draw, loss] = wdl.per_mille();
        (WDL.to_owned(), format!("{win}/{draw}/{loss}"))
    });
    let detections = report.detections;
    let detections = detections
        .any()
        .then(|| (DETECTIONS.to_owned(), detections.to_string()));
    Info {
        depth: Some(report.depth),
        mean_depth: Some(report.mean_depth),
        score: Some(report.score.men()),
        nodes: Some(report.nodes),
        time: Some(report.time),
        nps: Some(report.nps() / 1e6),
        pv: report.pv.iter().map(ToString::to_string).collect(),
        extra: wdl.into_iter().chain(detections).chain(rank).collect(),
    }
}

/// Whether two infos have the same rank.
pub(super) fn is_same_rank(a: &Info, b: &Info) -> bool {
    let rank = |info: &Info| info.extra.iter().find(|(name, _)| name == RANK).cloned();
    rank(a) == rank(b)
}

/// The reply to ponder on. None if it ends the game: some clients would start a search of the finished position.
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
    use crate::engine::Level;
    use crate::engine::{Engine, Job, Options};
    use crate::eval::{Score, WdlModel};
    use crate::search::{Control, Detections};

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

    #[test]
    fn detections_are_told_where_there_are_any() {
        let line = |count, decisive| {
            let report = Report {
                rank: 1,
                detections: Detections { count, decisive },
                ..Report::default()
            };
            info(&report).extra
        };
        assert_eq!(line(0, false), []);
        assert_eq!(line(2, true), [("detections".to_owned(), "2/1".to_owned())]);
    }

    #[test]
    fn the_chances_stand_behind_the_line_and_do_not_hide_the_rank() {
        let line = |rank, score| {
            let wdl = WdlModel::default().wdl(Score::new(score), 30);
            let report = Report {
                rank,
                wdl: Some(wdl),
                ..Report::default()
            };
            info(&report)
        };
        let second = line(2, 30);
        let names: Vec<&str> = second.extra.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["wdl", "multi-pv"]);
        let shares = second.extra[0]
            .1
            .split('/')
            .map(|share| share.parse::<u32>());
        assert_eq!(
            shares.map(|share| share.expect("a number")).sum::<u32>(),
            1_000
        );
        assert!(is_same_rank(&second, &line(2, 90)) && !is_same_rank(&second, &line(1, 30)));
    }
}
