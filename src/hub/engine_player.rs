//! The engine as a player of the Hub protocol.

use std::time::Duration;

use super::player::{Outcome, Player, Request};
use crate::endgame::WaitPolicy;
use crate::engine::{Engine, Kind, OptionError};
use crate::notation::{hub_board, moves};
use crate::protocol::hub::{GoMode, Id, Info, LevelArgs, Param, ParamKind, Seconds};
use crate::rules::{Game, Move, Position, Status};
use crate::search::{self, Control, Limits, MAX_DEPTH, Report, TimeControl};

/// Where a clock has run out but an increment is due, the share of it that a move may take, and the most.
const LAST_SHARE: u32 = 20;
const LAST_MOMENT: Duration = Duration::from_millis(10);

/// Enough nodes for any move to get a score, few enough to take no time.
const GLANCE_NODES: u64 = 20_000;

/// The engine with the game that the client has told it.
pub struct EnginePlayer {
    engine: Engine,
    game: Game,
}

impl EnginePlayer {
    /// Plays with this engine, from the start position.
    pub fn new(engine: Engine) -> Self {
        Self {
            engine,
            game: Game::new(Position::start()),
        }
    }
}

impl Player for EnginePlayer {
    fn id(&self) -> Id {
        Id {
            name: "Damier".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            author: "The Damier authors".to_owned(),
            country: String::new(),
        }
    }

    fn params(&self) -> Vec<Param> {
        let param = |spec: crate::engine::OptionSpec| Param {
            name: spec.name.to_owned(),
            value: spec.value,
            kind: match spec.kind {
                Kind::Bool => ParamKind::Bool,
                Kind::Int(min, max) => ParamKind::Int { min, max },
                Kind::File(_) | Kind::Text => ParamKind::String,
                Kind::Enum(words) => ParamKind::Enum {
                    values: words.into_iter().map(str::to_owned).collect(),
                },
            },
        };
        self.engine
            .options()
            .specs()
            .into_iter()
            .map(param)
            .collect()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut options = self.engine.options().clone();
        match options.set(name, value) {
            Ok(()) => self
                .engine
                .set_options(options)
                .map_err(|error| error.to_string()),
            Err(OptionError::Unknown(name)) => {
                log::debug!("no parameter {name}");
                Ok(())
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn line_gap(&self) -> Duration {
        Duration::from_micros(u64::from(self.engine.options().line_gap))
    }

    fn init(&mut self) -> Result<(), String> {
        // Every parameter counts from when it is set.
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), String> {
        self.engine.new_game();
        Ok(())
    }

    fn set_position(&mut self, pos: Option<&str>, moves: &[String]) -> Result<(), String> {
        let start = pos
            .map_or(Ok(Position::start()), hub_board::parse)
            .map_err(|error| error.to_string())?;
        let mut game = Game::new(start);
        for (index, text) in moves.iter().enumerate() {
            let mv = moves::parse(game.position(), text)
                .map_err(|error| format!("move {} {text:.20} is not played: {error}", index + 1))?;
            game.play(mv);
        }
        self.game = game;
        Ok(())
    }

    fn think(
        &mut self,
        request: &Request,
        control: &Control,
        info: &mut dyn FnMut(Info),
    ) -> Outcome {
        let analyze = request.mode == GoMode::Analyze;
        if self.game.position().legal_moves().is_empty() {
            return Outcome::default();
        }
        let search = search::Request {
            game: &self.game,
            limits: limits(&request.level),
            analyze,
        };
        let wait_policy = wait_policy(&request.level, analyze);
        let mut tell = |report: &Report| info(info_of(report));
        let mut found = self
            .engine
            .search_with(&search, wait_policy, control, &mut tell);
        if found.report.depth == 0 && request.level.nodes.is_none() {
            // Stopped before anything was known: a glance, so that the client gets a score all the same.
            let limits = Limits {
                depth: Some(1),
                nodes: Some(GLANCE_NODES),
                ..Limits::default()
            };
            let glance = search::Request {
                game: &self.game,
                limits,
                analyze,
            };
            found = self
                .engine
                .search_with(&glance, WaitPolicy::Never, &Control::new(), &mut ());
            found.report.depth = 1;
        }
        Outcome {
            info: Some(info_of(&found.report)),
            best: found.best.map(|mv| mv.to_string()),
            ponder: self.ponder(&found).map(|mv| mv.to_string()),
        }
    }
}

fn info_of(report: &Report) -> Info {
    Info {
        depth: Some(report.depth),
        mean_depth: Some(report.mean_depth),
        score: Some(f64::from(report.score.centimen()) / 100.0),
        nodes: Some(report.nodes),
        time: Some(report.time),
        nps: Some(report.nps() / 1e6),
        pv: report.pv.iter().map(ToString::to_string).collect(),
        extra: Vec::new(),
    }
}

/// How long the search of a level may wait for endgame tables. A level with a time has none to spare, even when what is left
/// of it makes a depth.
fn wait_policy(level: &LevelArgs, analyze: bool) -> WaitPolicy {
    match level.time.or(level.move_time) {
        Some(_) => WaitPolicy::Never,
        None => search::wait_policy(&limits(level), analyze),
    }
}

/// The limits that a level means. No time left means a move at once.
fn limits(level: &LevelArgs) -> Limits {
    let depth = |depth: u32| {
        search::Depth::try_from(depth)
            .unwrap_or(MAX_DEPTH)
            .clamp(1, MAX_DEPTH)
    };
    let mut limits = Limits {
        depth: level.depth.map(depth),
        nodes: level.nodes,
        ..Limits::default()
    };
    let is_none_left = |time: Seconds| time.get() <= 0.0;
    if let Some(time) = level.move_time {
        limits.move_time = Some(time.or_zero());
        if is_none_left(time) {
            limits.depth = Some(1);
        }
    }
    let Some(time) = level.time else {
        return limits;
    };
    let inc = level.inc.map_or(0.0, Seconds::get).max(0.0);
    if !is_none_left(time) {
        let increment = Duration::from_secs_f64(inc);
        limits.clock = Some(TimeControl {
            time: time.or_zero(),
            increment,
            moves: level.moves.filter(|&n| n > 0),
        });
    } else if let Some(rest) = Seconds::new(time.get() + inc).filter(|&rest| !is_none_left(rest)) {
        let moment = (rest.or_zero() / LAST_SHARE).min(LAST_MOMENT);
        limits.move_time = Some(limits.move_time.map_or(moment, |time| time.min(moment)));
    } else {
        limits.depth = Some(1);
    }
    limits
}

impl EnginePlayer {
    /// The reply to think on in the opponent's time. None when it ends the game: some clients would have a finished game
    /// searched, and find no move.
    fn ponder(&self, found: &search::Outcome) -> Option<Move> {
        let (best, reply) = (found.best?, found.ponder?);
        let mut game = self.game.clone();
        game.play(best);
        game.play(reply);
        (game.status() == Status::Playing).then_some(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::notation::fen;

    fn analyze(text: &str) -> Outcome {
        let options = Options {
            tt_size: 16,
            ..Options::default()
        };
        let engine = Engine::new(options).expect("a small table");
        let mut player = EnginePlayer::new(engine);
        player.game = Game::new(fen::parse(text).expect("a good FEN"));
        let level = LevelArgs {
            depth: Some(5),
            ..LevelArgs::default()
        };
        let request = Request {
            mode: GoMode::Analyze,
            level,
        };
        player.think(&request, &Control::new(), &mut |_| {})
    }

    #[test]
    fn a_level_with_a_time_waits_for_no_table() {
        let level = |text: &str| {
            let line = format!("level {text}");
            match crate::protocol::hub::Command::parse(line.as_bytes()) {
                Ok(crate::protocol::hub::Command::Level(level)) => level,
                other => panic!("{other:?}"),
            }
        };
        for text in ["time=0", "time=-1", "move-time=0", "time=0.1 depth=9"] {
            assert_eq!(
                wait_policy(&level(text), false),
                WaitPolicy::Never,
                "{text}"
            );
            assert_eq!(wait_policy(&level(text), true), WaitPolicy::Never, "{text}");
        }
        assert_eq!(wait_policy(&level("depth=9"), false), WaitPolicy::AllTables);
        assert_eq!(wait_policy(&level("nodes=9"), false), WaitPolicy::AllTables);
        assert_eq!(wait_policy(&level("infinite"), false), WaitPolicy::Never);
        assert_eq!(
            wait_policy(&level("infinite"), true),
            WaitPolicy::SmallTables
        );
    }

    #[test]
    fn a_reply_that_ends_the_game_is_no_ponder_move() {
        // 36-31 is forced, and 27x36 takes the last man.
        let ends = analyze("W:W36:B22,27");
        assert_eq!(ends.best.as_deref(), Some("36-31"));
        assert!(ends.info.is_some_and(|info| info.pv.len() == 2));
        assert_eq!(ends.ponder, None);
        let goes_on = analyze("W:W31-50:B1-20");
        assert!(goes_on.ponder.is_some());
    }
}
