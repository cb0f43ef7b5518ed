//! How a game ended, in all the ways in which that is written.

use super::goal;
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

/// Points of one side, in halves, and whether they are written with a fraction.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Points {
    halves: u32,
    is_broken: bool,
}

impl Points {
    /// Whether both sides together have as many points as there are for a game.
    fn share([white, black]: [Points; 2]) -> bool {
        [2, 4, 6, 16, 20, 24, 32, 40].contains(&(white.halves + black.halves))
    }
}

impl Outcome {
    /// Reads a result: `2-0`, `1-1`, `0-2`, `0-0`, `*`, `1-0`, `1/2-1/2`, `0.5-0.5`, a half by itself, and the counts
    /// of teams where they say who won (`12-0`, `6-6`). Any dash or colon may stand between the points, with blanks
    /// around it.
    pub fn parse(text: &str) -> Option<Outcome> {
        let text = text.trim().trim_end_matches('.').trim_end();
        if text == "*" {
            return Some(Outcome::Unknown);
        }
        let (outcome, behind) = Outcome::begin(Signs::new(text, 0), true)?;
        behind.peek().is_none().then_some(outcome)
    }

    /// The result that stands here, and what follows. `is_alone`: no move can be meant.
    pub(in crate::notation::pdn) fn begin(
        signs: Signs<'_>,
        is_alone: bool,
    ) -> Option<(Outcome, Signs<'_>)> {
        let (first, second, behind) = pair(signs)?;
        let outcome = match second {
            None if first.halves == 1 => Outcome::Draw,
            None => return None,
            Some(second) => Outcome::of(first, second, is_alone)?,
        };
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | ':' | '/');
        (!behind.peek().is_some_and(goes_on)).then_some((outcome, behind))
    }

    /// Behind points that stand here and are neither a result nor a move: `1½-½`, `2-0F`.
    pub(in crate::notation::pdn) fn unknown(signs: Signs<'_>) -> Option<Signs<'_>> {
        let (first, second, behind) = pair(signs)?;
        let points = [first, second?];
        let is_shared = Points::share(points);
        let is_score = match points.iter().any(|points| points.is_broken) {
            true => is_shared,
            false => points.iter().any(|points| points.halves == 0),
        };
        let behind = behind.past(|c| c.is_alphabetic() || matches!(c, '!' | '?' | '+'));
        (behind.peek().is_none_or(ends) && is_score).then_some(behind)
    }

    /// Behind a result by forfeit that stands here, `+:-`, `-:+`, `-:-`, or with blanks alone between, `+ -`.
    pub(in crate::notation::pdn) fn forfeit(signs: Signs<'_>) -> Option<Signs<'_>> {
        let is_blank = |c| c == ' ' || c == '\t';
        let (mut signs, mut sides) = (signs, ['+'; 2]);
        sides[0] = signs.next()?.1;
        let mut between = signs.past(is_blank);
        let is_apart = between.at() > signs.at();
        let has_colon = between.peek() == Some(':');
        if has_colon {
            between.next();
            between = between.past(is_blank);
        }
        sides[1] = between.next()?.1;
        let is_forfeit = match sides {
            ['+', '-'] | ['-', '+'] => has_colon || is_apart,
            ['-', '-'] => has_colon,
            _ => false,
        };
        (is_forfeit && between.peek().is_none_or(ends)).then_some(between)
    }

    /// Whether a text is the points of both sides, whoever won.
    pub(in crate::notation::pdn) fn is_score(text: &str) -> bool {
        let signs = Signs::new(text, 0);
        if Outcome::forfeit(signs).is_some() {
            return true;
        }
        let Some((first, Some(second), behind)) = pair(signs) else {
            return false;
        };
        let is_shared = Points::share([first, second]) && behind.peek().is_none();
        Outcome::unknown(signs).is_some() || is_shared
    }

    fn of(white: Points, black: Points, is_alone: bool) -> Option<Outcome> {
        Some(match (white.halves, black.halves) {
            (0, 0) => Outcome::Nobody,
            (_, 0) => Outcome::White,
            (0, _) => Outcome::Black,
            // No quiet move ends where it began, but a king may take its way back.
            (a, b) if a == b && (is_alone || white.is_broken || [2, 12, 20].contains(&a)) => {
                Outcome::Draw
            }
            _ => return None,
        })
    }

    /// Whether a `Result` tag says something that is not known, such as `12-8` or `+:-`.
    pub(in crate::notation::pdn) fn is_unknown(text: &str) -> bool {
        let says_something = text.contains(|c: char| c.is_alphanumeric() || "+:".contains(c));
        says_something && Outcome::parse(text).is_none() && goal::named(text).is_none()
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

/// Whether a result ends before this.
fn ends(c: char) -> bool {
    c.is_whitespace() || ".,;{}()[]".contains(c)
}

/// The points that stand here, those of the other side, and what follows.
fn pair(signs: Signs<'_>) -> Option<(Points, Option<Points>, Signs<'_>)> {
    let (first, behind) = points(signs)?;
    let space = |c| c == ' ' || c == '\t';
    let mut second = behind.past(space);
    let second = match second.next() {
        Some((_, '-' | ':')) => points(second.past(space)),
        _ => None,
    };
    Some(match second {
        Some((second, behind)) => (first, Some(second), behind),
        None => (first, None, behind),
    })
}

/// Points of one side: a number of one or two digits, with a half as a fraction or a decimal.
fn points(mut signs: Signs<'_>) -> Option<(Points, Signs<'_>)> {
    let (mut whole, mut digits) = (0, 0);
    while let Some(digit) = signs.peek().and_then(|sign| sign.to_digit(10))
        && digits < 2
    {
        (whole, digits) = (10 * whole + digit, digits + 1);
        signs.next();
    }
    let mut behind = signs;
    match behind.next().map(|(_, sign)| sign) {
        Some('\u{bd}') => return broken(2 * whole + 1, behind),
        Some('/') if (whole, digits) == (1, 1) => {
            if let Some((_, '2')) = behind.next() {
                return broken(1, behind);
            }
        }
        Some('.' | ',') if digits > 0 => match behind.next() {
            Some((_, '5')) => return broken(2 * whole + 1, behind),
            Some((_, '0')) => return broken(2 * whole, behind),
            _ => {}
        },
        _ => {}
    }
    let halves = 2 * whole;
    let is_broken = false;
    (digits > 0).then_some((Points { halves, is_broken }, signs))
}

/// Points with a fraction, and what follows: no further digit.
fn broken(halves: u32, behind: Signs<'_>) -> Option<(Points, Signs<'_>)> {
    let goes_on = behind.peek().is_some_and(|sign| sign.is_ascii_digit());
    let is_broken = true;
    (!goes_on).then_some((Points { halves, is_broken }, behind))
}
