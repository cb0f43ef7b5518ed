//! The façade: owns options, table, evaluation and what is learned in a game. Protocols and commands talk to this only.

mod brain;
mod error;
mod options;

pub(crate) use brain::is_built_in;
pub use error::EngineError;
pub use options::{Kind, OptionError, OptionSpec, Options};

use crate::endgame::{StoreError, Tables, WaitPolicy};
use crate::eval::Score;
use crate::rules::Position;
use crate::search::params::Params;
use crate::search::{Control, Observer, Outcome, Request, Table, wait_policy};
use brain::{Brain, Stamp};
use std::path::Path;
use std::sync::Arc;

/// Most pieces of the tables that are unpacked before they are asked for.
const SMALL: u32 = 4;
/// Pieces from which on an ending is not far.
const NEAR_AN_ENDING: u32 = 20;

/// An engine: set options, search, new game.
pub struct Engine {
    options: Options,
    brain: Box<dyn Brain>,
    /// Of the weights, where they are a file's.
    stamp: Option<Stamp>,
    tables: Arc<Tables>,
}

impl Engine {
    /// An engine with these options. Takes no noticeable time, whatever the size of the table.
    ///
    /// # Errors
    /// There is no memory for the table, or the weights or the folder of endgame tables cannot be had.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        let tables = tables(&options)?;
        Engine::with_tables(options, tables)
    }

    /// An engine with these options, but with these endgame tables, shared with others.
    ///
    /// # Errors
    /// There is no memory for the table, or the weights cannot be had.
    pub fn with_tables(options: Options, tables: Arc<Tables>) -> Result<Engine, EngineError> {
        let stamp = Stamp::of(&options.weights);
        let mut brain = brain::load(&options.weights, options.tt_size)?;
        brain.set_threads(threads(&options));
        brain.set_driver(options.search);
        brain.set_tables(Arc::clone(&tables), options.bb_size as u8);
        Ok(Engine {
            options,
            brain,
            stamp,
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
    /// Where other weights cannot be had nothing changes.
    ///
    /// # Errors
    /// There is no such memory, the weights cannot be had, or the folder of endgame tables or the header of a table
    /// in it cannot be read: then the old tables stay, and their name.
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
        // A file that was written since is read again.
        let stamp = Stamp::of(&options.weights);
        let is_new = stamp.is_some_and(|stamp| Some(stamp) != self.stamp);
        if options.weights != self.options.weights || is_new {
            *self = Engine::with_tables(options, Arc::clone(&self.tables))?;
            return unread;
        }
        self.brain
            .set_tables(Arc::clone(&self.tables), options.bb_size as u8);
        self.brain.set_threads(threads(&options));
        self.brain.set_driver(options.search);
        let old_size = self.options.tt_size;
        let wanted = options.tt_size;
        self.options = options;
        self.brain
            .resize(wanted)
            .inspect_err(|_| self.options.tt_size = old_size)?;
        unread
    }

    /// Forgets what was learned in the last game. Takes no noticeable time.
    pub fn new_game(&mut self) {
        self.brain.new_game();
    }

    /// What the evaluation says of a position, for the side to move, without a search.
    pub fn evaluate(&self, position: &Position) -> Score {
        self.brain.evaluate(position)
    }

    /// Searches the present position of a game. Waits for endgame tables as [`wait_policy`] says.
    pub fn search(
        &mut self,
        request: &Request,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let wait_policy = wait_policy(&request.limits, request.analyze);
        self.search_with(request, wait_policy, control, observer)
    }

    /// The same for one who knows better how long endgame tables may be waited for. Where they are not, as in a game on a clock, the
    /// small ones are unpacked in the background when an ending is not far, so that it finds them there: 2.5 seconds of one core.
    pub fn search_with(
        &mut self,
        request: &Request,
        wait_policy: WaitPolicy,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let pieces = request.game.position().occupied().len();
        if wait_policy == WaitPolicy::Never && pieces <= NEAR_AN_ENDING {
            self.tables.prepare(self.options.bb_size.min(SMALL) as u8);
        }
        self.brain.search(request, wait_policy, control, observer)
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

/// The tables inside the program, with those of the folder if the options name one.
fn tables(options: &Options) -> Result<Arc<Tables>, StoreError> {
    let dir = Some(Path::new(&options.endgame_dir)).filter(|dir| !dir.as_os_str().is_empty());
    Tables::open(dir)
}

/// The threads that search: those asked for, but no more than run at once. More would only take turns, and keep the
/// session from answering.
fn threads(options: &Options) -> usize {
    let cores = std::thread::available_parallelism().map_or(usize::MAX, |cores| cores.get());
    options.threads.min(cores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Slice;
    use crate::notation::fen;
    use crate::rules::Game;
    use crate::search::Limits;
    use std::time::Duration;

    #[test]
    fn small_tables_are_unpacked_for_a_game_on_a_clock_that_nears_an_ending() {
        let far = "W:W28,32,33,37,38,39,41,42,43,48,49:B3,4,8,9,10,13,14,18,19,23";
        let near = "W:W32,33,37,38,39,41,42,43,48,49:B3,4,8,9,10,13,14,18,19,24";
        let moment = Limits {
            move_time: Some(Duration::from_millis(2)),
            ..Limits::default()
        };
        let nodes = Limits {
            nodes: Some(100),
            ..Limits::default()
        };
        let all = (2..=SMALL as u8).flat_map(Slice::of_pieces).count();
        for (text, limits, expected) in [(far, moment, 0), (near, nodes, 0), (near, moment, all)] {
            let tables = Tables::fresh();
            let mut engine = Engine::with_tables(Options::default(), Arc::clone(&tables)).unwrap();
            let request = Request {
                game: &Game::new(fen::parse(text).unwrap()),
                limits,
                analyze: false,
            };
            engine.search(&request, &Control::new(), &mut ());
            assert_eq!(tables.wanted().len(), expected, "{text}");
        }
    }
}
