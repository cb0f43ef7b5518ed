//! `damier dataset import`.

use crate::cli::shared_args::{EncodingArgs, WorkerArgs, whole};
use crate::cli::{Command, Failure, GivenOptions, error, print, progress, warn};
use damier::engine::Options;
use damier::notation::text::for_terminal;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::training::selfplay::import::{self, Import};
use serde_json::json;
use std::path::PathBuf;

/// Make a file of games to train on from PDN: games of people, or of other programs
///
/// A position has the result of its game, and the score that `damier match` wrote after the move, or else that of a
/// search of --nodes. Games without a result or a move are left out. An interrupted import
/// goes on with the same command.
///
/// Example: damier dataset import games.pdn --out games.dgr && damier train games.dgr --out new.dwt
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ImportArgs {
    /// Files of PDN
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// The file of games to write or to continue
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Positions to search for the score of each position that has none
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole::<u64>(1..))]
    pub nodes: u64,
    /// Also search the positions that have a score
    #[arg(long)]
    pub search_all: bool,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub text: EncodingArgs,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

impl Command for ImportArgs {
    const NAME: &'static str = "import";

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.out.clone()]
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let run = Import {
            files: self.paths.clone(),
            encoding: self.text.encoding,
            out: self.out.clone(),
            nodes: self.nodes,
            search_all: self.search_all,
            engine: Options::default(),
            threads: self.workers.count(),
        };
        note_requests_to_end();
        let bar = progress::bar(0, "games");
        let found = import::import(&run, &mut |done, total| {
            progress::show(&bar, done, total);
            !asked_to_end()
        });
        bar.finish_and_clear();
        let found = found.map_err(error)?;
        if self.json {
            let object = json!({
                "out": self.out.display().to_string(),
                "games": found.games,
                "found": found.found,
                "searched": found.searched,
                "left_out": found.left_out,
                "damages": found.damages,
                "stopped": found.stopped,
            });
            print(&object)?;
        } else {
            let text = format!(
                "{}: {} games, {} positions searched, {} games without a result or a move left out",
                self.out.display(),
                found.games,
                found.searched,
                found.left_out
            );
            print(&text)?;
        }
        for (file, encoding) in &found.encodings {
            self.text.print_note(file, *encoding);
        }
        for damage in &found.damages {
            warn(&format_args!("{}", for_terminal(damage)));
        }
        match found.stopped || !found.damages.is_empty() {
            true => Err(Failure::Reported),
            false => Ok(()),
        }
    }
}
