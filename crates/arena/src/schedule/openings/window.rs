//! Selects openings by score.

use super::{Opening, OpeningsError};
use damier_engine::search::Control;
use damier_engine::{Engine, Job, Level, Options, Purpose};
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// A window of scores in men, for whichever side is ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreWindow {
    low: f64,
    high: f64,
}

/// Why a text is not a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected two scores in men, 0 or more, the smaller first, such as 0.3,0.9")]
pub struct ScoreWindowError;

impl ScoreWindow {
    /// The window from `low` to `high` men, inclusive.
    ///
    /// # Errors
    /// `low` is negative or above `high`.
    pub fn new(low: f64, high: f64) -> Result<ScoreWindow, ScoreWindowError> {
        let is_valid = low >= 0.0 && low <= high && high.is_finite();
        is_valid
            .then_some(ScoreWindow { low, high })
            .ok_or(ScoreWindowError)
    }

    /// Whether a score in men is inside for either side.
    pub fn contains(&self, men: f64) -> bool {
        (self.low..=self.high).contains(&men.abs())
    }
}

/// `LOW,HIGH` in men.
impl FromStr for ScoreWindow {
    type Err = ScoreWindowError;

    fn from_str(text: &str) -> Result<ScoreWindow, ScoreWindowError> {
        let (low, high) = text.split_once(',').ok_or(ScoreWindowError)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| ScoreWindowError);
        ScoreWindow::new(number(low)?, number(high)?)
    }
}

/// `LOW,HIGH` in men.
impl fmt::Display for ScoreWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.low, self.high)
    }
}

/// Log2 of the entries of the hash table.
const TABLE_SIZE: u32 = 18;

/// Judges openings by a search. An opening is judged alike whatever was judged before.
pub struct WindowJudge {
    engine: Mutex<Engine>,
    window: ScoreWindow,
    nodes: u64,
}

impl WindowJudge {
    /// A judge that searches so many nodes.
    ///
    /// # Errors
    /// Not enough memory for the transposition table.
    pub fn new(window: ScoreWindow, nodes: u64) -> Result<WindowJudge, OpeningsError> {
        let engine = Engine::new(Options {
            tt_size: TABLE_SIZE,
            threads: 1,
            ..Options::default()
        })?;
        Ok(WindowJudge {
            engine: Mutex::new(engine),
            window,
            nodes,
        })
    }

    /// Whether the opening's score is in the window.
    pub fn accepts(&self, opening: &Opening) -> bool {
        self.window.contains(self.score(opening))
    }

    /// The opening's score in men, for the side to move.
    pub fn score(&self, opening: &Opening) -> f64 {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        engine.new_game();
        // `Measure`, so that a forced move is searched as well.
        let job = Job::new(opening.game(), Level::nodes(self.nodes)).with_purpose(Purpose::Measure);
        let outcome = engine.run(&job, &Control::new(), &mut ());
        outcome.report.score.men()
    }
}

impl fmt::Debug for WindowJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} by {} nodes", self.window, self.nodes)
    }
}

/// The openings whose score, by a search of this many nodes, is in the window. `progress` gets the number of openings
/// done after each. The result is reproducible.
///
/// # Errors
/// Not enough memory for the transposition table.
pub fn in_window(
    openings: Vec<Opening>,
    window: ScoreWindow,
    nodes: u64,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Opening>, OpeningsError> {
    let judge = WindowJudge::new(window, nodes)?;
    let mut chosen = Vec::new();
    for (index, opening) in openings.into_iter().enumerate() {
        if judge.accepts(&opening) {
            chosen.push(opening);
        }
        progress(index + 1);
    }
    Ok(chosen)
}
