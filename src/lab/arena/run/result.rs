use crate::lab::arena::players::Fault;
use crate::lab::arena::standings::Standings;
use crate::lab::arena::standings::statistics::Sprt;
use std::fmt;
use std::time::Duration;

/// An engine that could not begin a game, however often it was started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenEngine {
    /// Its name.
    pub name: String,
    /// Why, the last time.
    pub fault: Fault,
    /// The last lines exchanged.
    pub lines: Vec<String>,
}

impl fmt::Display for BrokenEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} failed to begin a game three times in a row: {}",
            self.name, self.fault
        )?;
        let mut lines = self.lines.iter();
        lines.try_for_each(|line| write!(f, "\n    {line}"))
    }
}

/// Why no more games were played.
#[derive(Clone, PartialEq, Debug)]
pub enum MatchEnd {
    /// All games were played.
    Complete,
    /// The sequential test accepted a hypothesis.
    Sprt(Sprt),
    /// The user interrupted the match.
    Interrupted,
    /// An engine cannot be started any more: the first one, where other engines played on without it.
    Broken(BrokenEngine),
}

/// The result of a match.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The results.
    pub standings: Standings,
    /// Why it ended.
    pub end: MatchEnd,
    /// Time since this run began.
    pub elapsed: Duration,
    /// Games that this run played; the others came from the journal.
    pub played_now: u64,
    /// For each engine, how often it had to be started again before it could begin a game.
    pub restarts: Vec<u64>,
    /// What the user should look at, such as parameters that an engine refused.
    pub warnings: Vec<String>,
    /// Whether the journal had unreadable lines, whose games were played again.
    pub journal_damaged: bool,
}
