//! The engine: owns options, transposition table, evaluation, endgame tables, book and what is learned during a game.
//! Sessions and commands use only this interface: a [`Job`] goes in, [`Report`]s and an
//! [`Outcome`] come out, either on the caller's thread ([`Engine::run`]) or on the engine's own ([`Thread`]).

mod book;
mod error;
mod job;
pub mod level;
mod options;
mod searcher;
mod strength;
mod thread;

pub use crate::settings::{Kind, SettingError};
pub use error::EngineError;
pub use job::Job;
pub use level::{Clock, Level, Purpose};
pub use options::{Options, Scope};
pub use searcher::is_built_in;
pub use strength::ladder::{HIGHEST as HIGHEST_ELO, LOWEST as LOWEST_ELO};
pub use strength::{Handicap, Strength};
pub use thread::{EngineFailed, JobHandle, JobId, ThinkEvent, Thread};

use crate::eval::{Score, Wdl, WdlModel};
use crate::search::params::Params;
use crate::search::{Control, Observer, Outcome, Report, TranspositionTable};
use book::OpeningBook;
use damier_book::{BookError, Entry};
use damier_endgame::{ProblemReader, StoreError, Tables};
use damier_rules::Position;
use searcher::{AnySearcher, Stamp};
use std::sync::Arc;
use strength::{Place, WeakPlayer, Weakness, pace};

/// Anything that runs jobs: the engine, or a stand-in in tests.
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

/// An engine: set its options, run jobs, start a new game.
pub struct Engine {
    options: Options,
    searcher: Box<dyn AnySearcher>,
    /// Who plays below full strength, once that was asked for.
    weak_player: Option<WeakPlayer>,
    meaning: WdlModel,
    /// Time stamp and length of the weights file, if the weights come from one.
    stamp: Option<Stamp>,
    tables: Arc<Tables>,
    problems: ProblemReader,
    book: OpeningBook,
    /// Why the book named in the options cannot be used, until it is reported.
    book_problem: Option<BookError>,
}

impl Engine {
    /// An engine with these options. Returns at once, whatever the size of the table.
    ///
    /// # Errors
    /// There is not enough memory for the table, or the weights or the folder of endgame tables cannot be read.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        let tables = tables(&options)?;
        Engine::with_tables(options, tables)
    }

    /// Engines with these options that share endgame tables; at least one.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn several(options: &Options, count: usize) -> Result<Vec<Engine>, EngineError> {
        let tables = tables(options)?;
        let make = |_| Engine::with_tables(options.clone(), Arc::clone(&tables));
        (0..count.max(1)).map(make).collect()
    }

    /// An engine with these options that shares these endgame tables.
    ///
    /// # Errors
    /// There is not enough memory for the table, or the weights cannot be read.
    pub fn with_tables(options: Options, tables: Arc<Tables>) -> Result<Engine, EngineError> {
        let stamp = Stamp::of(options.evaluation());
        let (mut searcher, meaning) = searcher::load(options.evaluation(), options.tt_size)?;
        configure(&mut *searcher, &options, &tables);
        let (book, book_problem) = OpeningBook::open(&options);
        Ok(Engine {
            options,
            searcher,
            weak_player: None,
            meaning,
            stamp,
            tables,
            problems: ProblemReader::default(),
            book,
            book_problem,
        })
    }

    /// Endgame tables and books that cannot be used, each reported once. A damaged table is found only when it is first
    /// needed, so call this after each search and after a change of options.
    pub fn problems(&mut self) -> Vec<String> {
        let problems = self.problems.unseen(&self.tables);
        let tables = problems.iter().map(ToString::to_string);
        let book = self.book_problem.take().map(|problem| problem.to_string());
        tables.chain(book).collect()
    }

    /// Why the book named in the options cannot be used, unless [`Engine::problems`] has reported it.
    pub fn book_problem(&self) -> Option<&BookError> {
        self.book_problem.as_ref()
    }

    /// The book's entry for a position, whatever the options say about playing from it.
    pub fn book_entry(&self, position: &Position) -> Option<Entry> {
        self.book.book()?.find(position)
    }

    /// What the scores of these weights mean.
    pub fn wdl_model(&self) -> &WdlModel {
        &self.meaning
    }

    /// What a score for the side to move means in a position.
    pub fn wdl(&self, score: Score, position: &Position) -> Wdl {
        self.meaning.wdl(score, position.occupied().len())
    }

    /// The endgame tables in use.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// The current options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Applies new options. If new weights cannot be loaded, nothing changes. If there is not enough memory for the new
    /// transposition table, the old one and its size are kept and the other options are applied.
    ///
    /// # Errors
    /// Not enough memory, unreadable weights, or an unreadable folder of endgame tables or table header: then the old
    /// tables and the old `endgame-dir` are kept and the other options are applied.
    pub fn set_options(&mut self, mut options: Options) -> Result<(), EngineError> {
        // A weights file that has changed on disk is loaded again.
        let stamp = Stamp::of(options.evaluation());
        let is_new = stamp.is_some_and(|stamp| Some(stamp) != self.stamp);
        let loaded = match options.evaluation() != self.options.evaluation() || is_new {
            true => Some(searcher::load(options.evaluation(), self.options.tt_size)?),
            false => None,
        };
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
        if let Some((searcher, meaning)) = loaded {
            (self.searcher, self.meaning, self.stamp) = (searcher, meaning, stamp);
            self.weak_player = None;
        }
        configure(&mut *self.searcher, &options, &self.tables);
        let resized = self.searcher.resize(options.tt_size);
        if resized.is_err() {
            options.tt_size = self.options.tt_size;
        }
        self.options = options;
        resized?;
        unread
    }

    /// Forgets what was learned in the last game (hash table, history). Returns at once.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
        if let Some(player) = &mut self.weak_player {
            player.new_game();
        }
    }

    /// Static evaluation of a position, for the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        self.searcher.evaluate(position)
    }

    /// Runs a job on this thread until its level or `control` ends it. If the position has a legal move, the outcome
    /// has a move and a score, even when the job was stopped before it began.
    pub fn run(&mut self, job: &Job, control: &Control, observer: &mut dyn Observer) -> Outcome {
        if job.purpose == Purpose::Measure {
            return self.answer(job, control, observer);
        }
        let (meaning, pieces) = (self.meaning.clone(), job.game.position().occupied().len());
        let explain = |report: &mut Report| report.wdl = Some(meaning.wdl(report.score, pieces));
        let mut outcome = self.answer(job, control, &mut |report: &Report| {
            let mut report = report.clone();
            explain(&mut report);
            observer.report(&report);
        });
        explain(&mut outcome.report);
        outcome.lines.iter_mut().for_each(explain);
        outcome
    }

    /// The move of the opening book, of a weaker player, or of a search.
    fn answer(&mut self, job: &Job, control: &Control, observer: &mut dyn Observer) -> Outcome {
        let weakness = Weakness::of(job, &self.options);
        let plies = job.game.moves().len();
        let is_known = weakness.is_none_or(|weakness| weakness.allows_book(plies));
        if is_known && let Some(outcome) = self.book.answer(job, &self.options) {
            // The answer is known; it is due at the ponder hit.
            control.wait_for_ponder_hit();
            if let Some(Weakness::Level(_)) = weakness {
                pace::hold(job, pace::Choice::Theory, control);
            }
            observer.report(&outcome.report);
            return outcome;
        }
        match weakness {
            Some(weakness) => self.run_weakened(weakness, job, control, observer),
            None => self.search(job, control, observer),
        }
    }

    fn search(&mut self, job: &Job, control: &Control, observer: &mut dyn Observer) -> Outcome {
        let request = job.request();
        let is_exact = job.level.nodes.is_some();
        searcher::search_for_move(&mut *self.searcher, &request, is_exact, control, observer)
    }

    /// Runs a job below full strength.
    fn run_weakened(
        &mut self,
        weakness: Weakness,
        job: &Job,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        if self.weak_player.is_none() {
            match WeakPlayer::new(&*self.searcher, &self.meaning) {
                Ok(player) => self.weak_player = Some(player),
                Err(error) => log::warn!("no level: {error}"),
            }
        }
        let Some(player) = &mut self.weak_player else {
            return self.search(job, control, observer);
        };
        let place = Place {
            job,
            options: &self.options,
            tables: &self.tables,
        };
        player.play(&weakness, &place, control, observer)
    }

    /// Sets search parameters, for experiments.
    pub fn set_params(&mut self, params: Params) {
        self.options.params = params.clone();
        self.searcher.set_params(params);
    }

    /// The transposition table, for statistics.
    pub fn table(&self) -> &TranspositionTable {
        self.searcher.table()
    }
}

/// Has a searcher search as the options say, but for the size of its table.
fn configure(searcher: &mut dyn AnySearcher, options: &Options, tables: &Arc<Tables>) {
    searcher.set_threads(threads(options));
    searcher.set_driver(options.search);
    searcher.set_params(options.params.clone());
    searcher.set_tables(Arc::clone(tables), options.bb_size as u8);
}

/// The built-in tables, plus those in the folder that the options name, if any.
fn tables(options: &Options) -> Result<Arc<Tables>, StoreError> {
    let dir = Some(options.endgame_dir.as_path()).filter(|dir| !dir.as_os_str().is_empty());
    Tables::open(dir)
}

/// The number of search threads: as asked for, but at most one per available core. More would only take turns and slow
/// down the session's replies; in lock step they do so anyway.
fn threads(options: &Options) -> usize {
    if options.params.lock_step {
        return options.threads;
    }
    let cores = std::thread::available_parallelism().map_or(usize::MAX, |cores| cores.get());
    options.threads.min(cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_weights_that_cannot_be_loaded_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            tt_size: 16,
            ..Options::default()
        };
        let mut engine = Engine::new(options.clone()).unwrap();
        let (start, tables) = (Position::start(), Arc::clone(engine.tables()));
        let bad = Options {
            weights: folder.path().join("none.dwt"),
            book_file: folder.path().join("none.dbk"),
            endgame_dir: folder.path().to_owned(),
            tt_size: 17,
            ..options.clone()
        };
        let result = engine.set_options(bad.clone());
        assert!(matches!(result, Err(EngineError::Weights { .. })));
        assert_eq!(engine.options(), &options);
        assert!(Arc::ptr_eq(engine.tables(), &tables));
        assert!(engine.book_entry(&start).is_some() && engine.problems().is_empty());
        // Without them all of it is applied, and the book that is not there is reported.
        let good = Options {
            weights: "handmade".into(),
            ..bad
        };
        engine.set_options(good.clone()).unwrap();
        assert_eq!(engine.options(), &good);
        assert!(!Arc::ptr_eq(engine.tables(), &tables));
        assert!(engine.book_entry(&start).is_none());
        let problems = engine.problems();
        let names_book = |problem: &String| problem.contains("none.dbk");
        assert!(problems.iter().any(names_book), "{problems:?}");
        assert_eq!(engine.table().size(), 17);
    }
}
