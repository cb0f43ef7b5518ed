//! The tags of a game, with what stands around them.

use super::{MOST_TAGS, Reader, USUAL};
use crate::notation::pdn::error::Flaw;
use crate::notation::pdn::events::{Event, has_letters, is_wrapper};
use crate::notation::pdn::line::{self, is_elision};
use crate::notation::pdn::variant::{self, Named};
use crate::notation::pdn::{Outcome, PdnErrorKind as Kind};
use crate::notation::text::quoted;
use crate::notation::{fen, moves};
use crate::rules::Position;
use std::ops::Range;

impl Reader<'_> {
    /// The tags, with comments before them and words around them. All are read, whatever is wrong with one, so that the
    /// next game is found.
    pub(super) fn header(&mut self) -> Result<(), Flaw> {
        let mut first = Ok(());
        let mut count = 0;
        loop {
            let before = self.events;
            let Some((place, event)) = self.events.next() else {
                return first;
            };
            match event {
                // A new game begins.
                Event::Tag {
                    name, ref value, ..
                } if self.begins_again(name, value, before.at..place.start) => {
                    self.events = before;
                    return first;
                }
                Event::Tag { .. } if place.end > self.limit && first.is_ok() => {
                    self.moves_at = place.start + 1;
                    return first.and(Err(Flaw::new(place.start, Kind::TooLong)));
                }
                Event::Tag {
                    name,
                    value,
                    is_sound,
                } => {
                    count += 1;
                    if count > MOST_TAGS {
                        first = first.and(Err(Flaw::new(place.start, Kind::TooManyTags)));
                        if !is_sound {
                            let rest = &self.events.text()[place.end..];
                            let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
                            self.events.at = place.end + line;
                        }
                        continue;
                    }
                    let same =
                        |(known, _): &&mut (String, String)| known.eq_ignore_ascii_case(name);
                    if let Some((_, known)) = self.tags.iter_mut().find(same) {
                        self.moves_at = self.events.at;
                        match is_nothing(known) {
                            true => *known = value,
                            false if *known == value || is_nothing(&value) => {}
                            false => {
                                self.remarks.add(place.start, Kind::TagTwice(quoted(name)));
                                line::append(&mut self.title, &format!("[{name} {value}]"));
                            }
                        }
                        continue;
                    }
                    if !is_sound && !self.remarks.has(|kind| matches!(kind, Kind::Tag(_))) {
                        self.remarks.add(place.start, Kind::Tag(quoted(name)));
                    }
                    if name.eq_ignore_ascii_case("FEN") {
                        let tag = &before.text()[place.clone()];
                        self.fen_at = place.start + tag.find(value.trim()).unwrap_or(0);
                    }
                    let usual = USUAL.iter().chain(&["Result", "GameType", "FEN"]);
                    let usual = { usual }.find(|usual| usual.eq_ignore_ascii_case(name));
                    let name = usual.map_or(name, |usual| *usual).to_owned();
                    self.tags.push((name, value));
                    // A comment before a tag is of the game, not of its first move.
                    let comment = self.comment.take().unwrap_or_default();
                    line::append(&mut self.title, &comment);
                }
                Event::Comment(text) => line::append(&mut self.comment, text),
                Event::Unclosed(_) if place.end > self.limit => {
                    first = first.and(Err(Flaw::new(place.start, Kind::TooLong)));
                    // It is looked at again, as far as it is there.
                    continue;
                }
                Event::Unclosed(text) => {
                    line::append(&mut self.comment, text);
                    self.remarks.add(place.start, Kind::UnclosedComment);
                    if !self.tags.is_empty() {
                        self.moves_at = self.events.at;
                        return first;
                    }
                }
                Event::Word(word) if is_wrapper(word) => {}
                Event::Word(word) if is_elision(word) || Outcome::is_score(word) => {
                    self.events = before;
                    return first;
                }
                Event::Word(word) if self.tag_line(&place, word) => {}
                Event::Word(word) if !has_letters(word) => {
                    self.events = before;
                    self.read_title(place.start);
                }
                _ => {
                    self.events = before;
                    return first;
                }
            }
            self.moves_at = self.events.at;
        }
    }

    /// Whether a tag by a name that the game has already begins another game: one behind a blank line, or the name of
    /// the first tag at the beginning of a line, unless that just says the same. `gap` is what stands before the tag.
    pub(super) fn begins_again(&self, name: &str, value: &str, gap: Range<usize>) -> bool {
        let gap = &self.events.text()[gap];
        let lines = gap.matches('\n').count().max(gap.matches('\r').count());
        let is_first = |(first, _): &(String, String)| first.eq_ignore_ascii_case(name);
        let is_same = |(_, first): &(String, String)| is_nothing(first) || first == value;
        let is_doubled = self.tags.len() == 1 && is_same(&self.tags[0]);
        let is_header = lines > 0 && !is_doubled && self.tags.first().is_some_and(is_first);
        self.tag(name).is_some() && (lines > 1 || is_header)
    }

    /// Reads a tag that is a line by itself, `White: Jansen`; whether it is one.
    pub(super) fn tag_line(&mut self, place: &Range<usize>, word: &str) -> bool {
        let text = self.events.text();
        let line = text[place.start..]
            .split(['\n', '\r'])
            .next()
            .unwrap_or_default();
        let Some((name, value)) = line.split_once([':', '\u{ff1a}']) else {
            return false;
        };
        let same = |usual: &&&str| usual.eq_ignore_ascii_case(name.trim());
        let Some(name) = USUAL
            .iter()
            .chain(&["Result", "GameType", "FEN"])
            .find(same)
        else {
            return false;
        };
        let value = value.trim();
        if value.is_empty() || self.tag(name).is_some() || !self.events.begins_line(place.start) {
            return false;
        }
        if !self.remarks.has(|kind| matches!(kind, Kind::Tag(_))) {
            self.remarks
                .add(place.start, Kind::Tag(quoted(word.trim_end_matches(':'))));
        }
        self.fen_at = place.start;
        self.tags.push(((*name).to_owned(), value.to_owned()));
        self.events.at = place.start + line.len();
        true
    }

    /// Words up to the end of their line, or up to the first move. They are kept as a comment.
    pub(super) fn read_title(&mut self, begin: usize) {
        let text = self.events.text();
        let line = text[begin..]
            .find(['\n', '\r'])
            .map_or(text.len(), |end| begin + end);
        let start = self.tag("FEN").and_then(|text| fen::parse(text).ok());
        let start = start.unwrap_or_else(Position::start);
        let mut end = begin;
        let mut number = None;
        loop {
            let before = self.events;
            let next = self.events.next().filter(|(place, _)| place.start < line);
            match next {
                Some((_, Event::Move(text))) if moves::parse(&start, text).is_ok() => {
                    self.events = number.unwrap_or(before);
                    break;
                }
                None => {
                    (self.events, end) = (before, before.at.clamp(end, line));
                    break;
                }
                Some((_, Event::Comment(_) | Event::Unclosed(_) | Event::Tag { .. })) => {
                    self.events = before;
                    break;
                }
                Some((_, Event::MoveNumber(_))) => {
                    number.get_or_insert(before);
                    continue;
                }
                Some((place, _)) => end = place.end.min(line),
            }
            number = None;
        }
        let words = text[begin..end].trim();
        line::append(&mut self.title, words);
        if !self.remarks.has(|kind| matches!(kind, Kind::Words(_))) {
            self.remarks.add(begin, Kind::Words(quoted(words)));
        }
    }

    pub(super) fn check_variant(&mut self) -> Result<(), Flaw> {
        let named = self.tag("GameType").map(variant::of_type);
        let other = variant::of_name(self.tag("Variant").unwrap_or_default());
        self.events.skip_blanks();
        let at = self.events.at;
        if named == Some(Named::Unknown)
            && let Some(text) = self
                .tag("GameType")
                .map(quoted)
                .filter(|text| !text.trim().is_empty())
        {
            self.remarks.add(at, Kind::GameType(text));
        }
        match (named, other) {
            (Some(Named::Other(name)), _) | (_, Some(name)) => {
                Err(Flaw::new(at, Kind::Variant(name)))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a value says nothing, as those that programs put where none is known.
fn is_nothing(value: &str) -> bool {
    value.chars().all(|c| "?*-. ".contains(c))
}
