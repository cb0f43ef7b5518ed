//! Moves from the opening book.

use super::{Job, Options, Purpose};
use crate::book::{Book, BookError, BookMove, Entry};
use crate::eval::Score;
use crate::rules::{Game, mix};
use crate::search::{Outcome, Report, Stats};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The value of `book-file` for the book inside the program.
const EMBEDDED: &str = "embedded";
/// Most moves of a line from the book.
const LINE: usize = 20;

/// The book of an engine.
pub(super) struct OpeningBook {
    book: Option<Arc<Book>>,
    /// Random numbers for the games of an engine without a seed.
    state: u64,
}

impl OpeningBook {
    /// The book that the options name, or the one inside the program. Where it cannot be read there is none, and why comes along.
    pub fn open(options: &Options) -> (OpeningBook, Option<BookError>) {
        let (book, fault) = match options.book_file.as_str() {
            EMBEDDED => (Book::embedded(), None),
            file => match Book::open(Path::new(file)) {
                Ok(book) => (Some(book), None),
                Err(fault) => (None, Some(fault)),
            },
        };
        let opened = OpeningBook {
            book: book.map(Arc::new),
            state: RandomState::new().hash_one(0),
        };
        (opened, fault)
    }

    /// The book, if there is one.
    pub fn book(&self) -> Option<&Book> {
        self.book.as_deref()
    }

    /// What is played from the book. None where the job or the options want no book, or the position is not in it.
    pub fn answer(&mut self, job: &Job, options: &Options) -> Option<Outcome> {
        let began = Instant::now();
        let wanted = job.use_book && options.book && job.purpose == Purpose::Think;
        if !(wanted && job.excluded.is_empty()) {
            return None;
        }
        let book = self.book.as_deref()?;
        let entry = book.find(job.game.position())?;
        let early = job.game.moves().len() < options.book_ply as usize;
        let margin = if early { options.book_margin } else { 0 };
        let random = random(&mut self.state, options.book_seed, &job.game);
        let chosen = entry.choose(margin, random)?;
        Some(outcome(book, &job.game, &entry, chosen, began))
    }
}

/// A random number. With a seed the same game is always answered in the same way, whatever was played before.
fn random(state: &mut u64, seed: u32, game: &Game) -> u64 {
    if seed == 0 {
        *state = mix(*state);
        return *state;
    }
    let keys = game.keys().iter();
    keys.fold(mix(u64::from(seed)), |random, key| mix(random ^ key.0))
}

fn outcome(book: &Book, game: &Game, entry: &Entry, chosen: &BookMove, began: Instant) -> Outcome {
    let score = Score::new(chosen.score);
    let pv = book.line(game.position(), chosen.mv, LINE);
    let report = Report {
        rank: 1,
        depth: entry.depth.max(1),
        mean_depth: f64::from(entry.depth.max(1)),
        score,
        // The position itself.
        nodes: 1,
        time: began.elapsed(),
        pv,
    };
    Outcome {
        best: Some(chosen.mv),
        ponder: report.pv.get(1).copied(),
        lines: vec![report.clone()],
        report,
        whole: score,
        stats: Stats::default(),
    }
}
