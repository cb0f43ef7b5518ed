use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A playable square. Outside it is a number from 1 to 50, top row first; inside it is its bit in a
/// [`Bitboard`](super::Bitboard).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

const BIT_OF_NUMBER: [u8; 50] = {
    let mut table = [0; 50];
    let mut i = 0;
    while i < 50 {
        let (row, file) = (i / 5, i % 5);
        table[i] = (13 * (row / 2) + 6 * (row % 2) + file) as u8;
        i += 1;
    }
    table
};

const NUMBER_OF_BIT: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 50 {
        table[BIT_OF_NUMBER[i] as usize] = i as u8 + 1;
        i += 1;
    }
    table
};

impl Square {
    /// The square with this number, 1 to 50.
    pub const fn new(number: u8) -> Option<Square> {
        if number >= 1 && number <= 50 {
            Some(Square(BIT_OF_NUMBER[number as usize - 1]))
        } else {
            None
        }
    }

    /// The square so many bits on, which is known to be one of the 50.
    #[inline(always)]
    pub(crate) const fn stepped(self, bits: i32) -> Square {
        Square::from_bit((self.0 as i32 + bits) as u32)
    }

    /// The square of a bit index as [`Square::bit`] gives it, which must be one of the 50.
    #[inline(always)]
    pub const fn from_bit(bit: u32) -> Square {
        debug_assert!(bit < 64 && NUMBER_OF_BIT[bit as usize] != 0);
        Square(bit as u8)
    }

    /// 1 to 50.
    #[inline]
    pub const fn number(self) -> u8 {
        NUMBER_OF_BIT[self.0 as usize]
    }

    /// 0 to 62, with gaps: the bit in a [`Bitboard`](super::Bitboard), and an index into tables of 64.
    #[inline(always)]
    pub const fn bit(self) -> usize {
        self.0 as usize
    }

    /// Row from the top, 0 to 9.
    pub const fn row(self) -> u8 {
        (self.number() - 1) / 5
    }

    /// Column from the left, 0 to 9.
    pub const fn column(self) -> u8 {
        let file = (self.number() - 1) % 5;
        2 * file + 1 - self.row() % 2
    }

    /// The square rotated by 180 degrees: 51 minus its number.
    #[inline(always)]
    pub const fn rotated(self) -> Square {
        Square(62 - self.0)
    }

    /// All squares, 1 to 50.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        BIT_OF_NUMBER.iter().map(|&bit| Square(bit))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// The text is not the number of a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a number from 1 to 50")
    }
}

impl Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads 1 to 50, leading zeros allowed.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let digits = text.trim_start_matches('0');
        let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = if plain && digits.len() <= 2 {
            digits.parse().ok()
        } else {
            None
        };
        number.and_then(Square::new).ok_or(ParseSquareError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_bits_and_text_agree() {
        for number in 1..=50u8 {
            let square = Square::new(number).unwrap();
            assert_eq!(square.number(), number);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.rotated().number(), 51 - number);
        }
        assert_eq!(Square::all().count(), 50);
        assert_eq!("0032".parse::<Square>().unwrap().number(), 32);
        for bad in [
            "",
            "0",
            "51",
            "-1",
            "+1",
            "1a",
            "256",
            "٣",
            "00000000000000000000999",
        ] {
            assert_eq!(bad.parse::<Square>(), Err(ParseSquareError), "{bad}");
        }
    }

    #[test]
    fn neighbours_on_the_board_are_steps_of_six_and_seven() {
        for a in Square::all() {
            for b in Square::all() {
                let (dr, dc) = (
                    b.row() as i32 - a.row() as i32,
                    b.column() as i32 - a.column() as i32,
                );
                let step = b.bit() as i32 - a.bit() as i32;
                assert_eq!((dr, dc) == (1, -1), step == 6, "{a} {b}");
                assert_eq!((dr, dc) == (1, 1), step == 7, "{a} {b}");
            }
        }
    }
}
