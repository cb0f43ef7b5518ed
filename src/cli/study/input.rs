//! Where the games come from.

use crate::cli::{Failure, error};
use damier::analysis::batch::Task;
use damier::notation::moves;
use damier::notation::pdn::{Game, PdnErrorKind, Stream};
use damier::os::files;
use damier::terminal::analyze::read_position;
use std::io::{self, Cursor, Read};
use std::path::Path;

type Input = Stream<Box<dyn Read + Send>>;

/// What is given: a file, `-`, moves, or a position with moves.
struct Source {
    name: String,
    read: Input,
    length: u64,
}

/// Reads game after game out of all that is given.
pub(super) struct Games {
    sources: std::vec::IntoIter<Source>,
    now: Option<Source>,
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
    /// Opens everything.
    pub fn open(inputs: &[String], line: Option<&str>) -> Result<Games, Failure> {
        let mut sources = Vec::new();
        let (mut names, mut lengths) = (Vec::new(), Vec::new());
        for input in inputs {
            let (name, read, length) = open(input, line)?;
            if Path::new(input).exists() {
                names.push(input.clone());
            }
            lengths.push(length);
            let read = Stream::new(read);
            sources.push(Source { name, read, length });
        }
        Ok(Games {
            total: lengths.iter().sum(),
            sources: sources.into_iter(),
            now: None,
            number: 0,
            before: 0,
            files: names,
            lengths,
        })
    }

    /// Bytes read.
    pub fn position(&self) -> u64 {
        self.before + self.now.as_ref().map_or(0, |source| source.read.position())
    }

    /// The next game.
    pub fn next(&mut self) -> Next {
        loop {
            let Some(source) = &mut self.now else {
                self.now = self.sources.next();
                match self.now {
                    Some(_) => continue,
                    None => return Next::End,
                }
            };
            let name = source.name.clone();
            match source.read.next_game() {
                Err(problem) => return Next::Broken(format!("{name}: {problem}")),
                Ok(None) => {
                    self.before += source.length;
                    self.now = None;
                }
                Ok(Some(Ok(game))) => {
                    self.number += 1;
                    return self.sound(&name, game, None);
                }
                Ok(Some(Err(damaged))) => {
                    self.number += 1;
                    let problem = format!("{name}: {}", damaged.error);
                    let is_other = matches!(damaged.error.kind, PdnErrorKind::Variant(_));
                    return match damaged.sound.filter(|_| !is_other) {
                        Some(game) => self.sound(&name, *game, Some(problem)),
                        None => Next::Left(self.number, format!("{problem}; left out")),
                    };
                }
            }
        }
    }

    fn sound(&self, name: &str, game: Game, problem: Option<String>) -> Next {
        if game.moves.is_empty() {
            let number = self.number;
            return Next::Left(
                number,
                format!("{name}: game {number} has no move; left out"),
            );
        }
        Next::Task(Task {
            number: self.number,
            game,
            problem,
        })
    }
}

/// A name for messages, the bytes, and how many there are, where that is known.
fn open(input: &str, line: Option<&str>) -> Result<(String, Box<dyn Read + Send>, u64), Failure> {
    if input == "-" {
        return Ok(("stdin".to_owned(), Box::new(io::stdin()), 0));
    }
    let from_text = |name: &str, text: String| {
        let length = text.len() as u64;
        (
            name.to_owned(),
            Box::new(Cursor::new(text.into_bytes())) as Box<dyn Read + Send>,
            length,
        )
    };
    if !Path::new(input).exists() {
        if let Ok(position) = read_position(input) {
            let mut game = Game::new(position);
            let moves = moves::parse_line(&position, line.unwrap_or_default()).map_err(error)?;
            game.moves = moves.into_iter().map(Into::into).collect();
            let mut text = Vec::new();
            game.write(&mut text)?;
            return Ok(from_text(
                "the position",
                String::from_utf8_lossy(&text).into_owned(),
            ));
        }
        let is_moves =
            input.contains(['-', 'x', ':']) && input.starts_with(|c: char| c.is_ascii_digit());
        if is_moves && input.split_whitespace().count() > 1 {
            return Ok(from_text("the moves", input.to_owned()));
        }
    }
    let file =
        files::open_regular(input).map_err(|problem| error(format!("{input}: {problem}")))?;
    let length = file.metadata()?.len();
    Ok((input.to_owned(), Box::new(file), length))
}
