//! How long a level takes for a move on a clock: as a person would, longer where there is something to decide.
//!
//! Only a clock is made use of. A limit of time, nodes or depth for the move is no reason to wait: a match between
//! levels is not to be slowed down.

use super::dice::Dice;
use crate::engine::{Clock, Job, Purpose};
use crate::search::{Control, Report};
use std::time::Duration;

/// How often a move that is held back looks whether it is due.
const POLL: Duration = Duration::from_millis(1);
/// The seed of the times, which choose no move.
const SEED: u64 = 0x7061_6365;
/// Moves that a clock must last for, and the same for each piece on the board.
const MOVES: f64 = 15.0;
const MOVES_PER_PIECE: f64 = 0.75;
/// Share of the increment that is used.
const INCREMENT: f64 = 0.7;
/// Most of the time left that one move may take.
const MOST_SHARE: f64 = 0.08;
/// Most seconds of a move, however much time there is.
const MOST: f64 = 20.0;
/// With less than this many seconds left moves are played at once.
const HURRY: f64 = 1.0;
/// Lines that differ by less than this many hundredths of a man are not easy to tell apart.
const CLOSE: i32 = 15;

/// What there was to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::engine) enum Choice {
    /// Nothing: one legal move.
    Forced,
    /// A move of opening theory.
    Theory,
    /// One move is clearly the best, or a piece is to be taken back.
    Clear,
    /// Several moves.
    Open,
}

impl Choice {
    /// What there is to decide among lines.
    pub fn among(job: &Job, lines: &[Report]) -> Choice {
        let position = job.game.position();
        if position.legal_moves().len() < 2 {
            return Choice::Forced;
        }
        let scores = || lines.iter().map(|line| line.score.centimen());
        let is_close = scores()
            .nth(1)
            .is_some_and(|second| scores().next().is_some_and(|best| best - second < CLOSE));
        match position.must_capture() || !is_close && lines.len() > 1 {
            true => Choice::Clear,
            false => Choice::Open,
        }
    }

    /// Share of the usual time.
    fn share(self) -> f64 {
        match self {
            Choice::Forced => 0.0,
            Choice::Theory => 0.25,
            Choice::Clear => 0.4,
            Choice::Open => 1.1,
        }
    }
}

/// Waits until the opponent has moved, if the job ponders.
pub(in crate::engine) fn wait_for_ponder_hit(control: &Control) {
    while control.is_pondering() && !control.is_stopped() {
        std::thread::sleep(POLL);
    }
}

/// Waits until a person would have moved, or until the job is stopped.
pub(in crate::engine) fn hold(job: &Job, choice: Choice, control: &Control) {
    wait_for_ponder_hit(control);
    let due = time(job, choice);
    while !control.is_stopped() && control.spent() < due {
        std::thread::sleep(POLL.min(due.saturating_sub(control.spent())));
    }
}

/// How long the move takes, from the start of the job.
fn time(job: &Job, choice: Choice) -> Duration {
    let level = &job.level;
    let is_exact = level.nodes.is_some() || level.depth.is_some() || level.move_time.is_some();
    let is_played = matches!(job.purpose, Purpose::Think | Purpose::Ponder);
    let Some(clock) = level.clock.filter(|_| is_played && !is_exact) else {
        return Duration::ZERO;
    };
    let pieces = f64::from(job.game.position().occupied().len());
    let mut dice = Dice::of_game(SEED, &job.game);
    Duration::from_secs_f64(seconds(&clock, pieces) * choice.share() * (0.45 * dice.normal()).exp())
}

/// The usual time of a move, such that with the factors above it stays within the clock.
fn seconds(clock: &Clock, pieces: f64) -> f64 {
    let left = clock.time.max(0.0);
    if left < HURRY {
        return 0.0;
    }
    let expected = MOVES + MOVES_PER_PIECE * pieces;
    let moves = clock
        .moves
        .filter(|&moves| moves > 0)
        .map_or(expected, |moves| f64::from(moves).min(expected));
    let usual = left / moves + INCREMENT * clock.increment.max(0.0);
    usual.min(MOST_SHARE * left).min(MOST)
}
