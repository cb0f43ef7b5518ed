//! `damier mine`.

mod args;
mod output;

use super::batch::Batch;
use super::input::Games;
use crate::cli::Failure;
pub(in crate::cli) use args::MineArgs;
use damier::analysis::Stop;
use damier::analysis::batch::Task;
use damier::analysis::journal::Record;
use damier::analysis::mine::{Miner, PuzzleObject};
use output::Output;
use serde_json::json;

/// Mines.
pub(in crate::cli) fn run(args: &MineArgs) -> Result<(), Failure> {
    let games = Games::open(&args.inputs, None)?.with_positions();
    let work = |miner: &mut Miner, task: &Task, stop: &Stop| {
        let puzzles = miner.mine(&task.game, stop)?;
        let objects = puzzles
            .iter()
            .map(|puzzle| puzzle.to_json(task.number, &task.game));
        let objects: Vec<PuzzleObject> = objects.collect();
        Ok(Record {
            game: task.number,
            json: Some(
                serde_json::to_string(&objects)
                    .unwrap_or_else(|error| unreachable!("plain data: {error}")),
            ),
            ..Record::default()
        })
    };
    let mut sink = Output::new(args, &games);
    let batch = Batch {
        command: "mine",
        games,
        args: &args.batch,
        outputs: args.target().into_iter().collect(),
        options: args.options()?,
        uses_book: true,
        settings: json!({
            "nodes": args.nodes,
            "margin": args.margin,
            "least": args.least,
            "book": !args.no_book,
        }),
    };
    let make = |options, tables| Miner::with_tables(options, args.settings(), tables);
    batch.run(make, &work, &mut sink)
}
