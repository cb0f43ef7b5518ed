//! `damier mine`.

mod output;

use super::batch::{self, Batch, BatchArgs, Target, Task};
use super::input::GameInput;
use super::list::List;
use crate::cli::engine_args::SEARCH;
use crate::cli::shared_args::{number, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions};
use clap::builder::NonEmptyStringValueParser;
use damier::analysis::Stop;
use damier::analysis::mine::MineSettings;
use damier::analysis::mine::Miner;
use output::Puzzles;
use serde_json::json;
use std::path::PathBuf;

const HELP: &str = "\
A puzzle is a position in which exactly one move is good: it offers men, and what follows wins material by offers and \
captures. A short search of each position looks for a move that stands out; a search of --nodes then proves that the \
move wins, and another that all other moves are worse by --margin expected points (1 for a win, a half for a draw). \
Each puzzle found is proven once more with ten times the nodes.

Each puzzle has the depth and the nodes with which it is found, a grade (1 up to 1,000 nodes, 2 up to 10,000, 3 up to \
100,000, 4 more), the men given, the material won and the length. A position is given once, also with colours swapped. \
The result * in PDN marks a puzzle that `damier solve` calls unsolved.

With --out the work goes on after Ctrl-C, a kill or a crash: repeat the command. What is done lies in FILE.journal \
until the end. Damaged games are read up to the damage, and named. The exit code is 1 where a game was damaged or left \
out.

Examples:
  damier mine games.pdn --out puzzles.pdn
  damier mine games.dgr --nodes 50000 --suite --out shots.fen
  damier mine games.pdn --least 0.95 --json
  parallel damier mine games.pdn --shard {}/8 --out part{}.pdn ::: $(seq 8)";

/// The first line of a suite.
pub(super) const HEADER: &str = "# One move to find in each position.";

/// Find combinations in games: positions with exactly one good move
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct MineArgs {
    /// Files of games, as PDN, or written by selfplay; positions, one a line; - for stdin
    #[arg(value_name = "GAMES", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub inputs: Vec<String>,
    /// Positions to search for each part of a proof
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = whole::<u64>(1..))]
    pub nodes: u64,
    /// Minimum expected points by which the move is better than any other, from 0.05 to 1
    #[arg(long, value_name = "POINTS", default_value_t = 0.2, value_parser = number(0.05, 1.0))]
    pub margin: f64,
    /// Minimum expected points of the move, from 0.5 to 1; 0.95 takes only wins that `damier solve` accepts
    #[arg(long, value_name = "POINTS", default_value_t = 0.75, value_parser = number(0.5, 1.0))]
    pub least: f64,
    /// Write the puzzles to this file, as PDN unless --suite or --json says otherwise
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub out: Option<String>,
    /// Write lines of FEN with the move to find, which `damier suite` reads
    #[arg(long, conflicts_with = "json")]
    pub suite: bool,
    /// Write one JSON object a line for each puzzle
    #[arg(long)]
    pub json: bool,
    /// Also search positions of the opening book
    #[arg(long)]
    pub no_book: bool,
    #[command(flatten)]
    pub(super) batch: BatchArgs,
    /// Log2 of the entries of each thread's table
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = whole::<u32>(8..=30))]
    pub tt_size: u32,
}

impl MineArgs {
    /// The file of puzzles, if there is to be one.
    pub(super) fn target(&self) -> Option<Target<'_>> {
        let (magic, mark): (&[u8], _) = match (self.suite, self.json) {
            (true, _) => (HEADER.as_bytes(), ""),
            (_, true) => (b"{\"game\":", ""),
            _ => (b"[", "[Annotator \""),
        };
        let name = self.out.as_deref()?;
        Some(Target { name, magic, mark })
    }

    pub fn settings(&self) -> MineSettings {
        MineSettings {
            nodes: self.nodes,
            margin: self.margin,
            least: self.least,
            book: !self.no_book,
        }
    }
}

impl Command for MineArgs {
    const NAME: &'static str = "mine";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[SEARCH, &["book-file"]]);

    fn outputs(&self) -> Vec<PathBuf> {
        self.out.iter().map(PathBuf::from).collect()
    }

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let games = GameInput::open(&self.inputs, None, self.batch.text)?.with_positions();
        let work = |miner: &mut Miner, task: &Task, stop: &Stop| {
            let puzzles = miner.mine(&task.game, stop)?;
            let objects = puzzles
                .iter()
                .map(|puzzle| puzzle.to_json(task.number, &task.game));
            Ok(List::<Puzzles>::record(task.number, &objects.collect()))
        };
        let mut sink = List::new(Puzzles::new(self), self.target(), &games);
        let batch = Batch {
            command: Self::NAME,
            games,
            args: &self.batch,
            outputs: self.target().into_iter().collect(),
            options: batch::options(engine, self.tt_size)?,
            uses_book: true,
            settings: json!({
                "nodes": self.nodes,
                "margin": self.margin,
                "least": self.least,
                "book": !self.no_book,
            }),
        };
        let make = |engine| Miner::new(engine, self.settings());
        batch.run(make, &work, &mut sink)
    }
}
