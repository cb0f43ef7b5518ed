//! `damier dataset merge`.

use super::{games, report_damages};
use crate::cli::{Command, Failure, GivenOptions, error, print, progress};
use damier::training::dataset::{self, Damage};
use serde_json::json;
use std::path::PathBuf;

/// Join the files of a run, games in order of their numbers
///
/// Merging all shards of a run gives the same bytes as the run without shards. Files of runs with different settings
/// cannot be merged; a game that occurs twice is an error; damaged blocks are left out and named. FILE appears only
/// when it is complete.
///
/// Example: damier dataset merge part1.dgr part2.dgr --out games.dgr
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct MergeArgs {
    /// Files of games
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for MergeArgs {
    const NAME: &'static str = "merge";

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.out.clone()]
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let bar = progress::bar(games(&self.paths)?, "games");
        let merged = dataset::merge(&self.paths, &self.out, || bar.inc(1));
        bar.finish_and_clear();
        let merged = merged.map_err(error)?;
        if self.json {
            let damages: Vec<String> = merged.damages.iter().map(Damage::to_string).collect();
            let object = json!({
                "out": self.out.display().to_string(),
                "games": merged.games,
                "missing": merged.missing,
                "damages": damages,
            });
            print(&object)?;
        } else {
            let missing = match merged.missing {
                0 => "none missing".to_owned(),
                missing => format!("{missing} missing among them"),
            };
            print(&format!(
                "{}: {} games, {missing}",
                self.out.display(),
                merged.games
            ))?;
        }
        report_damages(&merged.damages)
    }
}
