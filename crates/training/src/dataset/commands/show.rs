//! `damier dataset show`: games as PDN, positions as diagrams.

use crate::dataset::{DatasetError, GameRecord, Order, Played, Reader, Sample};
use damier_engine::rng::Rng;
use damier_rules::board::Color;
use damier_rules::notation::pdn::{self, Annotated};
use damier_rules::notation::{fen, moves, picture};
use std::io::Write;
use std::path::Path;

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
    /// Positions chosen at random.
    Random {
        /// How many.
        count: usize,
        /// Another seed, other positions.
        seed: u64,
    },
}

/// Writes games or positions to `out`. The reader logs what could not be read.
///
/// # Errors
/// A file cannot be read, what is asked for is not there, or `out` fails.
pub fn show(
    files: &[impl AsRef<Path>],
    options: ShowOptions,
    out: &mut dyn Write,
) -> Result<(), DatasetError> {
    let reader = Reader::open(files, Order::Stored)?;
    match options {
        ShowOptions::Games { first, count } => {
            let range = first..first.saturating_add(count);
            let mut shown = 0;
            for game in reader.games().filter(|game| range.contains(&game.index)) {
                write!(out, "{}", as_pdn(&game)).map_err(DatasetError::Output)?;
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
            write!(out, "{}", sample_text(&sample)).map_err(DatasetError::Output)?;
        }
        ShowOptions::Random { count, seed } => {
            for sample in choose(&reader, count, seed) {
                writeln!(out, "{}", sample_text(&sample)).map_err(DatasetError::Output)?;
            }
        }
    }
    out.flush().map_err(DatasetError::Output)
}

/// `count` positions, each equally likely (reservoir sampling).
fn choose(reader: &Reader, count: usize, seed: u64) -> Vec<Sample> {
    let mut chosen: Vec<Sample> = Vec::new();
    let mut random = Rng::new(seed);
    for (number, sample) in reader.samples().enumerate() {
        if number < count {
            chosen.push(sample);
            continue;
        }
        let place = random.below(number as u64 + 1);
        if let Some(slot) = chosen.get_mut(place as usize) {
            *slot = sample;
        }
    }
    chosen
}

/// A game as PDN, with the scores in men, from the side that moves, as comments.
fn as_pdn(game: &GameRecord) -> pdn::Game {
    let annotated = |played: &Played| Annotated {
        comment: played.score.map(|score| score.to_string()),
        ..played.mv.into()
    };
    pdn::Game {
        tags: vec![
            ("Game".to_owned(), game.index.to_string()),
            ("End".to_owned(), game.end.to_string()),
        ],
        moves: game.moves.iter().map(annotated).collect(),
        result: match game.winner {
            Some(Color::White) => pdn::Outcome::White,
            None => pdn::Outcome::Draw,
            Some(Color::Black) => pdn::Outcome::Black,
        },
        ..pdn::Game::new(game.start)
    }
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
