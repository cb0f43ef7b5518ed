//! What the patterns see of a position.

use crate::board::{Bitboard, Color, Square, bits};
use crate::rules::Position;

/// Windows on the upper rows, and on the lower rows.
pub const WINDOWS: usize = 4;
/// Arrangements of men in a window: twelve squares, each empty, own or enemy. Kings count as empty. A row of the window is two
/// digits to the base 3, the upper rows the lower digits.
pub const ARRANGEMENTS: usize = 531_441;
/// [`early`] of the first position: wholly early.
pub const PHASES: i32 = 300;
/// Weights beside the windows.
pub const OTHERS: usize = DIAGONAL + DIAGONALS;

/// Bias for the side to move, by who has kings.
const BIAS: usize = 0;
/// A man more.
const MAN: usize = BIAS + 4;
/// Having a king at all.
const FIRST_KING: usize = MAN + 1;
/// A king, by its square.
const KING: usize = FIRST_KING + 1;
/// Who has how many men and kings, where there are kings.
const MATERIAL: usize = KING + 50;
/// Who is on the long diagonal with a king, by the pieces that each side has.
const DIAGONAL: usize = MATERIAL + MEN * MEN * KINGS * KINGS;

/// Numbers of men told apart: the last is for more.
const MEN: usize = 9;
/// Numbers of kings told apart: the last is for more.
const KINGS: usize = 4;
const DIAGONALS: usize = 3 * LEADS * TOTALS;
/// Leads in pieces told apart, from -3 to 3.
const LEADS: usize = 7;
/// Numbers of pieces told apart.
const TOTALS: usize = 6;

/// The squares of the first window; the next is one bit further.
const WINDOW: u64 = 0b11 << 32 | 0b11 << 26 | 0b11 << 19 | 0b11 << 13 | 0b11 << 6 | 0b11;

/// A set of squares of a window, read as a number to the base 3.
static DIGITS: [u32; 1 << 12] = {
    let mut digits = [0; 1 << 12];
    let mut set = 1;
    while set < 1 << 12 {
        digits[set] = digits[set >> 1] * 3 + (set & 1) as u32;
        set += 1;
    }
    digits
};

/// Own men, enemy men, own kings, enemy kings as the side to move sees them.
pub type Boards = [u64; 4];

/// The boards of a position.
#[inline(always)]
pub fn boards(position: &Position) -> Boards {
    let us = position.turn();
    let boards = [
        position.men(us).0,
        position.men(!us).0,
        position.kings(us).0,
        position.kings(!us).0,
    ];
    match us {
        Color::White => boards,
        Color::Black => boards.map(|board| Bitboard(board).rotated().0),
    }
}

/// The boards as the other side sees them.
#[inline(always)]
pub fn turned([own, enemy, own_kings, enemy_kings]: Boards) -> Boards {
    [enemy, own, enemy_kings, own_kings].map(|board| Bitboard(board).rotated().0)
}

/// The arrangements in the windows of the upper rows. Those of the lower rows are the arrangements of the boards [`turned`]; what
/// they are worth is worth it to the other side.
#[inline(always)]
pub fn arrangements(boards: &Boards) -> [u32; WINDOWS] {
    std::array::from_fn(|window| {
        DIGITS[squares(boards[0], window)] + 2 * DIGITS[squares(boards[1], window)]
    })
}

/// The twelve squares of a window, side by side.
#[inline(always)]
fn squares(board: u64, window: usize) -> usize {
    if cfg!(target_feature = "bmi2") {
        bits::gather(board, WINDOW << window) as usize & 0xFFF
    } else {
        folded(board, window)
    }
}

/// [`squares`] by shifts: where there is no instruction for it, the pairs of rows are the same distance apart.
#[inline(always)]
fn folded(board: u64, window: usize) -> usize {
    let rows = board >> window & WINDOW;
    let pairs = rows | rows >> 4;
    (pairs & 0xF | pairs >> 9 & 0xF0 | pairs >> 18 & 0xF00) as usize
}

/// Rows that the men have to go to the last row, all added up: how early the board is, at most [`PHASES`]. The idea is Scan's.
#[inline(always)]
pub fn early(boards: &Boards) -> i32 {
    // Row by row would be ten counts a side; the binary digits of the row's number are four.
    const ROWS: [[u64; 4]; 2] = {
        let mut rows = [[0; 4]; 2];
        let mut number = 1;
        while number <= 50 {
            if let Some(square) = Square::new(number) {
                let mut digit = 0;
                while digit < 4 {
                    let (up, down) = (square.row() as u64, 9 - square.row() as u64);
                    rows[0][digit] |= (up >> digit & 1) << square.bit();
                    rows[1][digit] |= (down >> digit & 1) << square.bit();
                    digit += 1;
                }
            }
            number += 1;
        }
        rows
    };
    let mut sum = 0;
    for (men, rows) in boards.iter().zip(&ROWS) {
        for (digit, row) in rows.iter().enumerate() {
            sum += bits::count(men & row) << digit;
        }
    }
    (sum as i32).min(PHASES)
}

/// Calls `each` with the number of each other weight that the position has, and how many times.
#[inline(always)]
pub fn visit_others(boards: &Boards, mut each: impl FnMut(usize, i32)) {
    let [own_men, enemy_men] = [boards[0], boards[1]].map(bits::count);
    each(MAN, own_men as i32 - enemy_men as i32);
    if boards[2] | boards[3] == 0 {
        each(BIAS, 1);
    } else {
        visit_kings(boards, &mut each);
    }
}

/// The weights of a position with kings.
fn visit_kings(boards: &Boards, each: &mut impl FnMut(usize, i32)) {
    let [men, enemy_men, kings, enemy_kings] = boards.map(|board| bits::count(board) as usize);
    let (has, enemy_has) = (usize::from(kings > 0), usize::from(enemy_kings > 0));
    each(BIAS + has + 2 * enemy_has, 1);
    each(FIRST_KING, has as i32 - enemy_has as i32);
    for square in Bitboard(boards[2]) {
        each(KING + usize::from(square.number()) - 1, 1);
    }
    for square in Bitboard(boards[3]) {
        each(KING + usize::from(square.rotated().number()) - 1, -1);
    }
    let count = |men: usize, kings: usize| men.min(MEN - 1) * KINGS + kings.min(KINGS - 1);
    let material = count(men, kings) * MEN * KINGS + count(enemy_men, enemy_kings);
    each(MATERIAL + material, 1);
    let on = usize::from(boards[2] & Bitboard::LONG_DIAGONAL.0 != 0)
        + 2 * usize::from(boards[3] & Bitboard::LONG_DIAGONAL.0 != 0);
    if on > 0 {
        let (own, enemy) = (men + kings, enemy_men + enemy_kings);
        let lead = (own + LEADS / 2).saturating_sub(enemy).min(LEADS - 1);
        let total = ((own + enemy).saturating_sub(2) / 2).min(TOTALS - 1);
        each(DIAGONAL + ((on - 1) * LEADS + lead) * TOTALS + total, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instruction_and_the_shifts_gather_the_same_squares() {
        let mut board = 1u64;
        for _ in 0..2_000 {
            board = board
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            for window in 0..WINDOWS {
                let board = board & Bitboard::ALL.0;
                assert_eq!(squares(board, window), folded(board, window));
            }
        }
    }

    #[test]
    fn a_window_is_two_columns_of_six_rows() {
        let set = |numbers: &[u8]| -> u64 {
            let squares = numbers.iter().map(|&n| Square::new(n).unwrap());
            squares.collect::<Bitboard>().0
        };
        let first = [1, 2, 6, 7, 11, 12, 16, 17, 21, 22, 26, 27];
        for window in 0..WINDOWS {
            assert_eq!(WINDOW << window, set(&first.map(|n| n + window as u8)));
        }
        // The digits of the upper rows are the lower ones.
        for (at, number) in first.into_iter().enumerate() {
            let digit = 3u32.pow(at as u32);
            assert_eq!(arrangements(&[set(&[number]), 0, 0, 0])[0], digit);
            assert_eq!(arrangements(&[0, set(&[number]), 0, 0])[0], 2 * digit);
        }
        let full = [!0, 0, 0, 0];
        assert_eq!(
            arrangements(&full),
            [(ARRANGEMENTS as u32 - 1) / 2; WINDOWS]
        );
    }

    #[test]
    fn the_first_position_is_wholly_early() {
        let mut boards = boards(&Position::start());
        assert_eq!(early(&boards), PHASES);
        boards[0] = 1 << Square::new(6).unwrap().bit();
        boards[1] = 1 << Square::new(6).unwrap().bit();
        assert_eq!(early(&boards), 1 + 8);
    }
}
