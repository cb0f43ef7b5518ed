//! The façade: owns options, table, evaluation and what is learned in a game. Protocols and commands talk to this only.

mod options;

pub use options::{Kind, OptionError, OptionSpec, Options};

use crate::endgame::{StoreError, Tables};
use crate::eval::Handmade;
use crate::search::{Control, Observer, Outcome, Request, Searcher, TableError};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// An engine: set options, search, new game.
pub struct Engine {
    options: Options,
    searcher: Searcher<Handmade>,
    tables: Arc<Tables>,
}

impl Engine {
    /// An engine with these options. Takes no noticeable time, whatever the size of the table.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        let mut searcher = Searcher::new(Handmade, options.tt_size)?;
        searcher.set_threads(threads(&options));
        searcher.set_driver(options.search);
        let tables = tables(&options)?;
        searcher.set_tables(Arc::clone(&tables), options.bb_size as u8);
        Ok(Engine {
            options,
            searcher,
            tables,
        })
    }

    /// The endgame tables at hand.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Puts options in force. Where there is no memory for the table the old one, and its size, stay; all else is taken.
    ///
    /// # Errors
    /// There is no such memory, or the folder of endgame tables cannot be read: then the old tables stay, and their name.
    pub fn set_options(&mut self, mut options: Options) -> Result<(), EngineError> {
        let mut unread = Ok(());
        if options.endgame_dir != self.options.endgame_dir {
            match tables(&options) {
                Ok(tables) => self.tables = tables,
                Err(error) => {
                    options.endgame_dir.clone_from(&self.options.endgame_dir);
                    unread = Err(error.into());
                }
            }
        }
        self.searcher
            .set_tables(Arc::clone(&self.tables), options.bb_size as u8);
        self.searcher.set_threads(threads(&options));
        self.searcher.set_driver(options.search);
        let old_size = self.options.tt_size;
        let wanted = options.tt_size;
        self.options = options;
        self.searcher
            .resize(wanted)
            .inspect_err(|_| self.options.tt_size = old_size)?;
        unread
    }

    /// Forgets what was learned in the last game. Takes no noticeable time.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// Searches the present position of a game.
    pub fn search(
        &mut self,
        request: &Request,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.searcher.search(request, control, observer)
    }

    /// The searcher, for benches and experiments.
    pub fn searcher_mut(&mut self) -> &mut Searcher<Handmade> {
        &mut self.searcher
    }
}

/// The tables inside the program, with those of the folder if the options name one.
fn tables(options: &Options) -> Result<Arc<Tables>, StoreError> {
    let dir = Some(Path::new(&options.endgame_dir)).filter(|dir| !dir.as_os_str().is_empty());
    Tables::open(dir)
}

/// Why an engine cannot have what its options ask for.
#[derive(Debug)]
pub enum EngineError {
    /// There is no memory for the transposition table.
    Table(TableError),
    /// The folder of endgame tables cannot be read.
    Endgame(StoreError),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Table(error) => error.fmt(f),
            EngineError::Endgame(error) => write!(f, "endgame-dir: {error}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<TableError> for EngineError {
    fn from(error: TableError) -> EngineError {
        EngineError::Table(error)
    }
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> EngineError {
        EngineError::Endgame(error)
    }
}

/// The threads that search: those asked for, but no more than run at once. More would only take turns, and keep the
/// session from answering.
fn threads(options: &Options) -> usize {
    let cores = std::thread::available_parallelism().map_or(usize::MAX, |cores| cores.get());
    options.threads.min(cores)
}
