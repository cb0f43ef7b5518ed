//! `damier mine`.

mod args;
mod output;

use super::batch::Batch;
use super::input::Games;
use crate::cli::endgame::EngineProblems;
use crate::cli::{Failure, error};
pub(in crate::cli) use args::MineArgs;
use damier::analysis::Stop;
use damier::analysis::batch::Task;
use damier::analysis::journal::Record;
use damier::analysis::mine::{Miner, PuzzleObject};
use damier::engine::Engine;
use output::Output;
use std::sync::Arc;

/// Mines.
pub(in crate::cli) fn run(args: &MineArgs) -> Result<(), Failure> {
    let games = Games::open(&args.inputs, None)?.with_positions();
    let options = args.options()?;
    let outputs = args.target().into_iter().collect::<Vec<_>>();
    Batch::check(&games, &args.inputs, &outputs)?;
    let engine = Engine::new(options.clone()).map_err(error)?;
    let make = || {
        Miner::with_tables(
            options.clone(),
            args.settings(),
            Arc::clone(engine.tables()),
        )
    };
    let miners = (0..args.workers.count()).map(|_| make());
    let miners: Vec<Miner> = miners.collect::<Result<_, _>>().map_err(error)?;
    let work = |miner: &mut Miner, task: &Task, stop: &Stop| {
        let puzzles = miner.mine(&task.game, stop)?;
        let objects = puzzles
            .iter()
            .map(|puzzle| puzzle.to_json(task.number, &task.game));
        let objects: Vec<PuzzleObject> = objects.collect();
        Some(Record {
            game: task.number,
            json: Some(serde_json::to_string(&objects).unwrap_or_default()),
            ..Record::default()
        })
    };
    let mut sink = Output::new(args, &games);
    let batch = Batch {
        settings: output::settings(args, &games, &options),
        games,
        shard: &args.shard,
        outputs,
        problems: EngineProblems::of(&engine),
    };
    batch.run(miners, &work, &mut sink)
}
