//! `damier endgame verify`.

use super::{folder, open};
use crate::cli::shared_args::{WorkerArgs, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, progress, warn};
use damier::endgame::{self, Slice, StoreError, UnsoundEntry, Verdict};
use damier::notation::fen;
use std::io::{self, Write};
use std::path::PathBuf;

/// Check by the rules that every stored verdict follows from its successors; exit code 1 if one does not
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier endgame verify --dir tables --step 100")]
pub(in crate::cli) struct VerifyArgs {
    /// Folder of tables, used in addition to the built-in ones, which are checked too [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Check only this slice
    #[arg(long, value_name = "SLICE")]
    pub only: Option<Slice>,
    /// Check one position in N
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(1..))]
    pub step: u64,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

impl Command for VerifyArgs {
    const NAME: &'static str = "verify";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[&["endgame-dir"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.workers.count());
        let pool = pool.build().map_err(error)?;
        let tables = open(folder(self.dir.as_ref(), engine)?.as_deref())?;
        let mut slices = tables.slices();
        if let Some(only) = self.only {
            slices.retain(|&slice| slice == only);
            if slices.is_empty() {
                return Err(error(format!("there is no table of {only}")));
            }
        }
        let bar = progress::bar(slices.len() as u64, "slices");
        let (mut faults, mut unchecked) = (Vec::new(), Vec::new());
        for &slice in &slices {
            bar.set_message(slice.to_string());
            match pool.install(|| endgame::verify(&tables, slice, self.step)) {
                Ok(None) => {}
                Ok(Some(fault)) => faults.push((slice, fault)),
                Err(missing @ StoreError::Missing { .. }) => unchecked.push(missing),
                Err(other) => return Err(error(other)),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        for missing in &unchecked {
            warn(&missing);
        }
        for (slice, fault) in &faults {
            warn(&describe(*slice, fault));
        }
        let sound = slices.len() - faults.len() - unchecked.len();
        let rest = match unchecked.len() {
            0 => String::new(),
            number => format!(", {number} cannot be checked"),
        };
        writeln!(
            io::stdout(),
            "{sound} slices are sound, {} are not{rest}",
            faults.len()
        )?;
        if faults.is_empty() && unchecked.is_empty() {
            Ok(())
        } else {
            Err(Failure::Reported)
        }
    }
}

fn describe(slice: Slice, fault: &UnsoundEntry) -> String {
    let shown = |verdict: Option<Verdict>| {
        verdict.map_or("unknown".to_owned(), |verdict| verdict.to_string())
    };
    format!(
        "{slice}: {} is stored as {}, its moves make it {}",
        fen::format(&fault.position),
        shown(fault.stored),
        shown(fault.expected)
    )
}
