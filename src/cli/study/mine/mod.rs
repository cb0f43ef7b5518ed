//! `damier mine`.

mod args;
mod output;

use super::input::{Games, Next};
use crate::cli::endgame::EngineProblems;
use crate::cli::{Failure, error, progress, say};
pub(in crate::cli) use args::MineArgs;
use damier::analysis::Stop;
use damier::analysis::batch::{self, Task};
use damier::analysis::mine::Miner;
use damier::engine::Engine;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use output::{Mined, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Mines.
pub(in crate::cli) fn run(args: &MineArgs) -> Result<(), Failure> {
    let mut games = Games::open(&args.inputs, None)?.with_positions();
    let options = args.options()?;
    let mut output = Output::open(args, &games, &options)?;
    let engine = Engine::new(options.clone()).map_err(error)?;
    let mut problems = EngineProblems::of(&engine);
    let make = || {
        Miner::with_tables(
            options.clone(),
            args.settings(),
            Arc::clone(engine.tables()),
        )
    };
    let miners = (0..args.workers.count()).map(|_| make());
    let miners: Vec<Miner> = miners.collect::<Result<_, _>>().map_err(error)?;
    note_requests_to_end();
    let bar = progress::bar(games.total, "bytes");
    let (damaged, done) = (AtomicU64::new(0), output.done());
    let tell = |message: &str| {
        damaged.fetch_add(1, Relaxed);
        bar.suspend(|| say(&message));
    };
    let mut broken = None;
    let mut next = || loop {
        let next = games.next();
        bar.set_position(games.position());
        match next {
            Next::End => return None,
            Next::Broken(message) => {
                broken = Some(message);
                return None;
            }
            Next::Left(number, message) if args.shard.holds(number - 1) => tell(&message),
            Next::Left(..) => {}
            Next::Task(task) if args.shard.holds(task.number - 1) => {
                if let Some(problem) = &task.problem {
                    tell(&format!("{problem}; read up to there"));
                }
                if !done.contains(&task.number) {
                    return Some(task);
                }
            }
            Next::Task(_) => {}
        }
    };
    let work = |miner: &mut Miner, task: &Task, stop: &Stop| {
        let puzzles = miner.mine(&task.game, stop)?;
        let objects = puzzles
            .iter()
            .map(|puzzle| puzzle.to_json(task.number, &task.game));
        Some(Mined {
            game: task.number,
            puzzles: objects.collect(),
        })
    };
    let mut failed = None;
    let whole = batch::run(
        miners,
        &mut next,
        &work,
        &mut |order, mined| match output.add(order, mined) {
            Ok(()) => {
                bar.set_message(output.progress());
                true
            }
            Err(failure) => {
                failed = Some(failure);
                false
            }
        },
        &asked_to_end,
    );
    bar.finish_and_clear();
    problems.report();
    if let Some(failure) = failed {
        return Err(failure);
    }
    if !whole {
        return Err(output.interrupted());
    }
    output.finish()?;
    match broken {
        Some(message) => Err(error(message)),
        None if damaged.into_inner() > 0 => Err(Failure::Told),
        None => Ok(()),
    }
}
