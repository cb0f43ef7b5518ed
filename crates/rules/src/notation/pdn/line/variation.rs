//! Variations, and moves of the line itself in parentheses.

use super::{Line, append, as_comment, first_move, next_move};
use crate::notation::pdn::error::Flaw;
use crate::notation::pdn::events::{Event, Events};
use crate::notation::pdn::{Annotated, MAX_DEPTH, PdnErrorKind as Kind, Variation};
use crate::notation::{moves, signs};
use crate::rules::Position;
use std::ops::Range;

/// Most variations of a line that may end in a comment behind a semicolon.
const MOST_IN_COMMENTS: usize = 64;
/// Most variations of a line that may lack their end.
const MOST_UNCLOSED: usize = 3;

impl<'a> Line<'a> {
    /// A variation with those inside it; or a mark such as `(!)`, or a remark in parentheses. What is no line of legal
    /// moves becomes a comment: the game itself is sound, whatever its variations are.
    pub(super) fn variation(&mut self, before: Events<'a>, at: usize) -> Result<(), Flaw> {
        /// Longer than a mark with some blanks.
        const LONGER: usize = 16;
        let Some(close) = self.close() else {
            return Err(Flaw::new(at, Kind::TooLong));
        };
        let events = self.events.up_to(close.start);
        if close.is_empty() {
            self.unclosed += 1;
            if self.unclosed > MOST_UNCLOSED {
                self.events = before;
                return Err(Flaw::new(at, Kind::UnclosedVariation));
            }
            self.remarks.add(at, Kind::UnclosedVariation);
            if self.depth > 0 || self.is_own(first_move(events)) {
                return Ok(());
            }
        }
        let text = events.text();
        let (inside, whole) = (&text[events.at..], &self.events.text()[at..close.end]);
        (self.events.at, self.kept_at) = (close.end, close.end);
        let short = Some(inside.trim())
            .filter(|_| inside.len() < LONGER)
            .unwrap_or_default();
        if Annotated::mark(&signs::plain(short)).is_some() {
            self.mark(at, short);
            return Ok(());
        }
        if self.elided(at, short) || self.continues(events) {
            return Ok(());
        }
        let refused = match (self.moves.is_empty(), self.depth >= MAX_DEPTH) {
            (true, _) => Some(Kind::NoMoveBefore),
            (_, true) => Some(Kind::TooDeep),
            _ => None,
        };
        if let Some(kind) = refused {
            self.remarks.add(at, kind);
            self.annotate(&as_comment(whole));
            return Ok(());
        }
        let mut line = self.inner(events, self.before, self.moves.len() - 1);
        line.remarks = std::mem::take(&mut self.remarks);
        let read = line.read();
        self.remarks = line.remarks;
        if line.moves.is_empty() {
            match read {
                Ok(_) if line.comment.is_none() && inside.contains(char::is_alphanumeric) => {
                    self.annotate(&as_comment(whole));
                }
                Ok(_) => self.annotate(&line.comment.unwrap_or_default()),
                Err(flaw) => {
                    // Words in parentheses are no variation.
                    if !matches!(flaw.kind, Kind::Unexpected(_)) {
                        self.remarks
                            .add(flaw.at, Kind::Variation(Box::new(flaw.kind)));
                    }
                    self.annotate(&as_comment(whole));
                }
            }
            return Ok(());
        }
        if let (Err(flaw), Some(last)) = (read, line.moves.last_mut()) {
            append(&mut last.comment, &as_comment(&text[flaw.at..]));
            self.remarks
                .add(flaw.at, Kind::Variation(Box::new(flaw.kind)));
        }
        line.moves.shrink_to_fit();
        if let Some(last) = self.moves.last_mut() {
            // Most moves have one variation: no room for more.
            if last.variations.is_empty() {
                last.variations.reserve_exact(1);
            }
            last.variations.push(Variation {
                comment: line.comment,
                moves: line.moves,
            });
        }
        Ok(())
    }

    /// Where the variation ends whose parenthesis was just read, and where what follows begins. One without an end goes
    /// on to that of the game. None: it is too long.
    pub(super) fn close(&mut self) -> Option<Range<usize>> {
        let mut depth = 1;
        let mut events = self.events;
        // The end of the game: a result of the variation itself rather than one of another inside it.
        let (mut end, mut other, mut in_comment) = (None, None, None);
        let mut is_same_line = true;
        let begin = events.at;
        let text = events.text();
        while let Some((place, event)) = events.next() {
            match event {
                _ if place.end > self.limit => return None,
                Event::Open => depth += 1,
                Event::Close => depth -= 1,
                // A semicolon in parentheses that end in its line.
                Event::Comment(comment)
                    if in_comment.is_none()
                        && is_same_line
                        && self.in_comments < MOST_IN_COMMENTS =>
                {
                    // Behind a semicolon in the same line.
                    let is_line = text[place.start..].starts_with(';') && depth == 1;
                    let at = comment.find(')').filter(|_| is_line);
                    let at = at.map(|at| place.end - comment.len() + at);
                    is_same_line = !text[begin..at.unwrap_or(begin)].contains(['\n', '\r']);
                    in_comment = at.filter(|_| is_same_line).map(|at| at..at + 1);
                }
                Event::Tag { .. } if events.begins_line(place.start) => {
                    other = other.or(Some(place.start));
                    break;
                }
                Event::Result(_) if depth == 1 => end = end.or(Some(place.start)),
                Event::Result(_) => other = other.or(Some(place.start)),
                _ => {}
            }
            if depth == 0 {
                return Some(place);
            }
        }
        let end = end.or(other).unwrap_or(text.len());
        self.in_comments += usize::from(in_comment.is_some());
        Some(in_comment.unwrap_or(end..end))
    }

    /// A line inside this one, behind so many of its moves.
    pub(super) fn inner<'b>(&self, events: Events<'b>, start: Position, moves: usize) -> Line<'b> {
        Line {
            depth: self.depth + 1,
            plies: self.plies + moves,
            ..Line::new(events, start, self.limit)
        }
    }

    /// Moves in parentheses that only the side to move can play are no variation, but the line itself: compositions
    /// write Black's moves so. Where the next move does not fit behind them, they are none of it.
    pub(super) fn continues(&mut self, inside: Events<'_>) -> bool {
        let first = first_move(inside);
        if self.depth >= MAX_DEPTH || !self.is_own(first.clone()) {
            return false;
        }
        let Some((place, _)) = first else {
            return false;
        };
        // All moves inside; or the first one alone, and the others are spoken of.
        let behind = Events::at(inside.text(), place.end);
        let second = first_move(behind).map_or(inside.text().len(), |(place, _)| place.start);
        let words = &inside.text()[inside.at..place.start];
        for end in [inside.text().len(), second] {
            let events = Events::at(inside.text(), place.start).up_to(end);
            let mut line = self.inner(events, self.position, self.moves.len());
            let is_line = matches!(line.read(), Ok(None));
            let fits = match next_move(self.events) {
                Some(Some(next)) => moves::parse(&line.position, next).is_ok(),
                // At the end, words beside a move speak of it.
                Some(None) => !words.contains(char::is_alphabetic) && line.remarks.is_empty(),
                None => false,
            };
            if !is_line || !fits || self.moves.is_empty() && line.moves.len() > 1 {
                continue;
            }
            self.remarks.take_in(line.remarks);
            if let Some(last) = line.moves.last_mut() {
                let words = words.trim_matches(|c: char| !c.is_alphanumeric() && c != ')');
                if words.contains(char::is_alphabetic) {
                    append(&mut last.comment, words);
                    self.note_words(inside.at, words);
                }
                let rest = &inside.text()[end..];
                if !rest.trim().is_empty() {
                    append(&mut last.comment, &as_comment(rest));
                    self.note_words(end, rest);
                }
            }
            self.moves.append(&mut line.moves);
            (self.before, self.position) = (line.before, line.position);
            return true;
        }
        false
    }

    /// Whether only the side to move can play this move.
    pub(super) fn is_own(&self, mv: Option<(Range<usize>, &str)>) -> bool {
        let Some((_, text)) = mv else {
            return false;
        };
        let is_next = |position: &Position| moves::parse(position, text).is_ok();
        (self.moves.is_empty() || !is_next(&self.before)) && is_next(&self.position)
    }
}
