//! Fields longer than one character: fixed-width numbers, names, free text.

use damier_rules::notation::text;
use std::fmt;
use std::time::Duration;

/// Thinking time of each player for a game, in the precision of the three characters of a GAMEREQ: whole minutes up to
/// 999, tenths up to 9.9, hundredths below 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Minutes {
    hundredths: u32,
}

/// A hundredth of a minute.
const HUNDREDTH: Duration = Duration::from_millis(600);

impl Minutes {
    /// The maximum: 999 minutes.
    pub const MAX: Minutes = Minutes {
        hundredths: 999 * 100,
    };
    /// The smallest time above zero: 0.6 seconds.
    pub const MIN: Minutes = Minutes { hundredths: 1 };

    /// This many hundredths of a minute; None if three characters cannot express it.
    pub fn from_hundredths(hundredths: u32) -> Option<Minutes> {
        let fits = match hundredths {
            0..100 => true,
            100..1_000 => hundredths.is_multiple_of(10),
            _ => hundredths.is_multiple_of(100) && hundredths <= Minutes::MAX.hundredths,
        };
        fits.then_some(Minutes { hundredths })
    }

    /// Parses minutes as people write them: `3`, `0.5`, `1.50`. None if it is not a number or three characters cannot
    /// express it.
    pub fn parse(text: &str) -> Option<Minutes> {
        hundredths(text.as_bytes()).and_then(Minutes::from_hundredths)
    }

    /// The longest time that can be expressed and does not exceed this one, but never zero.
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

    /// The three characters, with as many decimals as needed.
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

/// Digits with at most one point, as hundredths; None if there are more than two decimals.
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

/// The seconds a move took, 0 to 9999, in four characters. A fraction is accepted and rounded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Seconds(u16);

impl Seconds {
    /// The maximum.
    pub const MAX: u16 = 9999;

    /// This many seconds, capped at the maximum.
    pub fn new(seconds: u16) -> Seconds {
        Seconds(seconds.min(Seconds::MAX))
    }

    /// A duration, rounded to seconds.
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
            // `.125`: one digit more than hundredths.
            (field[0] == b'.')
                .then(|| hundredths(&field[..3]))
                .flatten()
        })?;
        u16::try_from((hundredths + 50) / 100)
            .ok()
            .map(Seconds::new)
    }
}

/// Moves of each player in a game; 000 for no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveLimit(u16);

impl MoveLimit {
    /// No limit.
    pub const NONE: MoveLimit = MoveLimit(0);

    /// This many moves, 0 to 999; 0 for no limit.
    pub fn new(moves: u16) -> Option<MoveLimit> {
        (moves <= 999).then_some(MoveLimit(moves))
    }

    /// The limit in moves of each player, if there is one.
    pub fn get(self) -> Option<u16> {
        (self.0 > 0).then_some(self.0)
    }

    pub(super) fn raw(self) -> u16 {
        self.0
    }
}

/// Number of a move, 0 to 999. The first move of a game and the reply to it both have number 1, whichever colour
/// begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MoveNumber(u16);

impl MoveNumber {
    /// This number, capped at 999.
    pub fn new(number: u16) -> Option<MoveNumber> {
        (number <= 999).then_some(MoveNumber(number))
    }

    /// The number.
    pub fn get(self) -> u16 {
        self.0
    }
}

/// The name of a program: at most 32 printable ASCII characters, without a space at either end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Name(String);

impl Name {
    /// Width of the field.
    pub const LENGTH: usize = 32;

    /// A text as a name: cut to 32 characters, with `?` for what is not printable ASCII.
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
    /// Maximum length in characters.
    pub const LENGTH: usize = super::MAX_MESSAGE - 1;

    /// A text as a chat: its first 126 characters, made printable ASCII.
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

/// A byte of free text as a character that is safe to print.
fn readable(byte: u8) -> char {
    match byte {
        b' '..=b'~' => char::from(byte),
        b'\t' => ' ',
        _ => '?',
    }
}
