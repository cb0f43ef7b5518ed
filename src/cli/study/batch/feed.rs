//! The games of a shard, one after the other.

use super::tasks::Task;
use crate::cli::study::input::{GameInput, Next};
use crate::cli::warn;
use damier::os::shard::Shard;
use indicatif::ProgressBar;

/// The games of a shard, with a warning for each that is damaged.
pub(in crate::cli::study) struct Feed<'a> {
    games: GameInput,
    shard: &'a Shard,
    bar: &'a ProgressBar,
    /// Games that are damaged or left out.
    pub damaged: u64,
    /// Why the input cannot be read on.
    pub broken: Option<String>,
}

impl<'a> Feed<'a> {
    pub fn new(games: GameInput, shard: &'a Shard, bar: &'a ProgressBar) -> Feed<'a> {
        Feed {
            games,
            shard,
            bar,
            damaged: 0,
            broken: None,
        }
    }

    /// Whether no game was in all that was read.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Bytes read.
    pub fn position(&self) -> u64 {
        self.games.position()
    }

    /// The next game; none at the end, or where the input cannot be read on.
    pub fn next(&mut self) -> Option<Task> {
        while self.broken.is_none() {
            match self.games.next() {
                Next::End => return None,
                Next::Broken(message) => self.broken = Some(message),
                Next::Left(number, message) if self.holds(number) || self.is_empty() => {
                    self.warn_of_damage(&message);
                }
                Next::Task(task) if self.holds(task.number) => {
                    let folder = self.games.folder();
                    let [problem, note] = [&task.problem, &task.note]
                        .map(|text| text.as_ref().map(|text| format!("{folder}{text}")));
                    if let Some(problem) = problem {
                        self.warn_of_damage(&format!("{problem}; read up to there"));
                    }
                    if let Some(note) = note {
                        self.warn(&note);
                    }
                    return Some(task);
                }
                Next::Note(note) => self.warn(&note),
                Next::Left(..) | Next::Task(_) => {}
            }
        }
        None
    }

    fn holds(&self, number: u64) -> bool {
        self.shard.holds(number - 1)
    }

    fn warn_of_damage(&mut self, message: &str) {
        self.damaged += 1;
        self.warn(message);
    }

    fn warn(&self, message: &str) {
        self.bar.suspend(|| warn(&message));
    }
}
