//! Puzzles as games of PDN, and the set inside the program.

use crate::motifs;
use damier_rules::board::{Color, Square};
use damier_rules::notation::{fen, pdn};
use damier_rules::{Move, Position};
use serde::Serialize;

/// The built-in set, as PDN; docs/puzzles.md says how it is made. In a static, so that the program holds it once.
static BUILT_IN: [u8; include_bytes!("puzzles.pdn").len()] = *include_bytes!("puzzles.pdn");
/// Their CRC-32.
const CRC: u32 = 0xe16b_2038;
/// The hardest grade.
pub const GRADES: u32 = 4;
/// Rating of a puzzle of grade 1, and how much is added for each further grade.
const EASIEST: f64 = 1100.0;
const STEP: f64 = 300.0;

/// A position and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position.
    pub start: Position,
    /// The answer and the replies to it; at least one move.
    pub answer: Vec<Move>,
    /// 1, easy, to [`GRADES`].
    pub grade: u32,
    /// Names of the combination, as far as it has some.
    pub motifs: Vec<String>,
}

/// Why a game is no puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleError {
    /// It begins at the start position.
    #[error("begins at the start position: a puzzle has a position of its own")]
    NoPosition,
    /// It has no move.
    #[error("has no answer")]
    NoAnswer,
}

/// The built-in set is not what it was when the program was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the puzzles in the program are damaged: install it again")]
pub struct DamagedSet;

/// A puzzle as an object; docs/json.md describes the fields.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PuzzleObject {
    /// The number in the set, from 1.
    pub puzzle: usize,
    /// The position.
    pub fen: String,
    /// The answer and the replies to it.
    pub answer: Vec<String>,
    /// 1, easy, to 4.
    pub grade: u32,
    /// The rating that belongs to the grade.
    pub rating: f64,
    /// Names of the combination, as far as it has some.
    pub motifs: Vec<String>,
}

impl Puzzle {
    /// A game as a puzzle: its moves are the answer. The tags `Grade` and `Motif` are those of
    /// [`mine`](crate::mine::MinedPuzzleObject::to_pdn); without a grade, two moves of the side to move are grade 1,
    /// and each further one adds one.
    ///
    /// # Errors
    /// The game is none.
    pub fn of(game: &pdn::Game) -> Result<Puzzle, PuzzleError> {
        let mut answer = game.plain_moves();
        if game.start == Position::start() {
            return Err(PuzzleError::NoPosition);
        }
        if answer.is_empty() {
            return Err(PuzzleError::NoAnswer);
        }
        // A last reply asks for nothing.
        if answer.len().is_multiple_of(2) {
            answer.pop();
        }
        let grade = game.tag("Grade").and_then(|grade| grade.parse().ok());
        let by_length = answer.len().div_ceil(2).saturating_sub(1);
        let grade = grade.unwrap_or(u32::try_from(by_length).unwrap_or(GRADES));
        let motifs = match game.tag("Motif") {
            Some(names) => {
                let names = names.split(',').map(str::trim);
                names
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned)
                    .collect()
            }
            None => motifs(&game.start, &answer)
                .iter()
                .map(ToString::to_string)
                .collect(),
        };
        Ok(Puzzle {
            start: game.start,
            answer,
            grade: grade.clamp(1, GRADES),
            motifs,
        })
    }

    /// Its rating, by the grade.
    pub fn rating(&self) -> f64 {
        EASIEST + STEP * f64::from(self.grade - 1)
    }

    /// What it is remembered by: its position.
    pub fn name(&self) -> String {
        fen::format(&self.start)
    }

    /// The puzzle as an object. `number`: that in the set, from 1.
    pub fn to_json(&self, number: usize) -> PuzzleObject {
        PuzzleObject {
            puzzle: number,
            fen: self.name(),
            answer: self.answer.iter().map(ToString::to_string).collect(),
            grade: self.grade,
            rating: self.rating(),
            motifs: self.motifs.clone(),
        }
    }

    /// Two puzzles that have one of these in common are alike: the same pieces, or an answer of the same steps, in any
    /// place of the board and with either colour.
    pub fn shapes(&self) -> [String; 2] {
        let is_white = self.start.turn() == Color::White;
        let at = |square: Square| {
            let number = i32::from(square.number());
            let index = if is_white { number } else { 51 - number } - 1;
            let row = index / 5;
            (row, index % 5 * 2 + i32::from(row % 2 == 0))
        };
        let (start, side) = (&self.start, self.start.turn());
        let sets = [
            start.men(side),
            start.kings(side),
            start.men(!side),
            start.kings(!side),
        ];
        let pieces = sets.map(|set| set.into_iter().map(at).collect::<Vec<_>>());
        let origin = |places: &[(i32, i32)]| {
            let row = places.iter().map(|place| place.0).min().unwrap_or(0);
            (row, places.iter().map(|place| place.1).min().unwrap_or(0))
        };
        let shifted = |places: &[(i32, i32)], (row, column): (i32, i32)| {
            let mut places: Vec<_> = places
                .iter()
                .map(|place| (place.0 - row, place.1 - column))
                .collect();
            places.sort_unstable();
            places
        };
        let corner = origin(&pieces.concat());
        let pieces = pieces.map(|places| shifted(&places, corner));
        let first = at(self.answer[0].from());
        let moves = self.answer.iter().map(|mv| {
            (
                shifted(&[at(mv.from())], first),
                shifted(&[at(mv.to())], first),
            )
        });
        [
            format!("{pieces:?}"),
            format!("{:?}", moves.collect::<Vec<_>>()),
        ]
    }
}

/// The built-in set, as PDN.
///
/// # Errors
/// It is damaged.
pub fn built_in_text() -> Result<&'static str, DamagedSet> {
    checked(&BUILT_IN)
}

/// The puzzles of the built-in set.
///
/// # Errors
/// It is damaged.
pub fn built_in() -> Result<Vec<Puzzle>, DamagedSet> {
    let games = pdn::read(built_in_text()?).flatten();
    Ok(games.filter_map(|game| Puzzle::of(&game).ok()).collect())
}

/// The bytes of the built-in set as text, if they are that.
pub(super) fn checked(bytes: &[u8]) -> Result<&str, DamagedSet> {
    match std::str::from_utf8(bytes) {
        Ok(text) if crc32fast::hash(bytes) == CRC => Ok(text),
        _ => Err(DamagedSet),
    }
}
