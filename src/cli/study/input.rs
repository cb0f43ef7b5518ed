//! Where the games come from.

use super::source::{Item, Source};
use crate::cli::{Failure, error};
use damier::analysis::batch::Task;
use damier::notation::moves;
use damier::notation::pdn::Game;
use damier::terminal::analyze::read_position;
use std::collections::VecDeque;
use std::io::{self, Cursor};
use std::path::Path;

/// Reads game after game out of all that is given.
pub(super) struct Games {
    sources: std::vec::IntoIter<Source>,
    now: Option<Source>,
    /// Whether games without a move are of use.
    takes_positions: bool,
    /// What could not be read of the sources before, not yet given.
    damages: VecDeque<String>,
    /// Games so far, in all sources.
    number: u64,
    /// Bytes of the sources before the present one.
    before: u64,
    /// All bytes, where they are known.
    pub total: u64,
    /// Names of the files.
    pub files: Vec<String>,
    /// Bytes of each.
    pub lengths: Vec<u64>,
}

/// A game, or why it is left out.
pub(super) enum Next {
    Task(Task),
    /// Its number, and a message.
    Left(u64, String),
    /// No game follows, because the input cannot be read.
    Broken(String),
    End,
}

impl Games {
    /// Opens everything. `line`: the moves from a position that is given as FEN.
    pub fn open(inputs: &[String], line: Option<&str>) -> Result<Games, Failure> {
        let mut sources = Vec::new();
        let mut names = Vec::new();
        for input in inputs {
            sources.push(open(input, line)?);
            if Path::new(input).exists() {
                names.push(input.clone());
            }
        }
        let lengths: Vec<u64> = sources.iter().map(|source| source.length).collect();
        Ok(Games {
            total: lengths.iter().sum(),
            sources: sources.into_iter(),
            now: None,
            takes_positions: false,
            damages: VecDeque::new(),
            number: 0,
            before: 0,
            files: names,
            lengths,
        })
    }

    /// The same; games without a move are not left out.
    pub fn with_positions(self) -> Games {
        Games {
            takes_positions: true,
            ..self
        }
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
            match source.next() {
                Err(problem) => return Next::Broken(problem),
                Ok(None) => {
                    self.damages.extend(source.damages());
                    self.before += source.length;
                    self.now = None;
                }
                Ok(Some(Item::Game(game))) => {
                    self.number += 1;
                    return self.sound(game, None);
                }
                Ok(Some(Item::Damaged(sound, problem))) => {
                    self.number += 1;
                    return match sound {
                        Some(game) => self.sound(*game, Some(problem)),
                        None => Next::Left(self.number, format!("{problem}; left out")),
                    };
                }
            }
        }
    }

    fn sound(&self, game: Game, problem: Option<String>) -> Next {
        if game.moves.is_empty() && !self.takes_positions {
            let message = match problem {
                Some(problem) => problem,
                None => format!("{}: game {} has no move", self.name(), self.number),
            };
            return Next::Left(self.number, format!("{message}; left out"));
        }
        Next::Task(Task {
            number: self.number,
            game,
            problem,
        })
    }

    fn name(&self) -> &str {
        self.now.as_ref().map_or("", |source| &source.name)
    }
}

/// Opens a file, stdin, a position with moves, or moves.
fn open(input: &str, line: Option<&str>) -> Result<Source, Failure> {
    let from_text = |name: &str, text: String| {
        let length = text.len() as u64;
        Ok(Source::new(
            name,
            Box::new(Cursor::new(text.into_bytes())),
            length,
        )?)
    };
    if input == "-" {
        return Ok(Source::new("stdin", Box::new(io::stdin()), 0)?);
    }
    if !Path::new(input).exists() {
        let read = read_position(input);
        let is_fen = input.starts_with(|c: char| "WBwb".contains(c)) && input.contains(':');
        if is_fen && let Err(problem) = &read {
            return Err(error(problem));
        }
        if let Ok(position) = read {
            let mut game = Game::new(position);
            let moves = moves::parse_line(&position, line.unwrap_or_default()).map_err(error)?;
            game.moves = moves.into_iter().map(Into::into).collect();
            let mut text = Vec::new();
            game.write(&mut text)?;
            let text = String::from_utf8_lossy(&text).into_owned();
            return from_text("the position", text);
        }
        let is_moves =
            input.contains(['-', 'x', ':']) && input.starts_with(|c: char| c.is_ascii_digit());
        if is_moves && input.split_whitespace().count() > 1 {
            return from_text("the moves", input.to_owned());
        }
    }
    Source::open(input)
}
