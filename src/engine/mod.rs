//! The façade: owns options, table, evaluation and what is learned in a game. Protocols and commands talk to this only.

mod brain;
mod error;
mod options;

pub use error::EngineError;
pub use options::{Kind, OptionError, OptionSpec, Options};

use crate::eval::Score;
use crate::rules::Position;
use crate::search::params::Params;
use crate::search::{Control, Observer, Outcome, Request, Table};
use brain::Brain;

/// An engine: set options, search, new game.
pub struct Engine {
    options: Options,
    brain: Box<dyn Brain>,
}

impl Engine {
    /// An engine with these options. Takes no noticeable time, whatever the size of the table.
    ///
    /// # Errors
    /// There is no memory for the table, or the weights cannot be had.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        let mut brain = brain::load(&options.weights, options.tt_size)?;
        brain.set_threads(threads(&options));
        brain.set_driver(options.search);
        Ok(Engine { options, brain })
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Puts options in force. Where there is no memory for the table the old one, and its size, stay; all else is taken.
    /// Where other weights cannot be had nothing changes.
    ///
    /// # Errors
    /// As for [`Engine::new`].
    pub fn set_options(&mut self, options: Options) -> Result<(), EngineError> {
        if options.weights != self.options.weights {
            *self = Engine::new(options)?;
            return Ok(());
        }
        self.brain.set_threads(threads(&options));
        self.brain.set_driver(options.search);
        let old_size = self.options.tt_size;
        let wanted = options.tt_size;
        self.options = options;
        self.brain
            .resize(wanted)
            .inspect_err(|_| self.options.tt_size = old_size)?;
        Ok(())
    }

    /// Forgets what was learned in the last game. Takes no noticeable time.
    pub fn new_game(&mut self) {
        self.brain.new_game();
    }

    /// What the evaluation says of a position, for the side to move, without a search.
    pub fn evaluate(&self, position: &Position) -> Score {
        self.brain.evaluate(position)
    }

    /// Searches the present position of a game.
    pub fn search(
        &mut self,
        request: &Request,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.brain.search(request, control, observer)
    }

    /// Chooses the tunables of the search, for experiments.
    pub fn set_params(&mut self, params: Params) {
        self.brain.set_params(params);
    }

    /// The transposition table, for statistics.
    pub fn table(&self) -> &Table {
        self.brain.table()
    }
}

/// The threads that search: those asked for, but no more than run at once. More would only take turns, and keep the
/// session from answering.
fn threads(options: &Options) -> usize {
    let cores = std::thread::available_parallelism().map_or(usize::MAX, |cores| cores.get());
    options.threads.min(cores)
}
