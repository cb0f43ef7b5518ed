//! `damier endgame`: build, inspect and check endgame tables.

mod build;
mod inspect;
mod probe;

use super::engine_args::{
    EndgameBuild, EndgameProbe, EndgameStat, EndgameVerify, EngineArgs, Given,
};
use super::shared_args::{WorkerArgs, whole};
use super::{Failure, error, print, say};
use clap::Subcommand;
use damier::endgame::{self, ProblemReader, Slice, Tables};
use damier::engine::{Engine, Options};
use damier::notation::text::for_terminal;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const BUILD: &str = "\
A slice is all positions with the same men and kings, named with the side to move first: 2m1k-1k is two men and a king \
against a king. It is built together with its opposite, 1k-2m1k. --order prints one of each pair with the slices that \
it needs, in the form of make rules: with the command `damier endgame build --only SLICE` for each, several machines \
that share a folder can build them.

Example: damier endgame build --pieces 5 --dir tables --memory 4096";

const PROBE: &str = "\
The value is that of best play without the draw rules; fmjd is the value with them. Several positions, and - for the \
lines of the standard input (empty ones and those that begin with # are skipped), are answered one after the other. \
With --json each answer is then an object with its input and, on the standard input, the number of its line. Exit code \
1 if any of them has no answer.

Example: damier endgame probe W:WK26,K33,K31:BK4";

#[derive(Subcommand, Debug)]
pub(super) enum EndgameCommand {
    /// Build the tables that a folder does not have yet
    #[command(after_help = BUILD)]
    Build(BuildArgs),
    /// Show what the tables know of positions and their moves
    #[command(after_help = PROBE)]
    Probe(ProbeArgs),
    /// Show wins, draws and losses of each slice
    #[command(after_help = "Example: damier endgame stat --dir tables --json")]
    Stat(StatArgs),
    /// Check by the rules that every stored verdict follows from its successors; exit code 1 if one does not
    #[command(after_help = "Example: damier endgame verify --dir tables --step 100")]
    Verify(VerifyArgs),
    /// Join tables into one file, in the form in which the program contains them
    #[command(
        after_help = "Example: damier endgame embed --dir tables --pieces 4 --out tables/four.dgt"
    )]
    Embed(EmbedArgs),
}

#[derive(clap::Args, Debug)]
pub(super) struct BuildArgs {
    /// Most pieces
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
    /// Print which slices each slice needs, and build nothing
    #[arg(long, conflicts_with = "only")]
    pub order: bool,
    #[command(flatten)]
    pub workers: WorkerArgs,
    #[command(flatten)]
    pub engine: EngineArgs<EndgameBuild>,
}

#[derive(clap::Args, Debug)]
pub(super) struct ProbeArgs {
    /// Positions, as FEN or Hub position; - reads them from the standard input
    #[arg(value_name = "FEN", required = true)]
    pub fen: Vec<String>,
    /// Moves to play first, as in `1. 32-28 19-23`; they count for the draw rules
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Folder of the tables [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print a JSON object for each position
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineArgs<EndgameProbe>,
}

#[derive(clap::Args, Debug)]
pub(super) struct StatArgs {
    /// Folder of the tables [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print a JSON object for each slice
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineArgs<EndgameStat>,
}

#[derive(clap::Args, Debug)]
pub(super) struct VerifyArgs {
    /// Folder of the tables [default: endgame-dir]
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
    #[command(flatten)]
    pub engine: EngineArgs<EndgameVerify>,
}

#[derive(clap::Args, Debug)]
pub(super) struct EmbedArgs {
    /// Folder of the tables
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
    /// Most pieces
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u8>(2..=6))]
    pub pieces: u8,
    /// File to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Reports on stderr the endgame tables and the book that cannot be used, each once; those found last when it is
/// dropped.
pub(super) struct EngineProblems {
    tables: Arc<Tables>,
    reader: ProblemReader,
}

impl EngineProblems {
    /// Reports what is known already.
    pub fn of(engine: &Engine) -> EngineProblems {
        let mut problems = EngineProblems {
            tables: Arc::clone(engine.tables()),
            reader: ProblemReader::default(),
        };
        problems.report();
        if let Some(problem) = engine.book_problem() {
            say(problem);
        }
        problems
    }

    /// Reports what has been found since.
    pub fn report(&mut self) {
        for problem in self.reader.unseen(&self.tables) {
            say(&problem);
        }
    }
}

impl Drop for EngineProblems {
    fn drop(&mut self) {
        self.report();
    }
}

/// Reports on stderr the first table that an engine with these options cannot use. Reads all files; a folder that
/// cannot be read is left to the engine.
pub(super) fn report_unusable(options: &Options) {
    if let Ok(tables) = Tables::open(dir_of(options).as_deref())
        && let Err(problem) = tables.check(options.bb_size as u8)
    {
        say(&problem);
    }
}

/// Refuses options with an endgame table that an engine cannot use. Reads all files; a folder that cannot be read is
/// left to the engine.
pub(super) fn refuse_unusable(options: &Options) -> Result<(), Failure> {
    match Tables::open(dir_of(options).as_deref()) {
        Ok(tables) => Ok(tables.check(options.bb_size as u8).map_err(error)?),
        Err(_) => Ok(()),
    }
}

/// The folder in the options, if they name one.
fn dir_of(options: &Options) -> Option<PathBuf> {
    let dir = &options.endgame_dir;
    (!dir.as_os_str().is_empty()).then(|| dir.clone())
}

/// Opens tables that are asked for as such: any problem is an error.
fn open(dir: Option<&Path>) -> Result<Arc<Tables>, Failure> {
    let tables = Tables::open(dir).map_err(error)?;
    match tables.problems().first() {
        Some(problem) => Err(error(problem)),
        None => Ok(tables),
    }
}

/// The folder of `--dir`, or else that of the options.
fn folder(dir: &Option<PathBuf>, engine: &Given) -> Result<Option<PathBuf>, Failure> {
    match dir {
        Some(dir) => Ok(Some(dir.clone())),
        None => Ok(dir_of(&engine.config()?.engine)),
    }
}

/// Runs a command.
pub(super) fn run(command: &EndgameCommand) -> Result<(), Failure> {
    match command {
        EndgameCommand::Build(args) if args.order => build::order(args.pieces),
        EndgameCommand::Build(args) => {
            let none = || Failure::Usage("name a folder: --dir DIR".to_owned());
            let dir = folder(&args.dir, &args.engine.given)?.ok_or_else(none)?;
            if dir.is_file() {
                return Err(error(format!("{}: a file, not a folder", dir.display())));
            }
            build::run(args, dir, args.workers.count())
        }
        EndgameCommand::Probe(args) => {
            probe::run(args, folder(&args.dir, &args.engine.given)?.as_deref())
        }
        EndgameCommand::Stat(args) => {
            inspect::stat(args, folder(&args.dir, &args.engine.given)?.as_deref())
        }
        EndgameCommand::Verify(args) => {
            let dir = folder(&args.dir, &args.engine.given)?;
            inspect::verify(args, dir.as_deref(), args.workers.count())
        }
        EndgameCommand::Embed(args) => {
            let bytes = endgame::embed(&args.dir, args.pieces, &args.out).map_err(error)?;
            let out = args.out.display().to_string();
            let text = format!("{}: {bytes} bytes", for_terminal(&out));
            Ok(print(&mut io::stdout(), &text)?)
        }
    }
}
