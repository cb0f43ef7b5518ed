//! Games of an input of any length, in bounded memory.

use super::error::Flaw;
use super::events::Events;
use super::read::place::{Places, append_decoded};
use super::read::skip::Skip;
use super::read::{Damage, Found, next_game};
use super::{Game, LONGEST, PdnError, PdnErrorKind as Kind};
use std::io::{self, Read};
use std::ops::Range;

/// Bytes read at a time.
const CHUNK: usize = 1 << 20;
/// So many bytes behind a game must be there before its end is believed: longer than any tag that decides it.
const AHEAD: usize = 1 << 16;
/// Bytes before the next game that are kept: whether a tag begins a line is seen there.
const BEHIND: usize = 1 << 8;

/// A game that cannot be read to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Damaged {
    /// What is wrong, and where.
    pub error: PdnError,
    /// The game up to there, its tags at least where they are sound, with the rest of its text as a comment behind its
    /// last move; its result is that of its tag.
    pub sound: Option<Box<Game>>,
}

/// Reads game after game, see [`Stream::new`].
pub struct Stream<R> {
    input: R,
    buffer: String,
    /// Bytes of a character that is not all there.
    partial: Vec<u8>,
    /// Where the next game begins.
    at: usize,
    /// Where a reader is that looks for the end of a game longer than what is kept.
    skip: Option<Skip>,
    is_end: bool,
    /// Games so far.
    games: usize,
    /// Bytes read.
    read: u64,
    /// Line ends before the next game.
    lines: usize,
    /// Characters between the last of them and the next game.
    columns: usize,
    /// Where the text of the last game begins and ends.
    last: Range<usize>,
}

impl<R: Read> Stream<R> {
    /// The games of an input, one after the other; bytes that are no UTF-8 are Windows-1252. What is kept in memory
    /// does not grow with the input; line numbers count from its beginning.
    pub fn new(input: R) -> Stream<R> {
        Stream {
            input,
            buffer: String::new(),
            partial: Vec::new(),
            at: 0,
            skip: None,
            is_end: false,
            games: 0,
            read: 0,
            lines: 0,
            columns: 0,
            last: 0..0,
        }
    }

    /// The next game, after an error too; none at the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_game(&mut self) -> io::Result<Option<Result<Game, Damaged>>> {
        self.skip_on()?;
        loop {
            let mut events = Events::at(&self.buffer, self.at);
            events.skip_blanks();
            let begin = events.at;
            self.advance(begin);
            let until = self.certain_until();
            let found = next_game(&self.buffer, begin, until);
            let end = found.as_ref().map_or(begin, Found::end);
            let is_certain = found.is_some() && end <= until || self.is_end;
            if !is_certain && self.buffer.len() - begin < LONGEST + 2 * AHEAD {
                self.fill()?;
                continue;
            }
            match found {
                None => return Ok(None),
                Some(Found::Nothing { .. }) => self.advance(end),
                Some(Found::Game { game, remarks, .. }) => {
                    self.games += 1;
                    let unread = remarks.located(|flaw| self.located(flaw));
                    self.finish(end);
                    return Ok(Some(Ok(Game { unread, ..game })));
                }
                Some(Found::Flaw(damage)) => {
                    self.games += 1;
                    let damaged = match is_certain {
                        true => self.damaged(damage),
                        false => self.begun(damage),
                    };
                    return Ok(Some(Err(damaged)));
                }
            }
        }
    }

    /// Up to where it is certain what stands in the buffer.
    fn certain_until(&self) -> usize {
        match self.is_end {
            true => self.buffer.len(),
            false => self.boundary(self.buffer.len().saturating_sub(AHEAD)),
        }
    }

    /// A game that cannot be read to its end. The next one comes after it.
    fn damaged(&mut self, damage: Damage) -> Damaged {
        let unread = damage.remarks.located(|flaw| self.located(flaw));
        let error = self.located(damage.flaw);
        self.finish(damage.end);
        Damaged {
            error,
            sound: damage.sound.map(|game| Box::new(Game { unread, ..game })),
        }
    }

    /// The same with one that has more text than is kept. The rest is skipped before the next one.
    fn begun(&mut self, damage: Damage) -> Damaged {
        let mut events = Events::at(
            &self.buffer,
            damage.moves_at.max(self.boundary(self.at + 4)),
        );
        let mut skip = Skip::default();
        self.skip = (!skip.go(&mut events, self.certain_until())).then_some(skip);
        let end = events.at;
        // What has no end here may have one later.
        let damage = match damage.flaw.kind == Kind::UnclosedVariation {
            true => Damage {
                flaw: Flaw::new(damage.flaw.at, Kind::TooLong),
                sound: None,
                ..damage
            },
            false => damage,
        };
        self.damaged(Damage { end, ..damage })
    }

    /// Goes to the end of a game that was too long.
    fn skip_on(&mut self) -> io::Result<()> {
        while let Some(mut skip) = self.skip.take() {
            self.fill()?;
            let mut events = Events::at(&self.buffer, self.at);
            let arrived = skip.go(&mut events, self.certain_until());
            self.skip = (!arrived && !self.is_end).then_some(skip);
            let end = events.at;
            self.advance(end);
        }
        Ok(())
    }

    /// The text of the last game, as far as it was read.
    pub fn text(&self) -> &str {
        &self.buffer[self.last.clone()]
    }

    /// Bytes of the input before the next game; a little less where the input is not UTF-8, until the end.
    pub fn position(&self) -> u64 {
        let ahead = self.buffer.len() - self.at + self.partial.len();
        self.read.saturating_sub(ahead as u64)
    }

    /// The beginning of a character, at or before a place.
    fn boundary(&self, at: usize) -> usize {
        let places = (0..=at.min(self.buffer.len())).rev();
        { places }
            .find(|&at| self.buffer.is_char_boundary(at))
            .unwrap_or(0)
    }

    fn located(&self, flaw: Flaw) -> PdnError {
        let (lines, column) = self.place(flaw.at);
        PdnError {
            game: self.games,
            line: lines + 1,
            column: column + 1,
            kind: flaw.kind,
        }
    }

    /// Line ends before a place behind the beginning of the next game, and characters since the last of them.
    fn place(&self, at: usize) -> (usize, usize) {
        let text = &self.buffer[self.at..];
        // What is read is dropped but for some bytes: only the input begins where the buffer does.
        let mut places = match self.at {
            0 => Places::new(text),
            _ => Places::within(text),
        };
        let (line, column) = places.find(at - self.at);
        let before = if line == 1 { self.columns } else { 0 };
        (self.lines + line - 1, before + column - 1)
    }

    /// Goes to where a game that was read ends.
    fn finish(&mut self, end: usize) {
        self.last = self.at..end;
        self.advance(end);
    }

    /// Goes to where the next game begins.
    fn advance(&mut self, at: usize) {
        (self.lines, self.columns) = self.place(at);
        self.at = at;
    }

    /// Drops what was read and reads as much as is kept, but at least a chunk.
    fn fill(&mut self) -> io::Result<()> {
        let drop = self.boundary(self.at.saturating_sub(BEHIND));
        self.buffer.drain(..drop);
        self.last = 0..0;
        self.at -= drop;
        let wanted = self.buffer.len().max(CHUNK) as u64;
        let mut bytes = std::mem::take(&mut self.partial);
        let read = (&mut self.input).take(wanted).read_to_end(&mut bytes)?;
        self.read += read as u64;
        self.is_end = (read as u64) < wanted;
        if !self.is_end {
            // A character has at most four bytes.
            let whole = bytes.len()
                - bytes.utf8_chunks().last().map_or(0, |chunk| {
                    let open = chunk.invalid();
                    if str::from_utf8(open).is_err_and(|error| error.error_len().is_none()) {
                        open.len()
                    } else {
                        0
                    }
                });
            self.partial = bytes.split_off(whole);
        }
        append_decoded(&mut self.buffer, &bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// Gives a few bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(self.0.len()).min(into.len());
            into[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    fn all(bytes: &[u8]) -> Vec<Result<Game, Damaged>> {
        let mut stream = Stream::new(Trickle(bytes, 50_000));
        let mut games = Vec::new();
        while let Some(game) = stream.next_game().expect("readable") {
            games.push(game);
        }
        assert_eq!(stream.position(), bytes.len() as u64);
        games
    }

    #[test]
    fn a_stream_gives_what_the_whole_gives() {
        let games = "[Event \"caf\u{e9}\"]\r\n[Result \"1-1\"]\r\n\r\n1. 32-28 19-23 2. 28x19 14x23 {x} 1-1\r\n\r\n\
                     [White \"A\"]\n1. 32-28 19-24 2. 28-23 30-1 *\n\n[GameType \"25\"]\n1. c3-d4 *\n\n\
                     1. 31-26 {open\n\n[Event \"z\"]\n1. 33-29 *\n";
        let bytes = games.repeat(17_000).into_bytes();
        assert!(bytes.len() > 3 * CHUNK);
        let whole: Vec<_> = read(&super::super::decode(&bytes)).collect();
        let streamed = all(&bytes);
        assert_eq!(whole.len(), streamed.len());
        for (whole, streamed) in whole.into_iter().zip(streamed) {
            match (whole, streamed) {
                (Ok(whole), Ok(streamed)) => assert_eq!(whole, streamed),
                (Err(whole), Err(streamed)) => assert_eq!(whole, streamed.error),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_byte_order_mark_inside_is_a_character() {
        let text = "\u{feff}\u{feff}1. 32-27 *\n[White \"b\"]\n\u{feff}1. 50-1 *\n\
                    \u{feff}[White \"c\"]\n\u{feff}1. 31-1 *";
        let whole: Vec<_> = read(text).map(Result::err).collect();
        let streamed = all(text.as_bytes()).into_iter();
        let streamed: Vec<_> = streamed
            .map(|game| game.err().map(|damaged| damaged.error))
            .collect();
        assert_eq!(streamed.len(), 3);
        assert_eq!(streamed, whole);
    }

    #[test]
    fn a_damaged_game_is_kept_up_to_the_damage() {
        let bytes = b"[White \"A\"]\n[Result \"2-0\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 50-1 *\n[White \"B\"]\n1. 1-2 \
        *";
        let [Err(first), Err(second)] = &all(bytes)[..] else {
            panic!("two games with a flaw each");
        };
        let sound = first.sound.as_ref().expect("four moves");
        assert_eq!((sound.moves.len(), sound.tag("White")), (4, Some("A")));
        assert_eq!((first.error.game, first.error.line), (1, 3));
        assert_eq!((second.error.game, second.error.line), (2, 5));
        let kept = second.sound.as_ref().expect("its tag and text");
        assert_eq!((kept.tag("White"), kept.moves.len()), (Some("B"), 0));
        assert_eq!(kept.comment.as_deref(), Some("1-2 *"));
        assert_eq!(sound.moves[3].comment.as_deref(), Some("50-1 *"));
    }

    #[test]
    fn the_text_is_that_of_the_game_alone() {
        let texts = |text: &str| {
            let mut stream = Stream::new(text.as_bytes());
            let mut found = Vec::new();
            while stream.next_game().expect("readable").is_some() {
                found.push(stream.text().to_owned());
            }
            found
        };
        let one = texts("1. 32-28 *\n\n[White \"b\"]\n1. 50-1 *\n[White \"c\"]\n31-26 *");
        let other = texts("1. 32-27 *\n\n\n[White \"b\"]\n1. 50-1 *\n[White \"d\"]\n31-26 *");
        assert_eq!((one.len(), other.len()), (3, 3));
        assert!(one[0] != other[0] && one[1] == other[1] && one[2] != other[2]);
    }

    /// What comes of games behind one that is so long, each with its number; and what is kept of the text.
    fn behind_a_long_one(long: &str, piece: &str, times: u64, end: &str) -> Vec<String> {
        struct Repeat<'a>(&'a [u8], usize);
        impl Read for Repeat<'_> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                for byte in into.iter_mut() {
                    *byte = self.0[self.1 % self.0.len()];
                    self.1 += 1;
                }
                Ok(into.len())
            }
        }
        let middle = Repeat(piece.as_bytes(), 0).take(times * piece.len() as u64);
        let input = long.as_bytes().chain(middle).chain(end.as_bytes());
        let mut stream = Stream::new(input);
        let mut found = Vec::new();
        while let Some(game) = stream.next_game().expect("readable") {
            assert!(stream.buffer.len() <= 2 * (LONGEST + 2 * AHEAD) + CHUNK);
            found.push(match game {
                Ok(game) => format!("{} plies", game.moves.len()),
                Err(damaged) => format!(
                    "{} ({} plies)",
                    damaged.error,
                    damaged.sound.map_or(0, |game| game.moves.len())
                ),
            });
        }
        found
    }

    #[test]
    fn a_game_that_is_too_long_is_named_and_the_next_is_read() {
        let next = "}) 1-0\n\n32-28 19-23 *\n[White \"z\"]\n31-26 *";
        let too_long = "more than 1 MiB of text in one game (0 plies)";
        for (long, piece, line) in [
            ("1. 32-28 {", "words without an end; (\n", 1),
            ("1. 32-28 (32-27 ", "17-21 (18-23)\n{1-0} ", 1),
            ("[White \"a\"]\n\n{", "before ", 3),
            ("[White \"a\"]\n\n1. 32-28 ", "(32-27) ", 3),
            ("[White \"a\"]\n[Event \"", "long", 2),
        ] {
            let found = behind_a_long_one(long, piece, 5_000_000 / piece.len() as u64, next);
            let first = found[0].strip_prefix(&format!("game 1, line {line}, character "));
            let first = first.and_then(|rest| rest.split_once(": "));
            assert_eq!(first.map(|(_, kind)| kind), Some(too_long), "{found:?}");
            assert_eq!(found[1..], ["2 plies", "1 plies"], "{long}");
        }
        // What is sound before another mistake is kept.
        let found = behind_a_long_one("1. 32-28 19-23 2. 1-2 {", "x", 4 << 20, next);
        assert!(found[0].contains("ply 3 (1-2)"), "{found:?}");
        assert!(found[0].ends_with("(2 plies)"), "{found:?}");
        assert_eq!(found[1..], ["2 plies", "1 plies"]);
        // Many blanks and comments between games are none of their text.
        let found = behind_a_long_one("31-26 *", " \n", 2 << 20, "{a} 32-28 *");
        assert_eq!(found, ["1 plies", "1 plies"]);
    }
}
