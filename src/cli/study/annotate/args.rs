//! The arguments of `damier annotate`.

use crate::cli::Failure;
use crate::cli::engine_args::{self, EngineArgs};
use crate::cli::shared_args::{LimitArgs, whole};
use crate::cli::study::batch::{self, BatchArgs, Target};
use clap::builder::NonEmptyStringValueParser;
use damier::engine::{Level, Options};
use std::path::PathBuf;

const HELP: &str = "\
PDN goes to stdout, or to --out. A move that lost something has a mark, `[%eval ...]`, `[%lost ...]` (expected points, \
1 for a win, a half for a draw) and the better line as a variation. Forced moves, moves of the opening book and moves \
after a draw by rule are not judged. The tags have each player's accuracy, points lost a move and blunders.

With --out or --html the work goes on after Ctrl-C, a kill or a crash: repeat the command. What is done lies in \
FILE.journal until the end. What goes to stdout alone begins anew. A game with an illegal move is annotated up to it. \
Games of other variants, on other boards and without moves are named and left out. The exit code is 1 where a game was \
damaged or left out.

Examples:
  damier annotate games.pdn --time 0.5 --out annotated.pdn --html games.html
  damier annotate \"1. 32-28 18-22 2. 37-32 12-18\" --nodes 100000
  damier annotate - --json < games.pdn
  parallel damier annotate games.pdn --shard {}/8 --out part{}.pdn ::: $(seq 8)";

/// What stands in the head of a page.
const PAGE: &str = "default-src 'none'; style-src 'sha256-";

#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct AnnotateArgs {
    /// Files of games (PDN 2 or 3); - for stdin; or moves such as \"1. 32-28 18-22\", or a position as FEN with --moves
    #[arg(value_name = "GAMES", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub inputs: Vec<String>,
    /// Moves from a position given as FEN
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Write the games as PDN to this file
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub out: Option<String>,
    /// Write the games as one page of HTML to this file; the first thousand of them
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub html: Option<String>,
    /// Print one JSON object a line for each game
    #[arg(long)]
    pub json: bool,
    /// Judge moves of the opening book too
    #[arg(long)]
    pub no_book: bool,
    #[command(flatten)]
    pub(super) batch: BatchArgs,
    /// Log2 of the entries of each thread's table
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = whole::<u32>(8..=30))]
    pub tt_size: u32,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Annotate>,
}

impl AnnotateArgs {
    /// Seconds of a search where nothing else is said.
    const TIME: f64 = 0.5;

    pub fn level(&self) -> Level {
        let given = self.limits.level();
        match given.is_infinite() {
            true => Level {
                move_time: Some(AnnotateArgs::TIME),
                ..given
            },
            false => given,
        }
    }

    /// The PDN and the page, where they are wanted.
    pub(super) fn targets(&self) -> [Option<Target<'_>>; 2] {
        let target = |name, magic, mark| Target { name, magic, mark };
        [
            self.out
                .as_deref()
                .map(|name| target(name, b"[", "[Annotator \"")),
            self.html
                .as_deref()
                .map(|name| target(name, b"<!DOCTYPE", PAGE)),
        ]
    }

    /// The files that are written.
    pub fn outputs(&self) -> Vec<PathBuf> {
        let files = [&self.out, &self.html].into_iter().flatten();
        files.map(PathBuf::from).collect()
    }

    /// Those of every worker's engine.
    pub fn options(&self) -> Result<Options, Failure> {
        batch::options(&self.engine.given, self.tt_size)
    }
}
