//! Puzzles to solve: sets of positions with an answer, whether another move is as good, a rating, and what comes again.
//!
//! ```no_run
//! use damier_analysis::Stop;
//! use damier_analysis::puzzle::{self, Judge, Progress};
//! use damier_engine::{Engine, Options};
//! use damier_rules::Game;
//!
//! let puzzles = puzzle::built_in()?;
//! let mut progress = Progress::default();
//! let next = progress.next(&puzzles, 0, 1, |_| true).map(|index| &puzzles[index]);
//! let mut judge = Judge::new(Engine::new(Options::default())?);
//! if let Some(puzzle) = next {
//!     let tried = puzzle.start.legal_moves()[0];
//!     let good = judge.is_as_good(&Game::new(puzzle.start), tried, puzzle.answer[0], &Stop::new());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod judge;
mod progress;
mod set;
#[cfg(test)]
mod tests;

pub use judge::Judge;
pub use progress::{Outcome, Progress, ProgressError, Seen};
pub use set::{DamagedSet, GRADES, Puzzle, PuzzleError, PuzzleObject, built_in, built_in_text};
