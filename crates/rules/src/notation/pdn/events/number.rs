//! Numbers of moves, and moves.

use super::{Event, Events};
use crate::notation::pdn::line::prose;
use crate::notation::signs::Signs;

impl<'a> Events<'a> {
    /// A number or a move, where a digit stands.
    pub(super) fn number(&mut self, signs: Signs<'a>) -> Event<'a> {
        let mut first = signs;
        let length = digits(&mut first);
        let dots = first.past(|c| c == '.');
        let next = dots.peek();
        if dots.at() > first.at() {
            // `32.-28` is a move, `1.-19-23` a number and a stroke.
            let is_sign = |c| matches!(c, '-' | 'x' | 'X' | ':');
            let leg = next.filter(|&c| is_sign(c)).and_then(|_| leg(dots));
            let is_move =
                leg.is_some_and(|(behind, ..)| next != Some('-') || behind.peek() != Some('-'));
            if !is_move {
                return Event::MoveNumber(self.take_to(dots));
            }
        }
        // `1 . 32-28`.
        let apart = first.past(|c| c == ' ' || c == '\t');
        if length < 4 && apart.at() > first.at() && apart.peek() == Some('.') {
            let dots = apart.past(|c| c == '.');
            if !dots
                .peek()
                .is_some_and(|c| matches!(c, '-' | 'x' | 'X' | ':'))
            {
                return Event::MoveNumber(self.take_to(dots));
            }
        }
        if let Some(behind) = with_captured(dots) {
            return Event::Move(self.take_to(behind));
        }
        let Some((mut end, first_sign, is_spaced)) = leg(dots).or_else(|| marked_leg(dots)) else {
            let after = first.past(|c| c.is_whitespace() || c == ',');
            let is_apart = after.at() > first.at();
            return match after.peek() {
                Some(c) if !is_apart && c.is_alphabetic() => self.word(),
                // A table.
                Some(';')
                    if length < 4 && { after }.nth(1).is_some_and(|(_, c)| c.is_ascii_digit()) =>
                {
                    Event::MoveNumber(self.take_to(first))
                }
                _ if length == 4 => Event::Move(self.take_to(first)),
                Some(c) if is_apart && c.is_ascii_digit() => Event::MoveNumber(self.take_to(first)),
                Some('(' | '{' | '|') => Event::MoveNumber(self.take_to(first)),
                Some(')') if self.begins_numbered(after) => Event::MoveNumber(self.take_to(first)),
                _ => Event::Move(self.take_to(first)),
            };
        };
        // `1: 32-28` and `1 - 32-28` begin with a number.
        let mut number = first.past(char::is_whitespace);
        let sign = number.next().map(|(_, sign)| sign);
        if matches!(sign, Some('-' | ':'))
            && number.past(char::is_whitespace).at() > number.at()
            && leg(end).is_some_and(|(_, sign, is_spaced)| {
                !is_spaced && (sign != ':' || first_sign != ':')
            })
        {
            return Event::MoveNumber(self.take_to(number));
        }
        // `32-28 - 19-23` is two moves with a stroke between them; so are `32-28 x 50-45` and `28x19 : 2. 50-45`, where
        // a sign by itself is a capture between them.
        let is_apart = |sign: char, behind: Signs<'_>| match sign {
            '-' => !is_spaced,
            _ => first_sign == '-' && !is_spaced || matches!(behind.peek(), Some('-' | '.')),
        };
        while let Some((behind, sign, spaced)) =
            leg(end).or_else(|| marked_leg(end).filter(|_| is_spaced))
            && sign != '*'
            && (spaced || !is_mark(end))
            && !(spaced && is_apart(sign, behind))
        {
            end = behind;
        }
        Event::Move(self.take_to(end))
    }

    /// Whether a move stands at a place, with a sign between its squares and no blank.
    pub(super) fn is_move(&self, at: usize) -> bool {
        let mut first = Signs::new(self.text, at);
        let is_square = matches!(digits(&mut first), 1 | 2);
        let second = leg(first).filter(|&(_, _, is_spaced)| is_square && !is_spaced);
        second.is_some_and(|(behind, ..)| prose::may_be_move(&self.text[at..behind.at()]))
    }

    /// Whether a parenthesis is part of a move number, `1) 32-28`.
    fn begins_numbered(&self, mut signs: Signs<'a>) -> bool {
        signs.next();
        let after = signs.past(char::is_whitespace);
        after.at() > signs.at() && after.peek().is_some_and(|c| c.is_ascii_digit())
    }
}

fn digits(signs: &mut Signs<'_>) -> usize {
    let from = *signs;
    *signs = signs.past(|c| c.is_ascii_digit());
    let end = signs.at();
    from.take_while(|&(at, c)| at < end && c.is_ascii_digit())
        .count()
}

/// A sign and the square behind it: what follows, the sign, and whether a blank stands before it.
fn leg(signs: Signs<'_>) -> Option<(Signs<'_>, char, bool)> {
    let dots = signs.past(|c| c == '.');
    let mut behind = dots.past(char::is_whitespace);
    let is_spaced = behind.at() > dots.at();
    let (_, sign) = behind.next()?;
    let is_sign = matches!(sign, '-' | 'x' | 'X' | ':') || sign == '*' && !is_spaced;
    let mut square = if sign == '*' {
        behind
    } else {
        behind.past(char::is_whitespace)
    };
    (is_sign && digits(&mut square) > 0).then_some((square, sign, is_spaced))
}

/// Whether the sign that stands here ends a move, `28x19x 14x23`: a whole move follows behind a blank.
fn is_mark(end: Signs<'_>) -> bool {
    let mut behind = end;
    let sign = behind.next();
    let mut next = behind.past(char::is_whitespace);
    let is_apart = sign.is_some() && next.at() > behind.at();
    let mut is_whole = || {
        let has_square = digits(&mut next) > 0;
        let sign = next.next().map(|(_, sign)| sign);
        has_square && matches!(sign, Some('-' | 'x' | 'X' | ':')) && digits(&mut next) > 0
    };
    is_apart && is_whole()
}

/// As [`leg`], behind a mark and a blank, `! x 31` of `28! x 31! x 45`.
fn marked_leg(signs: Signs<'_>) -> Option<(Signs<'_>, char, bool)> {
    let mark = signs.past(char::is_whitespace);
    let behind = mark.past(|c| matches!(c, '!' | '?'));
    let is_marked = behind.at() > mark.at();
    let found = leg(behind).filter(|_| is_marked);
    found.filter(|&(_, sign, is_spaced)| is_spaced && matches!(sign, 'x' | 'X' | ':'))
}

/// Behind a capture with what is captured in parentheses, `26x(21,12)8`, `26x(21)17x(12)8`.
fn with_captured(first: Signs<'_>) -> Option<Signs<'_>> {
    let mut behind = first;
    let mut any = false;
    loop {
        let mut sign = behind;
        if !matches!(sign.next(), Some((_, 'x' | 'X' | ':'))) {
            return any.then_some(behind);
        }
        let mut inside = sign;
        if matches!(inside.next(), Some((_, '('))) {
            let mut close = inside.past(|c| c.is_ascii_digit() || ", -x:".contains(c));
            if close.at() == inside.at() || !matches!(close.next(), Some((_, ')'))) {
                return None;
            }
            (sign, any) = (close.past(|c| matches!(c, 'x' | 'X' | ':')), true);
        }
        if digits(&mut sign) == 0 {
            return None;
        }
        behind = sign;
    }
}
