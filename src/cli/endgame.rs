//! `damier endgame`.

use super::{Failure, error, progress, say};
use clap::Subcommand;
use damier::endgame::{
    self, Advice, BuildOptions, BuildProgress, Slice, Statistics, StoreError, Tables, Verdict,
    View, WaitPolicy,
};
use damier::engine::Options;
use damier::notation::fen;
use damier::notation::text::for_terminal;
use damier::rules::Status;
use damier::terminal::analyze;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const ORDER: &str = "\
Slices are named by men and kings of both sides, as in 2m1k-1k, the side to move first; a slice and its turned one \
(1k-2m1k) are built together. --order prints every slice that stands for two with those it leads to, as rules of make: \
give each the command `damier endgame build --only SLICE`, and any number of machines with a common folder can build them.";

#[derive(Subcommand, Debug)]
pub(super) enum EndgameCommand {
    /// Build tables into a folder; what is there already is not built again
    #[command(after_help = ORDER)]
    Build(BuildArgs),
    /// What the tables say of a position and its moves
    Probe(ProbeArgs),
    /// Count wins, draws and losses, slice by slice
    Stat(StatArgs),
    /// Check by the rules that every verdict follows from those on the positions after it; exit code 1 where one does not
    Verify(VerifyArgs),
    /// Put tables into one file as it stands in the source of the program
    Embed(EmbedArgs),
}

#[derive(clap::Args, Debug)]
pub(super) struct BuildArgs {
    /// Most pieces
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    pub pieces: u8,
    /// Folder of the files [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// MiB of memory for the slices in work
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    pub memory: u64,
    /// Build this slice, and its turned one, only
    #[arg(long, value_name = "SLICE")]
    pub only: Option<Slice>,
    /// Print what each slice needs first, and build nothing
    #[arg(long, conflicts_with = "only")]
    pub order: bool,
}

#[derive(clap::Args, Debug)]
pub(super) struct ProbeArgs {
    /// The position
    #[arg(value_name = "FEN")]
    pub fen: String,
    /// Moves to play before, as in `1. 32-28 19-23`; the draw rules count them
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Folder of the files [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub(super) struct StatArgs {
    /// Folder of the files [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print a JSON object a line for each slice
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub(super) struct VerifyArgs {
    /// Folder of the files [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Check this slice only
    #[arg(long, value_name = "SLICE")]
    pub only: Option<Slice>,
    /// Check one position in so many
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub step: u64,
}

#[derive(clap::Args, Debug)]
pub(super) struct EmbedArgs {
    /// Folder of the files
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
    /// Most pieces
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    pub pieces: u8,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Does what the arguments say, with so many threads.
pub(super) fn run(
    command: &EndgameCommand,
    options: &Options,
    threads: usize,
) -> Result<(), Failure> {
    let dir = |given: &Option<PathBuf>| {
        let named = (!options.endgame_dir.is_empty()).then(|| PathBuf::from(&options.endgame_dir));
        given.clone().or(named)
    };
    match command {
        EndgameCommand::Build(args) if args.order => order(args.pieces),
        EndgameCommand::Build(args) => {
            let none = || Failure::Usage("name a folder: --dir DIR".to_owned());
            build(args, dir(&args.dir).ok_or_else(none)?, threads)
        }
        EndgameCommand::Probe(args) => probe(args, dir(&args.dir).as_deref()),
        EndgameCommand::Stat(args) => stat(args, dir(&args.dir).as_deref()),
        EndgameCommand::Verify(args) => verify(args, dir(&args.dir).as_deref(), threads),
        EndgameCommand::Embed(args) => {
            let bytes = endgame::embed(&args.dir, args.pieces, &args.out).map_err(error)?;
            writeln!(
                io::stdout(),
                "{}: {bytes} bytes",
                for_terminal(&args.out.display().to_string())
            )?;
            Ok(())
        }
    }
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

fn build(args: &BuildArgs, dir: PathBuf, threads: usize) -> Result<(), Failure> {
    let options = BuildOptions {
        pieces: args.pieces,
        dir,
        threads,
        memory: args.memory,
        only: args.only,
    };
    let bar = bar();
    let began = Instant::now();
    let built = endgame::build(&options, |progress| show(&bar, progress));
    bar.finish_and_clear();
    let built = built.map_err(error)?;
    let seconds = began.elapsed().as_secs_f64();
    writeln!(
        io::stdout(),
        "{}: {} slices with {} positions, {} of them built in {seconds:.1} s ({:.2} million a second)",
        for_terminal(&options.dir.display().to_string()),
        built.slices,
        built.positions,
        built.built,
        built.built as f64 / seconds.max(1e-9) / 1e6,
    )?;
    match left(&built, args.memory) {
        Some(message) => Err(error(message)),
        None => Ok(()),
    }
}

/// Says what was not built, if anything was not.
fn left(built: &BuildProgress, memory: u64) -> Option<String> {
    let large = built.too_large.iter();
    let large: Vec<String> = large
        .map(|(slice, mib)| format!("{slice} ({mib} MiB)"))
        .collect();
    let blocked: Vec<String> = built.blocked.iter().map(Slice::to_string).collect();
    let needing = match blocked.is_empty() {
        true => String::new(),
        false => format!("; nor {}, which lead to them", blocked.join(", ")),
    };
    (!large.is_empty()).then(|| {
        let large = large.join(", ");
        format!("not built, for they take more than the {memory} MiB of --memory: {large}{needing}")
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

/// `win in 13 plies`, `draw`, `loss`.
fn words(verdict: Verdict) -> String {
    match verdict.distance {
        Some(plies) => format!("{} in {plies} plies", verdict.value),
        None => verdict.value.to_string(),
    }
}

fn object(value: Verdict, ruled: Verdict, certain: bool) -> Value {
    json!({
        "value": value.value.to_string(),
        "fmjd": ruled.value.to_string(),
        "certain": certain,
        "distance": value.distance,
    })
}

fn probe(args: &ProbeArgs, dir: Option<&Path>) -> Result<(), Failure> {
    let line = args.moves.as_deref().unwrap_or_default();
    let game = analyze::read_game(&args.fen, line).map_err(error)?;
    let position = *game.position();
    let tables = Tables::open(dir).map_err(error)?;
    let view = View::new(&tables, endgame::MAX_PIECES, WaitPolicy::AllTables);
    view.load(&position).map_err(error)?;
    let unknown = || error("the tables at hand do not know this position");
    let advice = Advice::in_game(&view, &position, &game.clock(), game.keys());
    let mut advice = advice.ok_or_else(unknown)?;
    if matches!(game.status(), Status::Drawn(_)) {
        advice = advice.drawn();
    }
    let mut out = io::stdout().lock();
    if args.json {
        let mut whole = object(advice.value, advice.ruled, advice.certain);
        let moves = advice.moves.iter().map(|mv| {
            let mut one = object(mv.value, mv.ruled, mv.certain);
            one["move"] = json!(mv.mv.to_string());
            one
        });
        whole["moves"] = moves.collect();
        whole["fen"] = json!(fen::format(&position));
        writeln!(out, "{whole}")?;
        return Ok(out.flush()?);
    }
    writeln!(out, "{}", fen::format(&position))?;
    writeln!(out, "value {}", words(advice.value))?;
    let doubt = |certain| if certain { "" } else { ", not certain" };
    writeln!(
        out,
        "fmjd  {}{}",
        words(advice.ruled),
        doubt(advice.certain)
    )?;
    let mut moves = advice.moves.clone();
    moves.sort_by_key(|mv| std::cmp::Reverse((mv.ruled.value, mv.value.value)));
    for mv in moves {
        let ruled = if mv.ruled.value == mv.value.value {
            String::new()
        } else {
            format!(", fmjd {}", mv.ruled.value)
        };
        writeln!(out, "  {:12} {}{ruled}", mv.mv.to_string(), words(mv.value))?;
    }
    Ok(out.flush()?)
}

fn stat(args: &StatArgs, dir: Option<&Path>) -> Result<(), Failure> {
    let tables = Tables::open(dir).map_err(error)?;
    let mut out = io::stdout().lock();
    if !args.json {
        writeln!(
            out,
            "{:10} {:>13} {:>13} {:>13} {:>13} {:>11} {:>7} {:>7}  longest win",
            "slice", "positions", "wins", "draws", "losses", "bytes", "bits", "plies"
        )?;
    }
    for one in tables.statistics().map_err(error)? {
        if args.json {
            writeln!(out, "{}", statistics(&one))?;
            continue;
        }
        let positions = one.slice.positions();
        let (plies, longest) = one
            .longest
            .map_or(("-".to_owned(), String::new()), |longest| {
                (longest.0.to_string(), fen::format(&longest.1))
            });
        writeln!(
            out,
            "{:10} {:13} {:13} {:13} {:13} {:11} {:7.3} {plies:>7}  {longest}",
            one.slice.to_string(),
            positions,
            one.wins,
            one.draws,
            one.losses,
            one.bytes,
            one.bytes as f64 * 8.0 / positions as f64,
        )?;
    }
    Ok(out.flush()?)
}

fn statistics(one: &Statistics) -> Value {
    let slice = one.slice;
    json!({
        "slice": slice.to_string(),
        "men": slice.men,
        "kings": slice.kings,
        "enemy_men": slice.enemy_men,
        "enemy_kings": slice.enemy_kings,
        "positions": slice.positions(),
        "wins": one.wins,
        "draws": one.draws,
        "losses": one.losses,
        "bytes": one.bytes,
        "memory": one.memory,
        "longest_win": one.longest.map(|(plies, _)| plies),
        "longest_fen": one.longest.map(|(_, position)| fen::format(&position)),
    })
}

fn verify(args: &VerifyArgs, dir: Option<&Path>, threads: usize) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().map_err(error)?;
    let tables = Tables::open(dir).map_err(error)?;
    let mut slices = tables.slices();
    if let Some(only) = args.only {
        slices.retain(|&slice| slice == only);
        if slices.is_empty() {
            return Err(error(format!("there is no table of {only}")));
        }
    }
    let bar = progress::bar(slices.len() as u64, "slices");
    let (mut faults, mut unchecked) = (Vec::new(), Vec::new());
    for &slice in &slices {
        bar.set_message(slice.to_string());
        match pool.install(|| endgame::verify(&tables, slice, args.step)) {
            Ok(None) => {}
            Ok(Some(fault)) => faults.push((slice, fault)),
            Err(missing @ StoreError::Missing { .. }) => unchecked.push(missing),
            Err(other) => return Err(error(other)),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    for missing in &unchecked {
        say(&missing);
    }
    for (slice, fault) in &faults {
        let shown = |verdict: Option<Verdict>| verdict.map_or("unknown".to_owned(), words);
        // The exit code tells it too.
        let _ = writeln!(
            io::stderr(),
            "damier: {slice}: {} is stored as {}, its moves make it {}",
            fen::format(&fault.position),
            shown(fault.stored),
            shown(fault.expected)
        );
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
        Err(Failure::Told)
    }
}
