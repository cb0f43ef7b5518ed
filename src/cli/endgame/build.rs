//! `damier endgame build`.

use super::BuildArgs;
use crate::cli::{Failure, error, print, progress};
use damier::endgame::{self, BuildOptions, BuildProgress, Slice};
use damier::notation::text::for_terminal;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub(super) fn order(pieces: u8) -> Result<(), Failure> {
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

pub(super) fn run(args: &BuildArgs, dir: PathBuf, threads: usize) -> Result<(), Failure> {
    let options = BuildOptions {
        pieces: args.pieces,
        dir,
        threads,
        memory: args.memory,
        only: args.only,
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
    print(&mut io::stdout(), &text)?;
    match omitted(&built, args.memory) {
        Some(message) => Err(error(message)),
        None => Ok(()),
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
        format!("not built, as they take more than the {memory} MiB of --memory: {large}{needing}")
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
