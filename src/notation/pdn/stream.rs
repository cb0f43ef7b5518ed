//! Games of an input of any length, in bounded memory.

use super::read::{Found, next_game};
use super::scan::{Places, Scanner};
use super::{Game, PdnError};
use std::io::{self, Read};

/// Bytes read at a time.
const CHUNK: usize = 1 << 20;
/// Bytes of one game, with what is wrong in it, that are kept at most; a longer one is cut there.
const LONGEST: usize = 64 << 20;
/// So many bytes behind a game must be there before its end is believed: longer than any tag that decides it.
const AHEAD: usize = 1 << 16;
/// Bytes before the next game that are kept: whether a tag begins a line is seen there.
const BEHIND: usize = 1 << 8;

/// A game that cannot be read to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Damaged {
    /// What is wrong, and where.
    pub error: PdnError,
    /// The game up to there, where it has a move; its result is that of its tag.
    pub sound: Option<Box<Game>>,
}

/// Reads game after game, see [`Stream::new`].
pub struct Stream<R> {
    input: R,
    buffer: Vec<u8>,
    /// Where the next game begins.
    at: usize,
    is_end: bool,
    /// Games so far.
    games: usize,
    /// Bytes dropped before the buffer.
    dropped: u64,
    /// Line ends before the next game.
    lines: usize,
    /// Characters between the last of them and the next game.
    columns: usize,
}

impl<R: Read> Stream<R> {
    /// The games of an input, one after the other. What is kept in memory does not grow with the input; line numbers
    /// count from its beginning.
    pub fn new(input: R) -> Stream<R> {
        Stream {
            input,
            buffer: Vec::new(),
            at: 0,
            is_end: false,
            games: 0,
            dropped: 0,
            lines: 0,
            columns: 0,
        }
    }

    /// The next game, after an error too; none at the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_game(&mut self) -> io::Result<Option<Result<Game, Damaged>>> {
        loop {
            let found = next_game(Scanner::at(&self.buffer, self.at));
            let end = found.as_ref().map_or(self.buffer.len(), Found::end);
            let is_certain = self.is_end || end + AHEAD <= self.buffer.len();
            if !is_certain && self.buffer.len() - self.at < LONGEST {
                self.fill()?;
                continue;
            }
            return match found {
                None if self.is_end => {
                    self.at = end;
                    Ok(None)
                }
                // Nothing but blanks, more of them than are kept.
                None => {
                    self.advance(end);
                    self.fill()?;
                    continue;
                }
                Some(found) => {
                    self.games += 1;
                    debug_assert!(self.at < end);
                    let game = self.located(found);
                    self.advance(end);
                    Ok(Some(game))
                }
            };
        }
    }

    /// Bytes of the input before the next game.
    pub fn position(&self) -> u64 {
        self.dropped + self.at as u64
    }

    fn located(&self, found: Found) -> Result<Game, Damaged> {
        let (flaw, sound) = match found {
            Found::Game { game, .. } => return Ok(game),
            Found::Flaw { flaw, sound, .. } => (flaw, sound),
        };
        let (lines, column) = self.place(flaw.at);
        let error = PdnError {
            game: self.games,
            line: lines + 1,
            column: column + 1,
            kind: flaw.kind,
        };
        Err(Damaged {
            error,
            sound: sound.map(Box::new),
        })
    }

    /// Line ends before a place behind the beginning of the next game, and characters since the last of them.
    fn place(&self, at: usize) -> (usize, usize) {
        let (line, column) = Places::new(&self.buffer[self.at..]).find(at - self.at);
        let before = if line == 1 { self.columns } else { 0 };
        (self.lines + line - 1, before + column - 1)
    }

    /// Goes to where the next game begins.
    fn advance(&mut self, at: usize) {
        (self.lines, self.columns) = self.place(at);
        self.at = at;
    }

    /// Drops what was read and reads as much as is kept, but at least a chunk.
    fn fill(&mut self) -> io::Result<()> {
        let drop = self.at.saturating_sub(BEHIND);
        self.dropped += drop as u64;
        self.buffer.drain(..drop);
        self.at -= drop;
        let wanted = self.buffer.len().max(CHUNK) as u64;
        let read = (&mut self.input)
            .take(wanted)
            .read_to_end(&mut self.buffer)?;
        self.is_end = (read as u64) < wanted;
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
        let whole: Vec<_> = read(&bytes).collect();
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
        assert!(second.sound.is_none());
    }

    #[test]
    fn an_endless_comment_does_not_fill_memory() {
        let input = io::repeat(b'x').take(200 << 20);
        let mut stream = Stream::new(io::Cursor::new(b"1. 32-28 {").chain(input));
        let mut flaws = 0;
        while let Some(game) = stream.next_game().expect("readable") {
            flaws += usize::from(game.is_err());
            assert!(stream.buffer.len() <= 2 * LONGEST + CHUNK);
        }
        assert!(flaws > 0);
    }
}
