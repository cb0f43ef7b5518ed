//! How a line ends: results behind the moves, and words behind those.

use super::{AHEAD, Line, as_comment, is_move, prose};
use crate::notation::pdn::events::{Event, Events, start_of};
use crate::notation::pdn::read::tag;
use crate::notation::pdn::{Outcome, goal};
use crate::notation::{moves, signs};
use crate::rules::Position;

impl<'a> Line<'a> {
    /// Comments and words behind the result: they are kept at the last move.
    pub(in crate::notation::pdn) fn read_behind(&mut self) {
        loop {
            let before = self.events;
            match self.events.next() {
                Some((place, Event::Comment(text)))
                    if !self.events.text()[before.at..place.start].contains(['\n', '\r']) =>
                {
                    self.annotate(text)
                }
                _ => {
                    self.events = before;
                    break;
                }
            }
        }
        let begin = self.events.at;
        if let Some(end) = self.words_behind() {
            let words = &self.events.text()[begin..end];
            self.annotate(&as_comment(words));
            if goal::named(words).is_none() {
                let at = begin + words.len() - words.trim_start().len();
                self.note_words(at, words);
            }
            self.events.at = end;
        }
    }

    /// The end of the words in the line of the result, and of the lines of words below it up to a blank one, to tags or
    /// to the end. Words before the moves of another game are its title.
    pub(super) fn words_behind(&self) -> Option<usize> {
        /// More than people write.
        const MOST: usize = 1 << 12;
        let (mut at, text) = (self.events.at, self.events.rest());
        let window = start_of(text, MOST);
        let (mut sure, mut end) = (None, None);
        for (number, line) in window.split_inclusive('\n').enumerate() {
            match Events::new(line).next() {
                None if number == 0 => {
                    at += line.len();
                    continue;
                }
                None | Some((_, Event::Tag { .. })) => return end,
                Some(_) if prose::is_words(line) || number == 0 && prose::is_note(line) => {}
                Some(_) => return sure,
            }
            at += line.len();
            end = Some(at);
            if number == 0 {
                sure = end;
            }
        }
        if window.len() == text.len() {
            end
        } else {
            sure
        }
    }

    /// Whether an asterisk is no end: a move follows in its line that is legal here and begins no game.
    pub(super) fn goes_on(&self) -> bool {
        let begin = self.events.at;
        let (mut events, mut is_numbered) = (self.events, false);
        if self.depth > 0 || self.moves.is_empty() {
            return false;
        }
        loop {
            match events.next() {
                Some((place, _))
                    if self.events.text()[begin..place.start].contains(['\n', '\r']) =>
                {
                    return false;
                }
                Some((_, Event::MoveNumber(number)))
                    if !is_numbered && prose::value(number) != Some(1) =>
                {
                    is_numbered = true;
                }
                Some((_, Event::Move(text))) => {
                    let is_legal = |position: &Position| moves::parse(position, text).is_ok();
                    return is_move(text)
                        && is_legal(&self.position)
                        && !is_legal(&Position::start());
                }
                _ => return false,
            }
        }
    }

    /// The length of what the `Result` tag says, where that is no known result and stands here as the end.
    pub(super) fn unknown_result(&self, at: usize, event: &Event<'_>) -> Option<usize> {
        let value =
            tag(&self.tags, "Result").filter(|value| !value.is_empty() && self.depth == 0)?;
        let behind = self.events.text()[at..].strip_prefix(value)?;
        let is_move = match event {
            Event::Move(text) => moves::parse(&self.position, text).is_ok(),
            Event::Word(_) | Event::Mark(_) => false,
            _ => true,
        };
        let goes_on =
            behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | ':'));
        (!is_move && !goes_on && Outcome::parse(value).is_none()).then_some(value.len())
    }

    /// Whether what looks like a move or words is the end of the game, and shares out its points.
    pub(super) fn is_score(&self, text: &str) -> bool {
        self.depth == 0 && Outcome::is_score(text) && self.is_end()
    }

    /// Whether the game ends here: nothing follows but words and comments, or another game.
    pub(super) fn is_end(&self) -> bool {
        /// Most bytes that are looked at.
        const MOST: usize = 1 << 12;
        let (mut events, begin) = (self.events, self.events.at);
        let mut after_word = false;
        for _ in 0..2 * AHEAD {
            let Some((place, event)) = events.next() else {
                return true;
            };
            if place.start > begin + MOST {
                return false;
            }
            let lines = events.text()[begin..place.start].matches('\n').count();
            match event {
                Event::Tag { .. } => return true,
                Event::Unclosed(_) | Event::Result(_) => return false,
                Event::Word(word) if Outcome::is_score(word) => return false,
                Event::MoveNumber(number) => {
                    let number = signs::plain(number);
                    let number = number.trim_end_matches(|c: char| !c.is_ascii_digit());
                    return number.parse() == Ok(1) && lines > 0;
                }
                Event::Move(text) if is_move(text) => {
                    if moves::parse(&Position::start(), text).is_ok() {
                        return lines > 1;
                    }
                    if !after_word || moves::parse(&self.position, text).is_ok() {
                        return false;
                    }
                }
                _ => {}
            }
            after_word = matches!(event, Event::Word(_) | Event::Move(_));
        }
        false
    }

    /// A result in parentheses or brackets that begin here, and where they end, at the end of a game.
    pub(super) fn result_in_brackets(&self, at: usize) -> Option<(Outcome, usize)> {
        /// Longer than a result.
        const LONGER: usize = 16;
        let is =
            |signs: &'static str| move |c| signs::plain_char(c).is_some_and(|c| signs.contains(c));
        let text = &self.events.text()[at..];
        let inside = text.strip_prefix(is("(["))?;
        let (end, close) = start_of(inside, LONGER).match_indices(is(")]")).next()?;
        let outcome =
            Outcome::parse(&inside[..end]).filter(|outcome| *outcome != Outcome::Unknown)?;
        let behind = at + text.len() - inside.len() + end + close.len();
        let mut line = self.inner(Events::at(self.events.text(), behind), self.position, 0);
        line.depth = 0;
        (self.depth == 0 && !self.moves.is_empty() && line.is_end()).then_some((outcome, behind))
    }
}
