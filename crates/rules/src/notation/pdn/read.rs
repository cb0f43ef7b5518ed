//! The reader.

use super::error::{Flaw, Remarks};
use super::line::{self, Line};
use super::scan::{Places, Scanner, decode};
use super::skip::Skip;
use super::{Game, LONGEST, Outcome, PdnError, PdnErrorKind as Kind, Unread};
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

/// The game that a `GameType` names, if it is another than international draughts: by its number, or by the width and
/// height of the board, the third and fourth of its parts.
fn other_type(game_type: &str) -> Option<String> {
    let mut parts = game_type.split(',').map(str::trim);
    let number = parts.next().unwrap_or_default();
    let digits = number.split(|c: char| !c.is_ascii_digit()).next();
    let digits = digits.filter(|digits| !digits.is_empty())?;
    match digits.parse() {
        Ok(20) => {
            let (width, height) = (parts.nth(1)?, parts.next()?);
            let other = (width, height) != ("10", "10");
            other.then(|| {
                format!(
                    "draughts on {} by {} squares",
                    excerpt(width),
                    excerpt(height)
                )
            })
        }
        Ok(number) => {
            let named = OTHER_TYPES.iter().find(|(known, _)| *known == number);
            Some(named.map_or(format!("type {number}"), |(_, name)| (*name).to_owned()))
        }
        Err(_) => Some(format!("type {}", excerpt(digits))),
    }
}

/// The game that a variant's name stands for, if it is another.
fn other_variant(name: &str) -> Option<String> {
    let name = name.trim().to_lowercase();
    let first = name.split([' ', '(']).next().unwrap_or_default();
    OTHER_VARIANTS.contains(&first).then(|| first.to_owned())
}

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
        let end = self.scan.end();
        loop {
            let found = next_game(self.scan, end)?;
            self.scan.at = found.end();
            let read = match found {
                Found::Nothing { .. } => continue,
                Found::Game { game, remarks, .. } => {
                    self.number += 1;
                    let unread = remarks.located(|flaw| self.locate(flaw));
                    Ok(Game { unread, ..game })
                }
                Found::Flaw(damage) => {
                    self.number += 1;
                    Err(self.locate(damage.flaw))
                }
            };
            return Some(read);
        }
    }
}

/// What stands at a place of a file.
pub(super) enum Found {
    /// A terminator or a comment without a game.
    Nothing {
        end: usize,
    },
    Game {
        game: Game,
        remarks: Remarks,
        /// Where it ends.
        end: usize,
    },
    Flaw(Damage),
}

/// A game that cannot be read to its end.
pub(super) struct Damage {
    pub flaw: Flaw,
    /// The game up to there.
    pub sound: Option<Game>,
    pub remarks: Remarks,
    /// Where its moves begin.
    pub moves_at: usize,
    /// Where the next game begins.
    pub end: usize,
}

impl Found {
    pub fn end(&self) -> usize {
        match self {
            Found::Nothing { end } | Found::Game { end, .. } => *end,
            Found::Flaw(damage) => damage.end,
        }
    }
}

/// What comes next, and where it ends. None at the end. The end of a damaged game is looked for up to `until`.
pub(super) fn next_game(mut scan: Scanner<'_>, until: usize) -> Option<Found> {
    scan.skip_space();
    if scan.is_end() {
        return None;
    }
    let mut reader = Reader::new(scan);
    let read = reader.game();
    if read.is_err() && !Skip::default().go(&mut reader.scan, until) {
        // It is not there; perhaps it comes later.
        reader.scan.at = scan.end();
    }
    // Every game consumes something: otherwise a bug could loop forever.
    let end = reader.scan.at.max(scan.at + 1);
    let (sound, remarks) = (reader.sound.take(), std::mem::take(&mut reader.remarks));
    Some(match read {
        Ok(None) => Found::Nothing { end },
        Ok(Some(game)) => Found::Game { game, remarks, end },
        Err(flaw) => Found::Flaw(Damage {
            flaw: reader.named(flaw, scan.at, end),
            sound,
            remarks,
            moves_at: reader.moves_at,
            end,
        }),
    })
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
    /// What is no move in its variations.
    remarks: Remarks,
    /// Where the tags end.
    moves_at: usize,
    /// Where the game becomes too long.
    limit: usize,
}

impl<'a> Reader<'a> {
    fn new(scan: Scanner<'a>) -> Reader<'a> {
        Reader {
            scan,
            tags: Vec::new(),
            fen_at: scan.at,
            comment: None,
            sound: None,
            remarks: Remarks::default(),
            moves_at: scan.at,
            limit: scan.at + LONGEST,
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
        let mut line = Line::new(self.scan, start, self.limit);
        line.comment = self.comment.take();
        let read = line.read(self.tag("Result"));
        self.scan = line.scan;
        self.remarks = std::mem::take(&mut line.remarks);
        let outcome = match read {
            Ok(outcome) => outcome,
            Err(flaw) if flaw.kind == Kind::TooLong => return Err(flaw),
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
        if let Some((tag, moves)) = tagged.filter(known).zip(outcome.filter(known))
            && tag != moves
        {
            let (tag, moves) = (tag.text(), moves.text());
            self.remarks
                .add(line.ended_at, Kind::Results { tag, moves });
        }
        Game {
            result: tagged.filter(known).or(outcome).unwrap_or_default(),
            tags: std::mem::take(&mut self.tags),
            start: line.start,
            comment: line.comment,
            moves: line.moves,
            unread: Unread::default(),
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
            // A comment without an end is looked at again, as far as it is there.
            let is_open = |flaw: &Flaw| flaw.kind == Kind::UnclosedComment;
            if !read.as_ref().is_err_and(is_open) {
                self.moves_at = self.scan.at;
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
        let game_type = self.tag("GameType").unwrap_or_default();
        let variant = self.tag("Variant").unwrap_or_default();
        let other = other_type(game_type).or_else(|| other_variant(game_type));
        match other.or_else(|| other_variant(variant)) {
            Some(name) => Err(self.flaw(self.scan.at, Kind::Variant(name))),
            None => Ok(()),
        }
    }
}
