use damier_rules::Position;
use std::fmt;
use std::str::FromStr;

/// Maximum number of pieces of a slice, both sides together.
pub const MAX_PIECES: u8 = 6;

/// All positions with the same numbers of men and kings, from the side to move's point of view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slice {
    /// Men of the side to move.
    pub men: u8,
    /// Kings of the side to move.
    pub kings: u8,
    /// Men of the other side.
    pub enemy_men: u8,
    /// Kings of the other side.
    pub enemy_kings: u8,
}

impl Slice {
    /// The slice of a position.
    #[inline(always)]
    pub fn of(position: &Position) -> Slice {
        let us = position.turn();
        Slice {
            men: position.men(us).len() as u8,
            kings: position.kings(us).len() as u8,
            enemy_men: position.men(!us).len() as u8,
            enemy_kings: position.kings(!us).len() as u8,
        }
    }

    /// Pieces of both sides.
    #[inline(always)]
    pub const fn pieces(self) -> u8 {
        self.men + self.kings + self.enemy_men + self.enemy_kings
    }

    /// Men of both sides.
    pub const fn all_men(self) -> u8 {
        self.men + self.enemy_men
    }

    /// The same pieces with the other side to move: the slice reached by quiet moves.
    pub const fn opposite(self) -> Slice {
        Slice {
            men: self.enemy_men,
            kings: self.enemy_kings,
            enemy_men: self.men,
            enemy_kings: self.kings,
        }
    }

    /// Whether both sides have a piece, and together at most [`MAX_PIECES`].
    pub const fn is_playable(self) -> bool {
        self.men + self.kings > 0
            && self.enemy_men + self.enemy_kings > 0
            && self.pieces() <= MAX_PIECES
    }

    /// A number below [`Slice::IDS`], to index arrays.
    #[inline(always)]
    pub(crate) const fn id(self) -> usize {
        let [a, b, c, d] = [self.men, self.kings, self.enemy_men, self.enemy_kings];
        ((a as usize * 7 + b as usize) * 7 + c as usize) * 7 + d as usize
    }

    /// Upper bound of [`Slice::id`].
    pub(crate) const IDS: usize = 7 * 7 * 7 * 7;

    /// All slices with this many pieces in building order: fewer men first, and a slice next to its opposite.
    pub fn of_pieces(pieces: u8) -> Vec<Slice> {
        let mut slices = Vec::new();
        for men in 0..=pieces {
            for kings in 0..=pieces - men {
                for enemy_men in 0..=pieces - men - kings {
                    let enemy_kings = pieces - men - kings - enemy_men;
                    let slice = Slice {
                        men,
                        kings,
                        enemy_men,
                        enemy_kings,
                    };
                    if slice.is_playable() {
                        slices.push(slice);
                    }
                }
            }
        }
        slices.sort_by_key(|slice| {
            (
                slice.all_men(),
                slice.representative(),
                *slice != slice.representative(),
            )
        });
        slices
    }

    /// The representative of a slice and its opposite.
    pub(crate) fn representative(self) -> Slice {
        self.max(self.opposite())
    }

    /// The slices reached by a promotion or the capture of one piece, for both sides and either side to move. Longer
    /// captures reach children of these.
    pub fn children(self) -> Vec<Slice> {
        let mut found = Vec::new();
        let mut add = |slice: Slice| {
            if slice.is_playable() {
                found.extend([slice, slice.opposite()]);
            }
        };
        for side in [self, self.opposite()] {
            if side.men > 0 {
                add(Slice {
                    men: side.men - 1,
                    kings: side.kings + 1,
                    ..side
                });
                add(Slice {
                    men: side.men - 1,
                    ..side
                });
            }
            if side.kings > 0 {
                add(Slice {
                    kings: side.kings - 1,
                    ..side
                });
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Legal placements of the pieces: no man on its promotion row, no two pieces on one square.
    pub fn positions(self) -> u64 {
        let choose = |n: u64, k: u64| -> u64 {
            if k > n {
                0
            } else {
                (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
            }
        };
        let [m, k, em, ek] =
            [self.men, self.kings, self.enemy_men, self.enemy_kings].map(u64::from);
        // Own men on squares where no enemy man can be.
        let men: u64 = (0..=m.min(5))
            .map(|home| choose(5, home) * choose(40, m - home) * choose(45 - (m - home), em))
            .sum();
        men * choose(50 - m - em, k) * choose(50 - m - em - k, ek)
    }
}

/// `2m1k-1k`: two men and a king of the side to move against a king.
impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |men: u8, kings: u8| match (men, kings) {
            (0, kings) => format!("{kings}k"),
            (men, 0) => format!("{men}m"),
            (men, kings) => format!("{men}m{kings}k"),
        };
        let (us, them) = (
            side(self.men, self.kings),
            side(self.enemy_men, self.enemy_kings),
        );
        write!(f, "{us}-{them}")
    }
}

/// The text is not the name of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a slice is two sides of up to {MAX_PIECES} pieces together, as in 2m1k-1k")]
pub struct ParseSliceError;

impl FromStr for Slice {
    type Err = ParseSliceError;

    fn from_str(text: &str) -> Result<Slice, ParseSliceError> {
        let side = |text: &str| -> Option<(u8, u8)> {
            let (men, rest) = match text.split_once('m') {
                Some((men, rest)) => (men.parse().ok()?, rest),
                None => (0, text),
            };
            let kings = match rest.strip_suffix('k') {
                Some(kings) => kings.parse().ok()?,
                None if rest.is_empty() => 0,
                None => return None,
            };
            (men <= MAX_PIECES && kings <= MAX_PIECES).then_some((men, kings))
        };
        let (us, them) = text.split_once('-').ok_or(ParseSliceError)?;
        let ((men, kings), (enemy_men, enemy_kings)) =
            side(us).zip(side(them)).ok_or(ParseSliceError)?;
        let slice = Slice {
            men,
            kings,
            enemy_men,
            enemy_kings,
        };
        slice.is_playable().then_some(slice).ok_or(ParseSliceError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_have_the_known_numbers_of_positions() {
        let known = [(2, 4, 8_845), (3, 12, 806_300), (4, 25, 41_971_200)];
        for (pieces, slices, positions) in known {
            let all = Slice::of_pieces(pieces);
            let sum: u64 = all.iter().map(|slice| slice.positions()).sum();
            assert_eq!((all.len(), sum), (slices, positions), "{pieces} pieces");
        }
    }

    #[test]
    fn names_round_trip_and_children_come_first() {
        let mut built = Vec::new();
        for slice in (2..=6).flat_map(Slice::of_pieces) {
            assert_eq!(slice.to_string().parse(), Ok(slice));
            for child in slice.children() {
                assert!(built.contains(&child), "{slice} before {child}");
            }
            built.push(slice);
        }
        for bad in [
            "", "1k", "1k-", "-1k", "1m1m-1k", "4k-3k", "0k-1k", "1k-1K", "999m-1k",
        ] {
            assert_eq!(bad.parse::<Slice>(), Err(ParseSliceError), "{bad}");
        }
    }
}
