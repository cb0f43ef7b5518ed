//! `damier endgame build`.

use super::folder;
use crate::cli::shared_args::{WorkerArgs, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, print, progress};
use damier::endgame::{self, BuildOptions, BuildProgress, Slice};
use damier::notation::text::for_terminal;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const HELP: &str = "\
A slice is all positions with the same men and kings, named with the side to move first: 2m1k-1k is two men and a king \
against a king. It is built together with its opposite, 1k-2m1k. --order prints one slice of each pair with the slices \
that it needs, in the form of make rules: with the command `damier endgame build --only SLICE` for each, several \
machines that share a folder can build them. Several processes that build the same slice in a folder share its parts.

Example: damier endgame build --pieces 5 --dir tables --memory 4096";

/// Build the tables that a folder does not have yet
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct BuildArgs {
    /// Maximum number of pieces
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u8>(2..=6))]
    pub pieces: u8,
    /// Folder of the tables [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Memory for building, in MiB
    #[arg(long, value_parser = whole::<u64>(1..), value_name = "MIB", default_value_t = 8192)]
    pub memory: u64,
    /// Build only this slice and its opposite
    #[arg(long, value_name = "SLICE")]
    pub only: Option<Slice>,
    /// Build second tables, with the number of plies to the end, of five and more pieces
    #[arg(long)]
    pub distances: bool,
    /// Only print which slices each slice needs
    #[arg(long, conflicts_with = "only")]
    pub order: bool,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

fn order(pieces: u8) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for (slice, children) in endgame::order(pieces) {
        write!(out, "{slice}:")?;
        for child in children {
            write!(out, " {child}")?;
        }
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

impl Command for BuildArgs {
    const NAME: &'static str = "build";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[&["endgame-dir"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        if self.order {
            return order(self.pieces);
        }
        let none = || Failure::Usage("name a folder: --dir DIR".to_owned());
        let dir = folder(self.dir.as_ref(), engine)?.ok_or_else(none)?;
        if dir.is_file() {
            return Err(error(format!("{}: a file, not a folder", dir.display())));
        }
        let options = BuildOptions {
            pieces: self.pieces,
            dir,
            threads: self.workers.count(),
            memory: self.memory,
            only: self.only,
            distances: self.distances,
        };
        let bar = bar();
        let began = Instant::now();
        let slices = AtomicUsize::new(usize::MAX);
        let built = endgame::build(&options, |progress| {
            show(&bar, progress);
            if slices.swap(progress.slices, Ordering::Relaxed) != progress.slices {
                log::info!("{} of {} slices", progress.slices, progress.all_slices);
            }
        });
        bar.finish_and_clear();
        let built = built.map_err(error)?;
        let seconds = began.elapsed().as_secs_f64();
        let text = format!(
            "{}: {} slices with {} positions, {} of them built in {seconds:.1} s ({:.2} million a second)",
            for_terminal(&options.dir.display().to_string()),
            built.slices,
            built.positions,
            built.built,
            built.built as f64 / seconds.max(1e-9) / 1e6,
        );
        print(&text)?;
        match omitted(&built, self.memory) {
            Some(message) => Err(error(message)),
            None => Ok(()),
        }
    }
}

/// What was not built for lack of memory, if anything.
fn omitted(built: &BuildProgress, memory: u64) -> Option<String> {
    let large = built.too_large.iter();
    let large: Vec<String> = large
        .map(|(slice, mib)| format!("{slice} ({mib} MiB)"))
        .collect();
    let blocked: Vec<String> = built.blocked.iter().map(Slice::to_string).collect();
    let needing = match blocked.is_empty() {
        true => String::new(),
        false => format!("; nor {}, which need them", blocked.join(", ")),
    };
    (!large.is_empty()).then(|| {
        let large = large.join(", ");
        format!("not built, as they take more than the {memory} MiB of --memory beside the others: {large}{needing}")
    })
}

fn bar() -> ProgressBar {
    let bar = progress::bar(0, "positions");
    let template = "{wide_bar} {percent} %  {per_sec}  {msg}  {elapsed}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn show(bar: &ProgressBar, progress: &BuildProgress) {
    let found = progress.positions - progress.built;
    if bar.length() != Some(progress.all_positions - found) {
        bar.set_length(progress.all_positions - found);
    }
    bar.set_position(progress.built);
    let working: Vec<String> = progress.working.iter().map(Slice::to_string).collect();
    bar.set_message(format!(
        "{} of {} slices; {}",
        progress.slices,
        progress.all_slices,
        working.join(", ")
    ));
}
