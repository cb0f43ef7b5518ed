//! The engine as a player of the Hub protocol.

use std::time::Duration;

use super::player::{Outcome, Player, Request};
use crate::engine::{Clock, Engine, Job, Kind, Level, OptionError, Purpose};
use crate::notation::{hub_board, moves};
use crate::protocol::hub::{GoMode, Id, Info, LevelArgs, Param, ParamKind, Seconds};
use crate::rules::{Game, Move, Position, Status};
use crate::search::{self, Control, Report};

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
        if self.game.position().legal_moves().is_empty() {
            return Outcome::default();
        }
        let purpose = match request.mode {
            GoMode::Think => Purpose::Think,
            GoMode::Ponder => Purpose::Ponder,
            GoMode::Analyze => Purpose::Analyse,
        };
        let job = Job::new(self.game.clone(), level(&request.level)).with_purpose(purpose);
        let mut report = |report: &Report| info(info_of(report));
        let found = self.engine.run(&job, control, &mut report);
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

/// The engine's level for what the client has said.
fn level(args: &LevelArgs) -> Level {
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
