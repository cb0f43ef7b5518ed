//! `damier play`.

use crate::cli::endgame::EngineProblems;
use crate::cli::engine_args::{BOOK, EVALUATION, RESOURCES, STRENGTH};
use crate::cli::shared_args::{EncodingArgs, LimitArgs, position};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error};
use clap::ValueEnum;
use damier::board::Color;
use damier::engine::Engine;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::terminal::Style;
use damier::terminal::play::{self, PlayerKind, TimeControl};
use std::io::{self, IsTerminal};

/// Play a game in the terminal; the computer takes 2 seconds a move by default
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier play --white computer --time 1")]
pub(in crate::cli) struct PlayArgs {
    /// Who plays white [default: human]
    #[arg(long, value_name = "WHO")]
    pub white: Option<PlayerArg>,
    /// Who plays black [default: computer]
    #[arg(long, value_name = "WHO")]
    pub black: Option<PlayerArg>,
    /// Start from this position, such as W:W31-50:B1-20
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Play with clocks: minutes for each side, and seconds added for each move
    #[arg(long, value_name = "M+S", conflicts_with_all = ["time", "depth", "nodes"], allow_negative_numbers = true)]
    pub clock: Option<TimeControl>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub text: EncodingArgs,
}

/// Who plays a side.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum PlayerArg {
    /// You
    Human,
    /// The engine
    Computer,
}

impl PlayerArg {
    /// The one on the other side of the board.
    fn other(self) -> PlayerArg {
        match self {
            PlayerArg::Human => PlayerArg::Computer,
            PlayerArg::Computer => PlayerArg::Human,
        }
    }
}

impl From<PlayerArg> for PlayerKind {
    fn from(seat: PlayerArg) -> PlayerKind {
        match seat {
            PlayerArg::Human => PlayerKind::Human,
            PlayerArg::Computer => PlayerKind::Computer,
        }
    }
}

impl Command for PlayArgs {
    const NAME: &'static str = "play";
    const ENGINE: AcceptedOptions =
        AcceptedOptions::of(&[BOOK, STRENGTH, RESOURCES, EVALUATION, &["search"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let mut options = engine.file_options()?;
        let is_live = io::stdin().is_terminal();
        let mut players = [PlayerKind::Human, PlayerKind::Computer];
        for (color, seat) in [(Color::White, self.white), (Color::Black, self.black)] {
            if let Some(seat) = seat {
                players[color.index()] = seat.into();
                // One side named: the other one is for the other player.
                if self.white.is_none() || self.black.is_none() {
                    players[(!color).index()] = seat.other().into();
                }
            }
        }
        // A player who chose no strength meets that of the browser.
        let is_chosen =
            engine.value("elo").is_some() || options.elo > 0 || !self.limits.level().is_infinite();
        if is_live && !is_chosen && players.contains(&PlayerKind::Human) {
            options.elo = play::CASUAL_ELO;
        }
        let (start, level) = (position(self.fen.as_deref())?, self.limits.level_or(2));
        let variable = |name: &str| std::env::var(name).ok();
        let setting = play::PlaySettings {
            clock: self.clock,
            encoding: self.text.encoding,
            live: is_live,
            style: Style::detect(io::stdout().is_terminal(), variable),
            asked_to_end,
            ..play::PlaySettings::new(start, players, level)
        };
        let engine = Engine::new(options).map_err(error)?;
        let _problems = EngineProblems::of(&engine);
        let (input, mut output) = (io::BufReader::new(io::stdin()), io::stdout().lock());
        note_requests_to_end();
        play::run(engine, setting, input, &mut output)?;
        Ok(())
    }
}
