//! The sets of kings of a slice, and which of them leave a square or the path of a move free.

use super::bits::words;
use crate::Slice;
use crate::index::{rank, sets};
use damier_rules::board::{Bitboard, Square, rays};
use damier_rules::internal::retro;

/// Number of bits of a bitboard.
const BITS: usize = 64;

/// The kings of white (0) and black (1). A table of side 0 has a row for each set of white kings, with a bit for each
/// set of black kings; a table of side 1 the other way round.
pub(super) struct Kings {
    pub sets: [Vec<Bitboard>; 2],
    /// The sets seen from the other side.
    pub rotated: [Vec<Bitboard>; 2],
    /// The ranks of the rotated sets.
    pub turned: [Vec<u32>; 2],
    /// The neighbours of each square in the four directions.
    pub next: Box<[[Option<Square>; rays::DIRECTIONS]; BITS]>,
    /// The number of the path from a square to another on its diagonals.
    paths: Box<[[u16; BITS]; BITS]>,
    /// The squares of each path.
    squares: Vec<Bitboard>,
    moves: [Moves; 2],
    /// By side and path: the sets of the other side without a king on it.
    free_paths: [Vec<u64>; 2],
    /// By side and square: the sets of the other side without a king on it.
    free_squares: [Vec<u64>; 2],
}

impl Kings {
    pub fn new(slice: Slice) -> Kings {
        let sets = [sets(2, slice.kings), sets(3, slice.enemy_kings)];
        let rotated = [0, 1].map(|side: usize| {
            let sets: &Vec<Bitboard> = &sets[side];
            sets.iter().map(|set| set.rotated()).collect::<Vec<_>>()
        });
        let turned = [0, 1].map(|side: usize| {
            let rank = |set: &Bitboard| rank(2, *set) as u32;
            rotated[side].iter().map(rank).collect()
        });
        let (mut paths, mut along) = (Box::new([[0; BITS]; BITS]), Vec::new());
        for from in Square::all() {
            for to in rays::king_reach(from, Bitboard::EMPTY) {
                paths[from.bit()][to.bit()] = along.len() as u16;
                along.push(path(from, to));
            }
        }
        let mut next = Box::new([[None; rays::DIRECTIONS]; BITS]);
        for from in Square::all() {
            for (direction, next) in next[from.bit()].iter_mut().enumerate() {
                let to = (from.bit() as i32 + rays::STEPS[direction]) as u32;
                *next = rays::ray(direction, from)
                    .into_iter()
                    .find(|square| square.bit() == to as usize);
            }
        }
        let squares: Vec<Bitboard> = (0..BITS as u32)
            .map(|bit| Bitboard::from_bits(1 << bit & Bitboard::ALL.bits()))
            .collect();
        let free = |side: usize, all: &[Bitboard]| {
            let sets: &Vec<Bitboard> = &sets[1 - side];
            let free = |taken: &Bitboard| words(sets.iter().map(|set| set.is_disjoint(*taken)));
            all.iter().flat_map(free).collect()
        };
        Kings {
            moves: [0, 1].map(|side: usize| Moves::new(&sets[side], &paths)),
            rotated,
            turned,
            next,
            free_paths: [free(0, &along), free(1, &along)],
            free_squares: [free(0, &squares), free(1, &squares)],
            paths,
            squares: along,
            sets,
        }
    }

    /// Number of rows of a table.
    pub fn rows(&self, side: usize) -> usize {
        self.sets[side].len()
    }

    /// Number of words of a row in memory.
    #[inline(always)]
    pub fn words(&self, side: usize) -> usize {
        self.sets[1 - side].len().div_ceil(BITS)
    }

    /// Number of bytes of a row in a file.
    #[inline(always)]
    pub fn bytes(&self, side: usize) -> usize {
        self.sets[1 - side].len().div_ceil(8)
    }

    /// The path between two squares.
    #[inline(always)]
    pub fn path(&self, from: Square, to: Square) -> u16 {
        self.paths[from.bit() & 63][to.bit() & 63]
    }

    /// The moves of a set that men leave free: the set after each, and its path.
    #[inline(always)]
    pub fn moves(
        &self,
        side: usize,
        row: usize,
        men: Bitboard,
    ) -> impl Iterator<Item = (usize, u16)> {
        let moves = self.moves[side].of(row).iter();
        let is_free = move |path: u16| self.squares[usize::from(path)].is_disjoint(men);
        moves
            .filter(move |&&(_, path)| is_free(path))
            .map(|&(to, path)| (to as usize, path))
    }

    #[inline(always)]
    pub fn free_path(&self, side: usize, path: u16) -> &[u64] {
        let words = self.words(side);
        &self.free_paths[side][usize::from(path) * words..][..words]
    }

    #[inline(always)]
    pub fn free_square(&self, side: usize, square: Square) -> &[u64] {
        let words = self.words(side);
        &self.free_squares[side][square.bit() * words..][..words]
    }
}

/// The squares of a king's move, without that where it begins.
fn path(from: Square, to: Square) -> Bitboard {
    let side = |a: Square, b: Square| rays::king_reach(a, Bitboard::of(b));
    let all = (0..rays::DIRECTIONS).map(|direction| rays::ray(direction, from));
    let ray = all
        .filter(|ray| ray.contains(to))
        .fold(Bitboard::EMPTY, |a, b| a | b);
    ray & side(from, to) & (side(to, from) | Bitboard::of(to)) | Bitboard::of(to)
}

/// The moves of the kings of one side on a board without men.
struct Moves {
    starts: Vec<u32>,
    /// The set after the move, and the path.
    moves: Vec<(u32, u16)>,
}

impl Moves {
    fn new(sets: &[Bitboard], paths: &[[u16; BITS]; BITS]) -> Moves {
        let (mut starts, mut moves) = (vec![0], Vec::new());
        for &set in sets {
            retro::each_king_move(set, set, |from, to| {
                let after = set ^ Bitboard::of(from) | Bitboard::of(to);
                moves.push((rank(2, after) as u32, paths[from.bit()][to.bit()]));
            });
            starts.push(moves.len() as u32);
        }
        Moves { starts, moves }
    }

    #[inline(always)]
    fn of(&self, row: usize) -> &[(u32, u16)] {
        &self.moves[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}
