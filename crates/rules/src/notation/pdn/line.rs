//! The reader of a line of moves: a game's, or a variation.

use super::error::{Flaw, Remarks};
use super::events::{Event, Events, has_letters, is_wrapper};
use super::read::tag;
use super::{Annotated, MAX_DEPTH, MOST_PLIES, Outcome, PdnErrorKind as Kind, Variation, goal};
use crate::notation::cursor::found;
use crate::notation::moves::{self, MoveError, SIGNS};
use crate::notation::text::quoted;
use crate::notation::{fen, signs};
use crate::rules::{Move, Position};
use std::ops::Range;

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
            match event {
                Event::Tag { name, value, .. } if self.is_among_moves(at, name) => {
                    self.tags.push((name.to_owned(), value));
                }
                Event::Tag { .. } if self.depth == 0 => {
                    self.events = before;
                    return Ok(None);
                }
                Event::Tag { .. } => return Err(Flaw::new(at, Kind::Unexpected(found(Some('['))))),
                Event::Result(outcome) if self.depth == 0 => {
                    self.ended_at = at;
                    return Ok(Some(outcome));
                }
                Event::Result(_) | Event::MoveNumber(_) => {}
                Event::Comment(text) => self.annotate(text),
                Event::Unclosed => return Err(Flaw::new(at, Kind::UnclosedComment)),
                Event::Open => self.variation(before, at)?,
                Event::Setup(text) => self.set_up(at, text)?,
                Event::Move(text) => match self.read_move(at, text) {
                    Err(flaw) if self.is_score(text) && matches!(flaw.kind, Kind::Move { .. }) => {
                        self.ended_at = at;
                        self.score = Some(signs::plain(text).into_owned());
                        return Ok(Some(Outcome::Unknown));
                    }
                    read => read?,
                },
                Event::Mark(text) => self.mark(text),
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

    /// Comments behind the result, in its line: they are kept at the last move.
    pub fn read_behind(&mut self) {
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
                    return;
                }
            }
        }
    }

    /// The length of what the `Result` tag says, where that is no known result and stands here as the end.
    fn unknown_result(&self, at: usize, event: &Event<'_>) -> Option<usize> {
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

    /// Whether a tag stands between the moves, and is no beginning of another game.
    fn is_among_moves(&self, at: usize, name: &str) -> bool {
        let is_between = self.depth == 0 && !self.moves.is_empty() && !self.events.begins_line(at);
        is_between && tag(&self.tags, name).is_none()
    }

    /// Whether what looks like a move is the end of the game, and shares out its points.
    fn is_score(&self, text: &str) -> bool {
        let mut events = self.events;
        let is_end =
            self.depth == 0 && matches!(events.next(), None | Some((_, Event::Tag { .. })));
        is_end && Outcome::is_score(text)
    }

    /// Adds a comment to the last move, or to the line before its first move.
    fn annotate(&mut self, text: &str) {
        let comment = match self.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.comment,
        };
        append(comment, text);
    }

    /// Adds a mark to the last move, one that has no number as a comment; 0 means none.
    fn mark(&mut self, text: &str) {
        match (Annotated::mark(&signs::plain(text)), self.moves.last_mut()) {
            (Some(nag @ 1..), Some(last)) if !last.nags.contains(&nag) => last.nags.push(nag),
            (None, Some(_)) if text != "$" => self.annotate(text),
            _ => {}
        }
    }

    /// Words between the moves. They are kept as a comment, and told unless they are the goal of a composition.
    fn words(&mut self, place: Range<usize>, first: &str) -> Result<(), Flaw> {
        if has_letters(first) {
            let name = "a board with 64 squares (c3-d4)".to_owned();
            return Err(Flaw::new(place.start, Kind::Variant(name)));
        }
        if self.depth > 0 && self.moves.is_empty() {
            let c = first.chars().next();
            return Err(Flaw::new(place.start, Kind::Unexpected(found(c))));
        }
        if is_wrapper(first) {
            return Ok(());
        }
        if let Some(mv) = self.forced(first, self.events) {
            self.push(mv);
            return Ok(());
        }
        let mut end = place.end;
        loop {
            let mut ahead = self.events;
            let is_more = |event: &Event<'_>| match event {
                Event::Word(word) => !is_wrapper(word),
                Event::Move(text) => !signs::plain(text).contains(SIGNS),
                _ => false,
            };
            match ahead.next() {
                Some((place, event)) if is_more(&event) && place.start <= self.limit => {
                    (self.events, end) = (ahead, place.end);
                }
                _ => break,
            }
        }
        let text = &self.events.text()[place.start..end];
        self.annotate(text);
        if goal::named(text).is_none() && !self.remarks.has(|kind| matches!(kind, Kind::Words(_))) {
            self.remarks.add(place.start, Kind::Words(quoted(text)));
        }
        Ok(())
    }

    /// The only move, a capture, where it is written as its sign and a move follows.
    fn forced(&self, sign: &str, after: Events<'_>) -> Option<Move> {
        if !matches!(&*signs::plain(sign), "x" | "X" | ":") {
            return None;
        }
        let legal = self.position.legal_moves();
        let [mv] = legal[..] else {
            return None;
        };
        let next = next_move(after)??;
        let fits = moves::parse(&self.position.play(mv), next).is_ok();
        (mv.is_capture() && fits).then_some(mv)
    }

    /// Where the variation ends whose parenthesis was just read.
    fn close(&self) -> Option<usize> {
        let mut depth = 1;
        let mut events = self.events;
        while let Some((place, event)) = events.next() {
            match event {
                Event::Open => depth += 1,
                Event::Close => depth -= 1,
                Event::Unclosed => return None,
                Event::Tag { .. } if events.begins_line(place.start) => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(place.start);
            }
        }
        None
    }

    /// A variation with those inside it; or a mark such as `(!)`, or a remark in parentheses. What is no line of legal
    /// moves becomes a comment: the game itself is sound, whatever its variations are.
    fn variation(&mut self, before: Events<'a>, at: usize) -> Result<(), Flaw> {
        /// Longer than a mark with some blanks.
        const LONGER: usize = 16;
        let Some(end) = self.close() else {
            self.events = before;
            return Err(Flaw::new(at, Kind::UnclosedVariation));
        };
        if end >= self.limit {
            return Err(Flaw::new(at, Kind::TooLong));
        }
        let events = self.events.up_to(end);
        let text = events.text();
        let (inside, whole) = (&text[events.at..], &self.events.text()[at..=end]);
        self.events.at = end + 1;
        let short = Some(inside.trim())
            .filter(|_| inside.len() < LONGER)
            .unwrap_or_default();
        if Annotated::mark(&signs::plain(short)).is_some() {
            self.mark(short);
            return Ok(());
        }
        if let Some(mv) = self.forced(short, self.events) {
            self.push(mv);
            return Ok(());
        }
        if self.continues(events) {
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

    /// A line inside this one, behind so many of its moves.
    fn inner<'b>(&self, events: Events<'b>, start: Position, moves: usize) -> Line<'b> {
        Line {
            depth: self.depth + 1,
            plies: self.plies + moves,
            ..Line::new(events, start, self.limit)
        }
    }

    /// Moves in parentheses that only the side to move can play are no variation, but the line itself: compositions
    /// write Black's moves so. Where the next move does not fit behind them, they are none of it.
    fn continues(&mut self, inside: Events<'_>) -> bool {
        let first = { inside }
            .map(|(_, event)| event)
            .find(|event| !matches!(event, Event::MoveNumber(_)));
        let Some(Event::Move(text)) = first else {
            return false;
        };
        let is_next = |position: &Position| moves::parse(position, text).is_ok();
        if self.depth >= MAX_DEPTH
            || !self.moves.is_empty() && is_next(&self.before)
            || !is_next(&self.position)
        {
            return false;
        }
        let mut line = self.inner(inside, self.position, self.moves.len());
        let is_line = line.read().is_ok_and(|outcome| outcome.is_none()) && line.remarks.is_empty();
        let fits = match next_move(self.events) {
            Some(Some(next)) => moves::parse(&line.position, next).is_ok(),
            Some(None) => true,
            None => false,
        };
        if !is_line || !fits || self.moves.is_empty() && line.moves.len() > 1 {
            return false;
        }
        self.annotate(&line.comment.unwrap_or_default());
        self.moves.append(&mut line.moves);
        (self.before, self.position) = (line.before, line.position);
        true
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

    fn read_move(&mut self, at: usize, written: &str) -> Result<(), Flaw> {
        if self.depth == 0 && self.moves.len() == MOST_PLIES {
            return Err(Flaw::new(at, Kind::TooManyPlies));
        }
        let mut text = signs::plain(written).into_owned();
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
            Some(Event::Move(text)) if depth == 0 => return Some(Some(text)),
            _ => {}
        }
    }
    None
}

/// Text with comments as the text of one comment: braces around the lines that a semicolon begins, so that they end
/// where they did.
fn as_comment(mut text: &str) -> String {
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
