use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A day, of which the day, or the day and the month, may not be known.
///
/// ```
/// use damier_base::Day;
///
/// let day: Day = "5-11-1973".parse()?;
/// assert_eq!((day.to_string().as_str(), day.number()), ("1973.11.05", 19731105));
/// assert!("1973.11.??".parse::<Day>()? < day && day < "1974".parse()?);
/// # Ok::<(), damier_base::DayError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Day(u32);

/// The text is no date.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected a date such as 2001, 2001.05 or 2001.05.31")]
pub struct DayError;

impl Day {
    /// Year, month and day as one number, 20010531; what is not known is zero.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The day of such a number.
    pub fn of_number(number: u32) -> Day {
        Day(number)
    }

    /// The last number that the day may have: that of the last day of the year where only the year is known.
    pub(crate) fn last_number(self) -> u32 {
        match (self.0 / 100 % 100, self.0 % 100) {
            (0, _) => self.0 + 9999,
            (_, 0) => self.0 + 99,
            _ => self.0,
        }
    }
}

impl FromStr for Day {
    type Err = DayError;

    /// Reads `2001.05.31` and `31-05-2001` with any of `.-/` between the numbers, `20010531`, `2001.05` and `2001`;
    /// what is not known is `??` or missing.
    fn from_str(text: &str) -> Result<Day, DayError> {
        let text = text.trim();
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let mut parts: Vec<&str> = match text.get(..4).zip(text.get(4..6)).zip(text.get(6..)) {
            Some(((year, month), day)) if is_digits && day.len() == 2 => vec![year, month, day],
            _ => text.split(['.', '-', '/']).map(str::trim).collect(),
        };
        if parts.last().is_some_and(|last| last.len() == 4) && parts.len() > 1 {
            parts.reverse();
        }
        let number = |text: &str| match text.bytes().all(|byte| byte == b'?') {
            true => Some(0),
            false => text
                .parse()
                .ok()
                .filter(|_| text.bytes().all(|byte| byte.is_ascii_digit())),
        };
        let numbers: Option<Vec<u32>> = parts.iter().map(|part| number(part)).collect();
        let (year, month, day) = match numbers.as_deref() {
            Some(&[year]) => (year, 0, 0),
            Some(&[year, month]) => (year, month, 0),
            Some(&[year, month, day]) => (year, month, day),
            _ => return Err(DayError),
        };
        let day = if month == 0 { 0 } else { day };
        match parts[0].len() == 4 && (1..=9999).contains(&year) && month <= 12 && day <= 31 {
            true => Ok(Day(year * 10_000 + month * 100 + day)),
            false => Err(DayError),
        }
    }
}

/// As PDN writes it: `2001.05.??`.
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.0 / 10_000)?;
        for part in [self.0 / 100 % 100, self.0 % 100] {
            match part {
                0 => write!(f, ".??")?,
                _ => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Day, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_programs_write_them() {
        for (text, number) in [
            ("2001.05.31", 20_010_531),
            ("2001-05-31", 20_010_531),
            ("31/5/2001", 20_010_531),
            ("20010531", 20_010_531),
            ("2001.05", 20_010_500),
            ("05.2001", 20_010_500),
            ("2001.??.??", 20_010_000),
            ("2001.??.07", 20_010_000),
            (" 2001 ", 20_010_000),
        ] {
            assert_eq!(text.parse::<Day>().map(Day::number), Ok(number), "{text}");
        }
        for text in [
            "",
            "?",
            "????.??.??",
            "01",
            "2001.13.01",
            "2001.01.32",
            "yesterday",
            "2001.5.1.1",
            "+2001",
            "٢٠٠١",
        ] {
            assert_eq!(text.parse::<Day>(), Err(DayError), "{text}");
        }
    }

    #[test]
    fn a_year_lasts_to_its_end() {
        let last = |text: &str| text.parse::<Day>().map(Day::last_number);
        assert_eq!(last("2001"), Ok(20_019_999));
        assert_eq!(last("2001.05"), Ok(20_010_599));
        assert_eq!(last("2001.05.31"), Ok(20_010_531));
    }
}
