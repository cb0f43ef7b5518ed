//! Captures by depth-first search over the paths of one piece after another.

use super::{Jumps, Sides, jumpable, opposite, shift, union};
use crate::board::rays::{DIRECTIONS, STEPS, open_and_blocker};
use crate::board::{Bitboard, Square};
use crate::rules::{Move, MoveList};
use damier_cpu::Cpu;
use damier_cpu::bits;

/// There are too many paths; use [`super::states`].
#[derive(Debug)]
pub(super) struct TooManyPaths;

/// Appends the captures that take the most pieces to an empty list, examining at most `most_steps` jumps. Returns the
/// number of jumps; after an error the contents of the list are undefined.
#[inline(always)]
pub(super) fn generate(
    cpu: impl Cpu,
    sides: &Sides,
    list: &mut MoveList,
    most_steps: u32,
) -> Result<u32, TooManyPaths> {
    let (enemy, empty) = (sides.enemy(), sides.empty());
    let jumps = Jumps::new(sides.men, enemy, empty);
    let starts = (0..DIRECTIONS).fold(0, |s, d| s | shift(jumps.first[d], opposite(d)));
    let mut search = Paths {
        cpu,
        enemy,
        best: 1,
        list,
        steps_left: most_steps,
        from: Square::from_bit(0),
        empty,
        occupied: 0,
        sight: [0; DIRECTIONS],
    };
    for from in Bitboard(starts) {
        search.start(from, empty);
        search.man(from.bit() as u32, 0, 0)?;
    }
    if sides.kings != 0 {
        for from in Bitboard(sides.kings & union(sight(enemy, empty))) {
            search.start(from, empty);
            search.sight = sight(enemy, search.empty);
            for direction in 0..DIRECTIONS {
                search.king(direction, from, 0, 0)?;
            }
        }
    }
    Ok(most_steps - search.steps_left)
}

struct Paths<'a, C> {
    cpu: C,
    enemy: u64,
    /// Most pieces taken so far; captures of fewer are illegal.
    best: u32,
    list: &'a mut MoveList,
    steps_left: u32,
    from: Square,
    /// Squares free for the capturing piece: the empty ones and the one it came from.
    empty: u64,
    occupied: u64,
    /// As by [`sight`], with the square free that the piece came from.
    sight: [u64; DIRECTIONS],
}

/// By direction, the squares from which a king can jump the first piece that way: empty ones, and occupied ones behind
/// them.
#[inline(always)]
fn sight(enemy: u64, empty: u64) -> [u64; DIRECTIONS] {
    let jumpable = jumpable(enemy, empty);
    std::array::from_fn(|direction| {
        let back = STEPS[opposite(direction)];
        let by = |bits: u64, steps: i32| match back * steps {
            up @ 0.. => bits << up,
            down => bits >> -down,
        };
        // The squares in front of the piece, as far as they are empty: first 1 of them, then up to 2, 4 and 8.
        let (mut seen, mut open) = (by(jumpable[direction], 1) & empty, empty);
        for steps in [1, 2, 4] {
            seen |= by(seen, steps) & open;
            open &= by(open, steps);
        }
        // And the first occupied one behind them.
        seen | by(seen | jumpable[direction], 1)
    })
}

impl<C: Cpu> Paths<'_, C> {
    fn start(&mut self, from: Square, empty: u64) {
        self.from = from;
        self.empty = empty | 1 << from.bit();
        self.occupied = !self.empty & Bitboard::ALL.0;
    }

    fn step(&mut self) -> Result<(), TooManyPaths> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(TooManyPaths)?;
        Ok(())
    }

    /// All continuations of a man on `at` that has taken `captured`.
    #[inline(always)]
    fn man(&mut self, at: u32, captured: u64, taken: u32) -> Result<(), TooManyPaths> {
        self.cpu.call(
            #[inline(always)]
            |paths, at, captured, taken| Self::man_on_level(paths, at, captured, taken),
            self,
            at,
            captured,
            taken,
        )
    }

    #[inline(always)]
    fn man_on_level(&mut self, at: u32, captured: u64, taken: u32) -> Result<(), TooManyPaths> {
        self.step()?;
        let mut stuck = true;
        for direction in 0..DIRECTIONS {
            let over = shift(1 << at, direction) & self.enemy & !captured;
            let to = shift(over, direction) & self.empty;
            if to != 0 {
                stuck = false;
                self.man(bits::lowest(to), captured | over, taken + 1)?;
            }
        }
        if stuck {
            self.finish(Square::from_bit(at), captured, taken, 4);
        }
        Ok(())
    }

    /// A king's jump in one direction, if there is one, and all continuations. A second jump straight ahead is the same
    /// from every landing square, and behind is the piece just taken: so from each landing square only the two sideways
    /// directions remain to be tried.
    #[inline(always)]
    fn king(
        &mut self,
        direction: usize,
        at: Square,
        captured: u64,
        taken: u32,
    ) -> Result<bool, TooManyPaths> {
        if self.sight[direction] >> at.bit() & 1 == 0 {
            return Ok(false);
        }
        self.cpu.call(
            #[inline(always)]
            |paths, (direction, at), captured, taken| {
                Self::king_on_level(paths, direction, at, captured, taken)
            },
            self,
            (direction, at),
            captured,
            taken,
        )
    }

    #[inline(always)]
    fn king_on_level(
        &mut self,
        direction: usize,
        at: Square,
        captured: u64,
        taken: u32,
    ) -> Result<bool, TooManyPaths> {
        let (_, blocker) = open_and_blocker(direction, at, Bitboard(self.occupied));
        let over = blocker.0 & self.enemy & !captured;
        if shift(over, direction) & self.empty == 0 {
            return Ok(false);
        }
        self.step()?;
        let (captured, taken) = (captured | over, taken + 1);
        let over = Square::from_bit(bits::lowest(over));
        let (landings, _) = open_and_blocker(direction, over, Bitboard(self.occupied));
        let mut straight = false;
        for (i, to) in landings.into_iter().enumerate() {
            if i == 0 {
                straight = self.king(direction, to, captured, taken)?;
            }
            let left = self.king(direction ^ 1, to, captured, taken)?;
            let right = self.king(direction ^ 3, to, captured, taken)?;
            if !(straight || left || right) {
                self.finish(to, captured, taken, 2);
            }
        }
        Ok(true)
    }

    /// Keeps a finished capture if none is longer. With at least `circle` pieces, another path may have made the same
    /// move.
    fn finish(&mut self, to: Square, captured: u64, taken: u32, circle: u32) {
        if taken < self.best {
            return;
        }
        if taken > self.best {
            self.best = taken;
            self.list.clear();
        }
        let mv = Move::new(self.from, to, Bitboard(captured));
        if taken < circle || !self.list.contains(&mv) {
            self.list.push(mv);
        }
    }
}
