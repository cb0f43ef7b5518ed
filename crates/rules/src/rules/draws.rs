//! Draws by article 6, except repetition, which needs the history ([`super::Game`]).
//!
//! The material of articles 6.3 and 6.4 forms one class each. Within a class the count continues whatever is played,
//! including moves of men, promotions, and a capture that leaves king against king. A change of class restarts it at
//! zero. (Programs differ here: dame-rs restarts at any change of material, and py-draughts continues the count of 6.3
//! into 6.4. Otherwise all three agree.)

use super::zobrist::{Key, mix};
use super::{Move, Position};
use crate::board::Color;
use std::fmt;

/// Plies of kings only without a capture after which a game is drawn (25 moves each).
pub const KINGS_ONLY_PLIES: u8 = 50;
/// Plies with three pieces against a king after which a game is drawn (16 moves each).
pub const THREE_VS_KING_PLIES: u8 = 32;
/// Plies with two pieces, or a king, against a king after which a game is drawn (5 moves each).
pub const TWO_VS_KING_PLIES: u8 = 10;
/// From this many plies of kings only, the count is part of [`DrawClock::key`], in steps of [`KINGS_ONLY_KEY_STEP`].
const KINGS_ONLY_KEY_START: u8 = 30;
const KINGS_ONLY_KEY_STEP: u8 = 5;

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawRule {
    /// A position with the same side to move for the third time (6.1).
    Repetition,
    /// 25 moves each of kings only, without a capture (6.2).
    KingsOnly,
    /// 16 moves each with three pieces, a king among them, against a lone king (6.3).
    ThreeVsKing,
    /// 5 moves each with two pieces, a king among them, or one king against a lone king (6.4).
    TwoVsKing,
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawRule::Repetition => "the position occurred for the third time",
            DrawRule::KingsOnly => "25 moves each with kings only and no capture",
            DrawRule::ThreeVsKing => "16 moves each with three pieces against a king",
            DrawRule::TwoVsKing => "5 moves each with at most two pieces against a king",
        })
    }
}

/// The endings that must be won within a limited number of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndgameClass {
    /// Three pieces, a king among them, against a lone king.
    ThreeVsKing,
    /// Two pieces, a king among them, or one king, against a lone king.
    TwoVsKing,
}

impl EndgameClass {
    /// The class of a position, if any.
    #[inline(always)]
    pub fn of(position: &Position) -> Option<EndgameClass> {
        if position.occupied().len() > 4 {
            return None;
        }
        // No index by a colour worked out here: it would keep a position just made from staying in registers.
        let [white, black] = Color::BOTH;
        let lone_king = |c: Color| position.men(c).is_empty() && position.kings(c).len() == 1;
        let with_king = |c: Color| !position.kings(c).is_empty();
        let strong = if lone_king(white) && with_king(black) {
            position.pieces(black).len()
        } else if lone_king(black) && with_king(white) {
            position.pieces(white).len()
        } else {
            return None;
        };
        match strong {
            1 | 2 => Some(EndgameClass::TwoVsKing),
            3 => Some(EndgameClass::ThreeVsKing),
            _ => None,
        }
    }

    const fn limit(self) -> u8 {
        match self {
            EndgameClass::ThreeVsKing => THREE_VS_KING_PLIES,
            EndgameClass::TwoVsKing => TWO_VS_KING_PLIES,
        }
    }
}

/// The counters of articles 6.2 to 6.4 at one point of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DrawClock {
    kings_only: u8,
    class: Option<EndgameClass>,
    class_plies: u8,
}

impl DrawClock {
    /// The counters at the start of a game from `position`.
    pub fn new(position: &Position) -> DrawClock {
        DrawClock {
            kings_only: 0,
            class: EndgameClass::of(position),
            class_plies: 0,
        }
    }

    /// The counters after `mv`, which leads from `before` to `after`.
    #[inline(always)]
    pub fn after(&self, before: &Position, mv: Move, after: &Position) -> DrawClock {
        if mv.is_capture() || before.moves_man(mv) {
            self.after_irreversible(after)
        } else {
            DrawClock {
                kings_only: self.kings_only.saturating_add(1),
                class: self.class,
                class_plies: self.class_plies.saturating_add(self.class.is_some() as u8),
            }
        }
    }

    #[inline]
    fn after_irreversible(&self, after: &Position) -> DrawClock {
        let class = EndgameClass::of(after);
        let class_plies = if class.is_some() && class == self.class {
            self.class_plies.saturating_add(1)
        } else {
            0
        };
        DrawClock {
            kings_only: 0,
            class,
            class_plies,
        }
    }

    /// Plies played with kings only and without a capture.
    #[inline(always)]
    pub fn kings_only(&self) -> u8 {
        self.kings_only
    }

    /// The class whose limit applies, and the plies played in it.
    #[inline]
    pub fn class(&self) -> Option<(EndgameClass, u8)> {
        self.class.map(|class| (class, self.class_plies))
    }

    /// Plies within which the game must be won: the rest of the class's limit or, if less and there are no men to
    /// restart it, of the kings-only limit. None if no limit applies.
    #[inline]
    pub fn plies_left(&self, position: &Position) -> Option<u32> {
        let class = self
            .class
            .map(|class| class.limit().saturating_sub(self.class_plies));
        let men = position.men(Color::White) | position.men(Color::Black);
        let kings = men
            .is_empty()
            .then(|| KINGS_ONLY_PLIES.saturating_sub(self.kings_only));
        class.into_iter().chain(kings).min().map(u32::from)
    }

    /// The rule by which the game is now drawn, if any. A side without a legal move has lost even so.
    #[inline]
    pub fn verdict(&self) -> Option<DrawRule> {
        if self.kings_only >= KINGS_ONLY_PLIES {
            return Some(DrawRule::KingsOnly);
        }
        let class = self
            .class
            .filter(|class| self.class_plies >= class.limit())?;
        Some(match class {
            EndgameClass::ThreeVsKing => DrawRule::ThreeVsKing,
            EndgameClass::TwoVsKing => DrawRule::TwoVsKing,
        })
    }

    /// What the counters contribute to the key of a position in the search: nothing as long as they do not matter. The
    /// count of a class is exact; the 50 plies of kings only count in coarse steps once they are high.
    #[inline(always)]
    pub fn key(&self) -> Key {
        if self.class.is_none() && self.kings_only < KINGS_ONLY_KEY_START {
            return Key::default();
        }
        let high = self
            .kings_only
            .saturating_sub(KINGS_ONLY_KEY_START - KINGS_ONLY_KEY_STEP)
            / KINGS_ONLY_KEY_STEP;
        let class = self.class.map_or(0, |class| 1 + class as u64);
        let state = u64::from(high) << 16 | class << 8 | u64::from(self.class_plies);
        Key(mix(mix(4) ^ state))
    }
}
