//! A few engines shared by many clients.
//!
//! A client has at most one search. Searches for a move to play come first; the one with the least engine time is next.
//! Analyses are time-sliced: while others wait, an analysis yields its engine after `SLICE` and resumes later with the
//! contents of the transposition table. A move to play preempts an analysis after `SHORT_SLICE`, and another move after
//! `SLICE`. A move that has had `LONG_THINK` is scheduled like an analysis. While others wait, a move is answered at
//! most `LATENESS` after its think time, with what it has by then. Games are annotated on separate threads, see
//! [`annotators`].

mod annotators;
mod client;
mod mailbox;
mod scheduler;
#[cfg(test)]
mod tests;

pub(super) use client::{Client, Search, Work};
pub(super) use mailbox::{Event, Snapshot};

use annotators::Annotators;
use client::PoolCommand;
use damier_analysis::annotate::Annotator;
use damier_endgame::Tables;
use damier_engine::eval::WdlModel;
use damier_engine::{Engine, EngineError, Level, Options, Thread};
use scheduler::Scheduler;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// Log2 of the table entries of an annotator.
const ANNOTATOR_TT_SIZE: u32 = 18;

/// Why the engines cannot be started.
#[derive(Debug, Error)]
pub enum PoolError {
    /// An engine cannot be created.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// A thread cannot be created.
    #[error("no thread for an engine: {0}")]
    Thread(#[from] io::Error),
}

/// The engines.
pub(super) struct Pool {
    commands: Sender<PoolCommand>,
    scheduler: Option<thread::JoinHandle<()>>,
    tables: Arc<Tables>,
    wdl_model: WdlModel,
    engines: usize,
    next_client: AtomicU64,
}

impl Pool {
    /// Starts `engines` engines with these options. A search ends after `longest`.
    ///
    /// # Errors
    /// An engine or a thread cannot be created.
    pub fn start(options: &Options, engines: usize, longest: Duration) -> Result<Pool, PoolError> {
        let (commands, inbox) = channel();
        let made = Engine::several(options, engines)?;
        let tables = Arc::clone(made[0].tables());
        let wdl_model = made[0].wdl_model().clone();
        let mut threads = Vec::new();
        for (number, engine) in made.into_iter().enumerate() {
            let events = commands.clone();
            let listener = move |_, event| drop(events.send(PoolCommand::Event(number, event)));
            threads.push(Thread::start(engine, listener)?);
        }
        let annotators = Annotators::start(annotators(options, engines, &tables)?)?;
        let work = move || Scheduler::new(threads, annotators, longest).run(&inbox);
        let scheduler = thread::Builder::new()
            .name("scheduler".to_owned())
            .spawn(work)?;
        Ok(Pool {
            commands,
            scheduler: Some(scheduler),
            tables,
            wdl_model,
            engines,
            next_client: AtomicU64::new(1),
        })
    }

    /// The model that turns scores into probabilities of win, draw and loss.
    pub fn wdl_model(&self) -> &WdlModel {
        &self.wdl_model
    }

    /// The endgame tables.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// Number of searches that run at once.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// A new client.
    pub fn client(&self) -> Client {
        Client {
            id: self.next_client.fetch_add(1, Relaxed),
            commands: self.commands.clone(),
            mailbox: Arc::default(),
        }
    }
}

/// One annotator for every two engines, with a small table as in `damier annotate`.
fn annotators(
    options: &Options,
    engines: usize,
    tables: &Arc<Tables>,
) -> Result<Vec<Annotator>, EngineError> {
    let options = Options {
        tt_size: options.tt_size.min(ANNOTATOR_TT_SIZE),
        threads: 1,
        ..options.clone()
    };
    let make = |_| {
        let engine = Engine::with_tables(options.clone(), Arc::clone(tables))?;
        Ok(Annotator::new(engine, Level::INFINITE))
    };
    (0..engines.div_ceil(2)).map(make).collect()
}

impl Drop for Pool {
    fn drop(&mut self) {
        // Fails only where the scheduler has ended.
        let _ = self.commands.send(PoolCommand::Quit);
        if let Some(thread) = self.scheduler.take() {
            // The panic hook has reported a panic.
            let _ = thread.join();
        }
    }
}
