//! What a file of games or positions holds, whatever its format.

use crate::cli::files::other_format;
use crate::cli::shared_args::EncodingArgs;
use crate::cli::{Failure, error, open_input};
use damier::notation::fen;
use damier::notation::pdn::{Damaged, Game, Outcome, PdnErrorKind, Stream};
use damier::notation::positions::{self, Positions};
use damier::terminal::input::read_line;
use damier::text::{DetectedEncoding, Encoding, Utf8Reader};
use damier::training::dataset::{self, GameRecord, Order};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// An input of any length.
type Bytes = Utf8Reader<Box<dyn Read + Send>>;

/// One input.
pub(super) struct Source {
    pub name: String,
    format: Format,
    /// Bytes; 0 where that is not known.
    pub length: u64,
    /// CRC-32 of the text of the last game, or of what a game that is no text says as PDN.
    pub checksum: u32,
    text: EncodingArgs,
    encoding: DetectedEncoding,
    is_encoding_told: bool,
    /// Why it holds neither games as PDN nor positions.
    pub other_format: Option<&'static str>,
}

enum Format {
    /// Games as text.
    Pdn(Box<Stream<Box<dyn BufRead + Send>>>),
    /// Positions, one a line or as pictures.
    Positions(Lines, InputPosition),
    /// Games that selfplay wrote.
    Records(Box<dataset::StoredGames>, dataset::Reader, InputPosition),
}

/// The lines of an input of positions.
struct Lines {
    input: Box<dyn BufRead + Send>,
    positions: Positions,
    /// Positions not yet given, each with the number of its first line.
    whole: VecDeque<(usize, String)>,
}

/// How far an input was read.
#[derive(Default)]
struct InputPosition {
    /// Lines, or games.
    count: u64,
    bytes: u64,
}

/// A game of an input.
pub(super) enum Item {
    Game(Game),
    /// A damaged game: the part read, if usable, and the error without the name of the input.
    Damaged(Option<Box<Game>>, String),
}

impl Source {
    /// What comes from here, named so in messages.
    pub fn new(name: &str, input: Bytes, length: u64, text: EncodingArgs) -> io::Result<Source> {
        let encoding = input.taken();
        let mut input = BufReader::new(input);
        let head = head_of(&mut input)?;
        let begin = String::from_utf8_lossy(&head);
        let (begins, other_format) = (positions::begin(&begin), other_format(&begin));
        let input: Box<dyn BufRead + Send> = Box::new(io::Cursor::new(head).chain(input));
        let format = match begins {
            true => {
                let lines = Lines {
                    input,
                    positions: Positions::default(),
                    whole: VecDeque::new(),
                };
                Format::Positions(lines, InputPosition::default())
            }
            false => Format::Pdn(Box::new(Stream::new(input))),
        };
        Ok(Source {
            name: name.to_owned(),
            format,
            length,
            checksum: 0,
            text,
            encoding,
            is_encoding_told: false,
            other_format,
        })
    }

    /// A file.
    pub fn open(path: &str, text: EncodingArgs) -> Result<Source, Failure> {
        let fail = |problem: io::Error| error(format!("{path}: {problem}"));
        let mut file = open_input(path)?;
        let length = file.metadata().map_err(fail)?.len();
        let mut head = Vec::new();
        let magic = dataset::format::MAGIC;
        let start = (&mut file).take(magic.len() as u64);
        { start }.read_to_end(&mut head).map_err(fail)?;
        if head != magic {
            let whole: Box<dyn Read + Send> = Box::new(io::Cursor::new(head).chain(file));
            let source = Source::new(path, Utf8Reader::new(whole, text.encoding), length, text);
            return source.map_err(fail);
        }
        let reader = dataset::Reader::open(&[Path::new(path)], Order::Stored).map_err(error)?;
        let games = Box::new(reader.games());
        Ok(Source {
            name: path.to_owned(),
            format: Format::Records(games, reader, InputPosition::default()),
            length,
            checksum: 0,
            text,
            encoding: DetectedEncoding::default(),
            is_encoding_told: false,
            other_format: None,
        })
    }

    /// What there should be in it.
    pub fn holds(&self, positions: bool) -> &'static str {
        match self.format {
            Format::Positions(..) => "position",
            _ if positions => "game or position",
            _ => "game",
        }
    }

    /// Which encoding the text is in: said once, where it is not UTF-8 and was not given.
    pub fn encoding_note(&mut self) -> Option<String> {
        let note = self.text.note(&self.name, self.encoding.get());
        let note = note.filter(|_| !self.is_encoding_told)?;
        self.is_encoding_told = true;
        Some(note)
    }

    /// Whether it is a file of positions.
    pub fn has_positions(&self) -> bool {
        matches!(self.format, Format::Positions(..))
    }

    /// Bytes read.
    pub fn position(&self) -> u64 {
        let bytes = match &self.format {
            Format::Pdn(stream) => stream.position(),
            Format::Positions(_, place) => place.bytes,
            Format::Records(_, reader, place) => {
                let share = place.count as f64 / reader.games_stored().max(1) as f64;
                (self.length as f64 * share) as u64
            }
        };
        // Text may have more bytes than the input, in another encoding.
        match self.length {
            0 => bytes,
            length => bytes.min(length),
        }
    }

    /// Parts that could not be read at all, so far.
    pub fn damages(&self) -> Vec<String> {
        match &self.format {
            Format::Records(_, reader, _) => {
                let damages = reader.damages();
                damages.iter().map(ToString::to_string).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The next game; none at the end.
    pub fn next(&mut self) -> Result<Option<Item>, String> {
        let name = &self.name;
        let broken = |problem: io::Error| format!("{name}: {problem}");
        let encoding = &self.encoding;
        match &mut self.format {
            Format::Pdn(stream) => {
                let read = stream.next_game().map_err(broken)?;
                self.checksum = checksum(stream.text(), encoding.get());
                Ok(read.map(|read| match read {
                    Ok(game) => Item::Game(game),
                    Err(damaged) => damaged_item(damaged),
                }))
            }
            Format::Positions(lines, place) => loop {
                let Some((line, text)) = lines.whole.pop_front() else {
                    let Some(line) = read_line(&mut lines.input).map_err(broken)? else {
                        lines.whole.extend(lines.positions.end());
                        match lines.whole.is_empty() {
                            true => return Ok(None),
                            false => continue,
                        }
                    };
                    place.bytes += line.len() as u64 + 1;
                    lines.whole.extend(lines.positions.line(&line));
                    continue;
                };
                self.checksum = checksum(&text, encoding.get());
                return Ok(Some(match fen::parse_with_fields(&text) {
                    Ok((position, _)) => Item::Game(Game::new(position)),
                    Err(problem) => Item::Damaged(None, format!("line {line}: {problem}")),
                }));
            },
            Format::Records(games, _, place) => {
                place.count += 1;
                let Some(record) = games.next() else {
                    return Ok(None);
                };
                let game = game_of(&record);
                self.checksum = crc32fast::hash(game.to_string().as_bytes());
                Ok(Some(Item::Game(game)))
            }
        }
    }
}

/// As much of the beginning as says whether it is positions: who writes it may wait for an answer to its first line.
fn head_of(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    /// More than blank lines and comments take.
    const MOST: usize = 1 << 16;
    let mut head = Vec::new();
    while head.len() < MOST && !positions::is_enough(&String::from_utf8_lossy(&head)) {
        let more = input.fill_buf()?;
        if more.is_empty() {
            break;
        }
        let length = more.len();
        head.extend_from_slice(more);
        input.consume(length);
    }
    Ok(head)
}

/// CRC-32 of a text as its file has it: journals of versions that did not decode have that.
fn checksum(text: &str, encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => crc32fast::hash(text.as_bytes()),
        _ => crc32fast::hash(&encoding.bytes_of(text)),
    }
}

fn damaged_item(damaged: Damaged) -> Item {
    let problem = damaged.error.to_string();
    let is_other = matches!(damaged.error.kind, PdnErrorKind::Variant(_));
    Item::Damaged(damaged.sound.filter(|_| !is_other), problem)
}

fn game_of(record: &GameRecord) -> Game {
    let mut game = Game::new(record.start);
    let moves = record.moves.iter().map(|played| played.mv.into());
    game.moves = moves.collect();
    game.result = match record.winner {
        Some(damier::board::Color::White) => Outcome::White,
        Some(damier::board::Color::Black) => Outcome::Black,
        None => Outcome::Draw,
    };
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_a_game_is_that_of_its_bytes() {
        let text = "[White \"Чижов\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 2-0";
        for encoding in [Encoding::Koi8R, Encoding::Cp866, Encoding::Utf8] {
            let bytes = encoding.bytes_of(text);
            let input: Box<dyn Read + Send> = Box::new(io::Cursor::new(bytes.clone()));
            let mut source = Source::new(
                "games",
                Utf8Reader::new(input, None),
                0,
                EncodingArgs::default(),
            )
            .unwrap();
            assert!(matches!(source.next(), Ok(Some(Item::Game(_)))));
            assert_eq!(source.checksum, crc32fast::hash(&bytes), "{encoding}");
            assert_eq!(source.encoding_note().is_some(), encoding != Encoding::Utf8);
            assert_eq!(source.encoding_note(), None);
        }
    }
}
