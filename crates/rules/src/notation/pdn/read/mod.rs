//! The reader.

mod header;
pub(super) mod place;
pub(super) mod skip;

use super::error::{Flaw, Remarks};
use super::events::{Event, Events, is_wrapper, start_of};
use super::line::{self, Line, prose};
use super::variant::{self, Named};
use super::{Game, LONGEST, Outcome, PdnError, PdnErrorKind as Kind, Unread, goal};
use crate::notation::text::quoted;
use crate::notation::{fen, variant as rules};
use crate::rules::Position;
use place::Places;
pub use place::decode;
use skip::Skip;

/// Most tags of a game. They are searched one after the other.
const MOST_TAGS: usize = 1_000;
/// Tags of which a game without moves has two.
const USUAL: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// The games of a text, one after the other. [`decode`](super::decode) makes a text of bytes.
pub fn read(text: &str) -> Games<'_> {
    Games {
        events: Events::new(text),
        places: Places::new(text),
        number: 0,
    }
}

/// Reads game after game, see [`read`]. After an error it goes on with the next game.
pub struct Games<'a> {
    events: Events<'a>,
    places: Places<'a>,
    number: usize,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PdnError>;

    fn next(&mut self) -> Option<Result<Game, PdnError>> {
        loop {
            let text = self.events.text();
            let found = next_game(text, self.events.at, text.len())?;
            self.events = Events::at(text, found.end());
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

/// What comes next from a place on, and where it ends. None at the end. The end of a damaged game is looked for up to
/// `until`.
pub(super) fn next_game(text: &str, at: usize, until: usize) -> Option<Found> {
    let mut events = Events::at(text, at);
    events.skip_blanks();
    let begin = events.at;
    let first = text[begin..].chars().next()?;
    let mut reader = Reader::new(events);
    let mut read = reader.game();
    if read.is_err() && !Skip::default().go(&mut reader.events, until) {
        // It is not there; perhaps it comes later.
        reader.events.at = text.len();
    }
    match &mut read {
        Ok(Some(game)) if !game.moves.is_empty() => reader.trailer(Some(game)),
        Err(flaw) => {
            let rest = flaw.at.max(reader.moves_at)..reader.events.at;
            let mut sound = reader.sound.take();
            if let Some(game) = sound.as_mut().filter(|_| rest.end <= begin + LONGEST) {
                line::append(game.last_comment(), &line::as_comment(&text[rest]));
            }
            reader.trailer(sound.as_mut());
            reader.sound = sound;
        }
        Ok(_) => {}
    }
    // Every game consumes something: otherwise a bug could loop forever.
    let end = reader.events.at.max(begin + first.len_utf8());
    let read = read.map_err(|flaw| reader.named(flaw, end));
    let (sound, remarks) = (reader.sound.take(), std::mem::take(&mut reader.remarks));
    Some(match read {
        Ok(None) => Found::Nothing { end },
        Ok(Some(game)) => Found::Game { game, remarks, end },
        Err(flaw) => Found::Flaw(Damage {
            flaw,
            sound,
            remarks,
            moves_at: reader.moves_at,
            end,
        }),
    })
}

impl Games<'_> {
    /// Up to which byte of the text games were read: between two games, where the last one ends.
    pub fn offset(&self) -> usize {
        self.events.at
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

/// The first tag by a name, in whatever letters.
pub(super) fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    let same = |known: &&(String, String)| known.0.eq_ignore_ascii_case(name);
    tags.iter().find(same).map(|(_, value)| value.as_str())
}

/// A result with words behind it, `2-0 (opgave)`, and those.
fn noted_result(text: &str) -> Option<(Outcome, &str)> {
    let end = text.find(['(', '!'])?;
    let outcome = Outcome::parse(&text[..end]).filter(|outcome| *outcome != Outcome::Unknown);
    let note = &text[end..];
    let is_note = note == "!" || note.ends_with(')') && note.contains(char::is_alphabetic);
    Some((outcome.filter(|_| is_note)?, note))
}

/// Reads one game.
struct Reader<'a> {
    events: Events<'a>,
    tags: Vec<(String, String)>,
    /// Where the value of the `FEN` tag stands.
    fen_at: usize,
    /// Words before the moves.
    title: Option<String>,
    /// The result at their end.
    title_result: Option<Outcome>,
    /// The comment between the tags and the moves.
    comment: Option<String>,
    /// What was read of a game that is damaged.
    sound: Option<Game>,
    remarks: Remarks,
    /// Where the tags end.
    moves_at: usize,
    /// Where the game becomes too long.
    limit: usize,
}

impl<'a> Reader<'a> {
    fn new(events: Events<'a>) -> Reader<'a> {
        Reader {
            events,
            tags: Vec::new(),
            fen_at: events.at,
            title: None,
            title_result: None,
            comment: None,
            sound: None,
            remarks: Remarks::default(),
            moves_at: events.at,
            limit: events.at + LONGEST,
        }
    }

    /// Reads a game; none where there is only a terminator or a comment.
    fn game(&mut self) -> Result<Option<Game>, Flaw> {
        loop {
            let begin = self.events.at;
            let read = self.next_game()?;
            // Words without a game are of the next one.
            if read.is_some() || self.title.is_none() || self.events.at == begin {
                return Ok(read);
            }
        }
    }

    fn next_game(&mut self) -> Result<Option<Game>, Flaw> {
        self.header()?;
        self.check_variant()?;
        let text = self.tag("FEN").filter(|text| !text.trim().is_empty());
        let start = text.map_or(Ok(Position::start()), fen::parse);
        let mut comment = self.title.take();
        line::append(&mut comment, &self.comment.take().unwrap_or_default());
        if let Err(error) = &start {
            // Moves that are legal from the initial position need no other.
            let mut line = Line::new(self.events, Position::start(), self.limit);
            let is_game = line.read().is_ok() && !line.moves.is_empty();
            let at = self.fen_at;
            let Some(place) = self
                .tags
                .iter()
                .position(|(name, _)| name == "FEN")
                .filter(|_| is_game)
            else {
                let mut game = Game::new(Position::start());
                (game.tags, game.comment) = (self.tags.clone(), comment);
                self.sound = Some(game);
                return Err(Flaw::new(at, Kind::Fen(error.clone())));
            };
            let (name, value) = self.tags.remove(place);
            line::append(&mut comment, &format!("[{name} {value}]"));
            self.remarks.add(at, Kind::FenInVain(error.clone()));
        }
        let mut line = Line::new(
            self.events,
            start.unwrap_or_else(|_| Position::start()),
            self.limit,
        );
        line.comment = comment;
        line.remarks = std::mem::take(&mut self.remarks);
        line.tags = std::mem::take(&mut self.tags);
        let read = line.read();
        if let Ok(Some(_)) = read {
            line.read_behind();
        }
        self.events = line.events;
        self.remarks = std::mem::take(&mut line.remarks);
        self.tags = std::mem::take(&mut line.tags);
        let outcome = match read {
            Ok(outcome) => outcome,
            Err(flaw) if flaw.kind == Kind::TooLong => return Err(flaw),
            Err(flaw) => {
                self.sound = Some(self.finished(line, None));
                return Err(flaw);
            }
        };
        if self.tags.is_empty() && line.moves.is_empty() {
            self.title = line.comment;
            return Ok(None);
        }
        Ok(Some(self.finished(line, outcome)))
    }

    /// The game with these moves, and the result that ends them.
    fn finished(&mut self, line: Line<'_>, outcome: Option<Outcome>) -> Game {
        // The tag is what PDN 3.0 goes by; a terminator may just be the end.
        let text = self.tag("Result").unwrap_or_default().trim();
        let noted = noted_result(text);
        let tagged = Outcome::parse(text)
            .or_else(|| goal::named(text))
            .or(noted.map(|(outcome, _)| outcome));
        let known = |outcome: &Outcome| *outcome != Outcome::Unknown;
        // Points that say who won although a move may look so, `4-4`.
        let shared = line.score.as_deref().and_then(Outcome::parse);
        let outcome = shared.or(outcome);
        let unknown = (Outcome::is_unknown(text) && noted.is_none()).then(|| quoted(text));
        let mut line = line;
        if let Some((_, note)) = noted.filter(|(_, note)| note.len() > 1)
            && !line
                .moves
                .last()
                .and_then(|last| last.comment.as_deref())
                .is_some_and(|known| known.contains(note))
        {
            line.annotate(note);
            line.note_words(line.ended_at, note);
            self.remarks.take_in(std::mem::take(&mut line.remarks));
        }
        if let Some((tag, moves)) = tagged.filter(known).zip(outcome.filter(known))
            && tag != moves
        {
            let (tag, moves) = (tag.text(), moves.text());
            self.remarks
                .add(line.ended_at, Kind::Results { tag, moves });
        }
        if let Some(text) = unknown {
            self.remarks.add(line.ended_at, Kind::Result(text));
        }
        if let Some(text) = line.score.filter(|_| shared.is_none()) {
            self.remarks.add(line.ended_at, Kind::Result(quoted(&text)));
            if self.tag("Result").is_none() {
                self.tags.push(("Result".to_owned(), text));
            }
        }
        Game {
            result: [tagged, outcome, self.title_result.take()]
                .into_iter()
                .flatten()
                .find(known)
                .unwrap_or_default(),
            tags: std::mem::take(&mut self.tags),
            start: line.start,
            comment: line.comment,
            moves: line.moves,
            unread: Unread::default(),
        }
    }

    /// Tags and words behind the moves, with nothing behind them: they are of this game, or of none. Those of another
    /// game without moves stay.
    fn trailer(&mut self, game: Option<&mut Game>) {
        let mut events = self.events;
        let mut tags: Vec<(usize, &str, String)> = Vec::new();
        let mut words: Option<(usize, String)> = None;
        let (mut comment, mut unclosed) = (None, None);
        let begin = events.at;
        while let Some((place, event)) = events.next() {
            match event {
                Event::Tag { name, .. }
                    if tags
                        .iter()
                        .any(|(_, known, _)| known.eq_ignore_ascii_case(name)) =>
                {
                    return;
                }
                Event::Tag { name, value, .. } if tags.len() < MOST_TAGS => {
                    tags.push((place.start, name, value))
                }
                Event::Comment(text) => line::append(&mut comment, text),
                Event::Result(_) if tags.is_empty() => {}
                Event::Unclosed(text) => {
                    line::append(&mut comment, text);
                    unclosed = Some(place.start);
                }
                Event::Word(word) if is_wrapper(word) => {}
                Event::Word(text) | Event::Mark(text) => {
                    let (_, words) = words.get_or_insert((place.start, String::new()));
                    words.push_str(text);
                    words.push(' ');
                }
                Event::Move(_) | Event::MoveNumber(_) | Event::Open | Event::Close => {
                    let text = events.text();
                    let line = prose::line_around(text, place.start);
                    if !prose::is_words(&text[line.start.max(begin)..line.end]) {
                        return;
                    }
                    let (_, words) = words.get_or_insert((place.start, String::new()));
                    words.push_str(&line::as_comment(&text[place.start..line.end]));
                    words.push(' ');
                    events.at = line.end;
                }
                _ => return,
            }
        }
        let own = |(_, name, _): &&(usize, &str, String)| {
            USUAL.iter().any(|usual| usual.eq_ignore_ascii_case(name))
        };
        let before = game.as_ref().map_or(&self.tags, |game| &game.tags);
        let is_game = tags.iter().filter(own).count() > 1 && !before.is_empty();
        if is_game || tags.is_empty() && words.is_none() && comment.is_none() {
            return;
        }
        self.events = events;
        let Some(game) = game else {
            return;
        };
        for (at, name, value) in tags {
            match tag(&game.tags, name) {
                None => game.tags.push((name.to_owned(), value)),
                Some(known) if known == value => {}
                Some(_) => {
                    self.remarks.add(at, Kind::TagTwice(quoted(name)));
                    line::append(game.last_comment(), &format!("[{name} {value}]"));
                }
            }
        }
        if let Some(at) = unclosed {
            self.remarks.add(at, Kind::UnclosedComment);
        }
        if let Some(text) = comment {
            line::append(game.last_comment(), &text);
        }
        if let Some((at, words)) = words {
            line::append(game.last_comment(), &words);
            if goal::named(&words).is_none() {
                self.remarks.add(at, Kind::Words(quoted(words.trim())));
            }
        }
        // A result by itself at the end is the game's.
        let tagged = tag(&game.tags, "Result").and_then(Outcome::parse);
        if let (Outcome::Unknown, Some(outcome)) = (game.result, tagged) {
            game.result = outcome;
        }
    }

    /// A flaw, with the name of the game where the rules of another allow the moves and no tag says that it is this
    /// one.
    fn named(&self, flaw: Flaw, end: usize) -> Flaw {
        /// Most bytes of moves that are looked at.
        const MOST: usize = 1 << 12;
        let tags = self.sound.as_ref().map_or(&self.tags, |game| &game.tags);
        let is_named = tag(tags, "GameType")
            .is_some_and(|value| variant::of_type(value) == Named::International);
        if !matches!(flaw.kind, Kind::Move { .. }) || is_named {
            return flaw;
        }
        let (start, played) = match &self.sound {
            Some(sound) => (sound.start, sound.plain_moves()),
            None => (Position::start(), Vec::new()),
        };
        let text = &self.events.text()[flaw.at..end];
        match rules::of_moves(&start, &played, start_of(text, MOST)) {
            Some(name) => Flaw::new(flaw.at, Kind::Variant(name.to_owned())),
            None => flaw,
        }
    }

    fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }
}
