//! Moves from the opening book.

use super::{Job, Options, Purpose};
use crate::eval::Score;
use crate::search::{Outcome, Report, Stats, Timing};
use damier_book::{Book, BookError, BookMove, Entry};
use damier_rules::Game;
use damier_rules::internal::mix;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Instant;

/// Longest line returned from the book, in plies.
const MAX_LINE: usize = 20;

/// The opening book in use, if any, and the source of randomness for choosing among its moves.
pub(super) struct OpeningBook {
    book: Option<Arc<Book>>,
    /// State of the random number generator, used when `book-seed` is 0.
    state: u64,
}

impl OpeningBook {
    /// Opens the book that the options name, or the embedded one. If it cannot be read, there is no book and the error
    /// is returned beside it.
    pub fn open(options: &Options) -> (OpeningBook, Option<BookError>) {
        let (book, fault) = match Book::named(&options.book_file) {
            Ok(book) => (Some(book), None),
            Err(fault) => (None, Some(fault)),
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

    /// The book move for this job. None if the job or the options do not ask for the book, or the position is not in
    /// it.
    pub fn answer(&mut self, job: &Job, options: &Options) -> Option<Outcome> {
        let began = Instant::now();
        let plays = matches!(job.purpose, Purpose::Think | Purpose::Ponder);
        let wanted = job.use_book && options.book && plays;
        if !(wanted && job.excluded.is_empty()) {
            return None;
        }
        let book = self.book.as_deref()?;
        let position = job.game.position();
        let entry = book.find(position)?;
        let early = job.game.moves().len() < options.book_ply as usize;
        let margin = if early { options.book_margin } else { 0 };
        let random = random(&mut self.state, options.book_seed, &job.game);
        let is_deep = |mv: &BookMove| book.goes_on(position, mv.mv, options.book_line as usize);
        let chosen = entry.choose(margin, random, is_deep)?;
        Some(outcome(book, &job.game, &entry, chosen, began))
    }
}

/// A random number. With a seed it depends only on the seed and the game so far, so the same game always gets the same
/// reply.
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
    let pv = book.line(game.position(), chosen.mv, MAX_LINE);
    let report = Report {
        rank: 1,
        depth: entry.depth.max(1),
        mean_depth: f64::from(entry.depth.max(1)),
        score,
        // The position itself.
        nodes: 1,
        time: began.elapsed(),
        pv,
        ..Report::default()
    };
    Outcome {
        best: Some(chosen.mv),
        ponder: report.pv.get(1).copied(),
        lines: vec![report.clone()],
        report,
        whole: score,
        stats: Stats::default(),
        timing: Timing::default(),
    }
}
