//! From a stream of PDN to what the base has of each game, on a thread of its own.

use crate::file::packed;
use crate::search::{Day, count};
use damier_rules::notation::fen;
use damier_rules::notation::pdn::{Game, PdnError, PdnErrorKind, Stream};
use damier_rules::{Key, Position};
use sha2::{Digest, Sha256};
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::SyncSender;

/// Tags by which games are told apart, besides result and moves.
const HEADERS: [&str; 6] = ["White", "Black", "Event", "Site", "Date", "Round"];

/// A game, ready to be stored.
pub(crate) struct Prepared {
    pub white: Option<String>,
    pub black: Option<String>,
    pub event: Option<String>,
    pub day: Option<Day>,
    pub result: &'static str,
    pub plies: usize,
    /// The first position, where it is not the usual one.
    pub setup: Option<String>,
    /// Of headers and moves.
    pub hash: i64,
    pub moves: Vec<u8>,
    /// As PDN.
    pub text: String,
    /// The key of each position, with its ply.
    pub keys: Vec<(i64, u16)>,
    /// Pieces where nothing can be captured, each once.
    pub materials: Vec<[u8; 4]>,
}

/// What comes of a piece of the input.
pub(crate) enum Item {
    /// A game, and where the next one begins.
    Game(Box<Prepared>, u64),
    /// A game that is left out.
    LeftOut(PdnError),
}

/// A key as the signed integer of SQLite.
pub(crate) fn number(key: Key) -> i64 {
    key.0 as i64
}

impl Prepared {
    /// What the base has of a game. None if a move cannot be packed.
    fn of(game: &Game) -> Option<Prepared> {
        let known = |name: &str| {
            game.tag(name)
                .map(str::trim)
                .filter(|value| !matches!(*value, "" | "?"))
        };
        let (mut position, mut key) = (game.start, game.start.key());
        let (mut moves, mut keys, mut materials) = (Vec::new(), vec![(number(key), 0)], Vec::new());
        let mut count = |position: &Position| {
            if !position.must_capture() {
                materials.push(count(position));
            }
        };
        count(&position);
        for (ply, annotated) in game.moves.iter().enumerate() {
            packed::push(&mut moves, &position, annotated.mv)?;
            (position, key) = position.play_keyed(key, annotated.mv);
            keys.push((number(key), u16::try_from(ply + 1).ok()?));
            count(&position);
        }
        materials.sort_unstable();
        materials.dedup();
        let setup = (game.start != Position::start()).then(|| fen::format(&game.start));
        let mut hash = Sha256::new();
        let headers = HEADERS.map(|name| known(name).unwrap_or_default());
        for text in headers
            .into_iter()
            .chain([game.result.text(), setup.as_deref().unwrap_or_default()])
        {
            hash.update(text);
            hash.update([0]);
        }
        hash.update(&moves);
        let first = hash
            .finalize()
            .first_chunk()
            .map_or(0, |first| i64::from_be_bytes(*first));
        Some(Prepared {
            white: known("White").map(str::to_owned),
            black: known("Black").map(str::to_owned),
            event: known("Event").map(str::to_owned),
            day: known("Date").and_then(|text| text.parse().ok()),
            result: game.result.text(),
            plies: game.moves.len(),
            setup,
            hash: first,
            moves,
            text: game.to_string().trim_end().to_owned(),
            keys,
            materials,
        })
    }
}

/// Where to resume a file.
#[derive(Clone, Copy, Default)]
pub(crate) struct Start {
    /// Bytes of text before it.
    pub offset: u64,
    /// Games before it.
    pub games: usize,
}

/// Sends all games of a text, until it ends or nobody listens.
pub(crate) fn read(text: impl Read, start: Start, to: &SyncSender<io::Result<Item>>) {
    let mut text = BufReader::with_capacity(1 << 16, text);
    let sent = match skip(&mut text, start.offset) {
        Err(error) => Err(error),
        Ok((lines, columns)) => read_from(text, start, (lines, columns), to),
    };
    if let Err(error) = sent {
        // Fails only if the receiver is gone.
        let _ = to.send(Err(error));
    }
}

fn read_from(
    text: impl Read,
    start: Start,
    (lines, columns): (usize, usize),
    to: &SyncSender<io::Result<Item>>,
) -> io::Result<()> {
    let mut stream = Stream::new(text);
    let mut number = start.games;
    while let Some(found) = stream.next_game()? {
        number += 1;
        let error = match found {
            Ok(game) => match Prepared::of(&game) {
                Some(prepared) => {
                    let next = start.offset + stream.position();
                    if to.send(Ok(Item::Game(Box::new(prepared), next))).is_err() {
                        return Ok(());
                    }
                    continue;
                }
                None => PdnError {
                    game: number,
                    line: 0,
                    column: 0,
                    kind: PdnErrorKind::TooLong,
                },
            },
            Err(damaged) => damaged.error,
        };
        let column = if error.line == 1 { columns } else { 0 };
        let error = PdnError {
            game: number,
            line: error.line + lines,
            column: error.column + column,
            kind: error.kind,
        };
        if to.send(Ok(Item::LeftOut(error))).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Steps over so many bytes of text: the lines that end there, and the characters behind the last of them.
fn skip(text: &mut impl BufRead, mut bytes: u64) -> io::Result<(usize, usize)> {
    let (mut lines, mut columns, mut last) = (0, 0, 0);
    while bytes > 0 {
        let there = text.fill_buf()?;
        if there.is_empty() {
            break;
        }
        let taken = there
            .len()
            .min(usize::try_from(bytes).unwrap_or(usize::MAX));
        for &byte in &there[..taken] {
            match byte {
                b'\n' if last == b'\r' => {}
                b'\n' | b'\r' => (lines, columns) = (lines + 1, 0),
                _ => columns += usize::from(byte & 0xc0 != 0x80),
            }
            last = byte;
        }
        text.consume(taken);
        bytes -= taken as u64;
    }
    Ok((lines, columns))
}
