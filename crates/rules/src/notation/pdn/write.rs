//! The writer.

use super::variant::{self, Named};
use super::{Annotated, Game, Outcome};
use crate::board::Color;
use crate::notation::{fen, moves, signs};
use crate::rules::{Move, Position};
use std::fmt::{self, Formatter};
use std::io;

/// Longest line of moves, in characters; a word longer than that has a line of its own.
const WIDTH: usize = 80;
/// The `GameType` of international draughts: white begins, 10 by 10, numbers from the top left, no square in the
/// corner.
const GAME_TYPE: &str = "20,W,10,10,N2,0";
/// Tags that follow from the game, and are written last.
const DERIVED: [&str; 4] = ["Result", "GameType", "FEN", "SetUp"];
/// What pydraughts takes for the end of a game, even in a comment, between blanks, bars and brackets.
const ENDS: [&str; 8] = ["1-0", "1/2-1/2", "0-1", "2-0", "1-1", "0-2", "0-0", "*"];

/// The game as PDN, with an empty line behind it.
///
/// Comments are changed a little where other readers would fail: parentheses for braces, no line ends, brackets for a
/// parenthesis without its other half (but a closing one only in a variation), and a result that stands by itself is
/// put into parentheses.
impl fmt::Display for Game {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.write_tags(out)?;
        writeln!(out)?;
        let mut lines = Lines {
            out,
            column: 0,
            last: String::new(),
            opening: false,
            depth: 0,
        };
        if let Some(comment) = &self.comment {
            lines.comment(comment)?;
        }
        self.write_moves(&mut lines, self.start, 1, &self.moves)?;
        // Where the tag says what is not known, the result stands here alone.
        let end = match self.own_result() {
            Some(_) => self.result.text(),
            None => "*",
        };
        lines.word(end)?;
        lines.flush()?;
        writeln!(out, "\n")
    }
}

impl Game {
    /// Writes the game as its `Display` has it.
    ///
    /// # Errors
    /// `out` fails.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        write!(out, "{self}")
    }

    /// Writes moves from a position on, the first with this number.
    fn write_moves(
        &self,
        lines: &mut Lines<'_, '_>,
        mut position: Position,
        mut number: usize,
        moves: &[Annotated],
    ) -> fmt::Result {
        for (ply, annotated) in moves.iter().enumerate() {
            match (position.turn(), ply) {
                (Color::White, _) => lines.word(&format!("{number}."))?,
                (Color::Black, 0) => lines.word(&format!("{number}..."))?,
                // None after a comment either: pydraughts takes the second for a part of the game and spoils move 11.
                (Color::Black, _) => {}
            }
            lines.word(&self.move_text(&position, annotated.mv))?;
            for nag in &annotated.nags {
                lines.word(&format!("${nag}"))?;
            }
            if let Some(comment) = &annotated.comment {
                lines.comment(comment)?;
            }
            for variation in &annotated.variations {
                lines.open();
                if let Some(comment) = &variation.comment {
                    lines.comment(comment)?;
                }
                self.write_moves(lines, position, number, &variation.moves)?;
                lines.close();
            }
            number += usize::from(position.turn() == Color::Black);
            position = position.play(annotated.mv);
        }
        Ok(())
    }

    /// A move as [`moves::with_path`] writes it. In a drawn game a king's `1-12` and `1-18` get a leading zero, against
    /// the standard: py-draughts takes their `1-1` for the result and drops the rest of the game.
    fn move_text(&self, position: &Position, mv: Move) -> String {
        let text = moves::with_path(position, mv);
        match self.result {
            Outcome::Draw if text.starts_with(Outcome::Draw.text()) => format!("0{text}"),
            _ => text,
        }
    }

    /// What the `Result` tag says where that is not known, such as `12-8` or `1+ - 1-`.
    fn own_result(&self) -> Option<&str> {
        self.tag("Result").filter(|text| Outcome::is_unknown(text))
    }

    fn write_tags(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let is_derived = |name: &str| DERIVED.iter().any(|known| known.eq_ignore_ascii_case(name));
        for (name, value) in self.tags.iter().filter(|(name, _)| !is_derived(name)) {
            write_tag(out, name, value)?;
        }
        let result = self.own_result().unwrap_or(self.result.text());
        write_tag(out, "Result", result)?;
        let own_type = self.tag("GameType").map(|own| (own, variant::of_type(own)));
        let game_type =
            own_type.filter(|(own, named)| !own.trim().is_empty() && *named == Named::Unknown);
        write_tag(out, "GameType", game_type.map_or(GAME_TYPE, |(own, _)| own))?;
        match self
            .tag("FEN")
            .filter(|text| self.moves.is_empty() && fen::parse(text).is_err())
        {
            // What is no position stays.
            Some(text) if !text.trim().is_empty() => write_tag(out, "FEN", text),
            _ if self.start != Position::start() => {
                write_tag(out, "FEN", &fen::format(&self.start))
            }
            _ => Ok(()),
        }
    }
}

/// `[Name "value"]`. The name is reduced to letters, digits and `_`, the first a capital.
fn write_tag(out: &mut Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let plain = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    let mut name: String = name.chars().filter(plain).collect();
    match name.get_mut(..1) {
        Some(first) if first.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            first.make_ascii_uppercase();
        }
        _ => return Ok(()),
    }
    let value: String = value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    write!(out, "[{name} \"")?;
    for (at, c) in value.char_indices() {
        match c {
            '\\' | '"' => write!(out, "\\{c}")?,
            // What would be read as another character.
            '&' if signs::entity(&value[at..]).is_some() => write!(out, "&amp;")?,
            c => write!(out, "{c}")?,
        }
    }
    writeln!(out, "\"]")
}

/// Words with spaces or line ends between them.
struct Lines<'a, 'f> {
    out: &'a mut Formatter<'f>,
    /// Characters in the line so far, without the last word.
    column: usize,
    /// The last word, to which a parenthesis may be added.
    last: String,
    /// Whether a variation begins with the next word.
    opening: bool,
    /// Variations around the next word.
    depth: usize,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        self.flush()?;
        let opening = std::mem::take(&mut self.opening);
        self.last = format!("{}{word}", if opening { "(" } else { "" });
        Ok(())
    }

    /// Begins a variation.
    fn open(&mut self) {
        self.opening = true;
        self.depth += 1;
    }

    /// Ends a variation.
    fn close(&mut self) {
        self.depth -= 1;
        self.last.push(')');
    }

    fn flush(&mut self) -> fmt::Result {
        let word = std::mem::take(&mut self.last);
        if word.is_empty() {
            return Ok(());
        }
        let width = word.chars().count();
        // A bracket at the beginning of a line would look like a tag.
        let fits = self.column + 1 + width <= WIDTH || word.starts_with('[');
        if self.column == 0 {
            self.column = width;
        } else if fits {
            self.column += 1 + width;
            write!(self.out, " ")?;
        } else {
            self.column = width;
            writeln!(self.out)?;
        }
        write!(self.out, "{word}")
    }

    fn comment(&mut self, text: &str) -> fmt::Result {
        let text = harmless(text, self.depth > 0);
        if text.is_empty() {
            return Ok(());
        }
        let text = format!("{{{text}}}");
        text.split_whitespace().try_for_each(|word| self.word(word))
    }
}

/// A comment without what a reader would mistake for something else.
///
/// pydraughts drops what is between parentheses before it looks for comments. One that is opened and not closed would
/// take the moves behind the comment with it; one that is closed and not opened would end the variation around it.
fn harmless(text: &str, in_variation: bool) -> String {
    let plain = |c: char| match c {
        '{' => '(',
        '}' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    let mut chars: Vec<char> = text.chars().map(plain).collect();
    let mut open = Vec::new();
    for (at, c) in chars.iter_mut().enumerate() {
        match *c {
            '(' => open.push(at),
            ')' if open.pop().is_none() && in_variation => *c = ']',
            _ => {}
        }
    }
    for at in open {
        chars[at] = '[';
    }
    let text: String = chars.into_iter().collect();
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    for word in &mut words {
        guard_ends(word);
    }
    words.join(" ")
}

/// Puts results that stand between the ends of the word, bars and brackets into parentheses.
fn guard_ends(word: &mut String) {
    let parts: Vec<String> = word
        .split_inclusive(['|', '[', ']'])
        .map(|part| {
            let plain = part.trim_end_matches(['|', '[', ']']);
            match ENDS.contains(&plain) {
                true => format!("({plain}){}", &part[plain.len()..]),
                false => part.to_owned(),
            }
        })
        .collect();
    *word = parts.concat();
}
