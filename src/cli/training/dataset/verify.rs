//! `damier dataset verify`.

use super::report_damages;
use crate::cli::{Command, Failure, GivenOptions, error, print, progress};
use damier::training::dataset::{self, Damage, Order, Reader};
use serde_json::json;
use std::path::PathBuf;

/// Check every byte and replay every game; exit code 1 where anything is damaged
///
/// Example: damier dataset verify games.dgr
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct VerifyArgs {
    /// Files of games
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for VerifyArgs {
    const NAME: &'static str = "verify";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let reader = Reader::open(&self.paths, Order::Stored).map_err(error)?;
        let bar = progress::bar(reader.bytes(), "bytes");
        let found = dataset::verify(&self.paths, |bytes| bar.inc(bytes));
        bar.finish_and_clear();
        let found = found.map_err(error)?;
        if self.json {
            let damages: Vec<String> = found.damages.iter().map(Damage::to_string).collect();
            let object = json!({
                "games": found.games,
                "plies": found.plies,
                "damages": damages,
            });
            print(&object)?;
        } else {
            let text = format!(
                "{} games with {} plies are sound, {} places are damaged",
                found.games,
                found.plies,
                found.damages.len()
            );
            print(&text)?;
        }
        report_damages(&found.damages)
    }
}
