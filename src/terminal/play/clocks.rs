//! The clocks of a game.

use crate::board::Color;
use crate::engine::{Clock, Level};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The longest clock, in minutes, and the longest increment, in seconds: a day.
const MOST_MINUTES: f64 = 1440.0;
const MOST_SECONDS: f64 = 86_400.0;

/// Time for a game, as `5+3`: minutes for each player, and seconds added before each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    base: Duration,
    increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str, most: f64| {
            let number: Option<f64> = text.trim().parse().ok();
            number.filter(|number| (0.0..=most).contains(number))
        };
        let minutes = number(minutes, MOST_MINUTES);
        let seconds = number(seconds, MOST_SECONDS);
        match (minutes, seconds) {
            (Some(minutes), Some(seconds)) if minutes + seconds > 0.0 => Ok(TimeControl {
                base: Duration::from_secs_f64(minutes * 60.0),
                increment: Duration::from_secs_f64(seconds),
            }),
            _ => Err("expected minutes and seconds a move, as 5+3, or minutes alone".to_owned()),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.base.as_secs_f64() / 60.0;
        write!(f, "{minutes}+{}", self.increment.as_secs_f64())
    }
}

/// Clocks of both players; the clock of the side to move runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    control: TimeControl,
    /// Without the increment of the present move.
    left: [Duration; 2],
    /// When the present move began.
    pub since: Instant,
}

impl Clocks {
    pub fn new(control: TimeControl, now: Instant) -> Clocks {
        Clocks {
            control,
            left: [control.base; 2],
            since: now,
        }
    }

    /// What a side has left while it is to move; none when its time is up.
    pub fn left(&self, side: Color, now: Instant) -> Option<Duration> {
        let used = now.saturating_duration_since(self.since);
        let budget = self.left[side.index()] + self.control.increment;
        budget.checked_sub(used).filter(|left| !left.is_zero())
    }

    /// A side has moved: takes off what it used.
    pub fn press(&mut self, side: Color, now: Instant) {
        self.left[side.index()] = self.left(side, now).unwrap_or_default();
        self.since = now;
    }

    /// Restarts the move; its time so far is not charged.
    pub fn restart(&mut self, now: Instant) {
        self.since = now;
    }

    /// The level of a search for the side to move, from the beginning of its move.
    pub fn level(&self, side: Color) -> Level {
        Level {
            clock: Some(Clock {
                time: self.left[side.index()].as_secs_f64(),
                increment: self.control.increment.as_secs_f64(),
                moves: None,
            }),
            ..Level::INFINITE
        }
    }

    /// `white 4:57, black 5:00`.
    pub fn text(&self, turn: Color, now: Instant) -> String {
        let of = |side: Color| {
            let left = match side == turn {
                true => self.left(side, now).unwrap_or_default(),
                false => self.left[side.index()],
            };
            let seconds = left.as_secs();
            format!("{side} {}:{:02}", seconds / 60, seconds % 60)
        };
        let [white, black] = Color::BOTH.map(of);
        format!("{white}, {black}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_minutes_and_seconds() {
        for (text, base, increment) in [("5+3", 300, 3), ("0+1", 0, 1), (" .5 ", 30, 0)] {
            let control: TimeControl = text.parse().unwrap();
            let expected = [base, increment].map(Duration::from_secs);
            assert_eq!([control.base, control.increment], expected, "{text}");
            assert_eq!(control.to_string().parse(), Ok(control));
        }
        for bad in ["", "0", "0+0", "x", "5+", "-1", "5+-1", "nan", "inf", "1e9"] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_increment_is_added_before_each_move() {
        let begin = Instant::now();
        let second = Duration::from_secs(1);
        let mut clocks = Clocks::new("1+3".parse().unwrap(), begin);
        assert_eq!(clocks.left(Color::White, begin), Some(63 * second));
        clocks.press(Color::White, begin + 5 * second);
        assert_eq!(
            clocks.text(Color::Black, begin + 6 * second),
            "white 0:58, black 1:02"
        );
        assert_eq!(clocks.level(Color::White).clock.unwrap().time, 58.0);
        assert_eq!(clocks.left(Color::Black, begin + 68 * second), None);
        clocks.restart(begin + 68 * second);
        assert!(clocks.left(Color::Black, begin + 69 * second).is_some());
    }
}
