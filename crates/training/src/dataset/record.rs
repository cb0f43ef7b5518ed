//! A game, and its bytes.
//!
//! ```text
//! game   index less that of the game before in the block (the first: 0), as number
//!        flags: bits 0-1 winner (0 none, 1 white, 2 black), bits 2-5 how it ended, bit 6 whether it has its own start
//!        start, if it has one: squares occupied from bit 0 on (square 1 to 50), bit 50 black to move, 7 bytes;
//!               then 2 bits a piece in the order of the squares: bit 0 black, bit 1 king
//!        plies, as number
//! ply    nothing where only one move is legal; else
//!        number of the move (`rules::Choices`) times two, plus one where it has a score, as number
//!        the score less the last one of the game (0 before the first), both as white sees them, folded, as number
//! ```
//!
//! A number has 7 bits a byte, lowest first; a signed one is folded (0, -1, 1, -2 become 0, 1, 2, 3) before. Scores are
//! in hundredths of a man.

use super::format::{fold, put_number, take_number, unfold};
use damier_engine::eval::Score;
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::internal::Choices;
use damier_rules::{DrawRule, Game, Move, Position, Setup, Status};
use std::fmt;

/// Most plies of a game in a file.
pub const MOST_PLIES: u32 = 4096;
/// Scores of files stay within this.
const SCORE_LIMIT: i32 = 10_001;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum End {
    /// The side to move has no legal move.
    NoMove = 0,
    /// The position occurred for the third time.
    Repetition = 1,
    /// 25 moves each of kings only.
    KingsOnly = 2,
    /// 16 moves each with three pieces against a king.
    ThreeVsKing = 3,
    /// 5 moves each with at most two pieces against a king.
    TwoVsKing = 4,
    /// Adjudicated: the scores agreed for long enough on who wins.
    Score = 5,
    /// Adjudicated as a draw: too many plies.
    Length = 6,
    /// Adjudicated by the endgame tables.
    Tables = 7,
}

impl End {
    /// All variants, in order.
    pub const ALL: [End; 8] = [
        End::NoMove,
        End::Repetition,
        End::KingsOnly,
        End::ThreeVsKing,
        End::TwoVsKing,
        End::Score,
        End::Length,
        End::Tables,
    ];

    /// Name in one word.
    pub fn name(self) -> &'static str {
        match self {
            End::NoMove => "no-move",
            End::Repetition => "repetition",
            End::KingsOnly => "kings-only",
            End::ThreeVsKing => "three-vs-king",
            End::TwoVsKing => "two-vs-king",
            End::Score => "score",
            End::Length => "length",
            End::Tables => "tables",
        }
    }

    /// How a game has ended by the rules, and who has won. None while it goes on.
    pub fn of(game: &Game) -> Option<(End, Option<Color>)> {
        match game.status() {
            Status::Playing => None,
            Status::WonBy(color) => Some((End::NoMove, Some(color))),
            Status::Drawn(rule) => Some((
                match rule {
                    DrawRule::Repetition => End::Repetition,
                    DrawRule::KingsOnly => End::KingsOnly,
                    DrawRule::ThreeVsKing => End::ThreeVsKing,
                    DrawRule::TwoVsKing => End::TwoVsKing,
                },
                None,
            )),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A move of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// The score of the search, for the side that moved. None for random and forced moves, which are not searched.
    pub score: Option<Score>,
}

/// A whole game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Number in the run, from 0; with the header's recipe this is all that the game depends on.
    pub index: u64,
    /// The first position.
    pub start: Position,
    /// The moves.
    pub moves: Vec<Played>,
    /// How it ended.
    pub end: End,
    /// Who won; none for a draw.
    pub winner: Option<Color>,
}

/// The head of a game, before its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::dataset) struct GameHead {
    pub index: u64,
    pub start: Position,
    pub end: End,
    pub winner: Option<Color>,
    pub plies: u32,
}

impl GameHead {
    /// Takes the head of a game off the front. `before`: index of the game before in the block, or the block's first.
    pub fn take(bytes: &mut &[u8], before: u64) -> Option<GameHead> {
        let index = before.checked_add(take_number(bytes)?)?;
        let (&flags, rest) = bytes.split_first()?;
        *bytes = rest;
        let winner = match flags & 3 {
            0 => None,
            1 => Some(Color::White),
            2 => Some(Color::Black),
            _ => return None,
        };
        let end = *End::ALL.get(usize::from(flags >> 2 & 15))?;
        let start = match flags >> 6 {
            0 => Position::start(),
            1 => take_position(bytes)?,
            _ => return None,
        };
        let plies = u32::try_from(take_number(bytes)?).ok()?;
        (plies <= MOST_PLIES).then_some(GameHead {
            index,
            start,
            end,
            winner,
            plies,
        })
    }
}

/// Reads or writes the moves of a game one by one.
#[derive(Clone, Debug, Default)]
pub(in crate::dataset) struct Coder {
    pub choices: Choices,
    /// The last score, as white sees it.
    last: i32,
}

impl Coder {
    /// Begins a game.
    pub fn begin(&mut self) {
        self.last = 0;
    }

    /// Takes a move off the front. None where the bytes name no legal move.
    #[inline]
    pub fn take(&mut self, bytes: &mut &[u8], position: &Position) -> Option<Played> {
        self.choices.take(position);
        if self.choices.len() == 1 {
            let mv = self.choices.get(0)?;
            return Some(Played { mv, score: None });
        }
        let code = take_number(bytes)?;
        let mv = self.choices.get(usize::try_from(code >> 1).ok()?)?;
        if code & 1 == 0 {
            return Some(Played { mv, score: None });
        }
        self.last = self.last.checked_add(unfold(take_number(bytes)?))?;
        if !(-SCORE_LIMIT..=SCORE_LIMIT).contains(&self.last) {
            return None;
        }
        let score = Score::new(match position.turn() {
            Color::White => self.last,
            Color::Black => -self.last,
        });
        Some(Played {
            mv,
            score: Some(score),
        })
    }

    /// Appends a move, which must be legal.
    pub fn put(&mut self, bytes: &mut Vec<u8>, position: &Position, played: Played) {
        self.choices.take(position);
        if self.choices.len() == 1 {
            return;
        }
        let number = self.choices.number(played.mv);
        let number = number.unwrap_or_else(|| unreachable!("{} is legal", played.mv)) as u64;
        put_number(bytes, number << 1 | u64::from(played.score.is_some()));
        if let Some(score) = played.score {
            let score = match position.turn() {
                Color::White => score.centimen(),
                Color::Black => -score.centimen(),
            };
            put_number(bytes, fold(score - self.last));
            self.last = score;
        }
    }
}

impl GameRecord {
    /// Appends the game. `before`: index of the game before in the block, or its own for the first.
    pub fn put(&self, bytes: &mut Vec<u8>, before: u64) {
        put_number(bytes, self.index - before);
        let winner = match self.winner {
            None => 0,
            Some(Color::White) => 1,
            Some(Color::Black) => 2,
        };
        let own_start = self.start != Position::start();
        bytes.push(winner | (self.end as u8) << 2 | u8::from(own_start) << 6);
        if own_start {
            put_position(bytes, &self.start);
        }
        put_number(bytes, self.moves.len() as u64);
        let (mut coder, mut position) = (Coder::default(), self.start);
        for &played in &self.moves {
            coder.put(bytes, &position, played);
            position = position.play(played.mv);
        }
    }

    /// Takes a game off the front. None where the bytes are no game.
    pub fn take(bytes: &mut &[u8], before: u64) -> Option<GameRecord> {
        let head = GameHead::take(bytes, before)?;
        let (mut coder, mut position) = (Coder::default(), head.start);
        let mut moves = Vec::with_capacity(head.plies as usize);
        for _ in 0..head.plies {
            let played = coder.take(bytes, &position)?;
            position = position.play(played.mv);
            moves.push(played);
        }
        Some(GameRecord {
            index: head.index,
            start: head.start,
            moves,
            end: head.end,
            winner: head.winner,
        })
    }
}

const BLACK_TO_MOVE: u64 = 1 << 50;
const POSITION_BYTES: usize = 7;

fn put_position(bytes: &mut Vec<u8>, position: &Position) {
    let mut board = 0;
    if position.turn() == Color::Black {
        board |= BLACK_TO_MOVE;
    }
    let (black, kings) = (position.pieces(Color::Black), position.all_kings());
    let mut kinds = Vec::new();
    for (piece, square) in position.occupied().enumerate() {
        board |= 1u64 << (square.number() - 1);
        if piece % 4 == 0 {
            kinds.push(0);
        }
        let kind = u8::from(black.contains(square)) | u8::from(kings.contains(square)) << 1;
        kinds[piece / 4] |= kind << (2 * (piece % 4));
    }
    bytes.extend(&board.to_le_bytes()[..POSITION_BYTES]);
    bytes.extend(kinds);
}

fn take_position(bytes: &mut &[u8]) -> Option<Position> {
    let (board, rest) = bytes.split_at_checked(POSITION_BYTES)?;
    let mut word = [0; 8];
    word[..POSITION_BYTES].copy_from_slice(board);
    let board = u64::from_le_bytes(word);
    if board >= BLACK_TO_MOVE << 1 {
        return None;
    }
    let turn = match board & BLACK_TO_MOVE {
        0 => Color::White,
        _ => Color::Black,
    };
    let squares = Square::all().filter(|square| board >> (square.number() - 1) & 1 != 0);
    let pieces = (board & (BLACK_TO_MOVE - 1)).count_ones() as usize;
    let (kinds, rest) = rest.split_at_checked(pieces.div_ceil(4))?;
    *bytes = rest;
    let mut setup = Setup::empty(turn);
    for (piece, square) in squares.enumerate() {
        let kind = kinds[piece / 4] >> (2 * (piece % 4)) & 3;
        let sets = if kind & 2 == 0 {
            &mut setup.men
        } else {
            &mut setup.kings
        };
        sets[usize::from(kind & 1)] |= Bitboard::of(square);
    }
    Position::try_from(setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::notation::fen;

    fn records() -> Vec<GameRecord> {
        let starts = [
            "W:W31-50:B1-20",
            "B:WK1,K50,8:BK3,44",
            "W:W7,K46:B39,K5,12,13",
        ];
        let record = |(index, text): (usize, &str)| {
            let start = fen::parse(text).unwrap();
            let mut game = Game::new(start);
            let (mut seed, mut moves) = (index as u64, Vec::new());
            let (end, winner) = loop {
                if let Some(end) = End::of(&game) {
                    break end;
                }
                let legal = game.position().legal_moves();
                seed = damier_rules::internal::mix(seed);
                let mv = legal[seed as usize % legal.len()];
                let score = Score::new((seed >> 40) as i32 % 10_000);
                let searched = legal.len() > 1 && seed >> 32 & 1 == 0;
                moves.push(Played {
                    mv,
                    score: searched.then_some(if seed >> 33 & 1 == 0 { score } else { -score }),
                });
                game.play(mv);
            };
            GameRecord {
                index: 3 * index as u64,
                start,
                moves,
                end,
                winner,
            }
        };
        starts
            .into_iter()
            .cycle()
            .take(60)
            .enumerate()
            .map(record)
            .collect()
    }

    #[test]
    fn games_round_trip() {
        for record in records() {
            let mut bytes = Vec::new();
            record.put(&mut bytes, 0);
            let mut rest = bytes.as_slice();
            assert_eq!(GameRecord::take(&mut rest, 0), Some(record));
            assert!(rest.is_empty());
            for end in 0..bytes.len() {
                assert_eq!(GameRecord::take(&mut &bytes[..end], 0), None);
            }
        }
    }

    #[test]
    fn a_score_beyond_all_is_no_game() {
        // The least number of 32 bits, which has no opposite.
        let bytes = [0, 1, 1, 1, 255, 255, 255, 255, 255, 255, 93];
        assert_eq!(GameRecord::take(&mut bytes.as_slice(), 0), None);
    }

    #[test]
    fn any_bytes_are_a_game_or_none() {
        let mut seed = 1;
        for record in records() {
            let mut bytes = Vec::new();
            record.put(&mut bytes, 0);
            for at in 0..bytes.len() {
                seed = damier_rules::internal::mix(seed);
                let mut wrong = bytes.clone();
                wrong[at] ^= seed as u8 | 1;
                let _ = GameRecord::take(&mut wrong.as_slice(), u64::MAX - 5);
                let _ = GameRecord::take(&mut wrong.as_slice(), 0);
            }
        }
    }
}
