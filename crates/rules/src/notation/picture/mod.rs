//! The board as ten lines of text. What is drawn here, or by the programs that draw alike, is
//! [read](super::fen::parse) as a position too.
//!
//! ```
//! use damier_rules::notation::picture;
//! use damier_rules::{Color, Position};
//!
//! let picture = picture::draw(&Position::start(), Color::White, true);
//! assert!(picture.starts_with("    b   b   b   b   b    1  2  3  4  5\n"));
//! ```

mod read;

use super::hub_board::piece;
use crate::board::{Color, Square};
use crate::rules::Position;
pub(super) use read::{Line, read, turn};
pub use read::{PictureError, PictureErrorKind};

/// Ten lines, each with a newline: `w` and `b` are men, `W` and `B` kings, `.` empty squares. `bottom` is the colour
/// that sits at the lower edge. With `numbers`, the numbers of its five squares stand behind each row, in the order of
/// the row.
pub fn draw(position: &Position, bottom: Color, numbers: bool) -> String {
    let mut squares: Vec<Square> = Square::all().collect();
    if bottom == Color::Black {
        squares.reverse();
    }
    let mut out = String::new();
    for (row, squares) in squares.chunks(5).enumerate() {
        let cells: Vec<String> = squares
            .iter()
            .map(|&square| piece(position, square).unwrap_or('.').to_string())
            .collect();
        let indent = if row % 2 == 0 { "    " } else { "  " };
        let line = format!("{indent}{}", cells.join("   "));
        if numbers {
            let labels: Vec<String> = squares
                .iter()
                .map(|square| format!("{square:>2}"))
                .collect();
            out.push_str(&format!("{line:<24}{}", labels.join(" ")));
        } else {
            out.push_str(&line);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn draws_from_either_side() {
        let position = fen::parse("W:W46,K5:B1,K50").unwrap();
        let white = draw(&position, Color::White, true);
        let lines: Vec<&str> = white.lines().collect();
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[0], "    b   .   .   .   W    1  2  3  4  5");
        assert_eq!(lines[9], "  w   .   .   .   B     46 47 48 49 50");
        let black = draw(&position, Color::Black, true);
        assert_eq!(
            black.lines().next(),
            Some("    B   .   .   .   w   50 49 48 47 46")
        );
        assert!(draw(&position, Color::White, false).starts_with("    b   .   .   .   W\n"));
    }
}
