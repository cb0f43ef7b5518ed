//! `damier losses`.

mod output;

use super::batch::{self, Batch, BatchArgs, Target, Task};
use super::input::GameInput;
use super::list::List;
use crate::cli::engine_args::SEARCH;
use crate::cli::shared_args::{number, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions};
use clap::builder::NonEmptyStringValueParser;
use damier::analysis::Stop;
use damier::analysis::losses::LossSettings;
use damier::analysis::losses::{Finder, loser};
use damier::notation::pdn::{Game, Outcome};
use output::{LosingMoves, LossRecord};
use serde_json::json;
use std::path::PathBuf;

const HELP: &str = "\
Finds the losing move of each game that has a loser: the last move of the loser that left at most 0.25 expected points \
(1 for a win, a half for a draw), where the best other move was worth more than that, by --margin or more. Moves are \
searched from the last one back, each with a tenth of --nodes; those that may be losing with --nodes, and once more \
with ten times as many. No game that was lost gradually, or on time in a position that is not lost, has a losing move.

Each move has its score, the score of the best other move, and a grade: a search with an empty table avoids it with \
up to 1,000 nodes (1), 10,000 (2), 100,000 (3), more (4), or not with --nodes either (5). The lines are a suite, which \
`damier suite` searches. The same move from the same position is given once, also with colours swapped.

With --out the work goes on after Ctrl-C, a kill or a crash: repeat the command. What is done lies in FILE.journal \
until the end. Damaged games are read up to the damage, and named. The exit code is 1 where a game was damaged or left \
out.

Examples:
  damier losses match.pdn --player Damier
  damier losses games.pdn --nodes 5000000 --out lost.fen
  damier losses games.pdn --json
  damier suite lost.fen --time 1";

/// The first line of a suite.
pub(super) const HEADER: &str = "# A move to avoid in each position: it lost a game.";

/// Find the moves that lost games
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct LossesArgs {
    /// Files of games, as PDN, or written by selfplay; - for stdin
    #[arg(value_name = "GAMES", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub inputs: Vec<String>,
    /// Only games that this player lost: the name in the tags White and Black, in any case
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub player: Option<String>,
    /// Positions to search for each part of a proof
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = whole::<u64>(1..))]
    pub nodes: u64,
    /// Minimum expected points that the move cost, from 0.05 to 1
    #[arg(long, value_name = "POINTS", default_value_t = 0.2, value_parser = number(0.05, 1.0))]
    pub margin: f64,
    /// Write the moves to this file, as a suite unless --json is given
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub out: Option<String>,
    /// Write one JSON object a line for each move
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub(super) batch: BatchArgs,
    /// Log2 of the entries of each thread's table
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u32>(8..=30))]
    pub tt_size: u32,
}

impl LossesArgs {
    /// The file of moves, if there is to be one.
    pub(super) fn target(&self) -> Option<Target<'_>> {
        let magic: &[u8] = match self.json {
            true => b"{\"game\":",
            false => HEADER.as_bytes(),
        };
        let name = self.out.as_deref()?;
        let mark = "";
        Some(Target { name, magic, mark })
    }

    pub fn settings(&self) -> LossSettings {
        LossSettings {
            nodes: self.nodes,
            margin: self.margin,
        }
    }
}

impl Command for LossesArgs {
    const NAME: &'static str = "losses";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[SEARCH]);

    fn outputs(&self) -> Vec<PathBuf> {
        self.out.iter().map(PathBuf::from).collect()
    }

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let games = GameInput::open(&self.inputs, None, self.batch.text)?;
        let work = |finder: &mut Finder, task: &Task, stop: &Stop| {
            let players = players(&task.game, self.player.as_deref());
            let loser = loser(&task.game);
            let mut verdict = LossRecord {
                is_over: task.game.result != Outcome::Unknown || loser.is_some(),
                is_of_player: players.contains(&true),
                is_lost: loser.is_some_and(|color| players[color.index()]),
                found: None,
            };
            if verdict.is_lost {
                let found = finder.find(&task.game, stop)?;
                verdict.found = found.map(|found| found.to_json(task.number, &task.game));
            }
            Ok(List::<LosingMoves>::record(task.number, &verdict))
        };
        let mut sink = List::new(LosingMoves::new(self), self.target(), &games);
        let batch = Batch {
            command: Self::NAME,
            games,
            args: &self.batch,
            outputs: self.target().into_iter().collect(),
            options: batch::options(engine, self.tt_size)?,
            uses_book: false,
            settings: json!({
                "player": self.player,
                "nodes": self.nodes,
                "margin": self.margin,
            }),
        };
        let make = |engine| Finder::new(engine, self.settings());
        batch.run(make, &work, &mut sink)
    }
}

/// Whose losses count in a game, by colour: those of the player of this name, without a name everybody's.
fn players(game: &Game, name: Option<&str>) -> [bool; 2] {
    let lower = |text: &str| text.trim().to_lowercase();
    ["White", "Black"]
        .map(|tag| name.is_none_or(|name| game.tag(tag).is_some_and(|it| lower(it) == lower(name))))
}
