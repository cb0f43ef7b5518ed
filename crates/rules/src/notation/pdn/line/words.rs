//! Words between the moves, and moves that stand for themselves by a sign, in brackets or not at all.

use super::{AHEAD, Line, as_comment, is_move, next_move, prose};
use crate::board::Square;
use crate::notation::cursor::found;
use crate::notation::pdn::error::Flaw;
use crate::notation::pdn::events::{Event, Events, has_letters, is_wrapper};
use crate::notation::pdn::{Outcome, PdnErrorKind as Kind, goal};
use crate::notation::text::quoted;
use crate::notation::{moves, signs, variant};
use crate::rules::Move;
use std::ops::Range;

/// Words for whatever the other side plays.
const ANY: [&str; 4] = ["ad lib", "ad libitum", "adlib", "~"];

impl<'a> Line<'a> {
    /// Words between the moves. They are kept as a comment, and told unless they are the goal of a composition.
    pub(super) fn words(&mut self, place: Range<usize>, first: &str) -> Result<(), Flaw> {
        if variant::named_squares(first) > 0 {
            let text = self.events.text();
            let line = prose::line_from(text, place.start);
            if has_letters(line) {
                let name = variant::of_named(line).to_owned();
                return Err(Flaw::new(place.start, Kind::Variant(name)));
            }
        }
        if self.depth > 0 && self.moves.is_empty() {
            let c = first.chars().next();
            return Err(Flaw::new(place.start, Kind::Unexpected(found(c))));
        }
        // The end of a list of strings.
        if first == "]"
            || is_wrapper(first)
            || self.elided(place.start, first)
            || self.in_brackets(&place)
        {
            return Ok(());
        }
        let text = self.events.text();
        if let Some(end) = self.footnote(&place, first) {
            self.events.at = end;
            self.annotate(&as_comment(&text[place.start..end]));
            self.note_words(place.start, &text[place.start..end]);
            return Ok(());
        }
        let mut end = place.end;
        loop {
            let mut ahead = self.events;
            let Some((next, event)) = ahead.next().filter(|(next, _)| next.start <= self.limit)
            else {
                break;
            };
            let is_more = match event {
                Event::Word(word) => {
                    !is_wrapper(word)
                        && !Outcome::is_score(word)
                        && !is_elision(word)
                        && self.footnote(&next, word).is_none()
                        && !self.begins_other(next.start, &event)
                }
                Event::Move(mv) if !is_move(mv) => true,
                // One that is spoken of.
                Event::Move(mv) => {
                    !text[end..next.start].contains(['\n', '\r'])
                        && moves::parse(&self.position, mv).is_err()
                        && !self.is_score(mv)
                        && self.resumes(ahead, &text[place.start..end])
                }
                _ => false,
            };
            if !is_more {
                break;
            }
            (self.events, end) = (ahead, next.end);
        }
        let words = &text[place.start..end];
        self.kept_at = end;
        self.annotate(words);
        if goal::named(words).is_none() {
            self.note_words(place.start, words);
        }
        Ok(())
    }

    /// Whether a word stands next in this line.
    pub(super) fn is_before_word(&self, at: usize) -> bool {
        let next = { self.events }.next();
        let is_word = |(place, event): (Range<usize>, Event<'_>)| {
            let is_same_line = !self.events.text()[at..place.start].contains(['\n', '\r']);
            matches!(event, Event::Word(_)) && is_same_line
        };
        next.is_some_and(is_word)
    }

    /// Whether a comment behind a semicolon is the rest of a list of moves with semicolons between them.
    pub(super) fn is_list(&self, at: usize, text: &str) -> bool {
        /// Longer than a solution is.
        const LONGER: usize = 1 << 10;
        let behind = &self.events.text()[at..];
        if !behind.starts_with([';', '\u{ff1b}']) || text.len() > LONGER {
            return false;
        }
        let before = self.events.text()[..at].bytes().rev().take(LONGER);
        let mut line = before.take_while(|byte| !matches!(byte, b'\n' | b'\r'));
        let has_several = text.contains(';') || line.any(|byte| byte == b';');
        // A semicolon in full width begins a comment nowhere in PDN.
        let is_sign = has_several || behind.starts_with('\u{ff1b}');
        let (mut position, mut count, mut is_numbered) = (self.position, 0, false);
        let mut words = None;
        'parts: for part in text.split([';', '\u{ff1b}']) {
            for (place, event) in Events::new(part) {
                match event {
                    Event::Move(text) => match moves::parse(&position, text) {
                        Ok(mv) => (position, count) = (position.play(mv), count + 1),
                        Err(_) => {
                            words = Some("");
                            break 'parts;
                        }
                    },
                    Event::MoveNumber(number) => {
                        is_numbered |=
                            count == 0 && number.starts_with(|c: char| c.is_ascii_digit());
                    }
                    Event::Mark(_) | Event::Result(_) => {}
                    _ => {
                        words = Some(&part[place.start..]);
                        break 'parts;
                    }
                }
            }
        }
        if count == 0 {
            // The result at the end of a table.
            let mut events = Events::new(text);
            let is_result = matches!(events.next(), Some((_, Event::Result(outcome))) if outcome != Outcome::Unknown);
            return has_several && is_result && events.next().is_none();
        }
        // One by itself begins a comment, unless the line goes on behind it or a number says that it does.
        match next_move(self.events).flatten() {
            Some(next) if moves::parse(&self.position, next).is_ok() => false,
            Some(next) if words.is_none() && moves::parse(&position, next).is_ok() => true,
            follows => {
                let is_glued = !self.events.text()[..at].ends_with(char::is_whitespace);
                let is_whole =
                    words.is_none_or(|words| !words.is_empty() && goal::named(words).is_some());
                is_numbered || is_whole && (is_sign || is_glued && follows.is_none())
            }
        }
    }

    /// Whether a move that is legal here follows soon; or the end, behind words that name a goal.
    pub(super) fn resumes(&self, events: Events<'_>, words: &str) -> bool {
        for (_, event) in events.take(AHEAD) {
            match event {
                Event::Move(text) if moves::parse(&self.position, text).is_ok() => return true,
                Event::Result(_) | Event::Tag { .. } => break,
                _ => {}
            }
        }
        let first: Vec<&str> = words.split_whitespace().take(3).collect();
        (1..=first.len()).any(|count| goal::named(&first[..count].join(" ")).is_some())
    }

    /// The end of a line that begins with the letter of a note, `A)`, and is none of the moves.
    pub(super) fn footnote(&self, place: &Range<usize>, first: &str) -> Option<usize> {
        let rest = &self.events.text()[place.start..];
        let is_label = match rest.as_bytes() {
            [b'A'..=b'Z', b')' | b'.' | b':' | b'=', ..] | [b'a'..=b'z', b')', ..] => {
                first.len() < 3
            }
            _ => {
                let word = first.trim_end_matches(['.', ':']).to_lowercase();
                ["var", "variant", "variante", "variation"].contains(&word.as_str())
            }
        };
        let is_place =
            !self.moves.is_empty() && self.depth == 0 && self.events.begins_line(place.start);
        if !is_label || !is_place {
            return None;
        }
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let mut events = Events::new(&line[2..]).filter_map(|(_, event)| match event {
            Event::Move(text) if is_move(text) => Some(text),
            _ => None,
        });
        let is_ours = events
            .next()
            .is_some_and(|text| moves::parse(&self.position, text).is_ok());
        (!is_ours).then_some(place.start + line.len())
    }

    /// Whether a word in brackets of any kind is moves of the line itself.
    pub(super) fn in_brackets(&mut self, place: &Range<usize>) -> bool {
        let text = &self.events.text()[place.clone()];
        let is_bracket = |c| signs::plain_char(c).is_some_and(|c| "[]<>\"'".contains(c));
        let from = text.len() - text.trim_start_matches(is_bracket).len();
        let to = text.trim_end_matches(is_bracket).len();
        if from == 0 || from >= to {
            return false;
        }
        let inside = Events::at(self.events.text(), place.start + from).up_to(place.start + to);
        self.elided(place.start, &text[from..to]) || self.continues(inside)
    }

    /// Plays a capture where its sign alone is written, or one of its squares too, or any move where the text says so,
    /// and a move follows. Whether it is one.
    pub(super) fn elided(&mut self, at: usize, text: &str) -> bool {
        let plain = signs::plain(text);
        let word = plain.trim_end_matches(['!', '?', '.', ',']).to_lowercase();
        let is_any = ANY.contains(&word.as_str());
        let Some((from, to)) = word.split_once(['x', ':']).or(is_any.then_some(("", ""))) else {
            return false;
        };
        if !from.is_empty() && !to.is_empty() {
            return false;
        }
        let fits = |text: &str, square: Square| text.is_empty() || text.parse() == Ok(square);
        let legal = self.position.legal_moves();
        let fits =
            |mv: &&Move| (mv.is_capture() || is_any) && fits(from, mv.from()) && fits(to, mv.to());
        let fitting: Vec<Move> = legal.iter().filter(fits).copied().collect();
        let Some(Some(next)) = next_move(self.events).filter(|_| !fitting.is_empty()) else {
            return false;
        };
        let mv = self.best(&fitting);
        if moves::parse(&self.position.play(mv), next).is_err() {
            return false;
        }
        if fitting.len() > 1 {
            let kind = Kind::Ambiguous(quoted(text), mv.to_string());
            self.remarks.add(at, kind);
        }
        self.push(mv);
        true
    }

    /// The only legal move, a capture, where it is not written and this move follows.
    pub(super) fn left_out(&self, next: &str) -> Option<Move> {
        let legal = self.position.legal_moves();
        let &[mv] = legal.as_slice() else {
            return None;
        };
        let fits = mv.is_capture() && moves::parse(&self.position.play(mv), next).is_ok();
        fits.then_some(mv)
    }
}

/// Whether a word is the sign of a capture by itself.
pub(in crate::notation::pdn) fn is_elision(word: &str) -> bool {
    matches!(&*signs::plain(word), "x" | "X" | ":")
}
