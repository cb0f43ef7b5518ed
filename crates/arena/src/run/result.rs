use crate::players::EngineFault;
use crate::standings::Standings;
use crate::standings::statistics::Sprt;
use std::fmt;
use std::time::Duration;

/// An engine that repeatedly failed to begin a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenEngine {
    /// Name of the engine.
    pub name: String,
    /// Why, at the last attempt.
    pub fault: EngineFault,
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

/// Why the match ended.
#[derive(Clone, PartialEq, Debug)]
pub enum MatchEnd {
    /// All games were played.
    Complete,
    /// The sequential test accepted a hypothesis.
    Sprt(Sprt),
    /// The user interrupted the match.
    Interrupted,
    /// An engine cannot be started any more: the first such engine if the others played on.
    Broken(BrokenEngine),
}

/// The result of a match.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The results.
    pub standings: Standings,
    /// Why it ended.
    pub end: MatchEnd,
    /// Time since the start of this run.
    pub elapsed: Duration,
    /// Games played in this run; the rest came from the journal.
    pub played_now: u64,
    /// For each engine, how often it had to be restarted before it could begin a game.
    pub restarts: Vec<u64>,
    /// Warnings for the user, such as parameters that an engine refused.
    pub warnings: Vec<String>,
    /// Whether the journal had unreadable lines, whose games were played again.
    pub journal_damaged: bool,
}
