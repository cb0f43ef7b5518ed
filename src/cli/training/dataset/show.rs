//! `damier dataset show`.

use crate::cli::shared_args::whole;
use crate::cli::{Command, Failure, GivenOptions, error};
use damier::training::dataset::{self, DatasetError, ShowOptions};
use std::io;
use std::path::PathBuf;

/// Show games as PDN, or positions as diagrams
///
/// Example: damier dataset show games.dgr --random 3
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ShowArgs {
    /// Files of games
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Show the game with this number
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 0)]
    pub game: u64,
    /// Number of games to show, from --game on
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1)]
    pub count: u64,
    /// Show the position with this number, counted from 0 among those with a score
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "K", conflicts_with_all = ["game", "count", "random"])]
    pub position: Option<u64>,
    /// Show this many positions chosen at random
    #[arg(long, value_parser = whole::<usize>(0..), value_name = "N", conflicts_with_all = ["game", "count"])]
    pub random: Option<usize>,
    /// Seed of the random choice
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl Command for ShowArgs {
    const NAME: &'static str = "show";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let options = match (self.position, self.random) {
            (Some(number), _) => ShowOptions::Position(number),
            (None, Some(count)) => ShowOptions::Random {
                count,
                seed: self.seed,
            },
            (None, None) => ShowOptions::Games {
                first: self.game,
                count: self.count,
            },
        };
        let mut out = io::stdout().lock();
        dataset::show(&self.paths, options, &mut out).map_err(|problem| match problem {
            DatasetError::Output(error) => Failure::Io(error),
            other => error(other),
        })
    }
}
