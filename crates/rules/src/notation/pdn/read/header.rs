//! The tags of a game, with what stands around them.

use super::{MOST_TAGS, Reader, USUAL};
use crate::notation::pdn::error::Flaw;
use crate::notation::pdn::events::{Event, Events, has_letters, is_wrapper};
use crate::notation::pdn::line::{self, is_elision, prose};
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
                    let bracket = before.text()[place.start..].chars().next();
                    self.moves_at = place.start + bracket.map_or(0, char::len_utf8);
                    return first.and(Err(Flaw::new(place.start, Kind::TooLong)));
                }
                Event::Tag {
                    name,
                    value,
                    is_sound,
                } => {
                    count += 1;
                    self.title_result = None;
                    if count > MOST_TAGS {
                        first = first.and(Err(Flaw::new(place.start, Kind::TooManyTags)));
                        if !is_sound {
                            let rest = &self.events.text()[place.end..];
                            let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
                            self.events.at = place.end + line;
                        }
                        continue;
                    }
                    self.take_tag(&place, name, value, is_sound);
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
                Event::Move(_) | Event::MoveNumber(_) | Event::Result(_) | Event::Mark(_)
                    if self.is_title(place.start) =>
                {
                    self.keep_title(place.start);
                }
                Event::Word(word) if Outcome::is_score(word) && self.is_title(place.start) => {
                    self.keep_title(place.start);
                }
                Event::Word(word) if is_elision(word) || Outcome::is_score(word) => {
                    self.events = before;
                    return first;
                }
                Event::Word(word) if self.tag_line(&place, word) => {}
                Event::Word(_) if !has_letters(prose::line_from(before.text(), place.start)) => {
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

    /// Adds a tag, or what it says besides one of the same name.
    fn take_tag(&mut self, place: &Range<usize>, name: &str, value: String, is_sound: bool) {
        let same = |(known, _): &&mut (String, String)| known.eq_ignore_ascii_case(name);
        if let Some((_, known)) = self.tags.iter_mut().find(same) {
            match is_nothing(known) {
                true => *known = value,
                false if *known == value || is_nothing(&value) => {}
                false => {
                    self.remarks.add(place.start, Kind::TagTwice(quoted(name)));
                    line::append(&mut self.title, &format!("[{name} {value}]"));
                }
            }
            return;
        }
        if !is_sound && !self.remarks.has(|kind| matches!(kind, Kind::Tag(_))) {
            self.remarks.add(place.start, Kind::Tag(quoted(name)));
        }
        if name.eq_ignore_ascii_case("FEN") {
            let tag = &self.events.text()[place.clone()];
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
                // The opening is told, and the game begins below.
                Some((_, Event::Move(text)))
                    if number.is_none()
                        && moves::parse(&start, text).is_ok()
                        && prose::begins_at_one(Events::at(self.events.text(), line)) =>
                {
                    (self.events.at, end) = (line, line);
                    break;
                }
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
        self.keep_words(begin, text[begin..end].trim());
    }

    /// A line that is a title as a whole, from its first sign on.
    fn keep_title(&mut self, begin: usize) {
        let text = self.events.text();
        let line = begin..prose::line_around(text, begin).end;
        // The end of a game without moves.
        let end = match Events::at(text, line.start).up_to(line.end).skip(1).last() {
            Some((place, Event::Result(Outcome::Unknown)))
                if text[place.end..line.end].trim().is_empty()
                    && text[..place.start].ends_with(char::is_whitespace) =>
            {
                place.start
            }
            _ => line.end,
        };
        self.keep_words(line.start, text[line.start..end].trim());
        self.events.at = end;
    }

    /// Keeps words before the moves as a comment, and the result that they end in.
    fn keep_words(&mut self, begin: usize, words: &str) {
        line::append(&mut self.title, &line::as_comment(words));
        if let Some((_, Event::Result(outcome))) = Events::new(words).last()
            && outcome != Outcome::Unknown
        {
            self.title_result = Some(outcome);
        }
        if !self.remarks.has(|kind| matches!(kind, Kind::Words(_))) {
            self.remarks.add(begin, Kind::Words(quoted(words)));
        }
    }

    /// Whether a line that begins with no word is a title all the same: a date, `3. Jansen - Durand 1-1`, `* Partij 1`.
    fn is_title(&self, begin: usize) -> bool {
        let text = self.events.text();
        /// Longer than a title.
        const LONGER: usize = 1 << 10;
        if !self.events.begins_line(begin) {
            return false;
        }
        let line = prose::line_around(text, begin);
        if line.len() > LONGER {
            return false;
        }
        let start = self.tag("FEN").and_then(|text| fen::parse(text).ok());
        let start = start.unwrap_or_else(Position::start);
        let (mut count, mut words, mut squares, mut numbers, mut is_numbered) = (0, 0, 0, 0, false);
        let mut is_result = false;
        if has_letters(&text[line.clone()]) {
            return false;
        }
        for (_, event) in Events::at(text, begin).up_to(line.end) {
            match event {
                Event::Tag { .. } | Event::Comment(_) | Event::Unclosed(_) | Event::Setup(_) => {
                    return false;
                }
                Event::Open if count == 0 => return false,
                Event::Word(word) if is_elision(word) || is_wrapper(word) => {
                    return false;
                }
                Event::Word(word) if count == 0 && Outcome::is_score(word) => is_result = true,
                Event::Word(word) => words += usize::from(word.contains(char::is_alphabetic)),
                Event::Result(outcome) if count == 0 => is_result = outcome != Outcome::Unknown,
                Event::Move(text) if moves::parse(&start, text).is_ok() => return false,
                Event::Move(text) if prose::may_be_move(text) => {
                    if is_numbered {
                        return false;
                    }
                    squares += 1;
                }
                Event::Move(_) => numbers += 1,
                _ => {}
            }
            is_numbered = matches!(event, Event::MoveNumber(_));
            count += 1;
        }
        let begins_below = || prose::begins_below(Events::at(text, line.end), &start, !is_result);
        match (words, squares) {
            (1.., 0) if self.tags.is_empty() || !is_result => true,
            (1.., _) => begins_below(),
            _ => {
                (count == 1 && squares + numbers == 1 || is_result || squares == 0 && numbers > 0)
                    && begins_below()
            }
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
