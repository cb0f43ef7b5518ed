//! How long a search may take: every kind of level, and what it means to the search.

use super::Purpose;
use crate::endgame::WaitPolicy;
use crate::search::{Depth, Limits, MAX_DEPTH, TimeControl};
use std::time::Duration;

/// With no time on the clock but an increment due, the share of the increment that a move may take, and the most.
const LAST_SHARE: f64 = 1.0 / 20.0;
const LAST_MOMENT: f64 = 0.01;
/// The longest time of a level, in seconds: about 31 years, safe to add to any instant.
const LONGEST: f64 = 1e9;

/// A game clock before the move. Times are in seconds; a clock that has run out is zero or negative.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clock {
    /// Time left, the increment not included.
    pub time: f64,
    /// Added before each move; negative counts as zero.
    pub increment: f64,
    /// Moves to the next time control; none or zero: the rest of the game.
    pub moves: Option<u32>,
}

/// When a search has to end. The limits add up: the first one reached ends it. A level without any limit lasts until the
/// search is stopped.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Level {
    /// Deepest iteration, in plies; limited to 1 to [`MAX_DEPTH`].
    pub depth: Option<u32>,
    /// Positions entered by all threads together.
    pub nodes: Option<u64>,
    /// Seconds for this move; zero or less: move at once.
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

    /// To a depth in plies.
    pub fn depth(depth: Depth) -> Level {
        Level {
            depth: Some(u32::try_from(depth).unwrap_or(0)),
            ..Level::INFINITE
        }
    }

    /// A number of positions.
    pub fn nodes(nodes: u64) -> Level {
        Level {
            nodes: Some(nodes),
            ..Level::INFINITE
        }
    }

    /// A time for the move.
    pub fn move_time(time: Duration) -> Level {
        Level {
            move_time: Some(time.as_secs_f64()),
            ..Level::INFINITE
        }
    }

    /// Whether nothing but a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == Level::INFINITE
    }

    /// Whether a clock or a time for the move is running.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// What the level means to the search. Where no time is left the move is played at once, after one ply; a clock that
    /// has run out while an increment is due has a moment.
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

    /// How long such a search may wait for endgame tables to be unpacked: not at all on a clock; without limit where a depth
    /// or a number of nodes must give the same result every time; an analysis, for the small ones at its root.
    pub fn wait_policy(&self, purpose: Purpose) -> WaitPolicy {
        let at_once = self.move_time.is_some_and(|time| time <= 0.0);
        let analyse = purpose == Purpose::Analyse && !at_once;
        if self.clock.is_some() {
            WaitPolicy::Never
        } else if self.move_time.is_none() && !self.is_infinite() {
            WaitPolicy::AllTables
        } else if analyse {
            WaitPolicy::SmallTables
        } else {
            WaitPolicy::Never
        }
    }
}

/// A time in seconds as a duration: zero where it is negative or no number.
fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, LONGEST).max(0.0))
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

    #[test]
    fn only_what_has_to_be_the_same_every_time_waits_for_tables() {
        use Purpose::{Analyse, Think};
        use WaitPolicy::{AllTables, Never, SmallTables};
        let timed = Level {
            depth: Some(9),
            ..clock(0.0, 0.0, None)
        };
        for (level, purpose, expected) in [
            (timed, Think, Never),
            (timed, Analyse, Never),
            (Level::move_time(Duration::ZERO), Analyse, Never),
            (
                Level::move_time(Duration::from_secs(1)),
                Analyse,
                SmallTables,
            ),
            (Level::move_time(Duration::from_secs(1)), Think, Never),
            (Level::depth(9), Think, AllTables),
            (Level::nodes(9), Analyse, AllTables),
            (Level::INFINITE, Think, Never),
            (Level::INFINITE, Analyse, SmallTables),
        ] {
            assert_eq!(
                level.wait_policy(purpose),
                expected,
                "{level:?} {purpose:?}"
            );
        }
    }
}
