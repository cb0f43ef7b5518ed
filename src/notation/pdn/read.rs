//! The reader.

use super::error::Flaw;
use super::line::{self, Line};
use super::scan::{Places, Scanner, decode};
use super::{Game, Outcome, PdnError, PdnErrorKind as Kind};
use crate::notation::fen;
use crate::notation::text::excerpt;
use crate::rules::Position;

/// Numbers and names of the other games, from the `GameType` tag of PDN 3.0.
const OTHER_TYPES: [(u32, &str); 14] = [
    (0, "chess"),
    (21, "English draughts"),
    (22, "Italian draughts"),
    (23, "pool checkers"),
    (24, "Spanish draughts"),
    (25, "Russian draughts"),
    (26, "Brazilian draughts"),
    (27, "Canadian draughts"),
    (28, "Portuguese draughts"),
    (29, "Czech draughts"),
    (30, "Turkish draughts"),
    (31, "Thai draughts"),
    (40, "Frisian draughts"),
    (41, "Spantsiretti"),
];

/// Values of the `Variant` tag that lidraughts and py-draughts write for other games, some of them of game type 20.
const OTHER_VARIANTS: [&str; 19] = [
    "frisian",
    "frysk!",
    "frysk",
    "antidraughts",
    "losing",
    "suicide",
    "giveaway",
    "breakthrough",
    "killer",
    "russian",
    "brazilian",
    "american",
    "english",
    "italian",
    "spanish",
    "czech",
    "turkish",
    "canadian",
    "pool",
];
/// Most tags of a game. They are searched one after the other.
const MOST_TAGS: usize = 1_000;

/// The games of a file, one after the other.
pub fn read(bytes: &[u8]) -> Games<'_> {
    Games {
        scan: Scanner::new(bytes),
        places: Places::new(bytes),
        number: 0,
    }
}

/// Reads game after game, see [`read`]. After an error it goes on with the next game.
pub struct Games<'a> {
    scan: Scanner<'a>,
    places: Places<'a>,
    number: usize,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PdnError>;

    fn next(&mut self) -> Option<Result<Game, PdnError>> {
        let found = next_game(self.scan)?;
        self.scan.at = found.end();
        self.number += 1;
        Some(match found {
            Found::Game { game, .. } => Ok(game),
            Found::Flaw { flaw, .. } => Err(self.locate(flaw)),
        })
    }
}

/// What stands at a place of a file.
pub(super) enum Found {
    Game {
        game: Game,
        /// Where it ends.
        end: usize,
    },
    Flaw {
        flaw: Flaw,
        /// The game up to there.
        sound: Option<Game>,
        end: usize,
    },
}

impl Found {
    pub fn end(&self) -> usize {
        match self {
            Found::Game { end, .. } | Found::Flaw { end, .. } => *end,
        }
    }
}

/// The next game, and where it ends. None where no game follows.
pub(super) fn next_game(mut scan: Scanner<'_>) -> Option<Found> {
    loop {
        scan.skip_space();
        if scan.is_end() {
            return None;
        }
        let mut reader = Reader::new(scan);
        let read = reader.game();
        if read.is_err() {
            reader.scan.skip_damaged();
        }
        // Every game consumes something: otherwise a bug could loop forever.
        let end = reader.scan.at.max(scan.at + 1);
        match read {
            Ok(None) => scan.at = end,
            Ok(Some(game)) => return Some(Found::Game { game, end }),
            Err(flaw) => {
                let flaw = reader.named(flaw, scan.at, end);
                let sound = reader.sound.take();
                return Some(Found::Flaw { flaw, sound, end });
            }
        }
    }
}

impl Games<'_> {
    /// Up to which byte of the file games were read: between two games, where the last one ends.
    pub fn offset(&self) -> usize {
        self.scan.at
    }

    fn locate(&mut self, flaw: Flaw) -> PdnError {
        let (line, column) = self.places.find(flaw.at);
        PdnError {
            game: self.number,
            line,
            column,
            kind: flaw.kind,
        }
    }
}

/// Reads one game.
struct Reader<'a> {
    scan: Scanner<'a>,
    tags: Vec<(String, String)>,
    /// Where the value of the `FEN` tag stands.
    fen_at: usize,
    /// The comment between the tags and the moves.
    comment: Option<String>,
    /// What was read of a game that is damaged.
    sound: Option<Game>,
}

impl<'a> Reader<'a> {
    fn new(scan: Scanner<'a>) -> Reader<'a> {
        Reader {
            scan,
            tags: Vec::new(),
            fen_at: scan.at,
            comment: None,
            sound: None,
        }
    }

    /// Reads a game; none where there is only a terminator or a comment.
    fn game(&mut self) -> Result<Option<Game>, Flaw> {
        self.header()?;
        self.check_variant()?;
        let start = match self.tag("FEN").filter(|text| !text.trim().is_empty()) {
            Some(text) => {
                fen::parse(text).map_err(|error| self.flaw(self.fen_at, Kind::Fen(error)))?
            }
            None => Position::start(),
        };
        let mut line = Line::new(self.scan, start);
        line.comment = self.comment.take();
        let read = line.read(self.tag("Result"));
        self.scan = line.scan;
        let outcome = match read {
            Ok(outcome) => outcome,
            Err(flaw) => {
                self.sound = (!line.moves.is_empty()).then(|| self.finished(line, None));
                return Err(flaw);
            }
        };
        if self.tags.is_empty() && line.moves.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.finished(line, outcome)))
    }

    /// The game with these moves, and the result that ends them.
    fn finished(&mut self, line: Line<'_>, outcome: Option<Outcome>) -> Game {
        // The tag is what PDN 3.0 goes by; a terminator may just be the end.
        let tagged = self
            .tag("Result")
            .and_then(|text| Outcome::parse(text.trim()));
        let known = |outcome: &Outcome| *outcome != Outcome::Unknown;
        Game {
            result: tagged.filter(known).or(outcome).unwrap_or_default(),
            tags: std::mem::take(&mut self.tags),
            start: line.start,
            comment: line.comment,
            moves: line.moves,
        }
    }

    /// A flaw, where the game between these places looks like one on another board by that name.
    fn named(&self, flaw: Flaw, begin: usize, end: usize) -> Flaw {
        let is_first = matches!(flaw.kind, Kind::Move { ply: 1, .. });
        if !is_first || self.tag("GameType").is_some() || self.tag("FEN").is_some() {
            return flaw;
        }
        let moves = self.scan.moves_between(begin, end);
        let is_small = moves.iter().all(|&square| (1..=32).contains(&square));
        match is_small && moves.len() >= 8 {
            true => {
                let name = "a board with 64 squares (no square above 32)".to_owned();
                Flaw::new(flaw.at, Kind::Variant(name))
            }
            false => flaw,
        }
    }

    fn flaw(&self, at: usize, kind: Kind) -> Flaw {
        Flaw::new(at, kind)
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let same = |known: &&(String, String)| known.0.eq_ignore_ascii_case(name);
        self.tags.iter().find(same).map(|(_, value)| value.as_str())
    }

    /// The tags, with comments before them. All are read, whatever is wrong with one, so that the next game is found.
    fn header(&mut self) -> Result<(), Flaw> {
        let mut first = Ok(());
        loop {
            self.scan.skip_space();
            let at = self.scan.at;
            let read = match self.scan.peek() {
                Some(b'[') if self.repeats_tag() => return first,
                Some(b'[') => self.read_tag(),
                Some(b'{' | b';' | b'%') => self.read_comment(),
                _ => return first,
            };
            if read.is_err() && self.scan.at == at {
                self.scan.take_line();
            }
            first = first.and(read);
        }
    }

    fn read_comment(&mut self) -> Result<(), Flaw> {
        let at = self.scan.at;
        let text = self.scan.take_comment();
        let text = text.ok_or_else(|| self.flaw(at, Kind::UnclosedComment))?;
        line::append(&mut self.comment, &text);
        Ok(())
    }

    /// Whether a tag comes that this game has already: then a new game begins.
    fn repeats_tag(&self) -> bool {
        let mut ahead = self.scan;
        ahead.is_tag() && self.tag(&ahead.take_tag_name()).is_some()
    }

    fn read_tag(&mut self) -> Result<(), Flaw> {
        let begin = self.scan;
        let flaw = || {
            let mut line = begin;
            let kind = Kind::Tag(excerpt(&decode(line.take_line())));
            Flaw::new(begin.at, kind)
        };
        if !self.scan.is_tag() {
            return Err(flaw());
        }
        let mut ahead = self.scan;
        let name = ahead.take_tag_name();
        let value_at = ahead.at + 1;
        let Some(value) = ahead.take_tag_value() else {
            return Err(flaw());
        };
        if name.eq_ignore_ascii_case("FEN") {
            self.fen_at = value_at;
        }
        self.scan = ahead;
        if self.tags.len() == MOST_TAGS {
            return Err(Flaw::new(begin.at, Kind::TooManyTags));
        }
        self.tags.push((name, value));
        // A comment before a tag does not belong to the moves.
        self.comment = None;
        Ok(())
    }

    fn check_variant(&self) -> Result<(), Flaw> {
        let number = self.tag("GameType").map(|text| {
            let digits = text.trim_start().split(|c: char| !c.is_ascii_digit());
            digits.map(str::parse::<u32>).next().and_then(Result::ok)
        });
        let mut other = None;
        if let Some(Some(number)) = number
            && number != 20
        {
            let named = OTHER_TYPES.iter().find(|(known, _)| *known == number);
            other = Some(named.map_or(format!("type {number}"), |(_, name)| (*name).to_owned()));
        }
        let variant = self
            .tag("Variant")
            .unwrap_or_default()
            .trim()
            .to_lowercase();
        let first = variant.split([' ', '(']).next().unwrap_or_default();
        if OTHER_VARIANTS.contains(&first) {
            other = other.or(Some(first.to_owned()));
        }
        match other {
            Some(name) => Err(self.flaw(self.scan.at, Kind::Variant(name))),
            None => Ok(()),
        }
    }
}
