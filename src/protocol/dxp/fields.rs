//! The fields that are more than a character: numbers in few characters, names, free text.

use crate::notation::text;
use std::fmt;
use std::time::Duration;

/// The thinking time of a game for each player, as the three characters of a GAMEREQ can say it: whole minutes up to
/// 999, tenths up to 9.9, hundredths below 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Minutes {
    hundredths: u32,
}

/// A hundredth of a minute.
const HUNDREDTH: Duration = Duration::from_millis(600);

impl Minutes {
    /// The most there can be: 999 minutes.
    pub const MAX: Minutes = Minutes {
        hundredths: 999 * 100,
    };
    /// The least that is more than nothing: 0.6 seconds.
    pub const MIN: Minutes = Minutes { hundredths: 1 };

    /// So many hundredths of a minute; None where three characters cannot say it.
    pub fn from_hundredths(hundredths: u32) -> Option<Minutes> {
        let fits = match hundredths {
            0..100 => true,
            100..1_000 => hundredths.is_multiple_of(10),
            _ => hundredths.is_multiple_of(100) && hundredths <= Minutes::MAX.hundredths,
        };
        fits.then_some(Minutes { hundredths })
    }

    /// Reads minutes as a person writes them: `3`, `0.5`, `1.50`. None where it is no number, or not one that three
    /// characters can say.
    pub fn parse(text: &str) -> Option<Minutes> {
        hundredths(text.as_bytes()).and_then(Minutes::from_hundredths)
    }

    /// The longest that can be said and is no longer than this, but never nothing.
    pub fn at_most(time: Duration) -> Minutes {
        let most = time.as_millis() / HUNDREDTH.as_millis();
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let rounded = match most {
            0 => 1,
            1..100 => most,
            100..1_000 => most / 10 * 10,
            _ => (most / 100 * 100).min(Minutes::MAX.hundredths),
        };
        Minutes {
            hundredths: rounded,
        }
    }

    /// As a duration.
    pub fn duration(self) -> Duration {
        HUNDREDTH * self.hundredths
    }

    /// In hundredths of a minute.
    pub fn hundredths(self) -> u32 {
        self.hundredths
    }

    /// The three characters; of a fraction as many as are needed to say it.
    pub(super) fn field(self) -> String {
        let (whole, part) = (self.hundredths / 100, self.hundredths % 100);
        match (whole, part) {
            (_, 0) => format!("{whole:03}"),
            (_, part) if part.is_multiple_of(10) => format!("{whole}.{}", part / 10),
            (_, part) => format!(".{part:02}"),
        }
    }

    pub(super) fn read(field: &[u8; 3]) -> Option<Minutes> {
        hundredths(field).and_then(Minutes::from_hundredths)
    }
}

/// `3`, `0.5`, `.05`.
impl fmt::Display for Minutes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.hundredths / 100, self.hundredths % 100) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, part) if part.is_multiple_of(10) => write!(f, "{whole}.{}", part / 10),
            (whole, part) => write!(f, "{whole}.{part:02}"),
        }
    }
}

/// Digits with at most one point, as hundredths; None where there are hundredths of hundredths.
fn hundredths(text: &[u8]) -> Option<u32> {
    let point = text.iter().position(|&byte| byte == b'.');
    let (whole, part) = match point {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[][..]),
    };
    let digits = whole.iter().chain(part);
    if whole.len() + part.len() == 0
        || whole.len() > 6
        || !digits.clone().all(u8::is_ascii_digit)
        || part
            .get(2..)
            .is_some_and(|rest| rest.iter().any(|&b| b != b'0'))
    {
        return None;
    }
    let padded = part.iter().copied().chain([b'0'; 2]).take(2);
    let value = whole.iter().copied().chain(padded);
    Some(value.fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0')))
}

/// The seconds a move took, 0 to 9999. Four characters; a fraction is read and rounded, for which nobody has a use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Seconds(u16);

impl Seconds {
    /// The most that can be said.
    pub const MAX: u16 = 9999;

    /// So many seconds; more than can be said is the most that can.
    pub fn new(seconds: u16) -> Seconds {
        Seconds(seconds.min(Seconds::MAX))
    }

    /// The nearest to a duration.
    pub fn nearest(time: Duration) -> Seconds {
        let rounded = (time + Duration::from_millis(500)).as_secs();
        Seconds::new(u16::try_from(rounded).unwrap_or(Seconds::MAX))
    }

    /// In seconds.
    pub fn get(self) -> u16 {
        self.0
    }

    pub(super) fn read(field: &[u8; 4]) -> Option<Seconds> {
        let hundredths = hundredths(field).or_else(|| {
            // `.125`: one digit more than a hundredth.
            (field[0] == b'.')
                .then(|| hundredths(&field[..3]))
                .flatten()
        })?;
        u16::try_from((hundredths + 50) / 100)
            .ok()
            .map(Seconds::new)
    }
}

/// How many moves a game has; 000 for as many as it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveLimit(u16);

impl MoveLimit {
    /// No limit.
    pub const NONE: MoveLimit = MoveLimit(0);

    /// So many moves, 0 to 999; 0 for no limit.
    pub fn new(moves: u16) -> Option<MoveLimit> {
        (moves <= 999).then_some(MoveLimit(moves))
    }

    /// The moves of each player, where there is a limit.
    pub fn get(self) -> Option<u16> {
        (self.0 > 0).then_some(self.0)
    }

    pub(super) fn raw(self) -> u16 {
        self.0
    }
}

/// Number of a move, 0 to 999: the first move of a game, whoever makes it, and black's answer to white's first, is 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MoveNumber(u16);

impl MoveNumber {
    /// This number, up to 999.
    pub fn new(number: u16) -> Option<MoveNumber> {
        (number <= 999).then_some(MoveNumber(number))
    }

    /// The number.
    pub fn get(self) -> u16 {
        self.0
    }
}

/// The name of a program: at most 32 printable ASCII characters, no blank at either end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Name(String);

impl Name {
    /// Characters of the field.
    pub const LENGTH: usize = 32;

    /// The nearest name to a text: cut to 32 characters, `?` for what is not printable ASCII.
    pub fn from_text(text: &str) -> Name {
        let legal: String = text
            .trim()
            .chars()
            .take(Name::LENGTH)
            .map(|c| if matches!(c, ' '..='~') { c } else { '?' })
            .collect();
        Name(legal.trim().to_owned())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn read(field: &[u8]) -> Name {
        let text: String = field.iter().map(|&byte| readable(byte)).collect();
        Name(text.trim().to_owned())
    }

    pub(super) fn field(&self) -> String {
        format!("{:<width$}", self.0, width = Name::LENGTH)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text of a chat: at most 126 printable ASCII characters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChatText(String);

impl ChatText {
    /// Most characters.
    pub const LENGTH: usize = super::MAX_MESSAGE - 1;

    /// The nearest to a text: its first 126 characters, made printable ASCII.
    pub fn from_text(text: &str) -> ChatText {
        ChatText(text::ascii(text, ChatText::LENGTH))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn read(field: &[u8]) -> ChatText {
        ChatText(field.iter().map(|&byte| readable(byte)).collect())
    }
}

impl fmt::Display for ChatText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A byte of free text as a character that can be shown anywhere.
fn readable(byte: u8) -> char {
    match byte {
        b' '..=b'~' => char::from(byte),
        b'\t' => ' ',
        _ => '?',
    }
}
