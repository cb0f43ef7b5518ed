//! `damier dataset stat`.

use super::games;
use crate::cli::{Command, Failure, GivenOptions, error, print, progress};
use damier::training::dataset;
use std::path::PathBuf;

/// Count games, positions, results, ends, scores, pieces and duplicates
///
/// Example: damier dataset stat games.dgr --distinct
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct StatArgs {
    /// Files of games
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Also count different positions; takes 16 bytes of memory for each
    #[arg(long)]
    pub distinct: bool,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for StatArgs {
    const NAME: &'static str = "stat";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let bar = progress::bar(games(&self.paths)?, "games");
        let found = dataset::statistics(&self.paths, self.distinct, || bar.inc(1));
        bar.finish_and_clear();
        let found = found.map_err(error)?;
        match self.json {
            true => print(&found.to_json()),
            false => print(&found.to_string().trim_end()),
        }
    }
}
