use super::sides::{Black, Side, Sides, White};
use super::zobrist::{self, Key};
use super::{Move, MoveList, Setup, SetupError, captures, quiets};
use crate::board::{Bitboard, Color, Square};
use damier_cpu::{Baseline, Cpu};

/// A legal arrangement of pieces and the side to move. A value type: playing a move gives a new position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    men: [Bitboard; 2],
    kings: [Bitboard; 2],
    turn: Color,
}

impl Position {
    /// The start of a game: white men on 31 to 50, black men on 1 to 20, white to move.
    pub fn start() -> Position {
        let men = |numbers: std::ops::RangeInclusive<u8>| numbers.filter_map(Square::new).collect();
        Position::from_checked(Setup {
            men: [men(31..=50), men(1..=20)],
            ..Setup::empty(Color::White)
        })
    }

    pub(super) fn from_checked(setup: Setup) -> Position {
        Position::unchecked(setup.men, setup.kings, setup.turn)
    }

    #[inline(always)]
    pub(crate) fn unchecked(men: [Bitboard; 2], kings: [Bitboard; 2], turn: Color) -> Position {
        Position { men, kings, turn }
    }

    /// Side to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Men of a colour.
    #[inline(always)]
    pub fn men(&self, color: Color) -> Bitboard {
        self.men[color.index()]
    }

    /// Kings of a colour.
    #[inline(always)]
    pub fn kings(&self, color: Color) -> Bitboard {
        self.kings[color.index()]
    }

    /// Men and kings of a colour.
    #[inline(always)]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.men(color) | self.kings(color)
    }

    /// Kings of both colours.
    #[inline(always)]
    pub fn all_kings(&self) -> Bitboard {
        self.kings[0] | self.kings[1]
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.pieces(Color::White) | self.pieces(Color::Black)
    }

    /// The empty squares.
    #[inline(always)]
    pub fn empty(&self) -> Bitboard {
        !self.occupied()
    }

    /// The pieces from `color`'s point of view.
    #[inline(always)]
    pub(super) fn sides(&self, color: Color) -> Sides {
        Sides {
            men: self.men(color).0,
            kings: self.kings(color).0,
            enemy_men: self.men(!color).0,
            enemy_kings: self.kings(!color).0,
        }
    }

    /// The Zobrist key of pieces and side to move, computed from scratch.
    pub fn key(&self) -> Key {
        let mut key = match self.turn {
            Color::White => Key::default(),
            Color::Black => zobrist::TURN,
        };
        for color in Color::BOTH {
            self.men(color)
                .for_each(|s| key ^= zobrist::man(color, s.bit()));
            self.kings(color)
                .for_each(|s| key ^= zobrist::king(color, s.bit()));
        }
        key
    }

    /// The key after a legal move, given the key of this position.
    #[inline(always)]
    pub fn key_after(&self, key: Key, mv: Move) -> Key {
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (mv.from().bit(), mv.to().bit());
        let mut key = key ^ zobrist::TURN;
        key ^= match self.moves_man(mv) {
            true => zobrist::man(us, from),
            false => zobrist::king(us, from),
        };
        key ^= match self.moves_man(mv) && !promotion_row(us).contains(mv.to()) {
            true => zobrist::man(us, to),
            false => zobrist::king(us, to),
        };
        let men = self.men(them);
        for square in mv.captured() {
            key ^= match men.contains(square) {
                true => zobrist::man(them, square.bit()),
                false => zobrist::king(them, square.bit()),
            };
        }
        key
    }

    /// Whether the side to move can, and therefore must, capture.
    #[inline(always)]
    pub fn must_capture(&self) -> bool {
        self.can_capture(self.turn)
    }

    /// Whether `color` could capture if it were to move.
    #[inline(always)]
    pub fn can_capture(&self, color: Color) -> bool {
        self.can_capture_on(Baseline, color)
    }

    /// All legal moves, each once. Captures are those that take the most pieces. In a loop
    /// [`Position::legal_moves_into`] is faster.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal_moves_into(&mut list);
        list
    }

    /// Like [`Position::legal_moves`], into a list that is cleared first.
    #[inline]
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        self.legal_moves_into_on(Baseline, list);
    }

    /// Whether the side to move has no legal move and has therefore lost.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal_on(Baseline)
    }

    /// Whether the move is among the legal ones.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Whether the piece that moves is a man.
    #[inline(always)]
    pub fn moves_man(&self, mv: Move) -> bool {
        self.men(self.turn).contains(mv.from())
    }

    /// Whether the move promotes a man.
    #[inline(always)]
    pub fn promotes(&self, mv: Move) -> bool {
        self.moves_man(mv) && promotion_row(self.turn).contains(mv.to())
    }

    /// Whether the opponent could capture after a quiet move, which must be legal here.
    #[inline(always)]
    pub fn leaves_en_prise(&self, mv: Move) -> bool {
        self.leaves_en_prise_on(Baseline, mv)
    }

    /// The position after a legal move and its key, given the key of this position.
    #[inline(always)]
    pub fn play_keyed(&self, key: Key, mv: Move) -> (Position, Key) {
        (self.play(mv), self.key_after(key, mv))
    }

    /// The position after a move. The move must be legal here.
    #[inline]
    pub fn play(&self, mv: Move) -> Position {
        match self.turn {
            Color::White => self.play_as::<White>(mv),
            Color::Black => self.play_as::<Black>(mv),
        }
    }

    /// See [`Position::play`]. Each field is read, changed and written by itself: copying a struct whose fields were
    /// just written separately would stall on store forwarding.
    #[inline(always)]
    fn play_as<S: Side>(&self, mv: Move) -> Position {
        let us = S::COLOR;
        let Sides {
            mut men,
            mut kings,
            mut enemy_men,
            mut enemy_kings,
        } = self.sides(us);
        let (from, to) = (1u64 << mv.from().bit(), 1u64 << mv.to().bit());
        if men & from != 0 {
            men ^= from;
            if to & S::PROMOTION_ROW != 0 {
                kings |= to;
            } else {
                men |= to;
            }
        } else {
            kings = kings & !from | to;
        }
        enemy_men &= !mv.captured().0;
        enemy_kings &= !mv.captured().0;
        let by_color = |own: u64, enemy: u64| match us {
            Color::White => [Bitboard(own), Bitboard(enemy)],
            Color::Black => [Bitboard(enemy), Bitboard(own)],
        };
        Position {
            men: by_color(men, enemy_men),
            kings: by_color(kings, enemy_kings),
            turn: !us,
        }
    }

    /// The position rotated with colours swapped: its value for the side to move is the same.
    pub fn flipped(&self) -> Position {
        Position::from_checked(Setup {
            men: [self.men[1].rotated(), self.men[0].rotated()],
            kings: [self.kings[1].rotated(), self.kings[0].rotated()],
            turn: !self.turn,
        })
    }
}

/// For the search: the same on a level of processors.
#[doc(hidden)]
impl Position {
    #[inline(always)]
    pub fn can_capture_on(&self, cpu: impl Cpu, color: Color) -> bool {
        captures::exists(cpu, &self.sides(color))
    }

    #[inline(always)]
    pub fn legal_moves_into_on(&self, cpu: impl Cpu, list: &mut MoveList) {
        if !self.captures_into_on(cpu, list) {
            self.quiets_into_on(cpu, list);
        }
    }

    /// Fills the list with the captures of the side to move; false, and an empty list, if there are none.
    #[inline(always)]
    pub fn captures_into_on(&self, cpu: impl Cpu, list: &mut MoveList) -> bool {
        list.clear();
        captures::generate(cpu, &self.sides(self.turn), list)
    }

    /// Appends the moves of a side that has no capture.
    #[inline(always)]
    pub fn quiets_into_on(&self, cpu: impl Cpu, list: &mut MoveList) {
        let sides = self.sides(self.turn);
        match self.turn {
            Color::White => quiets::generate::<White>(cpu, &sides, list),
            Color::Black => quiets::generate::<Black>(cpu, &sides, list),
        }
    }

    #[inline(always)]
    pub fn is_terminal_on(&self, cpu: impl Cpu) -> bool {
        let sides = self.sides(self.turn);
        let quiet = match self.turn {
            Color::White => quiets::exists::<White>(&sides),
            Color::Black => quiets::exists::<Black>(&sides),
        };
        !quiet && !captures::exists(cpu, &sides)
    }

    #[inline(always)]
    pub fn leaves_en_prise_on(&self, cpu: impl Cpu, mv: Move) -> bool {
        let (from, to) = (1u64 << mv.from().bit(), 1u64 << mv.to().bit());
        let enemy = self.sides(!self.turn);
        let after = Sides {
            enemy_men: enemy.enemy() & !from | to,
            // What is captured may be a man or a king.
            enemy_kings: 0,
            ..enemy
        };
        captures::exists(cpu, &after)
    }
}

/// The promotion row of men of this colour.
#[inline(always)]
pub(super) fn promotion_row(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard::TOP_ROW,
        Color::Black => Bitboard::BOTTOM_ROW,
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Position, SetupError> {
        let mut seen = Bitboard::EMPTY;
        for set in setup.men.into_iter().chain(setup.kings) {
            if let Some(square) = (seen & set).first() {
                return Err(SetupError::Overlap(square));
            }
            seen |= set;
        }
        for (color, row) in [
            (Color::White, Bitboard::TOP_ROW),
            (Color::Black, Bitboard::BOTTOM_ROW),
        ] {
            if let Some(square) = (setup.men[color.index()] & row).first() {
                return Err(SetupError::ManOnPromotionRow(color, square));
            }
        }
        Ok(Position::from_checked(setup))
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        Setup {
            men: Color::BOTH.map(|c| position.men(c)),
            kings: Color::BOTH.map(|c| position.kings(c)),
            turn: position.turn(),
        }
    }
}
