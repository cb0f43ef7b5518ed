//! How a game ended, in all the ways in which that is written.

use crate::board::Color;
use crate::notation::signs::Signs;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outcome {
    /// White won.
    White,
    /// Drawn.
    Draw,
    /// Black won.
    Black,
    /// Lost for both.
    Nobody,
    /// Not finished, or not known.
    #[default]
    Unknown,
}

/// Points of one side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    Half,
    Whole(u32),
}

impl Outcome {
    /// Reads a result: `2-0`, `1-1`, `0-2`, `0-0`, `*`, `1-0`, `1/2-1/2`, `0.5-0.5`, a half by itself, and the counts of
    /// teams where they say who won (`12-0`, `6-6`). Any dash or colon may stand between the points, with blanks around
    /// it.
    pub fn parse(text: &str) -> Option<Outcome> {
        let text = text.trim();
        if text == "*" {
            return Some(Outcome::Unknown);
        }
        let (outcome, behind) = Outcome::begin(Signs::new(text, 0), true)?;
        behind.peek().is_none().then_some(outcome)
    }

    /// The result that stands here, and what follows. `is_alone`: no move can be meant.
    pub(super) fn begin(signs: Signs<'_>, is_alone: bool) -> Option<(Outcome, Signs<'_>)> {
        let (first, behind) = points(signs)?;
        let space = |c| c == ' ' || c == '\t';
        let mut second = behind.past(space);
        let pair = match second.next() {
            Some((_, '-' | ':')) => points(second.past(space)),
            _ => None,
        };
        let (outcome, behind) = match (first, pair) {
            (Points::Half, None) => (Outcome::Draw, behind),
            (first, Some((second, behind))) => (Outcome::of(first, second, is_alone)?, behind),
            _ => return None,
        };
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | ':' | '/');
        (!behind.peek().is_some_and(goes_on)).then_some((outcome, behind))
    }

    fn of(white: Points, black: Points, is_alone: bool) -> Option<Outcome> {
        Some(match (white, black) {
            (Points::Half, Points::Half) => Outcome::Draw,
            (Points::Whole(0), Points::Whole(0)) => Outcome::Nobody,
            (Points::Whole(_), Points::Whole(0)) => Outcome::White,
            (Points::Whole(0), Points::Whole(_)) => Outcome::Black,
            // No quiet move ends where it began, but a king may take its way back.
            (Points::Whole(a), Points::Whole(b))
                if a == b && (is_alone || [1, 6, 10].contains(&a)) =>
            {
                Outcome::Draw
            }
            _ => return None,
        })
    }

    /// Who lost. None where nobody did, or both.
    pub fn loser(self) -> Option<Color> {
        match self {
            Outcome::White => Some(Color::Black),
            Outcome::Black => Some(Color::White),
            Outcome::Draw | Outcome::Nobody | Outcome::Unknown => None,
        }
    }

    /// The value of the `Result` tag.
    pub fn text(self) -> &'static str {
        match self {
            Outcome::White => "2-0",
            Outcome::Draw => "1-1",
            Outcome::Black => "0-2",
            Outcome::Nobody => "0-0",
            Outcome::Unknown => "*",
        }
    }
}

/// Points of one side: a number, or a half as a fraction or a decimal.
fn points(mut signs: Signs<'_>) -> Option<(Points, Signs<'_>)> {
    let (_, first) = signs.next()?;
    if first == '\u{bd}' {
        return Some((Points::Half, signs));
    }
    let mut number = first.to_digit(10)?;
    let mut behind = signs;
    match signs.next().map(|(_, sign)| sign) {
        Some('/') if number == 1 && signs.next().is_some_and(|(_, sign)| sign == '2') => {
            return Some((Points::Half, signs));
        }
        Some('.' | ',') if number == 0 && signs.next().is_some_and(|(_, sign)| sign == '5') => {
            return Some((Points::Half, signs));
        }
        second => {
            if let Some(digit) = second.and_then(|second| second.to_digit(10)) {
                number = 10 * number + digit;
                behind.next();
            }
        }
    }
    Some((Points::Whole(number), behind))
}
