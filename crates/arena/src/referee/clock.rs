//! A player's clock in one game, kept by the referee.

use crate::level::GameLevel;
use crate::level::Remaining;
use std::time::Duration;

/// A player's remaining time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlayerClock {
    level: GameLevel,
    /// Time left, without the increment of the next move.
    left: Duration,
    /// Moves left in the period.
    moves: Option<u32>,
}

impl PlayerClock {
    /// A clock at the beginning of a game.
    pub(super) fn new(level: GameLevel) -> PlayerClock {
        let (left, moves) = match level {
            GameLevel::Clock { moves, time, .. } => (time, moves),
            _ => (Duration::ZERO, None),
        };
        PlayerClock { level, left, moves }
    }

    /// The most time that the next move may take; None if time is not limited.
    pub(super) fn allowed(&self) -> Option<Duration> {
        match self.level {
            GameLevel::MoveTime(time) => Some(time),
            GameLevel::Clock { increment, .. } => Some(self.left + increment),
            GameLevel::Nodes(_) | GameLevel::Depth(_) => None,
        }
    }

    /// The clock as shown to the player.
    pub(super) fn remaining(&self) -> Option<Remaining> {
        match self.level {
            GameLevel::Clock { increment, .. } => Some(Remaining {
                time: self.left,
                increment,
                moves: self.moves,
            }),
            _ => None,
        }
    }

    /// Subtracts the time of a move. An excess over the time left, which the referee has accepted, is dropped.
    pub(super) fn spend(&mut self, elapsed: Duration) {
        let GameLevel::Clock {
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
        let mut clock = PlayerClock::new(GameLevel::Clock {
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
        let mut clock = PlayerClock::new(GameLevel::Clock {
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
        let mut clock = PlayerClock::new(GameLevel::Nodes(5));
        clock.spend(S);
        assert_eq!((clock.allowed(), clock.remaining()), (None, None));
        assert_eq!(PlayerClock::new(GameLevel::MoveTime(S)).allowed(), Some(S));
    }
}
