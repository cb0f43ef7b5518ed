//! Levels: how long a search may take, and how that translates to search limits.

use crate::search::{Depth, Limits, MAX_DEPTH, TimeControl};
use std::time::Duration;

/// When the clock is at zero but an increment is due: the share of the increment to use, and an upper bound in seconds.
const LAST_SHARE: f64 = 1.0 / 20.0;
const LAST_MOMENT: f64 = 0.01;
/// Maximum time in a level, in seconds: about 31 years, safe to add to any instant.
pub const MAX_SECONDS: f64 = 1e9;

/// A game clock at the start of a move. Times are in seconds; a clock that has run out is zero or negative.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clock {
    /// Time left, without the increment of this move.
    pub time: f64,
    /// Added before each move; a negative value counts as zero.
    pub increment: f64,
    /// Moves to the next time control; none or zero: the time is for the rest of the game.
    pub moves: Option<u32>,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Purpose {
    /// To play a move: stops early when the best move is clear or forced.
    #[default]
    Think,
    /// To ponder on the opponent's time: no time limit applies until the ponder hit, which turns it into a
    /// [`Purpose::Think`].
    Ponder,
    /// To show scores and lines to a person: does not stop early, and scores to a hundredth of a man.
    Analyse,
    /// To measure the engine (bench, suites, labels): does not stop early, but scores in the coarser grain used for
    /// play.
    Measure,
}

/// When a search must end. The first limit reached ends it; without any limit it runs until it is stopped.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Level {
    /// Maximum depth in plies, clamped to 1 to [`MAX_DEPTH`].
    pub depth: Option<u32>,
    /// Maximum number of nodes, over all threads.
    pub nodes: Option<u64>,
    /// Seconds for this move; zero or less means move at once.
    pub move_time: Option<f64>,
    /// A game clock.
    pub clock: Option<Clock>,
}

impl Level {
    /// No limit: the search runs until it is stopped.
    pub const INFINITE: Level = Level {
        depth: None,
        nodes: None,
        move_time: None,
        clock: None,
    };

    /// A limit on depth, in plies.
    pub fn depth(depth: Depth) -> Level {
        Level {
            depth: Some(u32::try_from(depth).unwrap_or(0)),
            ..Level::INFINITE
        }
    }

    /// A limit on nodes.
    pub fn nodes(nodes: u64) -> Level {
        Level {
            nodes: Some(nodes),
            ..Level::INFINITE
        }
    }

    /// A fixed time for this move.
    pub fn move_time(time: Duration) -> Level {
        Level {
            move_time: Some(time.as_secs_f64()),
            ..Level::INFINITE
        }
    }

    /// Whether only a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == Level::INFINITE
    }

    /// The limits for the search. With no time left it searches one ply only; if an increment is due on an empty clock,
    /// it gets a small share of the increment.
    pub fn limits(&self) -> Limits {
        let depth = self.depth.map(|depth| {
            Depth::try_from(depth).map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH))
        });
        let mut limits = Limits {
            depth,
            nodes: self.nodes,
            move_time: self.move_time.map(duration),
            clock: None,
        };
        let mut at_once = limits.move_time == Some(Duration::ZERO);
        if let Some(clock) = &self.clock {
            let increment = clock.increment.max(0.0);
            let rest = clock.time + increment;
            if clock.time > 0.0 {
                limits.clock = Some(TimeControl {
                    time: duration(clock.time),
                    increment: duration(increment),
                    moves: clock.moves.filter(|&moves| moves > 0),
                });
            } else if rest > 0.0 {
                let moment = duration((rest * LAST_SHARE).min(LAST_MOMENT));
                limits.move_time = Some(limits.move_time.map_or(moment, |time| time.min(moment)));
            } else {
                at_once = true;
            }
        }
        if at_once {
            limits.depth = Some(1);
        }
        limits
    }
}

/// Reads a time of at most [`MAX_SECONDS`].
pub fn read_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    (seconds <= MAX_SECONDS).then_some(time)
}

/// Reads a number of nodes, at least one.
pub fn read_nodes(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|&nodes| nodes > 0)
}

/// Reads a depth in plies, from 1 to [`MAX_DEPTH`].
pub fn read_depth(text: &str) -> Option<Depth> {
    let depth = text.trim().parse().ok();
    depth.filter(|depth| (1..=MAX_DEPTH).contains(depth))
}

/// Seconds as a duration; zero if negative or NaN.
fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time: f64, increment: f64, moves: Option<u32>) -> Level {
        Level {
            clock: Some(Clock {
                time,
                increment,
                moves,
            }),
            ..Level::INFINITE
        }
    }

    #[test]
    fn limits_add_up() {
        let level = Level {
            depth: Some(9),
            nodes: Some(1000),
            ..clock(60.0, 1.0, Some(0))
        };
        let limits = level.limits();
        assert_eq!(
            (limits.depth, limits.nodes, limits.move_time),
            (Some(9), Some(1000), None)
        );
        let control = limits.clock.unwrap();
        assert_eq!(
            (control.time, control.moves),
            (Duration::from_secs(60), None)
        );
        assert!(Level::INFINITE.limits().is_unlimited());
        for (depth, expected) in [(0, 1), (7, 7), (u32::MAX, MAX_DEPTH)] {
            let level = Level {
                depth: Some(depth),
                ..Level::INFINITE
            };
            assert_eq!(level.limits().depth, Some(expected));
        }
    }

    #[test]
    fn no_time_left_means_a_move_at_once() {
        for level in [
            clock(0.0, 0.0, None),
            clock(-3.0, 1.0, None),
            clock(f64::NAN, 0.0, None),
            Level {
                move_time: Some(-1.0),
                ..Level::INFINITE
            },
        ] {
            let limits = level.limits();
            assert_eq!((limits.depth, limits.clock), (Some(1), None), "{level:?}");
        }
        let moment = clock(-0.5, 1.0, None).limits();
        assert_eq!(
            (moment.depth, moment.move_time),
            (None, Some(Duration::from_millis(10)))
        );
        let short = clock(0.0, 0.02, None).limits();
        assert_eq!(short.move_time, Some(Duration::from_millis(1)));
        assert!(
            clock(f64::INFINITY, f64::INFINITY, None)
                .limits()
                .clock
                .is_some()
        );
    }
}
