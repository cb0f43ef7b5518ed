//! What the iterations have found at the root: the best moves with their lines, and first guesses for the next depth.

use super::root_position::Advised;
use crate::eval::Score;
use crate::search::{Depth, Stats, Timing};
use damier_rules::Move;
use std::cmp::Reverse;

/// A best move of the root.
#[derive(Clone, Debug)]
pub(super) struct RootLine {
    pub mv: Move,
    /// Value at `depth`, exact.
    pub score: Score,
    pub depth: Depth,
    pub pv: Vec<Move>,
}

/// What the main thread has found so far.
pub(super) struct RootResults {
    /// The best moves; none where there is no legal move.
    pub lines: Vec<RootLine>,
    /// First guesses of each line's searches.
    pub guesses: Vec<Guesses>,
    /// The score of the best line in the last whole iteration.
    pub whole: Score,
    /// The last iteration that was completed, or that changed the best move.
    pub depth: Depth,
    pub stats: Stats,
    pub timing: Timing,
    pub advised: Advised,
}

/// Scores of the last two iterations, by the parity of the depth.
#[derive(Clone, Copy, Default)]
pub(super) struct Guesses([Option<Score>; 2]);

impl RootResults {
    pub fn new(advised: Advised) -> RootResults {
        RootResults {
            lines: Vec::new(),
            guesses: Vec::new(),
            whole: Score::DRAW,
            depth: 0,
            stats: Stats::default(),
            timing: Timing::default(),
            advised,
        }
    }

    pub fn best(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }

    /// Puts lines found at a depth before the older ones, in the order of their scores. None of the other moves is
    /// worth more than the last of them, as its search has shown.
    pub fn keep(&mut self, mut lines: Vec<RootLine>, depth: Depth) {
        let Some(least) = lines.last().map(|line| line.score) else {
            return;
        };
        self.depth = depth;
        self.lines
            .retain(|old| lines.iter().all(|line| line.mv != old.mv));
        lines.sort_by_key(|line| Reverse(line.score));
        for old in &mut self.lines {
            old.score = old.score.min(least);
        }
        lines.append(&mut self.lines);
        self.lines = lines;
    }

    /// The first guess of a line's search: from its own past, or the score of the line before it.
    pub fn guess(&mut self, rank: usize, depth: Depth, parity_gap: i32) -> Score {
        self.guesses
            .resize(self.guesses.len().max(rank + 1), Guesses::default());
        let own = self.guesses[rank].at(depth, parity_gap);
        let before = || {
            rank.checked_sub(1)
                .and_then(|before| self.guesses[before].at(depth, parity_gap))
        };
        own.or_else(before).unwrap_or(Score::DRAW)
    }
}

impl Guesses {
    pub fn note(&mut self, depth: Depth, score: Score) {
        self.0[(depth % 2) as usize] = Some(score);
    }

    /// The last score, or the one of the same parity where odd and even depths differ. None before the first search.
    pub fn at(&self, depth: Depth, parity_gap: i32) -> Option<Score> {
        let same = self.0[(depth % 2) as usize];
        let other = self.0[((depth + 1) % 2) as usize];
        match (same, other) {
            (Some(same), Some(other)) if same.is_eval() && other.is_eval() => {
                let differ = (same.centimen() - other.centimen()).abs() > parity_gap;
                Some(if differ { same } else { other })
            }
            _ => other.or(same),
        }
    }
}
