//! Work on many games: each on a thread of its own, in shards, with progress, resumed after any interruption.

mod sink;
mod store;

use super::input::{Games, Next};
use crate::cli::endgame::EngineProblems;
use crate::cli::{Failure, error, progress, say};
use damier::analysis::Stop;
use damier::analysis::batch::{self, Task};
use damier::analysis::journal::Record;
use damier::lab::dataset::Shard;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use serde_json::Value;
pub(super) use sink::{Sink, Target};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use store::Store;

/// A piece of work.
pub(super) struct Batch<'a> {
    pub games: Games,
    pub shard: &'a Shard,
    /// The files that are written in the end; the journal is named after the first. Without one, games go to stdout.
    pub outputs: Vec<Target<'a>>,
    /// What a journal must agree on, an object.
    pub settings: Value,
    /// What the engine found wrong with its files.
    pub problems: EngineProblems,
}

impl Batch<'_> {
    /// Refuses to write over what is read or where nothing can be written, and to resume what can be read once only.
    pub fn check(games: &Games, inputs: &[String], outputs: &[Target<'_>]) -> Result<(), Failure> {
        store::check(&games.files, inputs, outputs)
    }

    /// Does the work. Damaged games are named; with one the exit code is 1.
    pub fn run<W: Send>(
        self,
        workers: Vec<W>,
        work: &(dyn Fn(&mut W, &Task, &Stop) -> Option<Record> + Sync),
        sink: &mut dyn Sink,
    ) -> Result<(), Failure> {
        let Batch {
            mut games,
            shard,
            mut problems,
            ..
        } = self;
        let mut store = Store::open(&self.outputs, &self.settings)?;
        note_requests_to_end();
        let bar = progress::bar(games.total, "bytes");
        let (damaged, done) = (AtomicU64::new(0), store.done());
        let tell = |message: &str| bar.suspend(|| say(&message));
        let tell_damage = |message: &str| {
            damaged.fetch_add(1, Relaxed);
            tell(message);
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
                Next::Left(number, message) if shard.holds(number - 1) || games.is_empty() => {
                    tell_damage(&message);
                }
                Next::Task(task) if shard.holds(task.number - 1) => {
                    if let Some(problem) = &task.problem {
                        tell_damage(&format!("{problem}; read up to there"));
                    }
                    if let Some(note) = &task.note {
                        tell(note);
                    }
                    if !done.contains(&task.number) {
                        return Some(task);
                    }
                }
                Next::Left(..) | Next::Task(_) => {}
            }
        };
        let mut failed = None;
        let mut add = |order, record: Record| {
            let more = sink.count(&record);
            let added = bar.suspend(|| store.add(order, record, sink));
            bar.set_message(format!("{} games{more}", store.count()));
            if let Err(failure) = added {
                failed.get_or_insert(failure);
            }
            failed.is_none()
        };
        let whole = batch::run(workers, &mut next, work, &mut add, &asked_to_end);
        bar.finish_and_clear();
        problems.report();
        if let Some(failure) = failed {
            return Err(failure);
        }
        if !whole {
            return Err(store.interrupted());
        }
        if games.is_empty() && broken.is_none() {
            store.discard()?;
            return Err(Failure::Told);
        }
        store.finish(sink)?;
        match broken {
            Some(message) => Err(error(message)),
            None if damaged.into_inner() > 0 => Err(Failure::Told),
            None => Ok(()),
        }
    }
}
