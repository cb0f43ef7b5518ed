//! How long a level takes for a move on a clock: as a person would, longer where there is something to decide.
//!
//! Only a clock is made use of. A limit of time, nodes or depth for the move is no reason to wait: a match between
//! levels is not to be slowed down.

use super::dice::Dice;
use crate::engine::{Clock, Job, Purpose};
use crate::search::{Control, Report};
use std::time::Duration;

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

/// Waits until a person would have moved, or until the job is stopped.
pub(in crate::engine) fn hold(job: &Job, choice: Choice, control: &Control) {
    control.wait_for_ponder_hit();
    control.sleep(time(job, choice).saturating_sub(control.spent()));
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
    let factor = choice.share() * (0.45 * dice.normal()).exp();
    Duration::from_secs_f64(seconds(&clock, pieces, factor))
}

/// So many times the usual time of a move, as far as the clock allows.
fn seconds(clock: &Clock, pieces: f64, factor: f64) -> f64 {
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
    (usual * factor).min(MOST_SHARE * left).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_move_takes_much_of_the_clock() {
        let clock = |time, increment, moves| Clock {
            time,
            increment,
            moves,
        };
        for time in [0.0, 0.9, 1.0, 30.0, 300.0, 1e9, f64::INFINITY] {
            for clock in [
                clock(time, 0.0, None),
                clock(time, 600.0, None),
                clock(time, 0.0, Some(1)),
                clock(time, -5.0, Some(0)),
            ] {
                let taken = seconds(&clock, 40.0, 5.0);
                assert!(taken <= MOST_SHARE * time && taken <= MOST, "{clock:?}");
                assert!(
                    taken >= 0.0 && (time < HURRY) == (taken == 0.0),
                    "{clock:?}"
                );
            }
        }
        assert!(seconds(&clock(-3.0, 2.0, None), 40.0, 1.0) == 0.0);
        assert!(seconds(&clock(f64::NAN, 0.0, None), 40.0, 1.0) == 0.0);
    }

    #[test]
    fn a_game_of_usual_moves_stays_within_its_time() {
        let mut left = 180.0;
        for played in 0..60 {
            let clock = Clock {
                time: left,
                ..Clock::default()
            };
            left -= seconds(&clock, f64::from(40 - played / 2), 1.1);
        }
        assert!((10.0..120.0).contains(&left), "{left}");
    }
}
