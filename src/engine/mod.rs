//! The waist: owns options, table, evaluation, endgame tables and what is learned in a game. Sessions and commands ask only
//! this: a [`Job`] goes in, [`Report`](crate::search::Report)s and an [`Outcome`] come out, on the caller's thread
//! ([`Engine::run`]) or on one of the engine's own ([`Thread`]).

mod book;
mod error;
mod job;
mod level;
mod options;
mod searcher;
mod thread;

pub use crate::settings::{Kind, SettingError};
pub use error::EngineError;
pub use job::{Job, Purpose};
pub use level::{Clock, Level};
pub use options::{Options, Scope};
pub(crate) use searcher::is_built_in;
pub use thread::{JobHandle, JobId, ThinkEvent, Thread, ThreadEnded};

use crate::book::{BookError, Entry};
use crate::endgame::{ProblemReader, StoreError, Tables, WaitPolicy};
use crate::eval::Score;
use crate::rules::Position;
use crate::search::params::Params;
use crate::search::{Control, Limits, Observer, Outcome, Request, Table};
use book::OpeningBook;
use searcher::{AnySearcher, Stamp};
use std::path::Path;
use std::sync::Arc;

/// Most pieces of the tables that are unpacked before they are asked for.
const SMALL: u32 = 4;
/// Enough nodes for any move to get a score, few enough to take no time.
const GLANCE_NODES: u64 = 20_000;
/// Pieces from which on an ending is not far.
const NEAR_AN_ENDING: u32 = 20;

/// What runs jobs: the engine, or a stand-in for it in tests.
pub trait Thinker: Send {
    /// See [`Engine::run`].
    fn run(&mut self, job: &Job, control: &Control, observer: &mut dyn Observer) -> Outcome;

    /// See [`Engine::new_game`].
    fn new_game(&mut self);

    /// See [`Engine::options`].
    fn options(&self) -> &Options;

    /// See [`Engine::set_options`].
    ///
    /// # Errors
    /// Those of [`Engine::set_options`].
    fn set_options(&mut self, options: Options) -> Result<(), EngineError>;

    /// See [`Engine::problems`].
    fn problems(&mut self) -> Vec<String> {
        Vec::new()
    }
}

impl Thinker for Engine {
    fn run(&mut self, job: &Job, control: &Control, observer: &mut dyn Observer) -> Outcome {
        Engine::run(self, job, control, observer)
    }

    fn new_game(&mut self) {
        Engine::new_game(self);
    }

    fn options(&self) -> &Options {
        Engine::options(self)
    }

    fn set_options(&mut self, options: Options) -> Result<(), EngineError> {
        Engine::set_options(self, options)
    }

    fn problems(&mut self) -> Vec<String> {
        Engine::problems(self)
    }
}

/// An engine: set options, run jobs, new game.
pub struct Engine {
    options: Options,
    searcher: Box<dyn AnySearcher>,
    /// Of the weights, where they are a file's.
    stamp: Option<Stamp>,
    tables: Arc<Tables>,
    problems: ProblemReader,
    book: OpeningBook,
    /// Why the book that the options name cannot be used, until somebody asks.
    book_problem: Option<BookError>,
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
        let mut searcher = searcher::load(&options.weights, options.tt_size)?;
        searcher.set_threads(threads(&options));
        searcher.set_driver(options.search);
        searcher.set_params(options.params.clone());
        searcher.set_tables(Arc::clone(&tables), options.bb_size as u8);
        let (book, book_problem) = OpeningBook::open(&options);
        Ok(Engine {
            options,
            searcher,
            stamp,
            tables,
            problems: ProblemReader::default(),
            book,
            book_problem,
        })
    }

    /// Endgame tables and a book that cannot be used, each returned once: a damaged table is found only when it is needed,
    /// so that this is to be asked after each search, and when options have changed.
    pub fn problems(&mut self) -> Vec<String> {
        let problems = self.problems.unseen(&self.tables);
        let tables = problems.iter().map(ToString::to_string);
        let book = self.book_problem.take().map(|problem| problem.to_string());
        tables.chain(book).collect()
    }

    /// What the opening book says of a position, whether it is played from or not.
    pub fn book_entry(&self, position: &Position) -> Option<Entry> {
        self.book.book()?.find(position)
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
        if options.book_file != self.options.book_file {
            (self.book, self.book_problem) = OpeningBook::open(&options);
        }
        // A file that was written since is read again.
        let stamp = Stamp::of(&options.weights);
        let is_new = stamp.is_some_and(|stamp| Some(stamp) != self.stamp);
        if options.weights != self.options.weights || is_new {
            let engine = Engine::with_tables(options, Arc::clone(&self.tables))?;
            let problems = std::mem::take(&mut self.problems);
            let book_problem = self.book_problem.take();
            *self = Engine {
                problems,
                book_problem,
                ..engine
            };
            return unread;
        }
        self.searcher
            .set_tables(Arc::clone(&self.tables), options.bb_size as u8);
        self.searcher.set_threads(threads(&options));
        self.searcher.set_driver(options.search);
        self.searcher.set_params(options.params.clone());
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

    /// What the evaluation says of a position, for the side to move, without a search.
    pub fn evaluate(&self, position: &Position) -> Score {
        self.searcher.evaluate(position)
    }

    /// Runs a job on this thread, until its level or `control` ends it. Every job whose position has a legal move gets a move
    /// and a score, also one that was stopped before it began.
    pub fn run(&mut self, job: &Job, control: &Control, observer: &mut dyn Observer) -> Outcome {
        if let Some(outcome) = self.book.answer(job, &self.options) {
            observer.report(&outcome.report);
            return outcome;
        }
        let wait_policy = job.level.wait_policy(job.purpose);
        let pieces = job.game.position().occupied().len();
        if wait_policy == WaitPolicy::Never && pieces <= NEAR_AN_ENDING {
            // In the background, so that the search finds them there: 2.5 seconds of one core.
            self.tables.prepare(self.options.bb_size.min(SMALL) as u8);
        }
        let request = Request {
            game: &job.game,
            limits: job.level.limits(),
            wait_policy,
            analyze: matches!(job.purpose, Purpose::Analyse | Purpose::Measure),
            fine: job.purpose == Purpose::Analyse,
            lines: job.lines,
            excluded: &job.excluded,
        };
        let outcome = self.searcher.search(&request, control, observer);
        let unknown = outcome.report.depth == 0 && outcome.best.is_some();
        if !unknown || job.level.nodes.is_some() {
            return outcome;
        }
        // Stopped before the first iteration was over.
        let glance = Request {
            limits: Limits {
                depth: Some(1),
                nodes: Some(GLANCE_NODES),
                ..Limits::default()
            },
            wait_policy: WaitPolicy::Never,
            ..request
        };
        let mut outcome = self.searcher.search(&glance, &Control::new(), observer);
        outcome.report.depth = 1;
        outcome.lines.iter_mut().for_each(|line| line.depth = 1);
        outcome
    }

    /// Chooses the tunables of the search, for experiments.
    pub fn set_params(&mut self, params: Params) {
        self.options.params = params.clone();
        self.searcher.set_params(params);
    }

    /// The transposition table, for statistics.
    pub fn table(&self) -> &Table {
        self.searcher.table()
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
    use std::time::Duration;

    #[test]
    fn small_tables_are_unpacked_for_a_game_on_a_clock_that_nears_an_ending() {
        let far = "W:W28,32,33,37,38,39,41,42,43,48,49:B3,4,8,9,10,13,14,18,19,23";
        let near = "W:W32,33,37,38,39,41,42,43,48,49:B3,4,8,9,10,13,14,18,19,24";
        let moment = Level::move_time(Duration::from_millis(2));
        let all = (2..=SMALL as u8).flat_map(Slice::of_pieces).count();
        for (text, level, expected) in [
            (far, moment, 0),
            (near, Level::nodes(100), 0),
            (near, moment, all),
        ] {
            let tables = Tables::fresh();
            let mut engine = Engine::with_tables(Options::default(), Arc::clone(&tables)).unwrap();
            let game = Game::new(fen::parse(text).unwrap());
            engine.run(&Job::new(game, level), &Control::new(), &mut ());
            assert_eq!(tables.requested().len(), expected, "{text}");
        }
    }
}
