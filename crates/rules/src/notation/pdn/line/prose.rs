//! Lines of words among moves: titles, dates, notes, standings, signatures.

use super::{AHEAD, Line, is_move};
use crate::notation::pdn::events::{Event, Events, has_letters, is_wrapper, start_of};
use crate::notation::pdn::goal;
use crate::notation::{moves, signs};
use crate::rules::Position;
use std::ops::Range;

/// The line around a place of a text, without its end; of a longer one a part, so that texts of one line take linear
/// time.
pub(in crate::notation::pdn) fn line_around(text: &str, at: usize) -> Range<usize> {
    const LONGER: usize = 1 << 12;
    let first = start_of(text, at.saturating_sub(LONGER)).len();
    let begin = text[first..at].rfind(['\n', '\r']);
    let ahead = start_of(&text[at..], LONGER);
    let end = ahead.find(['\n', '\r']).unwrap_or(ahead.len());
    begin.map_or(first, |end| first + end + 1)..at + end
}

/// The line from a place of a text on, as far as a reader looks.
pub(in crate::notation::pdn) fn line_from(text: &str, at: usize) -> &str {
    /// Longer than a line of moves.
    const LONGER: usize = 1 << 10;
    let line = start_of(&text[at..], LONGER);
    line.split(['\n', '\r']).next().unwrap_or_default()
}

/// The numbers of a text; two of the four digits of a move without a sign.
fn numbers(text: &str) -> Vec<u64> {
    let plain = signs::plain(text);
    let parts = plain.split(|c: char| !c.is_ascii_digit());
    let parts: Vec<&str> = parts.filter(|digits| !digits.is_empty()).collect();
    let parts = match parts[..] {
        [four] if four.len() == 4 => vec![&four[..2], &four[2..]],
        _ => parts,
    };
    let value = |digits: &&str| digits.parse().unwrap_or(u64::MAX);
    parts.iter().map(value).collect()
}

/// Whether the squares of what looks like a move are on the board: those of a date or a telephone number are not.
pub(in crate::notation::pdn) fn may_be_move(text: &str) -> bool {
    let numbers = numbers(text);
    let is_square = |number: &u64| (1..=50).contains(number);
    numbers.len() > 1 && numbers[0] != numbers[1] && numbers.iter().all(is_square)
}

/// Whether what looks like a move has numbers that no one writes for a square.
fn is_far(text: &str) -> bool {
    numbers(text)
        .iter()
        .any(|&number| number == 0 || number > 99)
}

fn is_first(position: &Position, text: &str) -> bool {
    is_move(text) && moves::parse(position, text).is_ok()
}

/// Whether the next move, perhaps behind words, is legal in a position; or where tags come before it.
pub(in crate::notation::pdn) fn begins_below(
    events: Events<'_>,
    start: &Position,
    by_tags: bool,
) -> bool {
    for (_, event) in events.take(4 * AHEAD) {
        match event {
            Event::Move(text) if may_be_move(text) => return is_first(start, text),
            Event::Tag { .. } => return by_tags,
            Event::Setup(_) | Event::Unclosed(_) => return false,
            _ => {}
        }
    }
    false
}

/// Whether a numbered first move that is legal from the initial position comes next.
pub(in crate::notation::pdn) fn begins_at_one(mut events: Events<'_>) -> bool {
    let one =
        matches!(events.next(), Some((_, Event::MoveNumber(number))) if value(number) == Some(1));
    let first = events.next();
    one && matches!(first, Some((_, Event::Move(text))) if is_first(&Position::start(), text))
}

/// Whether a line begins no game: words, perhaps with moves that are spoken of.
pub(in crate::notation::pdn) fn is_words(line: &str) -> bool {
    if has_letters(line_from(line, 0)) {
        return false;
    }
    let start = Position::start();
    let (mut words, mut squares, mut digits, mut is_date) = (0, 0, false, false);
    let (mut is_talk, mut ends_in_word, mut is_numbered) = (false, false, false);
    let (mut begins_in_word, mut begins_in_parenthesis) = (false, false);
    for (index, (_, event)) in Events::new(line).enumerate() {
        ends_in_word = false;
        match event {
            Event::Tag { .. } | Event::Setup(_) | Event::Unclosed(_) => return false,
            Event::Comment(_) | Event::Result(_) if index == 0 => return false,
            Event::Word(word) if is_wrapper(word) && index == 0 => return false,
            Event::Word(word) => {
                begins_in_word |= index == 0;
                ends_in_word = word.contains(char::is_alphabetic);
                words += 1;
            }
            Event::Open => begins_in_parenthesis |= index == 0,
            Event::Move(text) if is_first(&start, text) && !begins_in_parenthesis => {
                if !begins_in_word || is_numbered {
                    return false;
                }
                is_talk = true;
            }
            Event::Move(text) => {
                squares += usize::from(may_be_move(text));
                is_date |= is_move(text) && is_far(text);
                digits = true;
            }
            _ => {}
        }
        is_numbered = match event {
            Event::MoveNumber(number) => {
                digits |= number.contains(|c: char| c.is_ascii_digit());
                true
            }
            _ => false,
        };
    }
    match is_talk {
        true => ends_in_word,
        false => {
            words > 0
                || begins_in_parenthesis
                || squares == 0 && (is_date || !digits && line.trim().len() > 1)
        }
    }
}

/// Whether the rest of a line behind a result speaks of moves that begin no game, `14-3`.
pub(super) fn is_note(line: &str) -> bool {
    for (_, event) in Events::new(line).take(AHEAD) {
        match event {
            Event::Move(text) if may_be_move(text) => return !is_first(&Position::start(), text),
            Event::MoveNumber(number) if value(number) != Some(1) => {}
            Event::Word(_) | Event::Mark(_) => {}
            _ => return false,
        }
    }
    false
}

/// Whether a line by itself is empty behind another one in this text.
fn has_blank_line(text: &str) -> bool {
    let mut lines = text.split('\n').skip(1).peekable();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() && lines.peek().is_some() {
            return true;
        }
    }
    false
}

/// The number of a move.
pub(super) fn value(number: &str) -> Option<usize> {
    let plain = signs::plain(number);
    let digits = plain.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok())
}

impl Line<'_> {
    /// Whether another game begins behind a blank line: its moves count from 1 again and are legal from the initial
    /// position. Words may stand before them.
    pub(super) fn begins_other(&self, at: usize, event: &Event<'_>) -> bool {
        let is_one = |event: &Event<'_>| matches!(event, Event::MoveNumber(number) if value(number) == Some(1));
        // `4. Jansen - Durand`.
        let is_numbered_word = matches!(event, Event::MoveNumber(_))
            && matches!({ self.events }.next(), Some((_, Event::Word(_))));
        let may_begin = is_numbered_word
            || is_one(event)
            || matches!(event, Event::Word(word) if !is_wrapper(word));
        if self.depth > 0 || self.moves.is_empty() || !may_begin || !self.events.begins_line(at) {
            return false;
        }
        let text = self.events.text();
        let gap = match event {
            Event::Word(_) => text[..at].trim_end().len()..at,
            _ => self.last_at.min(at)..at,
        };
        if !has_blank_line(&text[gap]) {
            return false;
        }
        let mut has_one = false;
        for (place, event) in Events::at(text, at).take(4 * AHEAD) {
            match event {
                Event::Move(text) if has_one => {
                    let is_here = moves::parse(&self.position, text).is_ok();
                    return is_first(&Position::start(), text)
                        && (!is_here || self.moves.len() > 1);
                }
                Event::Move(text) if may_be_move(text) => return false,
                Event::Tag { .. } | Event::Setup(_) | Event::Comment(_) | Event::Unclosed(_) => {
                    return false;
                }
                _ => has_one = is_one(&event) && self.events.begins_line(place.start),
            }
        }
        false
    }

    /// Where the words begin and end in the line of a move that is not legal, where the line is words and no moves of
    /// the game: a note with its letter, a sentence, a variation with numbers that were played already, a date.
    pub(super) fn line_of_words(&self, at: usize) -> Option<Range<usize>> {
        let text = self.events.text();
        if self.depth > 0 || self.moves.is_empty() {
            return None;
        }
        let line = line_around(text, at);
        let (before, rest) = (&text[line.start..at], &text[at..line.end]);
        if self.last_at > line.start || rest.contains(['{', '}']) {
            return None;
        }
        let (mut end, mut squares, mut is_far_away) = (line.end, 0, true);
        for (place, event) in Events::at(text, at).up_to(line.end) {
            end = line.end;
            match event {
                Event::Move(text) if is_move(text) => {
                    squares += usize::from(may_be_move(text));
                    is_far_away &= is_far(text);
                }
                Event::Result(_) => end = place.start,
                _ => {}
            }
        }
        let letters = before
            .rfind(|c: char| c.is_alphabetic() || !c.is_ascii() && signs::plain_char(c) == Some(c));
        let begin = before.trim();
        let is_bullet = !begin.is_empty()
            && begin
                .chars()
                .all(|c| "-*+\u{2013}\u{2022}\u{b7}".contains(c));
        let is_numbered = begin.starts_with(|c: char| c.is_ascii_digit());
        let is_back = self.is_back();
        let is_side = goal::is_side(begin.trim_matches(|c: char| !c.is_alphanumeric()));
        let is_words = match letters {
            None => is_bullet || is_numbered && is_back || !is_numbered && is_far_away,
            Some(_) => is_far_away || !is_side && (!is_numbered || is_back || squares < 2),
        };
        // The words before are kept already.
        let from = self.kept_at.clamp(line.start, at);
        is_words.then_some(from..end)
    }

    /// Whether the last move number is that of a move that was played already.
    fn is_back(&self) -> bool {
        let (number, plies) = self.numbered;
        let is_back = |next: usize| next < number || next == number && self.moves.len() > plies + 1;
        number > 0 && self.next_number.is_some_and(is_back)
    }

    /// Where the time of a clock ends that stands here, `0:05` or `1:20:03`: a move or a result it is not.
    pub(super) fn clock(&self, at: usize) -> Option<usize> {
        let text = &self.events.text()[at..];
        let bytes = text.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let is_part =
            |at: usize| bytes.get(at) == Some(&b':') && is_digit(at + 1) && is_digit(at + 2);
        let hours = 1 + usize::from(is_digit(1));
        if self.moves.is_empty() || !is_digit(0) || !is_part(hours) {
            return None;
        }
        let is_long = is_part(hours + 3);
        let end = hours + if is_long { 6 } else { 3 };
        let goes_on = bytes
            .get(end)
            .is_some_and(|&c| c.is_ascii_alphanumeric() || b":-/".contains(&c));
        if goes_on || moves::parse(&self.position, &text[..end]).is_ok() {
            return None;
        }
        let follows = || {
            let next = Events::at(self.events.text(), at + end).next();
            matches!(next, Some((_, Event::Move(text))) if is_first(&self.position, text))
        };
        (is_long || self.has_clocks || bytes[hours + 1] == b'0' || follows()).then_some(at + end)
    }
}
