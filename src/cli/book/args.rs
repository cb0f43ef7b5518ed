//! The arguments of `damier book`.

use crate::cli::engine_args::{BookBuild, EngineArgs};
use crate::cli::shared_args::{WorkerArgs, whole};
use clap::{Args, Subcommand, ValueEnum};
use damier::training::dataset::Shard;
use std::path::PathBuf;

const BUILD_HELP: &str = "\
Lines are searched in the order of their costs (drop-out expansion): every move of a line costs --ply-cost, and what \
its score falls short of the best move's after all scores are backed up. So main lines come first and deepest, bad \
moves late.

The journal keeps every search. When it is there, the run goes on where it was, after Ctrl-C, a kill or a crash too, \
and the bytes are those of an unbroken run, whatever the number of --threads. With more --positions it is made longer.

A round is spread over processes and machines by --shard, and put together again by damier book merge:

  parallel damier book build my.dbj --round 4096 --shard {}/8 ::: $(seq 8)
  damier book merge my.dbj my.dbj.*-of-8
";

const EXPORT_HELP: &str = "\
The form follows from the name: .dbk a book to play from, .json all of it as text (damier book import reads it), .pdn \
to look through, with variations.

  damier book export my.dbj --out my.dbk
  damier book export my.dbj --out small.dbk --max-bytes 512000
  damier book export my.dbk --out my.pdn --plies 10
";

/// What `damier book` does.
#[derive(Subcommand, Debug)]
pub(in crate::cli) enum BookCommand {
    /// Build a book, or continue one: search the next positions
    #[command(after_long_help = BUILD_HELP)]
    Build(Box<BuildArgs>),
    /// Count what is in a book or a journal
    #[command(after_help = "Example: damier book stat my.dbk")]
    Stat(BookStatArgs),
    /// Show a position's moves in a book
    #[command(after_help = "Example: damier book show --moves \"32-28 19-23\"")]
    Show(ShowArgs),
    /// Check a book or a journal: every byte, every move
    #[command(after_help = "Example: damier book verify my.dbk")]
    Verify(BookVerifyArgs),
    /// Merge the searches of other journals into a journal
    #[command(after_help = "Example: damier book merge my.dbj my.dbj.1-of-8")]
    Merge(MergeArgs),
    /// Write a book, as a file to play from or as text
    #[command(after_long_help = EXPORT_HELP)]
    Export(ExportArgs),
    /// Convert JSON written by export into a book
    #[command(after_help = "Example: damier book import my.json --out my.dbk")]
    Import(ImportArgs),
    /// Adjust the scores of a book by the results of games
    #[command(after_help = "Example: damier book learn games.pdn --file my.dbk --out new.dbk")]
    Learn(LearnArgs),
    /// Write positions from a book as openings for matches
    #[command(
        after_help = "Example: damier book openings --plies 8 --count 100 --out openings.fen"
    )]
    Openings(OpeningsArgs),
}

#[derive(Args, Debug)]
pub(in crate::cli) struct BuildArgs {
    /// The journal to create or continue
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,
    /// Number of positions to reach
    #[arg(long, value_name = "N", required_unless_present = "shard", value_parser = whole::<u64>(1..=1 << 32))]
    pub positions: Option<u64>,
    /// Nodes for each search [default: 500000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1 << 40))]
    pub nodes: Option<u64>,
    /// Moves that each search scores (multi-PV) [default: 4]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=100))]
    pub lines: Option<u32>,
    /// Cost of each ply of a line, in men; a higher cost makes the book wider and shallower [default: 0.02]
    #[arg(long, value_name = "MEN", value_parser = hundredths)]
    pub ply_cost: Option<u32>,
    /// Minimum number of searches per round [default: 64]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1 << 32))]
    pub round: Option<u64>,
    /// Root position; may be repeated [default: the start position]
    #[arg(long, value_name = "FEN")]
    pub fen: Vec<String>,
    /// Also search the moves of these games, whatever their scores
    #[arg(long, value_name = "FILE")]
    pub games: Vec<PathBuf>,
    /// Plies of each game that are looked at
    #[arg(long, value_parser = whole::<usize>(1..), value_name = "N", default_value_t = 30, requires = "games")]
    pub games_plies: usize,
    /// Search the I-th of N shares of the next round, into JOURNAL.I-of-N
    #[arg(long, value_name = "I/N", conflicts_with_all = ["out", "games"])]
    pub shard: Option<Shard>,
    /// Write the book to this file at the end
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print a JSON object at the end
    #[arg(long)]
    pub json: bool,
    /// Log2 of the entries of each search's table: 8 to 30 [default: 19]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(8..=30))]
    pub tt_size: Option<u32>,
    #[command(flatten)]
    pub workers: WorkerArgs,
    #[command(flatten)]
    pub engine: EngineArgs<BookBuild>,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct BookStatArgs {
    /// A book or a journal [default: the built-in book]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct ShowArgs {
    /// The position, as FEN or Hub board [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves to play from there first, as in `1. 32-28 19-23`
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// A book or a journal [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct BookVerifyArgs {
    /// Books and journals [default: the built-in book]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print a JSON object a line for each file
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct MergeArgs {
    /// The journal that the others are added to
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,
    /// Journals with the same settings, or shards of the next round
    #[arg(value_name = "OTHER", required = true)]
    pub others: Vec<PathBuf>,
    /// Merge searches even if they are out of order
    #[arg(long)]
    pub any_order: bool,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct ExportArgs {
    /// A book or a journal
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The file to write: .dbk, .json or .pdn
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Maximum number of positions; those on the cheapest lines are kept (journals only)
    #[arg(long, value_parser = whole::<usize>(1..), value_name = "N")]
    pub positions: Option<usize>,
    /// Maximum size of a .dbk in bytes
    #[arg(long, value_parser = whole::<usize>(1..), value_name = "N")]
    pub max_bytes: Option<usize>,
    /// Drop moves this many men worse than the best, unless the book continues after them
    #[arg(long, value_name = "MEN", default_value = "0.4", value_parser = hundredths)]
    pub within: u32,
    /// Maximum length of lines in a .pdn, in plies
    #[arg(long, value_parser = whole::<usize>(0..), value_name = "N", default_value_t = 10)]
    pub plies: usize,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct ImportArgs {
    /// JSON that damier book export wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct LearnArgs {
    /// Games as PDN; learn from each game only once
    #[arg(value_name = "PDN", required = true)]
    pub games: Vec<PathBuf>,
    /// The book to begin with [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Bound on the correction of a score, in men
    #[arg(long, value_name = "MEN", default_value = "0.16", value_parser = hundredths)]
    pub bound: u32,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct OpeningsArgs {
    /// A book or a journal [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Plies from the beginning
    #[arg(long, value_parser = whole::<usize>(0..), value_name = "N", default_value_t = 8)]
    pub plies: usize,
    /// How many men one side must be ahead, at least and at most
    #[arg(long, value_name = "MIN,MAX", default_value = "0,0.4", value_parser = window, allow_hyphen_values = true)]
    pub window: (u32, u32),
    /// How many positions
    #[arg(long, value_parser = whole::<usize>(1..), value_name = "N", default_value_t = 100)]
    pub count: usize,
    /// Seed for the choice of positions
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// FEN, one a line, or PDN with the moves
    #[arg(long, value_name = "FORM", default_value = "fen")]
    pub format: OpeningsForm,
    /// Write to this file instead of the screen
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// How openings are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum OpeningsForm {
    Fen,
    Pdn,
}

/// Men as hundredths, at least one.
fn hundredths(text: &str) -> Result<u32, String> {
    let men: Option<f64> = text.parse().ok();
    men.map(|men| (men * 100.0).round())
        .filter(|hundredths| (1.0..=8_000.0).contains(hundredths))
        .map(|hundredths| hundredths as u32)
        .ok_or_else(|| "expected a number of men from 0.01 to 80, such as 0.2".to_owned())
}

fn window(text: &str) -> Result<(u32, u32), String> {
    let men = |text: &str| match text.trim() {
        "0" => Ok(0),
        text => hundredths(text),
    };
    let (min, max) = text
        .split_once(',')
        .ok_or("expected two numbers of men, such as 0.2,0.8")?;
    let (min, max) = (men(min)?, men(max)?);
    (min <= max)
        .then_some((min, max))
        .ok_or_else(|| "the first number must not be above the second".to_owned())
}

impl BookCommand {
    /// The files that it writes.
    pub fn outputs(&self) -> Vec<PathBuf> {
        match self {
            BookCommand::Build(args) => [Some(&args.journal), args.out.as_ref()]
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
            BookCommand::Merge(args) => vec![args.journal.clone()],
            BookCommand::Export(args) => vec![args.out.clone()],
            BookCommand::Import(args) => vec![args.out.clone()],
            BookCommand::Learn(args) => vec![args.out.clone()],
            BookCommand::Openings(args) => args.out.iter().cloned().collect(),
            BookCommand::Stat(_) | BookCommand::Show(_) | BookCommand::Verify(_) => Vec::new(),
        }
    }

    /// The name used in the scope of options.
    pub fn name(&self) -> &'static str {
        match self {
            BookCommand::Build(_) => "book build",
            _ => "book",
        }
    }
}
