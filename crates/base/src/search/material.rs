use damier_rules::Position;
use damier_rules::board::Color;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The pieces of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side {
    /// Men and kings.
    pub pieces: u8,
    /// Kings among them; any number where none is given.
    pub kings: Option<u8>,
}

/// The pieces of both sides.
///
/// ```
/// use damier_base::Material;
///
/// let endgame: Material = "3Kx1K".parse()?;
/// assert_eq!((endgame.white.pieces, endgame.black.kings), (3, Some(1)));
/// assert_eq!("2+1Kx4".parse::<Material>()?.to_string(), "2+1Kx4");
/// # Ok::<(), damier_base::MaterialError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    /// White's.
    pub white: Side,
    /// Black's.
    pub black: Side,
}

/// The text names no pieces.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "expected white's and black's pieces: 4x3 (of any kind), 3Kx1K (kings alone) or 2+1Kx4 (two men and a king)"
)]
pub struct MaterialError;

/// Pieces and kings of white and black.
pub(crate) fn count(position: &Position) -> [u8; 4] {
    let pieces = |color| position.pieces(color).len() as u8;
    let kings = |color| position.kings(color).len() as u8;
    let (white, black) = (Color::White, Color::Black);
    [pieces(white), pieces(black), kings(white), kings(black)]
}

impl FromStr for Side {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Side, MaterialError> {
        let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse().ok().filter(|number| *number <= 50),
            false => None,
        };
        let side = match (text.split_once('+'), text.strip_suffix(['K', 'k'])) {
            (None, None) => number(text).map(|pieces| Side {
                pieces,
                kings: None,
            }),
            (None, Some(kings)) => number(kings).map(|kings| Side {
                pieces: kings,
                kings: Some(kings),
            }),
            (Some((men, kings)), _) => {
                let kings = kings.strip_suffix(['K', 'k']).and_then(number);
                let side = number(men).zip(kings);
                side.map(|(men, kings): (u8, u8)| Side {
                    pieces: men + kings,
                    kings: Some(kings),
                })
            }
        };
        side.filter(|side| side.pieces <= 50).ok_or(MaterialError)
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let (white, black) = text.split_once(['x', 'X', ':']).ok_or(MaterialError)?;
        Ok(Material {
            white: white.trim().parse()?,
            black: black.trim().parse()?,
        })
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kings {
            None => write!(f, "{}", self.pieces),
            Some(kings) if kings == self.pieces => write!(f, "{kings}K"),
            Some(kings) => write!(f, "{}+{kings}K", self.pieces.saturating_sub(kings)),
        }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.white, self.black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_and_written() {
        let side = |pieces, kings| Side { pieces, kings };
        for (text, white, black) in [
            ("4x3", side(4, None), side(3, None)),
            ("3Kx1k", side(3, Some(3)), side(1, Some(1))),
            ("2+1K:4", side(3, Some(1)), side(4, None)),
            ("0x0", side(0, None), side(0, None)),
        ] {
            assert_eq!(text.parse(), Ok(Material { white, black }), "{text}");
        }
        for text in [
            "", "x", "4", "4x", "K x1", "51x1", "-1x1", "2+1x4", "30+30Kx1", "4x3x2", "1e3x1",
        ] {
            assert_eq!(text.parse::<Material>(), Err(MaterialError), "{text}");
        }
    }
}
