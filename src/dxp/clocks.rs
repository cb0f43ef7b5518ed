//! The clocks of both players. DXP sets one time for the whole game; each program keeps both clocks itself.

use crate::board::Color;
use crate::protocol::dxp::Minutes;
use std::time::{Duration, Instant};

/// Clocks of both players, of which at most one runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    left: [Duration; 2],
    /// Whether there are clocks: a game without a time limit has none.
    exist: bool,
    since: Instant,
}

impl Clocks {
    /// Clocks that start at `now`. Zero minutes mean no clocks: some programs send 000 if no time was agreed.
    pub fn new(minutes: Minutes, now: Instant) -> Clocks {
        Clocks {
            left: [minutes.duration(); 2],
            exist: minutes >= Minutes::MIN,
            since: now,
        }
    }

    /// Passes the turn to the other side: subtracts the time this side used, and returns it.
    pub fn press(&mut self, side: Color, now: Instant) -> Duration {
        let used = now.saturating_duration_since(self.since);
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(used);
        self.since = now;
        used
    }

    /// Restarts the current turn without charging the time used in it.
    pub fn restart_turn(&mut self, now: Instant) {
        self.since = now;
    }

    /// When the current turn began.
    pub fn since(&self) -> Instant {
        self.since
    }

    /// Time this side had left at the start of the current turn; None without clocks.
    pub fn left(&self, side: Color) -> Option<Duration> {
        self.exist.then_some(self.left[side.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_side_to_move_pays() {
        let begin = Instant::now();
        let second = Duration::from_secs(1);
        let minutes = Minutes::from_hundredths(5).expect("three seconds");
        let mut clocks = Clocks::new(minutes, begin);
        assert_eq!(clocks.press(Color::White, begin + second), second);
        assert_eq!(clocks.press(Color::Black, begin + 3 * second), 2 * second);
        assert_eq!(clocks.left(Color::White), Some(2 * second));
        assert_eq!(clocks.left(Color::Black), Some(second));
        clocks.restart_turn(begin + 9 * second);
        assert_eq!(clocks.press(Color::White, begin + 10 * second), second);
        assert_eq!(clocks.press(Color::Black, begin + 20 * second), 10 * second);
        assert_eq!(
            clocks.left(Color::Black),
            Some(Duration::ZERO),
            "no time below none"
        );
        let none = Clocks::new(Minutes::from_hundredths(0).expect("000"), begin);
        assert_eq!(none.left(Color::White), None);
    }
}
