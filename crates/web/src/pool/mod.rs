//! A few engines for many pages.
//!
//! A page has one search at a time. Moves to play go first; analyses take turns: where others wait, an analysis gives
//! its engine up after [`SLICE`] and goes on later, with what the transposition table remembers. A move to play takes
//! an engine from an analysis at once, and where many wait for theirs, each has less time. Games are judged beside the
//! engines, see [`judges`].

mod judges;
mod mailbox;
mod scheduler;
#[cfg(test)]
mod tests;
mod work;

pub(super) use mailbox::{Event, Mailbox, Snapshot};
pub(super) use work::{PageId, Search, Work};

use damier_analysis::annotate::Annotator;
use damier_endgame::Tables;
use damier_engine::eval::WdlModel;
use damier_engine::{Engine, EngineError, Level, Options, Thread};
use judges::Judges;
use scheduler::Scheduler;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;
use thiserror::Error;
use work::PoolCommand;

/// Log2 of the entries of a judge's table.
const JUDGE_TT_SIZE: u32 = 18;
/// Why there are no engines.
#[derive(Debug, Error)]
pub enum PoolError {
    /// An engine cannot be had.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// The system has no thread to give.
    #[error("no thread for an engine: {0}")]
    Thread(#[from] io::Error),
}

/// The engines.
pub(super) struct Pool {
    commands: Sender<PoolCommand>,
    scheduler: Option<thread::JoinHandle<()>>,
    tables: Arc<Tables>,
    meaning: WdlModel,
    engines: usize,
}

impl Pool {
    /// Starts so many engines with these options. A search ends after `longest`.
    ///
    /// # Errors
    /// There is no such engine, or no thread for it.
    pub fn start(options: &Options, engines: usize, longest: Duration) -> Result<Pool, PoolError> {
        let (commands, inbox) = channel();
        let first = Engine::new(options.clone())?;
        let tables = Arc::clone(first.tables());
        let meaning = first.wdl_model().clone();
        let mut made = vec![first];
        while made.len() < engines {
            made.push(Engine::with_tables(options.clone(), Arc::clone(&tables))?);
        }
        let mut threads = Vec::new();
        for (number, engine) in made.into_iter().enumerate() {
            let events = commands.clone();
            let listener = move |_, event| drop(events.send(PoolCommand::Event(number, event)));
            threads.push(Thread::start(engine, listener)?);
        }
        let judges = Judges::start(annotators(options, engines, &tables)?)?;
        let work = move || Scheduler::new(threads, judges, longest).run(&inbox);
        let scheduler = thread::Builder::new()
            .name("scheduler".to_owned())
            .spawn(work)?;
        Ok(Pool {
            commands,
            scheduler: Some(scheduler),
            tables,
            meaning,
            engines,
        })
    }

    /// What scores mean.
    pub fn meaning(&self) -> &WdlModel {
        &self.meaning
    }

    /// The endgame tables.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// Searches that run at once.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// Begins a search in the place of the page's last one.
    pub fn begin(&self, page: PageId, search: Search, mailbox: &Arc<Mailbox>) {
        self.give(PoolCommand::Begin(
            page,
            Box::new(search),
            Arc::clone(mailbox),
        ));
    }

    /// Ends the search of a page, which gets its outcome.
    pub fn stop(&self, page: PageId) {
        self.give(PoolCommand::Stop(page));
    }

    fn give(&self, command: PoolCommand) {
        if self.commands.send(command).is_err() {
            log::error!("the engines have ended");
        }
    }
}

/// One annotator for every two engines, with a small table as `damier annotate` has it.
fn annotators(
    options: &Options,
    engines: usize,
    tables: &Arc<Tables>,
) -> Result<Vec<Annotator>, EngineError> {
    let options = Options {
        tt_size: options.tt_size.min(JUDGE_TT_SIZE),
        threads: 1,
        ..options.clone()
    };
    let make = |_| {
        let tables = Arc::clone(tables);
        Annotator::with_tables(options.clone(), Level::INFINITE, tables)
    };
    (0..engines.div_ceil(2)).map(make).collect()
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.give(PoolCommand::Quit);
        if let Some(thread) = self.scheduler.take() {
            // A panic was written to stderr already.
            let _ = thread.join();
        }
    }
}
