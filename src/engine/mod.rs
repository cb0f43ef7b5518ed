//! The façade: owns options, table, evaluation and what is learned in a game. Protocols and commands talk to this only.

mod options;

pub use options::{Kind, OptionError, OptionSpec, Options};

use crate::eval::Handmade;
use crate::search::{Control, Observer, Outcome, Request, Searcher, TableError};

/// An engine: set options, search, new game.
pub struct Engine {
    options: Options,
    searcher: Searcher<Handmade>,
}

impl Engine {
    /// An engine with these options. Takes no noticeable time, whatever the size of the table.
    pub fn new(options: Options) -> Result<Engine, TableError> {
        let mut searcher = Searcher::new(Handmade, options.tt_size)?;
        searcher.set_threads(threads(&options));
        searcher.set_driver(options.search);
        Ok(Engine { options, searcher })
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Puts options in force. Where there is no memory for the table the old one, and its size, stay; all else is taken.
    pub fn set_options(&mut self, options: Options) -> Result<(), TableError> {
        self.searcher.set_threads(threads(&options));
        self.searcher.set_driver(options.search);
        let old_size = self.options.tt_size;
        let wanted = options.tt_size;
        self.options = options;
        self.searcher
            .resize(wanted)
            .inspect_err(|_| self.options.tt_size = old_size)
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

/// The threads that search: those asked for, but no more than run at once. More would only take turns, and keep the
/// session from answering.
fn threads(options: &Options) -> usize {
    let cores = std::thread::available_parallelism().map_or(usize::MAX, |cores| cores.get());
    options.threads.min(cores)
}
