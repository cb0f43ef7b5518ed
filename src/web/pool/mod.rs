//! A few engines for many pages.
//!
//! A page has one search at a time. Moves to play go first; analyses take turns: where others wait, an analysis gives its
//! engine up after [`SLICE`] and goes on later, with what the transposition table remembers. A move to play takes an engine from an analysis at once, and where many wait for theirs, each has
//! less time. Games are judged beside the engines, see [`judges`].

mod judges;
mod mailbox;
mod scheduler;
#[cfg(test)]
mod tests;

pub(super) use mailbox::{Event, Mailbox, Snapshot};

use crate::analysis::annotate::Annotator;
use crate::endgame::Tables;
use crate::engine::{Engine, EngineError, Level, Options, ThinkEvent, Thread};
use crate::eval::WdlModel;
use crate::notation::pdn;
use crate::rules::Game;
use judges::Judges;
use scheduler::Scheduler;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// How long an analysis keeps its engine while others wait.
const SLICE: Duration = Duration::from_millis(500);
/// The same while a move to play waits.
const SHORT_SLICE: Duration = Duration::from_millis(50);
/// From then on a search that waits is served in its turn, whatever it is.
const PATIENCE: Duration = Duration::from_secs(4);
/// Log2 of the entries of a judge's table.
const JUDGE_TT_SIZE: u32 = 18;
/// The least time of a move to play.
const LEAST: f64 = 0.05;

/// A page, by number.
pub(super) type PageId = u64;

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

/// What is to be searched.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// A move to play.
    Think {
        /// How long.
        level: Level,
        /// Whether the book may answer.
        book: bool,
    },
    /// The best moves.
    Analyse {
        /// How many.
        lines: usize,
    },
    /// The moves of the game, judged.
    Annotate {
        /// The game with all that it has.
        game: Box<pdn::Game>,
        /// Nodes of each search.
        nodes: u64,
    },
}

/// A search that a page asked for.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// Number of the request.
    pub id: u32,
    /// The game.
    pub game: Game,
    /// What is wanted.
    pub work: Work,
}

enum Command {
    Begin(PageId, Box<Search>, Arc<Mailbox>),
    Stop(PageId),
    Event(usize, ThinkEvent),
    Quit,
}

/// The engines.
pub(super) struct Pool {
    commands: Sender<Command>,
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
            let listener = move |_, event| drop(events.send(Command::Event(number, event)));
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
        self.give(Command::Begin(page, Box::new(search), Arc::clone(mailbox)));
    }

    /// Ends the search of a page, which gets its outcome.
    pub fn stop(&self, page: PageId) {
        self.give(Command::Stop(page));
    }

    fn give(&self, command: Command) {
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
        self.give(Command::Quit);
        if let Some(thread) = self.scheduler.take() {
            // A panic was written to stderr already.
            let _ = thread.join();
        }
    }
}
