//! `damier dataset stat`.

use super::games;
use crate::cli::command::Command;
use crate::cli::engine_args::Given;
use crate::cli::{Failure, error, print, progress};
use damier::training::dataset;
use std::io::{self, Write};
use std::path::PathBuf;

/// Count games, positions, results, ends, scores, pieces and duplicates
///
/// Example: damier dataset stat games.dgr --distinct
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct StatArgs {
    /// Files of games
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Count different positions too; takes 16 bytes of memory for each
    #[arg(long)]
    pub distinct: bool,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for StatArgs {
    const NAME: &'static str = "stat";

    fn run(&self, _: &Given) -> Result<(), Failure> {
        let bar = progress::bar(games(&self.paths)?, "games");
        let found = dataset::statistics(&self.paths, self.distinct, || bar.inc(1));
        bar.finish_and_clear();
        let found = found.map_err(error)?;
        let mut out = io::stdout().lock();
        if self.json {
            print(&mut out, &found.to_json())?;
        } else {
            let text = found.to_string();
            print(&mut out, &text.trim_end())?;
        }
        Ok(out.flush()?)
    }
}
