//! The sections of a slice and its opposite: all positions with the men on the same squares. Kings move within a
//! section, men move on to sections of the next lower level, the number of steps that all men have left.

use crate::Slice;
use crate::index::{self, rank};
use damier_rules::board::{Bitboard, Square};
use std::ops::RangeInclusive;

/// Section and level of the men of both sides, with the side to move of the slice as white.
pub(super) struct Sections {
    /// The sets of men of white and black by rank.
    pub sets: [Vec<Bitboard>; 2],
    /// For each rank its number of steps and its index among the sets with as many.
    places: [Vec<(u8, u32)>; 2],
    /// The ranks by number of steps.
    ranks: [Vec<Vec<u32>>; 2],
    /// The ranks of the sets of white and black from the ranks that black gives them, who sees the board rotated.
    seen: [Vec<u32>; 2],
    /// The slice is its own opposite: of two sections that differ only by the sides, the one whose white men have fewer
    /// steps left is computed.
    pub is_folded: bool,
}

/// The number of steps that men have left before the row where they promote.
fn steps(side: usize, men: Bitboard) -> u8 {
    let left = |square: Square| match side {
        0 => square.row() - 1,
        _ => 8 - square.row(),
    };
    men.map(left).sum()
}

impl Sections {
    pub fn new(slice: Slice) -> Sections {
        let sets = [index::sets(0, slice.men), index::sets(1, slice.enemy_men)];
        let (mut places, mut ranks) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for side in 0..2 {
            for (rank, &men) in sets[side].iter().enumerate() {
                let steps = steps(side, men);
                let ranks: &mut Vec<Vec<u32>> = &mut ranks[side];
                if ranks.len() <= usize::from(steps) {
                    ranks.resize(usize::from(steps) + 1, Vec::new());
                }
                let ranks = &mut ranks[usize::from(steps)];
                places[side].push((steps, ranks.len() as u32));
                ranks.push(rank as u32);
            }
        }
        let own = index::sets(0, slice.enemy_men).into_iter();
        let other = index::sets(1, slice.men).into_iter();
        let seen = [
            other.map(|set| rank(0, set.rotated()) as u32).collect(),
            own.map(|set| rank(1, set.rotated()) as u32).collect(),
        ];
        Sections {
            sets,
            seen,
            places,
            ranks,
            is_folded: slice == slice.opposite(),
        }
    }

    pub fn levels(&self) -> usize {
        self.ranks[0].len() + self.ranks[1].len() - 1
    }

    /// The numbers of steps that white's men may have on a level.
    fn blocks(&self, level: usize) -> RangeInclusive<usize> {
        let most = level.min(self.ranks[0].len() - 1);
        let least = (level + 1).saturating_sub(self.ranks[1].len());
        least..=if self.is_folded {
            most.min(level / 2)
        } else {
            most
        }
    }

    fn block_len(&self, level: usize, white: usize) -> usize {
        self.ranks[0][white].len() * self.ranks[1][level - white].len()
    }

    /// Number of sections of a level.
    pub fn count(&self, level: usize) -> usize {
        let blocks = self.blocks(level);
        blocks.map(|white| self.block_len(level, white)).sum()
    }

    /// The ranks of the men of a section.
    pub fn men(&self, level: usize, mut at: usize) -> [usize; 2] {
        for white in self.blocks(level) {
            let length = self.block_len(level, white);
            if at < length {
                let black = &self.ranks[1][level - white];
                let [own, other] = [at / black.len(), at % black.len()];
                return [self.ranks[0][white][own] as usize, black[other] as usize];
            }
            at -= length;
        }
        unreachable!("a level has as many sections as it counts")
    }

    /// Level and number of the section with these men. None if it is the other of two that differ only by the sides.
    #[inline(always)]
    pub fn place(&self, men: [usize; 2]) -> Option<(usize, usize)> {
        let [(white, own), (black, other)] = [self.places[0][men[0]], self.places[1][men[1]]];
        if self.is_folded && white > black {
            return None;
        }
        let (level, white) = (usize::from(white + black), usize::from(white));
        let blocks = *self.blocks(level).start()..white;
        let before: usize = blocks.map(|white| self.block_len(level, white)).sum();
        let row = self.ranks[1][usize::from(black)].len();
        Some((level, before + own as usize * row + other as usize))
    }

    /// The men of a section with the sides changed.
    pub fn turned(&self, men: [usize; 2]) -> [usize; 2] {
        [
            rank(0, self.sets[1][men[1]].rotated()) as usize,
            rank(1, self.sets[0][men[0]].rotated()) as usize,
        ]
    }

    /// The ranks of the men of white and black from those of black's and white's men as black sees them.
    #[inline(always)]
    pub fn seen_by_white(&self, [black, white]: [usize; 2]) -> [usize; 2] {
        [self.seen[0][white] as usize, self.seen[1][black] as usize]
    }

    /// Whether the section stands for the one with the sides changed too.
    pub fn is_twofold(&self, men: [usize; 2]) -> bool {
        self.is_folded && self.places[0][men[0]].0 < self.places[1][men[1]].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_its_place_and_men_lead_to_the_next_level() {
        for name in ["2m-1m", "1m-1m", "2m1k-2m", "1m-1k", "2k-1k"] {
            let sections = Sections::new(name.parse().unwrap());
            let (mut found, mut twofold) = (0, 0);
            for level in 0..sections.levels() {
                for at in 0..sections.count(level) {
                    let men = sections.men(level, at);
                    assert_eq!(sections.place(men), Some((level, at)), "{name}");
                    let both = [0, 1].map(|side| steps(side, sections.sets[side][men[side]]));
                    assert_eq!(usize::from(both[0] + both[1]), level, "{name}");
                    if sections.is_twofold(men) {
                        twofold += 1;
                        assert_eq!(sections.place(sections.turned(men)), None);
                    }
                    found += 1;
                }
            }
            let all = sections.sets[0].len() * sections.sets[1].len();
            assert_eq!(found + twofold, all, "{name}");
        }
    }
}
