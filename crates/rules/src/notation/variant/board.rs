//! Boards of any width, where pieces go as in any of their games.

use crate::board::{Color, Square};
use crate::rules::Position;

/// Most squares of a board, and one: they are numbered from 1 on.
const SQUARES: usize = 73;
/// Most jumps that are tried for a capture.
const MOST_JUMPS: u32 = 20_000;

/// A man or a king.
#[derive(Clone, Copy, PartialEq)]
struct Piece {
    color: Color,
    is_king: bool,
}

/// A board with pieces of both sides. Players choose among captures by rules of their own: here any capture will do.
pub(super) struct Board {
    /// Rows and columns.
    width: u8,
    pieces: [Option<Piece>; SQUARES],
    turn: Color,
    /// Whether pieces capture along rows and columns too, as in Frisian draughts.
    has_straight: bool,
}

/// A way to capture.
#[derive(Clone, Copy)]
struct Capture {
    /// A bit for each square.
    taken: u128,
    /// Whether it goes along a row or a column.
    is_straight: bool,
}

/// Steps in rows and columns; those along rows and columns last.
const STEPS: [(i8, i8); 8] = [
    (-1, -1),
    (-1, 1),
    (1, -1),
    (1, 1),
    (-2, 0),
    (2, 0),
    (0, -2),
    (0, 2),
];
const DIAGONALS: usize = 4;

impl Board {
    /// The initial position: all rows have men but the two in the middle.
    pub fn start(width: u8, turn: Color) -> Board {
        let mut board = Board {
            width,
            pieces: [None; SQUARES],
            turn,
            has_straight: false,
        };
        for square in 1..=width * width / 2 {
            let (row, _) = board.place(square);
            let color = match row {
                row if row < width / 2 - 1 => Color::Black,
                row if row > width / 2 => Color::White,
                _ => continue,
            };
            board.pieces[usize::from(square)] = Some(Piece {
                color,
                is_king: false,
            });
        }
        board
    }

    /// The pieces of a position on the squares of the same numbers.
    pub fn of(position: &Position, width: u8) -> Board {
        let mut board = Board {
            width,
            pieces: [None; SQUARES],
            turn: position.turn(),
            has_straight: false,
        };
        for color in Color::BOTH {
            for square in position.pieces(color) {
                let is_king = position.all_kings().contains(square);
                board.pieces[usize::from(square.number())] = Some(Piece { color, is_king });
            }
        }
        board
    }

    /// Whether the pieces of a position have room on a board of 64 squares.
    pub fn is_small(position: &Position) -> bool {
        let all = Color::BOTH.map(|color| position.pieces(color));
        all.into_iter()
            .flatten()
            .all(|square: Square| square.number() <= 32)
    }

    /// The same with captures along rows and columns.
    pub fn with_straight(self) -> Board {
        Board {
            has_straight: true,
            ..self
        }
    }

    /// Plays a move; whether it is a capture that goes along a row or a column. None where no piece can go so.
    pub fn play(&mut self, squares: &[u8]) -> Option<bool> {
        let from = squares[0];
        let is_on = |&square: &u8| square <= self.width * self.width / 2;
        let piece = self.pieces[usize::from(Some(from).filter(is_on)?)]?;
        if piece.color != self.turn {
            return None;
        }
        self.pieces[usize::from(from)] = None;
        // The second square is the last one where the others are those of the pieces captured.
        let ends = [squares[squares.len() - 1], squares[1]];
        let (to, capture) = ends.into_iter().filter(is_on).find_map(|to| {
            let (mut best, mut jumps) = (None, MOST_JUMPS);
            let none = Capture {
                taken: 0,
                is_straight: false,
            };
            let walk = Walk {
                board: self,
                piece,
                to,
            };
            walk.follow(from, none, &mut best, &mut jumps);
            let quiet = || walk.is_quiet(from).then_some(none);
            best.or_else(quiet).map(|capture| (to, capture))
        })?;
        for square in 1..SQUARES {
            if capture.taken >> square & 1 == 1 {
                self.pieces[square] = None;
            }
        }
        let last = if piece.color == Color::White {
            0
        } else {
            self.width - 1
        };
        let is_king = piece.is_king || self.place(to).0 == last;
        self.pieces[usize::from(to)] = Some(Piece { is_king, ..piece });
        self.turn = !self.turn;
        Some(capture.is_straight)
    }

    /// Row and column of a square, from the top and the left.
    fn place(&self, square: u8) -> (u8, u8) {
        let half = self.width / 2;
        let row = (square - 1) / half;
        (row, 2 * ((square - 1) % half) + 1 - row % 2)
    }

    /// The square one step away.
    fn beside(&self, square: u8, (rows, columns): (i8, i8)) -> Option<u8> {
        let (row, column) = self.place(square);
        let is_on = |at: &u8| *at < self.width;
        let row = row.checked_add_signed(rows).filter(is_on)?;
        let column = column.checked_add_signed(columns).filter(is_on)?;
        Some(row * (self.width / 2) + column / 2 + 1)
    }

    fn at(&self, square: u8) -> Option<Piece> {
        self.pieces[usize::from(square)]
    }
}

/// A piece on its way to a square; it is not on the board.
struct Walk<'a> {
    board: &'a Board,
    piece: Piece,
    to: u8,
}

impl Walk<'_> {
    /// Free squares in a direction, as far as the piece goes, and the square of the piece behind them.
    fn look(&self, from: u8, step: (i8, i8)) -> (Vec<u8>, Option<u8>) {
        let mut free = Vec::new();
        let mut next = self.board.beside(from, step);
        while let Some(square) = next.filter(|&square| self.board.at(square).is_none()) {
            if !self.piece.is_king && free.len() == 1 {
                return (free, None);
            }
            free.push(square);
            next = self.board.beside(square, step);
        }
        (free, next)
    }

    fn is_quiet(&self, from: u8) -> bool {
        let forward = if self.piece.color == Color::White {
            -1
        } else {
            1
        };
        let mut steps = STEPS[..DIAGONALS].iter();
        steps.any(|&step| {
            (self.piece.is_king || step.0 == forward) && self.look(from, step).0.contains(&self.to)
        })
    }

    /// Finds the capture of the most pieces that ends on the last square.
    fn follow(&self, from: u8, so_far: Capture, best: &mut Option<Capture>, jumps: &mut u32) {
        let count = |capture: Capture| capture.taken.count_ones();
        let is_better = best.is_none_or(|best| count(best) < count(so_far));
        if from == self.to && so_far.taken != 0 && is_better {
            *best = Some(so_far);
        }
        let directions = if self.board.has_straight {
            STEPS.len()
        } else {
            DIAGONALS
        };
        for (direction, &step) in STEPS[..directions].iter().enumerate() {
            let (free, Some(over)) = self.look(from, step) else {
                continue;
            };
            let is_near = self.piece.is_king || free.is_empty();
            let is_enemy = self
                .board
                .at(over)
                .is_some_and(|piece| piece.color != self.piece.color);
            if !is_near || !is_enemy || so_far.taken >> over & 1 == 1 {
                continue;
            }
            let taken = so_far.taken | 1 << over;
            let is_straight = so_far.is_straight || direction >= DIAGONALS;
            for landing in self.look(over, step).0 {
                if *jumps == 0 {
                    return;
                }
                *jumps -= 1;
                self.follow(landing, Capture { taken, is_straight }, best, jumps);
            }
        }
    }
}
