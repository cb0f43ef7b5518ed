//! Where the games come from.

use super::batch::Task;
use super::source::{Item, Source};
use crate::cli::shared_args::EncodingArgs;
use crate::cli::{Failure, error};
use damier::notation::moves::{self, SIGNS};
use damier::notation::pdn::Game;
use damier::notation::signs;
use damier::terminal::analyze::read_position;
use damier::text::Utf8Reader;
use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// The name of a position that is given by itself.
const POSITION: &str = "the position";

/// Reads game after game out of all that is given.
pub(super) struct GameInput {
    sources: std::vec::IntoIter<Source>,
    now: Option<Source>,
    /// Whether games without a move are returned.
    takes_positions: bool,
    /// Whether games of tags alone are returned and unreadable variations noted.
    takes_all: bool,
    /// What could not be read of the sources before, not yet given.
    damages: VecDeque<String>,
    /// Games so far, in all sources.
    number: u64,
    /// Games before the present source.
    number_before: u64,
    /// Bytes of the sources before the present one.
    before: u64,
    /// All bytes, where they are known.
    pub total: u64,
    /// What was given.
    pub inputs: Vec<String>,
    /// Names of the files.
    pub files: Vec<String>,
    /// Bytes of each.
    pub lengths: Vec<u64>,
}

/// A game, or why it is left out.
pub(super) enum Next {
    Task(Task),
    /// Number of the game left out, and why.
    Left(u64, String),
    /// Something to say of the input.
    Note(String),
    /// No game follows, because the input cannot be read.
    Broken(String),
    End,
}

impl GameInput {
    /// Opens everything. `line`: the moves from a position that is given as FEN.
    pub fn open(
        inputs: &[String],
        line: Option<&str>,
        text: EncodingArgs,
    ) -> Result<GameInput, Failure> {
        let mut sources = Vec::new();
        let mut names = Vec::new();
        for input in inputs {
            sources.push(open(input, line, text)?);
            if is_there(input) {
                names.push(input.clone());
            }
        }
        if line.is_some() && sources.iter().all(|source| source.name != POSITION) {
            let message = "--moves continue a position given as FEN, and none is given";
            return Err(Failure::Usage(message.to_owned()));
        }
        let lengths: Vec<u64> = sources.iter().map(|source| source.length).collect();
        Ok(GameInput {
            total: lengths.iter().sum(),
            sources: sources.into_iter(),
            now: None,
            takes_positions: false,
            takes_all: false,
            damages: VecDeque::new(),
            number: 0,
            number_before: 0,
            before: 0,
            inputs: inputs.to_vec(),
            files: names,
            lengths,
        })
    }

    /// Also returns games without a move.
    pub fn with_positions(self) -> GameInput {
        GameInput {
            takes_positions: true,
            ..self
        }
    }

    /// Also returns games of tags alone, with notes on variations that cannot be read.
    pub fn with_all(self) -> GameInput {
        GameInput {
            takes_all: true,
            ..self
        }
    }

    /// Whether no game was in all that was read.
    pub fn is_empty(&self) -> bool {
        self.number == 0
    }

    /// Bytes read.
    pub fn position(&self) -> u64 {
        self.before + self.now.as_ref().map_or(0, Source::position)
    }

    /// The next game.
    pub fn next(&mut self) -> Next {
        loop {
            if let Some(damage) = self.damages.pop_front() {
                return Next::Left(self.number.max(1), damage);
            }
            let Some(source) = &mut self.now else {
                self.now = self.sources.next();
                match self.now {
                    Some(_) => continue,
                    None => return Next::End,
                }
            };
            if let Some(note) = source.encoding_note() {
                return Next::Note(note);
            }
            if let Some(format) = source.other_format {
                self.damages.push_back(format!("{}: {format}", source.name));
                self.before += source.length;
                self.now = None;
                continue;
            }
            if source.has_positions() && !self.takes_positions {
                let problem = format!("{}: holds positions, not games", source.name);
                return Next::Broken(problem);
            }
            match source.next() {
                Err(problem) => return Next::Broken(problem),
                Ok(None) => {
                    self.damages.extend(source.damages());
                    if self.number == self.number_before && self.damages.is_empty() {
                        let wanted = source.holds(self.takes_positions);
                        self.damages
                            .push_back(format!("{}: no {wanted} in it", source.name));
                    }
                    self.number_before = self.number;
                    self.before += source.length;
                    self.now = None;
                }
                Ok(Some(Item::Game(game))) => {
                    self.number += 1;
                    // One of tags alone, as of a result by forfeit, has nothing to search.
                    if self.takes_all || self.takes_positions || !game.moves.is_empty() {
                        return self.sound(game, None);
                    }
                }
                Ok(Some(Item::Damaged(sound, problem))) => {
                    self.number += 1;
                    return match sound {
                        // Headers and text alone stay where all of the file does.
                        Some(game) if self.takes_all || !game.moves.is_empty() => {
                            self.sound(*game, Some(problem))
                        }
                        _ => {
                            let message = format!("{}: {problem}; left out", self.name());
                            Next::Left(self.number, message)
                        }
                    };
                }
            }
        }
    }

    fn sound(&self, game: Game, problem: Option<String>) -> Next {
        if game.moves.is_empty() && !self.takes_positions && self.name() == POSITION {
            let message = "the position has no moves: add them with --moves, or use damier analyze";
            return Next::Left(self.number, message.to_owned());
        }
        let note = match (self.takes_all, game.unread.outside_variations()) {
            (true, _) if game.unread.count > 0 => Some(game.unread.to_string()),
            (_, place) => place.map(ToString::to_string),
        };
        Next::Task(Task {
            number: self.number,
            checksum: self.now.as_ref().map_or(0, |source| source.checksum),
            end: self.position(),
            note: note.map(|note| format!("{}: {note}", self.file())),
            game,
            problem: problem.map(|problem| format!("{}: {problem}", self.file())),
        })
    }

    fn name(&self) -> &str {
        self.now.as_ref().map_or("", |source| &source.name)
    }

    /// The last part of the name: all that stands in what is published.
    fn file(&self) -> &str {
        let file = Path::new(self.name()).file_name();
        file.and_then(|file| file.to_str()).unwrap_or(self.name())
    }

    /// What stands before it: where the file is.
    pub fn folder(&self) -> &str {
        let folder = self.name().strip_suffix(self.file());
        folder.unwrap_or_default()
    }
}

/// Whether there is something of this name, even if it cannot be opened, such as a link that leads nowhere.
pub(super) fn is_there(name: &str) -> bool {
    let found = Path::new(name).symlink_metadata();
    found.map_or_else(
        |problem| problem.kind() == io::ErrorKind::PermissionDenied,
        |_| true,
    )
}

/// Opens a file, stdin, a position with moves, or moves.
fn open(input: &str, line: Option<&str>, text: EncodingArgs) -> Result<Source, Failure> {
    let from_text = |name: &str, given: String| {
        let length = given.len() as u64;
        let bytes: Box<dyn Read + Send> = Box::new(Cursor::new(given.into_bytes()));
        Ok(Source::new(
            name,
            Utf8Reader::new(bytes, None),
            length,
            text,
        )?)
    };
    if input == "-" {
        let bytes: Box<dyn Read + Send> = Box::new(io::stdin());
        // Who writes may wait for the answer to a line.
        let bytes = Utf8Reader::new(bytes, text.encoding).at_once();
        return Ok(Source::new("stdin", bytes, 0, text)?);
    }
    if !is_there(input) {
        let read = read_position(input);
        let is_fen = input.starts_with(|c: char| "WBwb".contains(c)) && input.contains(':');
        if is_fen && let Err(problem) = &read {
            return Err(error(problem));
        }
        if let Ok(position) = read {
            let mut game = Game::new(position);
            let moves = moves::parse_line(&position, line.unwrap_or_default()).map_err(error)?;
            game.moves = moves.into_iter().map(Into::into).collect();
            return from_text(POSITION, game.to_string());
        }
        if are_moves(input) {
            return from_text("the moves", input.to_owned());
        }
    }
    Source::open(input, text)
}

/// Whether a text is moves and no name of a file: several words, or one of digits and signs alone. Words of four digits
/// are moves where all are digits.
fn are_moves(text: &str) -> bool {
    let text = &*signs::plain(text);
    let is_digit = |c: char| c.is_ascii_digit();
    let is_plain = |c: char| is_digit(c) || SIGNS.contains(&c) || matches!(c, ',' | '.');
    let has_several = text.split_whitespace().count() > 1;
    let is_line = has_several || text.chars().all(is_plain);
    let four = |word: &str| word.len() == 4 && word.chars().all(is_digit);
    let are_digits = has_several && text.split_whitespace().all(four);
    is_line && (text.contains(SIGNS) || are_digits) && text.starts_with(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_from_names_of_files() {
        for moves in [
            "1. 32-28 19-23",
            "32-28",
            "32-28,19-23",
            "32x23:4, {a}",
            "32\u{2212}28",
            "3228 1923",
        ] {
            assert!(are_moves(moves), "{moves}");
        }
        for name in [
            "2024-05-01.pdn",
            "32-28.txt",
            "games.pdn",
            "1",
            "12.5",
            "2024",
            "2024 games",
            "a b-c",
            "/32-28",
        ] {
            assert!(!are_moves(name), "{name}");
        }
    }
}
