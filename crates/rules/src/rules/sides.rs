//! The pieces from the side to move's point of view: what move generation needs, without a colour.

use crate::board::{Bitboard, Color};

/// Own and enemy men and kings, as raw bits. Captures are the same for both colours and need only this; quiet moves and
/// promotions take the colour as a type, [`Side`], so that every shift is by a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sides {
    pub men: u64,
    pub kings: u64,
    pub enemy_men: u64,
    pub enemy_kings: u64,
}

impl Sides {
    /// Men only.
    #[inline(always)]
    pub fn of_men(men: u64, enemy_men: u64) -> Sides {
        Sides {
            men,
            kings: 0,
            enemy_men,
            enemy_kings: 0,
        }
    }

    #[inline(always)]
    pub fn enemy(&self) -> u64 {
        self.enemy_men | self.enemy_kings
    }

    #[inline(always)]
    pub fn empty(&self) -> u64 {
        Bitboard::ALL.0 & !(self.men | self.kings | self.enemy())
    }

    #[inline(always)]
    pub fn has_kings(&self) -> bool {
        self.kings | self.enemy_kings != 0
    }
}

/// A colour as a type.
pub(crate) trait Side {
    type Other: Side;
    const COLOR: Color;
    const PROMOTION_ROW: u64;

    /// The squares one step forward along the diagonal of step 6.
    fn ahead_six(men: u64) -> u64;
    /// The squares one step forward along the diagonal of step 7.
    fn ahead_seven(men: u64) -> u64;
}

/// White as a type.
pub(crate) struct White;
/// Black as a type.
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
    const PROMOTION_ROW: u64 = Bitboard::TOP_ROW.0;

    #[inline(always)]
    fn ahead_six(men: u64) -> u64 {
        men >> 6
    }

    #[inline(always)]
    fn ahead_seven(men: u64) -> u64 {
        men >> 7
    }
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
    const PROMOTION_ROW: u64 = Bitboard::BOTTOM_ROW.0;

    #[inline(always)]
    fn ahead_six(men: u64) -> u64 {
        men << 6
    }

    #[inline(always)]
    fn ahead_seven(men: u64) -> u64 {
        men << 7
    }
}
