//! `damier perft`.

use crate::cli::shared_args::{position, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error};
use damier::rules::perft;
use damier::search::MAX_DEPTH;
use std::io::{self, Write};
use std::num::NonZeroUsize;

/// Count the move sequences of a position, depth by depth
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier perft --depth 8 --threads 2 --hash 256")]
pub(in crate::cli) struct PerftArgs {
    /// The position [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves in a sequence
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MAX_DEPTH as u32))]
    pub depth: u32,
    /// Also show the count of each first move
    #[arg(long)]
    pub divide: bool,
    /// Memory in MiB for a table of counts; 0 for no table
    #[arg(long, value_parser = whole::<usize>(0..), value_name = "MIB", default_value_t = 0)]
    pub hash: usize,
}

impl Command for PerftArgs {
    const NAME: &'static str = "perft";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[&["threads"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let threads = engine.file_options()?.threads;
        let position = position(self.fen.as_deref())?;
        let perft = perft::Perft::new(perft::PerftOptions {
            threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
            hash_mib: self.hash,
        })
        .map_err(error)?;
        let mut out = io::stdout().lock();
        if self.divide {
            for (mv, count) in perft.divide(&position, self.depth) {
                writeln!(out, "{mv} {count}")?;
            }
            out.flush()?;
        }
        let report = |report: &perft::Report| {
            writeln!(out, "{report}")?;
            Ok(out.flush()?)
        };
        perft.run(&position, self.depth, report)
    }
}
