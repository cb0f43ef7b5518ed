//! Numbers, parsed as leniently as clients write them: the longest numeric prefix counts and the rest is ignored
//! (`depth=20level`, sent by one client, is 20), and a decimal comma is read as a point.

use super::error::Problem;
use damier_rules::notation::signs::plain_char;
use damier_rules::notation::text::excerpt;
use std::fmt;
use std::time::Duration;

/// Maximum of an integer argument other than a node count; larger than any client needs.
pub(super) const MAX_COUNT: u32 = 1_000_000_000;
/// Maximum node count.
pub(super) const MAX_NODES: u64 = 1_000_000_000_000_000_000;
/// Maximum time, in seconds.
const MAX_SECONDS: f64 = 1_000_000_000.0;

/// A time on the wire, in seconds: finite, from -1,000,000,000 to 1,000,000,000. Clients do send negative ones (a clock
/// that has run out, or one from which the increment was subtracted).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Seconds(f64);

impl Seconds {
    /// The time, or None if it is NaN or too large.
    pub fn new(seconds: f64) -> Option<Seconds> {
        (seconds.abs() <= MAX_SECONDS).then_some(Seconds(seconds))
    }

    /// In seconds.
    pub fn get(self) -> f64 {
        self.0
    }

    /// As a duration; zero if negative.
    pub fn or_zero(self) -> Duration {
        Duration::from_secs_f64(self.0.max(0.0))
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A time in seconds.
pub(super) fn seconds(argument: &'static str, text: &str) -> Result<Seconds, Problem> {
    let number = prefix(text)
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| not_a_number(argument, text))?;
    Seconds::new(number).ok_or_else(|| out_of_range(argument, text, -MAX_SECONDS, MAX_SECONDS))
}

/// A count from zero to `MAX_COUNT`; a fraction is truncated.
pub(super) fn count(argument: &'static str, text: &str) -> Result<u32, Problem> {
    let wide = whole(argument, text, u64::from(MAX_COUNT))?;
    u32::try_from(wide).map_err(|_| out_of_range(argument, text, 0, MAX_COUNT))
}

/// A count from zero to `max`; a fraction is truncated, an exponent accepted (`1e6`).
pub(super) fn whole(argument: &'static str, text: &str, max: u64) -> Result<u64, Problem> {
    let number = prefix(text).ok_or_else(|| not_a_number(argument, text))?;
    let value = match number.parse::<u64>() {
        Ok(value) => Some(value),
        Err(_) => match number.parse::<f64>() {
            // Exact: a truncated f64 below 2^63 fits in a u64.
            Ok(value) if value > -1.0 && value < 9.2e18 => Some(value as u64),
            _ => None,
        },
    };
    value
        .filter(|&value| value <= max)
        .ok_or_else(|| out_of_range(argument, text, 0, max))
}

/// A finite real number.
pub(super) fn real(argument: &'static str, text: &str) -> Result<f64, Problem> {
    let number: f64 = prefix(text)
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| not_a_number(argument, text))?;
    if number.is_finite() {
        Ok(number)
    } else {
        Err(out_of_range(argument, text, f64::MIN, f64::MAX))
    }
}

fn not_a_number(argument: &'static str, text: &str) -> Problem {
    Problem::NotANumber {
        argument,
        found: excerpt(text),
    }
}

fn out_of_range(
    argument: &'static str,
    text: &str,
    min: impl ToString,
    max: impl ToString,
) -> Problem {
    Problem::OutOfRange {
        argument,
        found: excerpt(text),
        range: (min.to_string(), max.to_string()),
    }
}

/// The longest prefix that is a decimal number (sign, digits, point, digits, exponent), in whatever
/// [signs](damier_rules::notation::signs), with a comma turned into a point.
fn prefix(text: &str) -> Option<String> {
    let text: String = text.chars().filter_map(plain_char).collect();
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let mut end = digits(sign);
    let mut any = end > sign;
    if matches!(bytes.get(end), Some(b'.' | b',')) {
        let fraction = digits(end + 1);
        if fraction > end + 1 {
            end = fraction;
            any = true;
        }
    }
    if any && matches!(bytes.get(end), Some(b'e' | b'E')) {
        let start = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(start);
        if exponent > start {
            end = exponent;
        }
    }
    any.then(|| text[..end].replace(',', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_enough() {
        for (text, value) in [
            ("20level", 20),
            ("20", 20),
            ("5.9", 5),
            ("+7", 7),
            ("1e6", 1_000_000),
            ("3e", 3),
            ("007", 7),
            ("\u{ff12}\u{664}", 24),
        ] {
            assert_eq!(count("depth", text), Ok(value), "{text}");
        }
        for (text, value) in [
            ("0.05s", 0.05),
            ("-1.0", -1.0),
            (".5", 0.5),
            ("2,5", 2.5),
            ("3.", 3.0),
            ("-0", 0.0),
            ("\u{2212}1\u{ff0e}5", -1.5),
        ] {
            assert_eq!(seconds("time", text).map(Seconds::get), Ok(value), "{text}");
        }
        assert_eq!(
            whole("nodes", "1000000000000000000", MAX_NODES),
            Ok(MAX_NODES)
        );
        assert_eq!(count("depth", "-0.5"), Ok(0));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", "abc", "NaN", "nan", "inf", "-inf", "infinity", "-", "+", ".", "-.", "e5", "--1",
        ] {
            assert!(
                matches!(count("depth", text), Err(Problem::NotANumber { .. })),
                "{text}"
            );
            assert!(
                matches!(seconds("time", text), Err(Problem::NotANumber { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_too_great_is_refused() {
        for text in [
            "-1",
            "99999999999",
            "1e99",
            "18446744073709551616",
            "1e999999999999",
            "-1e400",
        ] {
            assert!(
                matches!(count("depth", text), Err(Problem::OutOfRange { .. })),
                "{text}"
            );
        }
        for text in ["1e10", "-1e10", "1e400", "99999999999999999999999"] {
            assert!(
                matches!(seconds("time", text), Err(Problem::OutOfRange { .. })),
                "{text}"
            );
        }
        assert!(whole("nodes", "1000000000000000001", MAX_NODES).is_err());
        assert!(real("score", "1e400").is_err());
    }

    #[test]
    fn negative_times_become_no_time() {
        assert_eq!(
            Seconds::new(-3.0).map(Seconds::or_zero),
            Some(Duration::ZERO)
        );
        assert_eq!(Seconds::new(f64::NAN), None);
        assert_eq!(Seconds::new(f64::INFINITY), None);
    }
}
