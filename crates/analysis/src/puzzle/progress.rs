//! What a person has solved: a rating, and which puzzles come again when.

use super::Puzzle;
use damier_os::files::{self, AtomicFile, ReplaceError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Version of the file.
const VERSION: u32 = 1;
/// How the file begins.
const MAGIC: &[u8] = b"{\"damier_puzzles\":";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;
/// Rating of a person who has solved nothing yet.
const FIRST: f64 = 1200.0;
/// Most points that a puzzle changes the rating by.
const FACTOR: f64 = 32.0;
const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;
/// Seconds after which a puzzle comes again that was missed, and then each time that it was solved (Leitner's boxes).
const INTERVALS: [u64; 5] = [10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY];

/// Seconds in a box.
fn wait(number: usize) -> u64 {
    let index = number.checked_sub(1);
    index
        .and_then(|index| INTERVALS.get(index))
        .copied()
        .unwrap_or(0)
}

/// Begins a new file of progress, in a folder that is made if need be.
fn begin(path: &Path) -> Result<AtomicFile, ProgressError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(AtomicFile::begin(path, MAGIC, &[] as &[&Path])?)
}

/// How a puzzle ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Solved at the first try.
    Solved,
    /// Solved with a hint.
    Helped,
    /// A wrong move or the answer came first.
    Missed,
}

/// When a puzzle comes again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// Number of the box, from 1; 0 for a puzzle that does not come again.
    #[serde(rename = "box")]
    pub number: usize,
    /// When it comes again, in seconds since 1970.
    pub due: u64,
}

/// All that is kept of a person.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// Version of the file.
    #[serde(rename = "damier_puzzles")]
    version: u32,
    /// The rating.
    pub rating: f64,
    /// Puzzles that count in it.
    pub count: u64,
    /// Puzzles solved in a row.
    pub streak: u64,
    /// The longest streak.
    pub best_streak: u64,
    /// The puzzles seen, by name.
    pub seen: BTreeMap<String, Seen>,
}

/// Why stored progress cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ProgressError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another file has the name, or another process writes it.
    #[error(transparent)]
    Replace(#[from] ReplaceError),
    /// It is something else, or damaged.
    #[error("no progress of puzzles: {0}")]
    Damaged(#[from] serde_json::Error),
    /// It was written by a later version of the program.
    #[error("has version {0} of the file, and this program reads version {VERSION}")]
    Newer(u32),
}

impl Default for Progress {
    fn default() -> Progress {
        Progress {
            version: VERSION,
            rating: FIRST,
            count: 0,
            streak: 0,
            best_streak: 0,
            seen: BTreeMap::new(),
        }
    }
}

impl Progress {
    /// Reads stored progress; where there is no file, none has been made.
    ///
    /// # Errors
    /// The file cannot be read, is something else, or is of a later version.
    pub fn load(path: &Path) -> Result<Progress, ProgressError> {
        match files::read_text_at_most(path, LARGEST) {
            Ok(text) => Progress::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Progress::default()),
            Err(error) => Err(error.into()),
        }
    }

    fn parse(text: &str) -> Result<Progress, ProgressError> {
        #[derive(Deserialize)]
        struct Version {
            damier_puzzles: u32,
        }
        let Version { damier_puzzles } = serde_json::from_str(text)?;
        match damier_puzzles > VERSION {
            true => Err(ProgressError::Newer(damier_puzzles)),
            false => Ok(serde_json::from_str(text)?),
        }
    }

    /// Stores the progress, in a folder that is made if need be. The old file is replaced once the new one is whole.
    ///
    /// # Errors
    /// The file cannot be written, or one of another kind has its name.
    pub fn save(&self, path: &Path) -> Result<(), ProgressError> {
        let text = serde_json::to_string(self)?;
        Ok(begin(path)?.complete(text.as_bytes())?)
    }

    /// Finds out whether progress can be stored there. The folder is made if need be, and no file is changed.
    ///
    /// # Errors
    /// As [`Progress::save`].
    pub fn check_writable(path: &Path) -> Result<(), ProgressError> {
        begin(path).map(drop)
    }

    /// Notes how a puzzle ended. It counts in the rating the first time only.
    pub fn note(&mut self, puzzle: &Puzzle, outcome: Outcome, now: u64) {
        let name = puzzle.name();
        let is_early = self.due(puzzle, now).is_some_and(|due| due > now);
        let before = self.seen.get(&name).map(|seen| seen.number);
        if before.is_none() {
            let score = match outcome {
                Outcome::Solved => 1.0,
                Outcome::Helped => 0.5,
                Outcome::Missed => 0.0,
            };
            let expected = 1.0 / (1.0 + 10f64.powf((puzzle.rating() - self.rating) / 400.0));
            self.rating += FACTOR * (score - expected);
            self.count = self.count.saturating_add(1);
        }
        let is_solved = outcome == Outcome::Solved;
        self.streak = if is_solved {
            self.streak.saturating_add(1)
        } else {
            0
        };
        self.best_streak = self.best_streak.max(self.streak);
        if is_solved && is_early {
            // Another session had it meanwhile.
            return;
        }
        let number = match before {
            _ if !is_solved => 1,
            Some(number) if (1..INTERVALS.len()).contains(&number) => number + 1,
            _ => 0,
        };
        let due = now.saturating_add(wait(number));
        self.seen.insert(name, Seen { number, due });
    }

    /// When a puzzle comes again, if it does: at once where the clock was set back since, and its box has no such wait.
    fn due(&self, puzzle: &Puzzle, now: u64) -> Option<u64> {
        let seen = self.seen.get(&puzzle.name()).filter(|seen| seen.number > 0);
        seen.map(
            |seen| match seen.due > now.saturating_add(wait(seen.number)) {
                true => now,
                false => seen.due,
            },
        )
    }

    /// The index of the next puzzle among those that `is_wanted`: the one that has been due longest, or else a new one,
    /// in an order that the seed decides. None where all are seen and none is due.
    pub fn next(
        &self,
        puzzles: &[Puzzle],
        now: u64,
        seed: u64,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let wanted = || {
            puzzles
                .iter()
                .enumerate()
                .filter(|(index, _)| is_wanted(*index))
        };
        let due = wanted().filter_map(|(index, puzzle)| Some((self.due(puzzle, now)?, index)));
        let due = due.filter(|&(due, _)| due <= now).min();
        due.map(|(_, index)| index).or_else(|| {
            let new = wanted().filter(|(_, puzzle)| !self.seen.contains_key(&puzzle.name()));
            let order = |name: String| crc32fast::hash(format!("{seed} {name}").as_bytes());
            new.min_by_key(|(_, puzzle)| order(puzzle.name()))
                .map(|(index, _)| index)
        })
    }

    /// When the first of these puzzles comes again, if one does.
    pub fn next_due<'a>(
        &self,
        puzzles: impl IntoIterator<Item = &'a Puzzle>,
        now: u64,
    ) -> Option<u64> {
        puzzles
            .into_iter()
            .filter_map(|puzzle| self.due(puzzle, now))
            .min()
    }
}
