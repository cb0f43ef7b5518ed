//! The reader of a line of moves: a game's, or a variation.

mod ending;
pub(super) mod prose;
mod variation;
mod words;

use super::error::{Flaw, Remarks};
use super::events::{Event, Events};
use super::read::tag;
use super::{Annotated, MOST_PLIES, Outcome, PdnErrorKind as Kind};
use crate::notation::cursor::found;
use crate::notation::fen;
use crate::notation::moves::{self, MoveError, SIGNS};
use crate::notation::signs::{self, Signs};
use crate::notation::text::quoted;
use crate::rules::{Move, Position};
use std::ops::Range;
pub(super) use words::is_elision;

/// Most events that are looked at to see what a text means.
const AHEAD: usize = 16;
/// A line that is being read.
pub(super) struct Line<'a> {
    pub events: Events<'a>,
    pub start: Position,
    /// The position before the last move.
    before: Position,
    position: Position,
    /// The tags of the game.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    pub comment: Option<String>,
    pub moves: Vec<Annotated>,
    /// What is not as PDN has it.
    pub remarks: Remarks,
    /// Variations around this one, itself included; 0 in a game.
    depth: usize,
    /// Plies of the game before this line.
    plies: usize,
    /// Where the game becomes too long.
    limit: usize,
    /// Where the result behind the moves stands.
    pub ended_at: usize,
    /// A result at the end that is not known.
    pub score: Option<String>,
    /// Variations that end in a comment behind a semicolon.
    in_comments: usize,
    /// Variations without an end.
    unclosed: usize,
    /// Where the last move ends.
    last_at: usize,
    /// Where the last words end that are kept.
    kept_at: usize,
    /// The number of the last move that had one, and the plies before that.
    numbered: (usize, usize),
    /// The number that was read last, of no move yet.
    next_number: Option<usize>,
    /// Whether the times of clocks stand behind the moves.
    has_clocks: bool,
    /// Whether the asterisk of an only move stands before the next one.
    is_forced: bool,
}

impl<'a> Line<'a> {
    /// A line of a game that ends before `limit`.
    pub fn new(events: Events<'a>, start: Position, limit: usize) -> Line<'a> {
        Line {
            events,
            start,
            before: start,
            position: start,
            tags: Vec::new(),
            comment: None,
            moves: Vec::new(),
            remarks: Remarks::default(),
            depth: 0,
            plies: 0,
            limit,
            ended_at: events.at,
            score: None,
            in_comments: 0,
            unclosed: 0,
            last_at: events.at,
            kept_at: events.at,
            numbered: (0, 0),
            next_number: None,
            has_clocks: false,
            is_forced: false,
        }
    }

    /// Reads the moves of a game up to its end: a result, that of the `Result` tag, or the first tag of the next game.
    pub fn read(&mut self) -> Result<Option<Outcome>, Flaw> {
        loop {
            let before = self.events;
            let Some((place, event)) = self.events.next() else {
                return Ok(None);
            };
            let at = place.start;
            if at > self.limit {
                return Err(Flaw::new(at, Kind::TooLong));
            }
            if let Some(length) = self.unknown_result(at, &event) {
                (self.events.at, self.ended_at) = (at + length, at);
                return Ok(Some(Outcome::Unknown));
            }
            if matches!(event, Event::Open | Event::Word(_))
                && let Some((outcome, end)) = self.result_in_brackets(at)
            {
                (self.events.at, self.ended_at) = (end, at);
                return Ok(Some(outcome));
            }
            if self.begins_other(at, &event) {
                self.events = before;
                return Ok(None);
            }
            if matches!(event, Event::Result(_) | Event::Move(_) | Event::Word(_))
                && let Some(end) = self.clock(at)
            {
                let time = &self.events.text()[at..end];
                self.annotate(time);
                self.note_words(at, time);
                (self.events.at, self.has_clocks) = (end, true);
                continue;
            }
            match event {
                Event::Tag { name, value, .. } if self.is_among_moves(at, name) => {
                    self.tags.push((name.to_owned(), value));
                }
                Event::Tag { .. } if self.depth == 0 => {
                    self.events = before;
                    return Ok(None);
                }
                Event::Tag { .. } => return Err(Flaw::new(at, Kind::Unexpected(found(Some('['))))),
                Event::Result(Outcome::Unknown) if self.goes_on() => self.is_forced = true,
                Event::Result(outcome) if self.depth == 0 => {
                    self.ended_at = at;
                    return Ok(Some(outcome));
                }
                Event::MoveNumber(number) if !self.dotted(&place, number) => {
                    self.next_number = prose::value(number);
                }
                Event::Result(_) | Event::MoveNumber(_) => {}
                Event::Comment(text) if self.is_list(at, text) => {
                    self.events.at = place.end - text.len();
                }
                Event::Comment(text) => self.annotate(text),
                Event::Unclosed(_) if place.end > self.limit => {
                    return Err(Flaw::new(at, Kind::TooLong));
                }
                Event::Unclosed(text) => {
                    self.annotate(text);
                    self.remarks.add(at, Kind::UnclosedComment);
                }
                Event::Open => self.variation(before, at)?,
                Event::Setup(text) => self.set_up(at, text)?,
                Event::Move(text) if self.joined(place.end, text) => {}
                Event::Move(text) if !is_move(text) && self.is_before_word(place.end) => {
                    self.words(place, text)?;
                }
                Event::Move(text) => match self.read_move(at, text) {
                    Err(flaw) if self.is_score(text) && matches!(flaw.kind, Kind::Move { .. }) => {
                        self.ended_at = at;
                        self.score = Some(signs::plain(text).into_owned());
                        return Ok(Some(Outcome::Unknown));
                    }
                    Err(flaw) => {
                        let is_move = matches!(flaw.kind, Kind::Move { .. });
                        let mv = self.left_out(text).filter(|_| is_move);
                        if mv.is_none()
                            && is_move
                            && let Some(words) = self.line_of_words(at)
                        {
                            let text = self.events.text();
                            self.annotate(&as_comment(&text[words.clone()]));
                            self.note_words(words.start, &text[words.clone()]);
                            self.events.at = words.end;
                            continue;
                        }
                        let mv = mv.ok_or(flaw)?;
                        self.remarks.add(at, Kind::LeftOut(mv.to_string()));
                        self.push(mv);
                        self.read_move(at, text)?;
                        self.played();
                    }
                    Ok(()) => self.played(),
                },
                Event::Mark(text) => self.mark(at, text),
                Event::Word(text) if self.is_score(text) => {
                    self.ended_at = at;
                    self.score = Some(text.to_owned());
                    return Ok(Some(Outcome::Unknown));
                }
                // The parenthesis of a move number.
                Event::Close => {}
                Event::Word(text) => self.words(place, text)?,
            }
        }
    }

    /// Whether a tag stands between the moves, and is no beginning of another game.
    fn is_among_moves(&self, at: usize, name: &str) -> bool {
        let is_between = self.depth == 0 && !self.moves.is_empty() && !self.events.begins_line(at);
        is_between && tag(&self.tags, name).is_none()
    }

    /// Adds a comment to the last move, or to the line before its first move.
    pub(super) fn annotate(&mut self, text: &str) {
        let comment = match self.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.comment,
        };
        append(comment, text);
    }

    /// Adds a mark to the last move, one that has no number as a comment.
    fn mark(&mut self, at: usize, text: &str) {
        match (Annotated::mark(&signs::plain(text)), self.moves.last_mut()) {
            (Some(nag), Some(last)) if !last.nags.contains(&nag) => last.nags.push(nag),
            (None, _) => {
                self.annotate(text);
                if text.starts_with('$') {
                    self.note_words(at, text);
                }
            }
            _ => {}
        }
    }

    /// Adds a remark on the first words that are kept as a comment.
    pub(super) fn note_words(&mut self, at: usize, text: &str) {
        if !self.remarks.has(|kind| matches!(kind, Kind::Words(_))) {
            self.remarks.add(at, Kind::Words(quoted(text.trim())));
        }
    }

    /// A position that is set up before the first move.
    fn set_up(&mut self, at: usize, text: &str) -> Result<(), Flaw> {
        if !self.moves.is_empty() || self.depth > 0 {
            return Err(Flaw::new(at, Kind::Setup));
        }
        let fen = text.trim_start().get(3..).unwrap_or_default();
        let position = fen::parse(fen).map_err(|error| Flaw::new(at, Kind::Fen(error)))?;
        (self.start, self.before, self.position) = (position, position, position);
        Ok(())
    }

    fn push(&mut self, mv: Move) {
        self.before = self.position;
        self.position = self.position.play(mv);
        self.moves.push(mv.into());
    }

    /// Keeps where a move stood, and its number.
    fn played(&mut self) {
        self.last_at = self.events.at;
        if let Some(number) = self.next_number.take() {
            self.numbered = (number, self.moves.len().saturating_sub(1));
        }
    }

    /// Plays a move with a dot or a blank between its squares, `32.28`, which looks like a number and a square. Whether
    /// it is one.
    fn dotted(&mut self, place: &Range<usize>, number: &str) -> bool {
        let number = signs::plain(number);
        let from = number.strip_suffix('.').unwrap_or(&number);
        let is_square = |text: &str| {
            matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let mut ahead = self.events;
        let Some((next, Event::Move(to) | Event::MoveNumber(to))) =
            ahead.next().filter(|_| is_square(from))
        else {
            return false;
        };
        let gap = &self.events.text()[place.end..next.start];
        let may_part = |c| from.len() == number.len() && matches!(c, ' ' | '\t');
        if !is_square(&signs::plain(to)) || gap.contains(|c| !may_part(c)) {
            return false;
        }
        let read = moves::parse(&self.position, &format!("{from}-{}", signs::plain(to)));
        if let Ok(mv) = read {
            self.events = ahead;
            self.push(mv);
            self.played();
        }
        read.is_ok()
    }

    /// Plays a move with a stroke or an equals sign between its squares, `32/28`, which looks like two numbers. Whether
    /// it is one.
    fn joined(&mut self, end: usize, number: &str) -> bool {
        /// Longer than a capture.
        const MOST: usize = 64;
        let mut squares = signs::plain(number).into_owned();
        let mut behind = Signs::new(self.events.text(), end);
        loop {
            let mut sign = behind;
            let is_sign = matches!(sign.next(), Some((_, '/' | '=')));
            let square = sign.past(|c| c.is_ascii_digit());
            if !is_sign || square.at() == sign.at() || squares.len() > MOST {
                break;
            }
            squares += "-";
            squares.extend(
                { sign }
                    .map(|(_, digit)| digit)
                    .take_while(char::is_ascii_digit),
            );
            behind = square;
        }
        if behind.at() == end {
            return false;
        }
        let read = moves::parse(&self.position, &squares);
        if let Ok(mv) = read {
            self.events.at = behind.at();
            self.push(mv);
            self.played();
        }
        read.is_ok()
    }

    fn read_move(&mut self, at: usize, written: &str) -> Result<(), Flaw> {
        if self.depth == 0 && self.moves.len() == MOST_PLIES {
            return Err(Flaw::new(at, Kind::TooManyPlies));
        }
        let mut text = signs::plain(written).into_owned();
        // Marks behind the squares of a capture, `28! x 31! x 45`.
        let marks = text.split(|c| !matches!(c, '!' | '?')).map(str::to_owned);
        let marks: Vec<String> = marks.filter(|mark| !mark.is_empty()).collect();
        if text.contains('(') {
            let numbers = text.split(|c: char| !c.is_ascii_digit());
            let numbers: Vec<&str> = numbers.filter(|digits| !digits.is_empty()).collect();
            text = numbers.join("x");
        }
        if text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            text.insert(2, '-');
        }
        let mut read = moves::parse(&self.position, &text);
        // Old files write a capture piece by piece: `11x18 18x25`.
        while let Err(MoveError::CaptureGoesOn { .. } | MoveError::MustTakeMost { .. }) = read {
            let mut ahead = self.events;
            let Some((_, Event::Move(next))) = ahead.next() else {
                break;
            };
            let next = signs::plain(next);
            let last = text.rsplit_once(SIGNS).map(|(_, last)| last);
            let Some((last, (first, more))) = last.zip(next.split_once(SIGNS)) else {
                break;
            };
            if last.trim() != first.trim() {
                break;
            }
            text = format!("{text}x{more}");
            read = moves::parse(&self.position, &text);
            self.events = ahead;
        }
        if let Err(MoveError::Ambiguous(fitting)) = &read {
            let mv = self.best(fitting);
            self.remarks
                .add(at, Kind::Ambiguous(quoted(written), mv.to_string()));
            read = Ok(mv);
        }
        let mv = read.map_err(|error| {
            let (ply, text) = (self.plies + self.moves.len() + 1, quoted(written));
            Flaw::new(at, Kind::Move { ply, text, error })
        })?;
        self.push(mv);
        if std::mem::take(&mut self.is_forced) {
            self.mark(at, "*");
        }
        marks.iter().for_each(|mark| self.mark(at, mark));
        Ok(())
    }

    /// Of several captures the first of those behind which most of the next moves are legal.
    fn best(&self, fitting: &[Move]) -> Move {
        let mut events = self.events;
        let next: Vec<Event<'_>> = std::iter::from_fn(|| events.next())
            .take(AHEAD)
            .map(|(_, event)| event)
            .collect();
        let legal_behind = |mv: Move| {
            let (mut position, mut depth, mut count) = (self.position.play(mv), 0_usize, 0);
            for event in &next {
                match event {
                    Event::Open => depth += 1,
                    Event::Close => depth = depth.saturating_sub(1),
                    Event::Move(text) if depth == 0 => match moves::parse(&position, text) {
                        Ok(mv) => (position, count) = (position.play(mv), count + 1),
                        Err(_) => break,
                    },
                    _ => {}
                }
            }
            count
        };
        // The last of the greatest is returned: the first one from behind.
        let best = fitting
            .iter()
            .copied()
            .rev()
            .max_by_key(|&mv| legal_behind(mv));
        best.unwrap_or(fitting[0])
    }
}

/// The next move, without those in variations. None: it is not seen at once; none in it: the game ends before.
fn next_move(mut events: Events<'_>) -> Option<Option<&str>> {
    let mut depth = 0_usize;
    for _ in 0..AHEAD {
        match events.next().map(|(_, event)| event) {
            None | Some(Event::Result(_) | Event::Tag { .. }) if depth == 0 => return Some(None),
            None => return None,
            Some(Event::Open) => depth += 1,
            Some(Event::Close) if depth == 0 => return Some(None),
            Some(Event::Close) => depth -= 1,
            Some(Event::Move(text)) if depth == 0 && is_move(text) => return Some(Some(text)),
            _ => {}
        }
    }
    None
}

/// The first move that a text holds, perhaps behind numbers and words.
fn first_move(events: Events<'_>) -> Option<(Range<usize>, &str)> {
    for (place, event) in events.take(AHEAD) {
        match event {
            Event::Move(text) if is_move(text) => return Some((place, text)),
            Event::Move(_) | Event::MoveNumber(_) | Event::Word(_) | Event::Mark(_) => {}
            _ => break,
        }
    }
    None
}

/// Whether what looks like a move is more than a number.
fn is_move(text: &str) -> bool {
    let text = signs::plain(text);
    text.contains(SIGNS) || text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Text with comments as the text of one comment: braces around the lines that a semicolon begins, so that they end
/// where they did.
pub(super) fn as_comment(mut text: &str) -> String {
    let mut comment = String::new();
    while let Some(at) = text.find(['{', ';']) {
        let (before, found) = text.split_at(at);
        comment.push_str(before);
        let end = match found.strip_prefix(';') {
            Some(line) => {
                let end = line.find(['\n', '\r']).unwrap_or(line.len());
                comment.push_str(&format!("{{{}}}", line[..end].trim()));
                end + 1
            }
            None => {
                let end = found.find('}').unwrap_or(found.len());
                comment.push_str(&found[..end]);
                end
            }
        };
        text = &found[end..];
    }
    comment.push_str(text);
    comment
}

/// Appends a comment, with its blanks reduced to single spaces.
pub(super) fn append(comment: &mut Option<String>, text: &str) {
    for word in text.split_whitespace() {
        let comment = comment.get_or_insert_with(|| String::with_capacity(text.len()));
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(word);
    }
}
