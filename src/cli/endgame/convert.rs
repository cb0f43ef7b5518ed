//! `damier endgame convert`.

use crate::cli::shared_args::WorkerArgs;
use crate::cli::{Command, Failure, GivenOptions, error, print, progress, warn};
use damier::endgame::{self, StoreError};
use damier::notation::text::for_terminal;
use std::path::PathBuf;
use std::sync::Mutex;

/// Rewrite the tables of an earlier version
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier endgame convert tables tables-2")]
pub(in crate::cli) struct ConvertArgs {
    /// Folder of the tables, or a file made by `damier endgame embed`
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// Folder to write, which may be the same
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

impl Command for ConvertArgs {
    const NAME: &'static str = "convert";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.workers.count());
        let pool = pool.build().map_err(error)?;
        let bar = progress::bar(0, "slices");
        let failed = Mutex::new(Vec::new());
        let written = pool.install(|| {
            endgame::convert(&self.old, &self.new, |table| match table {
                Ok(slice) => {
                    bar.set_message(slice.to_string());
                    bar.inc(1);
                }
                Err(problem) => failed.lock().expect("no panic before").push(problem),
            })
        });
        bar.finish_and_clear();
        let new = self.new.display().to_string();
        let written = written.map_err(error)?;
        let mut failed = failed.into_inner().expect("no panic before");
        failed.sort_by_key(StoreError::to_string);
        failed.iter().for_each(|problem| warn(problem));
        print(&format!("{}: {written} slices", for_terminal(&new)))?;
        match failed.is_empty() {
            true => Ok(()),
            false => Err(Failure::Reported),
        }
    }
}
