//! The clock of one player in one game, kept by the referee.

use crate::lab::arena::level::Level;
use crate::lab::arena::players::Remaining;
use std::time::Duration;

/// What a player has left to spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    level: Level,
    /// Time left, the increment of the move to come not included.
    left: Duration,
    /// Moves to the end of the period.
    moves: Option<u32>,
}

impl Clock {
    /// A clock at the beginning of a game.
    pub(super) fn new(level: Level) -> Clock {
        let (left, moves) = match level {
            Level::Clock { moves, time, .. } => (time, moves),
            _ => (Duration::ZERO, None),
        };
        Clock { level, left, moves }
    }

    /// The most that the next move may take; none where time does not count.
    pub(super) fn allowed(&self) -> Option<Duration> {
        match self.level {
            Level::MoveTime(time) => Some(time),
            Level::Clock { increment, .. } => Some(self.left + increment),
            Level::Nodes(_) | Level::Depth(_) => None,
        }
    }

    /// The clock as the player sees it.
    pub(super) fn remaining(&self) -> Option<Remaining> {
        match self.level {
            Level::Clock { increment, .. } => Some(Remaining {
                time: self.left,
                increment,
                moves: self.moves,
            }),
            _ => None,
        }
    }

    /// Takes the time of a move; what exceeds the time left (the referee has let it pass) is forgotten.
    pub(super) fn spend(&mut self, elapsed: Duration) {
        let Level::Clock {
            moves: period,
            time,
            increment,
        } = self.level
        else {
            return;
        };
        self.left = (self.left + increment).saturating_sub(elapsed);
        if let Some(moves) = &mut self.moves {
            *moves -= 1;
            if *moves == 0 {
                self.left += time;
                self.moves = period;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn the_increment_is_given_before_the_move() {
        let mut clock = Clock::new(Level::Clock {
            moves: None,
            time: 10 * S,
            increment: 2 * S,
        });
        assert_eq!(clock.allowed(), Some(12 * S));
        clock.spend(5 * S);
        assert_eq!(clock.allowed(), Some(9 * S));
        assert_eq!(clock.remaining().map(|left| left.time), Some(7 * S));
        clock.spend(100 * S);
        assert_eq!(clock.allowed(), Some(2 * S));
    }

    #[test]
    fn a_period_gives_its_time_again() {
        let mut clock = Clock::new(Level::Clock {
            moves: Some(2),
            time: 10 * S,
            increment: Duration::ZERO,
        });
        clock.spend(3 * S);
        assert_eq!(clock.remaining().and_then(|left| left.moves), Some(1));
        clock.spend(3 * S);
        assert_eq!(clock.allowed(), Some(14 * S));
        assert_eq!(clock.remaining().and_then(|left| left.moves), Some(2));
    }

    #[test]
    fn other_levels_keep_no_clock() {
        let mut clock = Clock::new(Level::Nodes(5));
        clock.spend(S);
        assert_eq!((clock.allowed(), clock.remaining()), (None, None));
        assert_eq!(Clock::new(Level::MoveTime(S)).allowed(), Some(S));
    }
}
