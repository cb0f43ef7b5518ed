//! Which other game of draughts a text is, by its rules, where no header says it.

use super::signs;
use crate::board::{Bitboard, Color, Square};
use crate::rules::Position;

/// The game whose squares are named in a text that is no FEN of international draughts.
pub fn of_fen(text: &str) -> Option<&'static str> {
    let words = || words(text);
    if words().filter(|word| is_named(word)).count() > 1 {
        return Some("on a board of 64 squares (a1 to h8)");
    }
    let numbers = || {
        words().filter_map(|word| {
            word.trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .parse()
                .ok()
        })
    };
    let is_large = |number: &u32| (51..=72).contains(number);
    if numbers().filter(is_large).count() > 1 && numbers().all(|number| (1..=72).contains(&number))
    {
        return Some("Canadian draughts or another on a board of 144 squares");
    }
    None
}

/// Names and numbers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// Whether a square is named as in chess.
fn is_named(word: &str) -> bool {
    let word = word.as_bytes();
    let square = word.len().checked_sub(2).map(|at| &word[at..]);
    square.is_some_and(|square| matches!(square, [b'a'..=b'h', b'1'..=b'8']))
}

/// First moves on a board of 64 squares: of English draughts and its kin, and of Russian draughts and its kin.
const FIRST_OF_64: [(u8, u8); 14] = [
    (9, 13),
    (9, 14),
    (10, 14),
    (10, 15),
    (11, 15),
    (11, 16),
    (12, 16),
    (21, 17),
    (22, 17),
    (22, 18),
    (23, 18),
    (23, 19),
    (24, 19),
    (24, 20),
];
/// Most moves that are followed to know a game of Frisian draughts.
const MOST_FOLLOWED: usize = 6;
/// Most jumps that are tried for one of its captures.
const MOST_JUMPS: u32 = 20_000;

/// The game whose rules allow the moves of a text (with or without their numbers and comments), the first of which is
/// illegal in the position here.
///
/// ```
/// use damier_rules::notation::variant;
/// use damier_rules::Position;
///
/// let position: Position = "W:W28,38:B3,18".parse()?;
/// assert_eq!(variant::of_moves(&position, "2. 28x8 3x12"), Some("Frisian draughts"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_moves(position: &Position, text: &str) -> Option<&'static str> {
    let text = signs::plain(text);
    let moves = || moves(&text);
    if words(&text).filter(|word| is_named(word)).count() > 1 && moves().next().is_none() {
        return Some("draughts on a board of 64 squares");
    }
    let first = moves().next()?;
    let is_first = matches!(first[..], [from, to] if FIRST_OF_64.contains(&(from, to)));
    if is_first && *position == Position::start() {
        let is_small = moves().flatten().all(|square| square <= 32);
        return is_small.then_some("draughts on a board of 64 squares");
    }
    let mut board = Frisian::new(position);
    let mut is_frisian = false;
    for squares in moves().take(MOST_FOLLOWED) {
        is_frisian |= board.play(&squares)?;
    }
    is_frisian.then_some("Frisian draughts")
}

/// The squares of each move of a plain text.
fn moves(text: &str) -> impl Iterator<Item = Vec<u8>> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')'));
    words.filter_map(|word| {
        let (_, word) = word.rsplit_once('.').unwrap_or(("", word));
        let word = word.trim_end_matches(['!', '?', ',', ';', '*']);
        let squares: Result<Vec<u8>, _> =
            word.split(['-', 'x', 'X', ':']).map(str::parse).collect();
        squares
            .ok()
            .filter(|squares| squares.len() > 1 && !squares.contains(&0))
    })
}

/// A board of Frisian draughts, where pieces capture along rows and columns too. Its players choose among captures by
/// rules of their own: here any capture will do.
struct Frisian {
    pieces: [Bitboard; 2],
    kings: Bitboard,
    turn: Color,
}

/// A way to capture.
#[derive(Clone, Copy)]
struct Capture {
    taken: Bitboard,
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

impl Frisian {
    fn new(position: &Position) -> Frisian {
        Frisian {
            pieces: Color::BOTH.map(|color| position.pieces(color)),
            kings: position.all_kings(),
            turn: position.turn(),
        }
    }

    /// Plays a move; whether it is a capture that goes along a row or a column. None where no piece can go so.
    fn play(&mut self, squares: &[u8]) -> Option<bool> {
        let from = Square::new(squares[0])?;
        let (us, them) = (self.turn.index(), (!self.turn).index());
        let mut pieces = self.pieces;
        if !pieces[us].contains(from) {
            return None;
        }
        let is_king = self.kings.contains(from);
        pieces[us] = pieces[us].without(Bitboard::of(from));
        // The second square is the last one where the others are those of the pieces captured.
        let ends = [squares[squares.len() - 1], squares[1]];
        let (to, capture) = ends.into_iter().filter_map(Square::new).find_map(|to| {
            let mut best = None;
            let mut jumps = MOST_JUMPS;
            let none = Capture {
                taken: Bitboard::EMPTY,
                is_straight: false,
            };
            let walk = Walk {
                own: pieces[us],
                enemies: pieces[them],
                is_king,
                to,
            };
            walk.follow(from, none, &mut best, &mut jumps);
            let quiet = || walk.is_quiet(from, self.turn).then_some(none);
            best.or_else(quiet).map(|capture| (to, capture))
        })?;
        let crowning = if self.turn == Color::White { 0 } else { 9 };
        self.kings = self
            .kings
            .without(capture.taken)
            .without(Bitboard::of(from));
        if is_king || to.row() == crowning {
            self.kings |= Bitboard::of(to);
        }
        pieces[us] |= Bitboard::of(to);
        pieces[them] = pieces[them].without(capture.taken);
        (self.pieces, self.turn) = (pieces, !self.turn);
        Some(capture.is_straight)
    }
}

/// A piece on its way; it is none of `own`.
struct Walk {
    own: Bitboard,
    enemies: Bitboard,
    is_king: bool,
    to: Square,
}

impl Walk {
    fn is_free(&self, square: Square) -> bool {
        !self.own.contains(square) && !self.enemies.contains(square)
    }

    /// Free squares in a direction, as far as the piece goes, and the piece behind them.
    fn look(&self, from: Square, step: (i8, i8)) -> (Vec<Square>, Option<Square>) {
        let mut free = Vec::new();
        let mut next = beside(from, step);
        while let Some(square) = next.filter(|&square| self.is_free(square)) {
            if !self.is_king && free.len() == 1 {
                return (free, None);
            }
            free.push(square);
            next = beside(square, step);
        }
        (free, next)
    }

    fn is_quiet(&self, from: Square, turn: Color) -> bool {
        let forward = if turn == Color::White { -1 } else { 1 };
        let steps = STEPS[..DIAGONALS].iter();
        let mut steps = steps.filter(|step| self.is_king || step.0 == forward);
        steps.any(|&step| self.look(from, step).0.contains(&self.to))
    }

    /// Finds the capture of the most pieces that ends on the last square.
    fn follow(&self, from: Square, so_far: Capture, best: &mut Option<Capture>, jumps: &mut u32) {
        let is_better = best.is_none_or(|best| best.taken.len() < so_far.taken.len());
        if from == self.to && !so_far.taken.is_empty() && is_better {
            *best = Some(so_far);
        }
        for (direction, &step) in STEPS.iter().enumerate() {
            let (free, Some(over)) = self.look(from, step) else {
                continue;
            };
            let is_near = self.is_king || free.is_empty();
            if !is_near || !self.enemies.contains(over) || so_far.taken.contains(over) {
                continue;
            }
            let taken = so_far.taken | Bitboard::of(over);
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

/// The square one step away.
fn beside(square: Square, (rows, columns): (i8, i8)) -> Option<Square> {
    let row = square
        .row()
        .checked_add_signed(rows)
        .filter(|&row| row < 10)?;
    let column = square
        .column()
        .checked_add_signed(columns)
        .filter(|&column| column < 10)?;
    Square::new(row * 5 + column / 2 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_is_illegal_here_tells_the_game() {
        let frisian = Some("Frisian draughts");
        let small = Some("draughts on a board of 64 squares");
        for (position, text, expected) in [
            // Along a row, along a column, a king from afar, and round a corner.
            ("W:W28:B27", "28x26", frisian),
            (
                "W:W28,38:B3,18",
                "1. 28\u{d7}8 {zo} 3x12 2. 38-33 *",
                frisian,
            ),
            ("B:W34,49:BK5", "... 5x46", None),
            ("B:W25:BK5", "1... 5x45", frisian),
            ("W:W28:B18,9", "28x10", frisian),
            ("W:W28:B18,9", "28x15", None),
            ("W:W38:B28,13", "38x18x9", frisian),
            // What follows cannot be played.
            ("W:W28,38:B3,18", "1. 28x8 3x14", None),
            // No capture in either game.
            ("W:W28:B17", "28x26", None),
            ("W:W28:B22,17", "28x6", None),
            // The majority is not taken, as in many games of beginners.
            ("W:W32,44:B27,29,39", "32x21", None),
            ("W:W31-50:B1-20", "1. 11-15 23-19 2. 8-11 22-17", small),
            ("W:W31-50:B1-20", "1. 22-18 9-14", small),
            ("W:W31-50:B1-20", "1. 11-15 33-29", None),
            ("W:W31-50:B1-20", "1. c3-d4 d6-c5", small),
            ("W:W31-50:B1-20", "1. 32-29", None),
            ("W:W31-50:B1-20", "", None),
        ] {
            let position: Position = position.parse().unwrap();
            assert_eq!(of_moves(&position, text), expected, "{position:?} {text}");
        }
    }
}
