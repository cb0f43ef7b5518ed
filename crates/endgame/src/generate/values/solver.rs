//! Solves a section: a position is won if one move leads to a loss, and lost if all lead to wins. The rules are applied
//! to whole rows, positions that differ only by the kings of the side that is not to move: a move of a king is there or
//! not for all of a row, but where these kings are in its way.

use super::bits::{self, each_bit, word};
use super::kings::Kings;
use crate::generate::BuildError;
use crate::generate::initial::{Missing, promotion_value};
use crate::verdict::{Source, Value, value_of_captures};
use damier_cpu::Cpu;
use damier_rules::board::{Bitboard, Color, Square, rays};
use damier_rules::internal::unchecked;
use std::borrow::Cow;

/// A man's step to another section.
pub(super) struct Step<'a> {
    /// Where the man goes.
    pub to: Square,
    /// The tables of the wins and losses of the other side there, which is then to move.
    pub values: [Cow<'a, [u8]>; 2],
}

/// A table of one bit for each position, see [`Kings`].
type Bits = Vec<u64>;

/// The tables of one side.
#[derive(Default)]
struct Side {
    /// Positions won and lost by this side, if it is to move.
    won: Bits,
    lost: Bits,
    /// Positions won and lost by the other side, if that is to move.
    other_won: Bits,
    other_lost: Bits,
    /// Positions without a capture.
    quiet: Bits,
    /// Quiet positions in which a promotion wins, and in which one does not lose.
    promotion_wins: Bits,
    promotion_saves: Bits,
    promotes: bool,
    /// The sets of kings that leave the men's squares free.
    sets: Vec<u32>,
    /// Those of the other side, as a row.
    columns: Bits,
    /// Rows to look at again.
    open: Vec<bool>,
    /// Rows in which a value of the other side is new.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

pub(super) struct Solver<'a, S, C> {
    cpu: C,
    kings: &'a Kings,
    source: &'a S,
    sides: [Side; 2],
    /// The men of both sides.
    men: Bitboard,
}

/// Number of tables of a side that are kept: quiet positions, wins and losses of the other side.
pub(super) const KEPT: usize = 3;

impl<'a, S: Source, C: Cpu> Solver<'a, S, C> {
    pub fn new(cpu: C, kings: &'a Kings, source: &'a S) -> Solver<'a, S, C> {
        Solver {
            cpu,
            kings,
            source,
            sides: [Side::default(), Side::default()],
            men: Bitboard::EMPTY,
        }
    }

    /// Solves and checks the section with these men and writes its tables: [`KEPT`] of each side. `steps` are the steps
    /// of the men of each side. None if a value contradicts its successors.
    pub fn solve(
        &mut self,
        men: [Bitboard; 2],
        steps: &[Vec<Step>; 2],
        out: &mut [u8],
    ) -> Result<Option<()>, BuildError> {
        self.men = men[0] | men[1];
        for side in 0..2 {
            self.begin(side, men);
        }
        for side in 0..2 {
            self.captures_and_promotions(side, men)?;
        }
        let cpu = self.cpu;
        let mut is_consistent = false;
        cpu.run(
            #[inline(always)]
            || {
                self.propagate(steps);
                is_consistent = self.is_consistent(steps);
            },
        );
        if !is_consistent {
            return Ok(None);
        }
        let mut at = 0;
        for (side, tables) in self.sides.iter().enumerate() {
            let (words, bytes) = (self.kings.words(side), self.kings.bytes(side));
            for table in [&tables.quiet, &tables.other_won, &tables.other_lost] {
                for row in table.chunks(words) {
                    for (word, part) in row.iter().zip(out[at..at + bytes].chunks_mut(8)) {
                        part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
                    }
                    at += bytes;
                }
            }
        }
        Ok(Some(()))
    }

    fn begin(&mut self, side: usize, men: [Bitboard; 2]) {
        let (kings, tables) = (self.kings, &mut self.sides[side]);
        let men_of_both = self.men;
        let (rows, words) = (kings.rows(side), kings.words(side));
        // A man one step away from the last row.
        tables.promotes = men[side].into_iter().any(|man| man.row() == [1, 8][side]);
        let zero = |bits: &mut Bits, length: usize| {
            bits.clear();
            bits.resize(length, 0);
        };
        zero(&mut tables.won, rows * words);
        zero(&mut tables.lost, rows * words);
        zero(&mut tables.other_won, rows * words);
        zero(&mut tables.other_lost, rows * words);
        zero(&mut tables.quiet, rows * words);
        if tables.promotes {
            zero(&mut tables.promotion_wins, rows * words);
            zero(&mut tables.promotion_saves, rows * words);
        }
        tables.sets.clear();
        tables.open.clear();
        for (row, set) in kings.sets[side].iter().enumerate() {
            let is_free = set.is_disjoint(men_of_both);
            tables.open.push(is_free);
            if is_free {
                tables.sets.push(row as u32);
            }
        }
        let columns = kings.sets[1 - side].iter();
        tables.columns.clear();
        let columns = columns.map(|set| set.is_disjoint(men_of_both));
        tables.columns.extend(bits::words(columns));
        tables.touched.clear();
        tables.is_touched.clear();
        tables.is_touched.resize(rows, false);
    }

    /// Finds the quiet positions of a side, the values of all others, and those of promotions.
    fn captures_and_promotions(&mut self, side: usize, men: [Bitboard; 2]) -> Result<(), Missing> {
        let kings = self.kings;
        // With the side to move as white.
        let (seen, own, other) = match side {
            0 => (men, &kings.sets[0], &kings.sets[1]),
            _ => (
                [men[1].rotated(), men[0].rotated()],
                &kings.rotated[1],
                &kings.rotated[0],
            ),
        };
        let words = kings.words(side);
        let (mut valid, mut capturing) = (vec![0; words], vec![0; words]);
        for number in 0..self.sides[side].sets.len() {
            let row = self.sides[side].sets[number] as usize;
            if kings.rows(1 - side) == 1 {
                // A single position.
                let position = unchecked(seen, [own[row], other[0]], Color::White);
                [valid[0], capturing[0]] = [1, u64::from(position.must_capture())];
            } else {
                self.cpu.run(
                    #[inline(always)]
                    || self.rows_of_captures(side, row, men, &mut valid, &mut capturing),
                );
            }
            for at in 0..words {
                let mut open = valid[at] & capturing[at];
                while open != 0 {
                    let column = at * 64 + open.trailing_zeros() as usize;
                    open &= open - 1;
                    let both = [own[row], other[column]];
                    let position = unchecked(seen, both, Color::White);
                    let value = value_of_captures(self.cpu, self.source, &position);
                    match value.ok_or(Missing)? {
                        Value::Draw => {}
                        value => self.set(side, row, column, value == Value::Win),
                    }
                }
                let (word, mut open) = (row * words + at, valid[at] & !capturing[at]);
                let tables = &mut self.sides[side];
                tables.quiet[word] = open;
                while tables.promotes && open != 0 {
                    let bit = open & open.wrapping_neg();
                    let column = at * 64 + open.trailing_zeros() as usize;
                    open ^= bit;
                    let sets = [seen[0], seen[1], own[row], other[column]];
                    let value = promotion_value(self.cpu, &sets, self.source)?;
                    if value > Some(Value::Loss) {
                        tables.promotion_saves[word] |= bit;
                    }
                    if value == Some(Value::Win) {
                        tables.promotion_wins[word] |= bit;
                    }
                }
            }
        }
        Ok(())
    }

    /// Which columns of a row are positions, and in which of those the side must capture.
    #[inline(always)]
    fn rows_of_captures(
        &self,
        side: usize,
        row: usize,
        men: [Bitboard; 2],
        valid: &mut [u64],
        capturing: &mut [u64],
    ) {
        let kings = self.kings;
        let set = kings.sets[side][row];
        valid.copy_from_slice(&self.sides[side].columns);
        capturing.fill(0);
        for square in set {
            and(valid, kings.free_square(side, square));
        }
        let (own, enemy) = (men[side] | set, men[1 - side]);
        // Over a square that a piece reaches on a free path, to the next one.
        let mut jump = |path: Option<&[u64]>, over: Square, to: Option<Square>| {
            let Some(to) = to.filter(|&to| !(own | enemy).contains(to)) else {
                return;
            };
            let (is_man, over) = (enemy.contains(over), kings.free_square(side, over));
            let to = kings.free_square(side, to);
            for (at, capturing) in capturing.iter_mut().enumerate() {
                let taken = if is_man { !0 } else { !over[at] };
                *capturing |= taken & to[at] & path.map_or(!0, |path| path[at]);
            }
        };
        for direction in 0..rays::DIRECTIONS {
            let next = |square: Square| kings.next[square.bit() & 63][direction];
            for man in men[side] {
                if let Some(over) = next(man).filter(|&over| !own.contains(over)) {
                    jump(None, over, next(over));
                }
            }
            for king in set {
                let (mut path, mut at) = (None, next(king));
                while let Some(over) = at.filter(|&over| !own.contains(over)) {
                    jump(path, over, next(over));
                    if enemy.contains(over) {
                        break;
                    }
                    path = Some(kings.free_path(side, kings.path(king, over)));
                    at = next(over);
                }
            }
        }
    }

    /// Notes a win or a loss in the tables of both sides.
    #[inline(always)]
    fn set(&mut self, side: usize, row: usize, column: usize, is_win: bool) {
        let words = [self.kings.words(side), self.kings.words(1 - side)];
        let own = row * words[0] + column / 64;
        let other = column * words[1] + row / 64;
        let (own_bit, other_bit) = (1 << (column % 64), 1 << (row % 64));
        if is_win {
            self.sides[side].won[own] |= own_bit;
            self.sides[1 - side].other_won[other] |= other_bit;
        } else {
            self.sides[side].lost[own] |= own_bit;
            self.sides[1 - side].other_lost[other] |= other_bit;
        }
    }

    /// Applies the rules to a fixed point.
    #[inline(always)]
    fn propagate(&mut self, steps: &[Vec<Step>; 2]) {
        let most = self.kings.words(0).max(self.kings.words(1));
        let (mut won, mut lost) = (vec![0; most], vec![0; most]);
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (side, steps) in steps.iter().enumerate() {
                let words = self.kings.words(side);
                for number in 0..self.sides[side].sets.len() {
                    let row = self.sides[side].sets[number] as usize;
                    if !std::mem::take(&mut self.sides[side].open[row]) {
                        continue;
                    }
                    let tables = &self.sides[side];
                    let all = row * words..(row + 1) * words;
                    let is_known =
                        |at: usize| tables.quiet[at] & !(tables.won[at] | tables.lost[at]) == 0;
                    if all.clone().all(is_known) {
                        continue;
                    }
                    self.follow(side, row, steps, &mut won, &mut lost);
                    for at in 0..words {
                        let tables = &self.sides[side];
                        let new_wins = won[at] & !tables.won[row * words + at];
                        let new_losses = lost[at] & !tables.lost[row * words + at];
                        each_bit(new_wins | new_losses, |bit| {
                            let column = at * 64 + bit;
                            self.set(side, row, column, new_wins >> bit & 1 != 0);
                            let other = &mut self.sides[1 - side];
                            if !std::mem::replace(&mut other.is_touched[column], true) {
                                other.touched.push(column as u32);
                            }
                        });
                    }
                }
                let (kings, men, other) = (self.kings, self.men, &mut self.sides[1 - side]);
                is_new |= !other.touched.is_empty();
                // It takes longer to find out which rows lead to most of them than to look at all again.
                let are_many = other.touched.len() > other.open.len() / 8;
                if are_many {
                    other.open.fill(true);
                }
                for row in other.touched.drain(..) {
                    let row = row as usize;
                    other.is_touched[row] = false;
                    if !are_many {
                        let before = kings.moves(1 - side, row, men);
                        before.for_each(|(before, _)| other.open[before] = true);
                    }
                }
            }
        }
    }

    /// The quiet positions of a row that are won and lost by what is known of their successors.
    #[inline(always)]
    fn follow(&self, side: usize, row: usize, steps: &[Step], won: &mut [u64], lost: &mut [u64]) {
        let (kings, tables) = (self.kings, &self.sides[side]);
        let words = kings.words(side);
        let (won, lost) = (&mut won[..words], &mut lost[..words]);
        if tables.promotes {
            won.copy_from_slice(&tables.promotion_wins[row * words..][..words]);
            let saves = &tables.promotion_saves[row * words..][..words];
            for (lost, saves) in lost.iter_mut().zip(saves) {
                *lost = !saves;
            }
        } else {
            won.fill(0);
            lost.fill(!0);
        }
        for step in steps {
            if kings.sets[side][row].contains(step.to) {
                continue;
            }
            let free = kings.free_square(side, step.to);
            let from = row * kings.bytes(side);
            for at in 0..words {
                let [other_won, other_lost] = [0, 1].map(|i| word(&step.values[i], from + 8 * at));
                won[at] |= other_lost & free[at];
                lost[at] &= other_won | !free[at];
            }
        }
        let quiet = &tables.quiet[row * words..][..words];
        for (to, path) in kings.moves(side, row, self.men) {
            // All of the row is won: other moves change nothing.
            if words == 1 && quiet[0] & !won[0] == 0 {
                break;
            }
            let free = kings.free_path(side, path);
            let other_won = &tables.other_won[to * words..][..words];
            let other_lost = &tables.other_lost[to * words..][..words];
            for at in 0..words {
                won[at] |= other_lost[at] & free[at];
                lost[at] &= other_won[at] | !free[at];
            }
        }
        for at in 0..words {
            won[at] &= quiet[at];
            // Where a row is won, not all moves were looked at.
            lost[at] &= quiet[at] & !won[at];
        }
    }

    /// Whether the value of every quiet position follows from those of its successors.
    #[inline(always)]
    fn is_consistent(&self, steps: &[Vec<Step>; 2]) -> bool {
        let most = self.kings.words(0).max(self.kings.words(1));
        let (mut won, mut lost) = (vec![0; most], vec![0; most]);
        (0..2).all(|side| {
            let (words, tables) = (self.kings.words(side), &self.sides[side]);
            tables.sets.iter().all(|&row| {
                let row = row as usize;
                self.follow(side, row, &steps[side], &mut won, &mut lost);
                let held = row * words..(row + 1) * words;
                held.zip(won.iter().zip(&lost)).all(|(at, (won, lost))| {
                    let quiet = tables.quiet[at];
                    tables.won[at] & quiet == *won && tables.lost[at] & quiet == *lost
                })
            })
        })
    }
}

#[inline(always)]
fn and(row: &mut [u64], other: &[u64]) {
    for (word, other) in row.iter_mut().zip(other) {
        *word &= other;
    }
}
