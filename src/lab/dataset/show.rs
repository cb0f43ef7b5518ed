//! `damier dataset show`: a game or a position in words.

use super::{DatasetError, GameRecord, Order, Reader, Sample};
use crate::board::Color;
use crate::notation::{fen, moves, picture};
use crate::rules::{Position, mix};
use std::fmt::Write as _;
use std::io::Write;

/// What to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShowOptions {
    /// The games with these numbers in the run, the first one and how many from there on.
    Games {
        /// Number of the first game.
        first: u64,
        /// How many.
        count: u64,
    },
    /// The position with this number, counting from 0 those with a score, in the order of the files.
    Position(u64),
    /// So many positions chosen at random.
    Random {
        /// How many.
        count: usize,
        /// Another seed, other positions.
        seed: u64,
    },
}

/// Shows games or positions on `out`. What could not be read on the way is told by the reader's log.
///
/// # Errors
/// A file cannot be read, what is asked for is not there, or `out` fails.
pub fn show(
    files: &[impl AsRef<str>],
    options: ShowOptions,
    out: &mut dyn Write,
) -> Result<(), DatasetError> {
    let reader = Reader::open(files, Order::Stored)?;
    let write = |error| DatasetError::io("output", error);
    match options {
        ShowOptions::Games { first, count } => {
            let range = first..first.saturating_add(count);
            let mut shown = 0;
            for game in reader.games().filter(|game| range.contains(&game.index)) {
                writeln!(out, "{}", game_text(&game)).map_err(write)?;
                shown += 1;
            }
            if shown == 0 {
                let wanted = format!("game {first} in these files");
                return Err(DatasetError::Missing { wanted });
            }
        }
        ShowOptions::Position(number) => {
            let missing = || DatasetError::Missing {
                wanted: format!("position {number} with a score in these files"),
            };
            let place = usize::try_from(number).map_err(|_| missing())?;
            let sample = reader.samples().nth(place).ok_or_else(missing)?;
            write!(out, "{}", sample_text(&sample)).map_err(write)?;
        }
        ShowOptions::Random { count, seed } => {
            for sample in choose(&reader, count, seed) {
                writeln!(out, "{}", sample_text(&sample)).map_err(write)?;
            }
        }
    }
    out.flush().map_err(write)
}

/// So many positions, each with the same chance (reservoir sampling).
fn choose(reader: &Reader, count: usize, seed: u64) -> Vec<Sample> {
    let mut chosen: Vec<Sample> = Vec::new();
    let mut random = mix(seed);
    for (number, sample) in reader.samples().enumerate() {
        if number < count {
            chosen.push(sample);
            continue;
        }
        random = mix(random);
        let place = random % (number as u64 + 1);
        if let Some(slot) = chosen.get_mut(place as usize) {
            *slot = sample;
        }
    }
    chosen
}

/// A game in the manner of PDN: tags, moves, scores in men from the side that moves in braces.
fn game_text(game: &GameRecord) -> String {
    let result = match game.winner {
        Some(Color::White) => "2-0",
        None => "1-1",
        Some(Color::Black) => "0-2",
    };
    let mut text = format!("[Game \"{}\"]\n[GameType \"20\"]\n", game.index);
    if game.start != Position::start() {
        let _ = writeln!(text, "[FEN \"{}\"]", fen::format(&game.start));
    }
    let _ = writeln!(text, "[Result \"{result}\"]\n[End \"{}\"]\n", game.end);
    let mut position = game.start;
    let (mut number, mut line) = (1, String::new());
    for (ply, played) in game.moves.iter().enumerate() {
        let mut word = match (position.turn(), ply) {
            (Color::White, _) => format!("{number}. "),
            (Color::Black, 0) => format!("{number}... "),
            (Color::Black, _) => String::new(),
        };
        number += u32::from(position.turn() == Color::Black);
        word += &moves::short(&position, played.mv);
        if let Some(score) = played.score {
            let _ = write!(word, " {{{score}}}");
        }
        position = position.play(played.mv);
        if line.len() + 1 + word.len() > 110 {
            let _ = writeln!(text, "{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &word;
    }
    let _ = writeln!(text, "{line} {result}");
    text
}

fn sample_text(sample: &Sample) -> String {
    format!(
        "{}{}\ngame {} ply {}, {} to move: {} {}, {:?} in {} plies{}\n",
        picture::draw(&sample.position, Color::White, true),
        fen::format(&sample.position),
        sample.game,
        sample.ply,
        sample.position.turn(),
        moves::short(&sample.position, sample.mv),
        sample.score,
        sample.result,
        sample.left,
        if sample.is_quiet() { "" } else { "; not quiet" }
    )
}
