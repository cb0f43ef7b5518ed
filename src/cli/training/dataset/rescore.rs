//! `damier dataset rescore`.

use crate::cli::engine_args::SEARCH;
use crate::cli::shared_args::{WorkerArgs, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, print, progress};
use damier::notation::text::for_terminal;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::training::selfplay::rescore::{self, Rescore};
use serde_json::json;
use std::path::PathBuf;

/// Search the positions of a file of games again, deeper or with other weights
///
/// The games stay as they are: moves, results, and which positions have a score. Only the scores are new. An
/// interrupted run goes on with the same command.
///
/// Example: damier dataset rescore games.dgr --nodes 20000 --out deep.dgr && damier train deep.dgr --out new.dwt
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct RescoreArgs {
    /// The file of games
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// The file of games to write or to continue
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Positions to search for each score
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    pub nodes: u64,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

impl Command for RescoreArgs {
    const NAME: &'static str = "rescore";
    const ENGINE: AcceptedOptions = AcceptedOptions::without_file(&[SEARCH]);

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.out.clone()]
    }

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let run = Rescore {
            games: self.path.clone(),
            out: self.out.clone(),
            nodes: self.nodes,
            engine: engine.options()?,
            threads: self.workers.count(),
        };
        note_requests_to_end();
        let bar = progress::bar(0, "games");
        let found = rescore::rescore(&run, &mut |done, total| {
            progress::show(&bar, done, total);
            !asked_to_end()
        });
        bar.finish_and_clear();
        let found = found.map_err(error)?;
        let file = self.out.display().to_string();
        match self.json {
            true => print(&json!({
                "out": file,
                "games": found.games,
                "found": found.found,
                "searched": found.searched,
                "stopped": found.stopped,
            }))?,
            false => print(&format_args!(
                "{}: {} games, {} positions searched",
                for_terminal(&file),
                found.games,
                found.searched
            ))?,
        }
        match found.stopped {
            true => Err(Failure::Error(format!(
                "stopped after {} games; the same command goes on with them",
                found.games
            ))),
            false => Ok(()),
        }
    }
}
