//! The board as a picture (SVG). The drawing is our own.

use crate::board::{Bitboard, Color, Square};
use crate::rules::{Move, Position};
use std::fmt::{self, Write};

/// Side of a square.
const SIDE: u32 = 40;
/// Room for the numbers below and beside the board of a diagram with a caption.
const CAPTION: u32 = 30;
/// Room around each diagram of a page.
const GAP: u32 = 20;
/// Diagrams in a row of a page.
const ROW: usize = 3;

const LIGHT: &str = "#f3e3c3";
const DARK: &str = "#a9794f";
const MARKED: &str = "#c9a227";
const ARROW: &str = "#1a7f37";

/// A position to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagram {
    position: Position,
    bottom: Color,
    arrows: Vec<Move>,
    marked: Bitboard,
    caption: String,
}

impl Diagram {
    /// A position, white at the lower edge.
    pub fn new(position: Position) -> Diagram {
        Diagram {
            position,
            bottom: Color::White,
            arrows: Vec::new(),
            marked: Bitboard::default(),
            caption: String::new(),
        }
    }

    /// The same with this colour at the lower edge.
    pub fn seen_by(self, bottom: Color) -> Diagram {
        Diagram { bottom, ..self }
    }

    /// The same with arrows for moves; squares of captured pieces are crossed.
    pub fn with_moves(self, arrows: &[Move]) -> Diagram {
        let arrows = arrows.to_vec();
        Diagram { arrows, ..self }
    }

    /// The same with marked squares, as of the last move.
    pub fn with_marks(self, squares: impl IntoIterator<Item = Square>) -> Diagram {
        let marked = squares.into_iter().collect();
        Diagram { marked, ..self }
    }

    /// The same with a line of text below.
    pub fn with_caption(self, caption: &str) -> Diagram {
        let caption = caption.to_owned();
        Diagram { caption, ..self }
    }

    /// A picture of this diagram alone.
    pub fn to_svg(&self) -> String {
        page(std::slice::from_ref(self))
    }

    fn height(&self) -> u32 {
        10 * SIDE + if self.caption.is_empty() { 0 } else { CAPTION }
    }

    /// Row and column of a square on the screen, from 0.
    fn place(&self, square: Square) -> (u32, u32) {
        let index = u32::from(square.number()) - 1;
        let (row, column) = (index / 5, (index % 5) * 2 + u32::from(index / 5 % 2 == 0));
        match self.bottom {
            Color::White => (row, column),
            Color::Black => (9 - row, 9 - column),
        }
    }

    fn center(&self, square: Square) -> (u32, u32) {
        let (row, column) = self.place(square);
        (column * SIDE + SIDE / 2, row * SIDE + SIDE / 2)
    }

    fn draw(&self, out: &mut String) -> fmt::Result {
        let side = 10 * SIDE;
        writeln!(
            out,
            r#"<rect width="{side}" height="{side}" fill="{LIGHT}"/>"#
        )?;
        for square in Square::all() {
            let (row, column) = self.place(square);
            let (x, y) = (column * SIDE, row * SIDE);
            let fill = if self.marked.contains(square) {
                MARKED
            } else {
                DARK
            };
            writeln!(
                out,
                r#"<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{fill}"/>"#
            )?;
            writeln!(
                out,
                r##"<text x="{}" y="{}" font-size="9" fill="#fff" fill-opacity="0.8">{square}</text>"##,
                x + 2,
                y + 9
            )?;
        }
        for color in Color::BOTH {
            for square in self.position.pieces(color) {
                let is_king = self.position.kings(color).contains(square);
                self.piece(out, square, color, is_king)?;
            }
        }
        for &mv in &self.arrows {
            self.arrow(out, mv)?;
        }
        let frame = side - 1;
        writeln!(
            out,
            r##"<rect x="0.5" y="0.5" width="{frame}" height="{frame}" fill="none" stroke="#5c3d22"/>"##
        )?;
        if !self.caption.is_empty() {
            let (x, y) = (side / 2, side + CAPTION / 2 + 5);
            let caption = escape(&self.caption);
            writeln!(
                out,
                r##"<text x="{x}" y="{y}" font-size="14" text-anchor="middle">{caption}</text>"##
            )?;
        }
        Ok(())
    }

    fn piece(&self, out: &mut String, square: Square, color: Color, is_king: bool) -> fmt::Result {
        let (x, y) = self.center(square);
        let (fill, edge) = match color {
            Color::White => ("#fdfdf8", "#555"),
            Color::Black => ("#1f1f1f", "#bbb"),
        };
        let mut disc = |y: u32| {
            writeln!(
                out,
                r##"<circle cx="{x}" cy="{y}" r="16" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>"##
            )
        };
        if is_king {
            disc(y + 2)?;
            disc(y - 3)?;
            // A crown.
            let (left, top) = (x - 8, y - 9);
            return writeln!(
                out,
                r##"<path d="M{left} {top}l3 9h10l3-9l-5 4l-3-6l-3 6z" fill="#d4a017" stroke="{edge}" stroke-width="0.7"/>"##
            );
        }
        disc(y)?;
        writeln!(
            out,
            r##"<circle cx="{x}" cy="{y}" r="10" fill="none" stroke="{edge}" stroke-width="1"/>"##
        )
    }

    fn arrow(&self, out: &mut String, mv: Move) -> fmt::Result {
        for square in mv.captured() {
            let (x, y) = self.center(square);
            let (left, top) = (x - 12, y - 12);
            writeln!(
                out,
                r##"<path d="M{left} {top}l24 24m0 -24l-24 24" stroke="#b91c1c" stroke-width="4" stroke-linecap="round"/>"##
            )?;
        }
        let ((x, y), (to_x, to_y)) = (self.center(mv.from()), self.center(mv.to()));
        let (x, y, to_x, to_y) = (f64::from(x), f64::from(y), f64::from(to_x), f64::from(to_y));
        let length = (to_x - x).hypot(to_y - y).max(1.0);
        let (dx, dy) = ((to_x - x) / length, (to_y - y) / length);
        // The head: a triangle that ends in the middle of the square.
        let (neck_x, neck_y) = (to_x - 14.0 * dx, to_y - 14.0 * dy);
        let wing = |side: f64| format!("{:.1} {:.1}", neck_x - side * dy, neck_y + side * dx);
        writeln!(
            out,
            r##"<path d="M{x:.1} {y:.1}L{neck_x:.1} {neck_y:.1}" stroke="{ARROW}" stroke-width="6" stroke-linecap="round" stroke-opacity="0.85"/>"##
        )?;
        writeln!(
            out,
            r##"<path d="M{to_x:.1} {to_y:.1}L{}L{}z" fill="{ARROW}" fill-opacity="0.85"/>"##,
            wing(9.0),
            wing(-9.0)
        )
    }
}

/// A page of diagrams, three in a row.
pub fn page(diagrams: &[Diagram]) -> String {
    let columns = diagrams.len().clamp(1, ROW) as u32;
    let tallest = diagrams.iter().map(Diagram::height).max();
    let (width, height) = (10 * SIDE, tallest.unwrap_or(10 * SIDE));
    let gap = if diagrams.len() > 1 { GAP } else { 0 };
    let rows = diagrams.len().div_ceil(ROW).max(1) as u32;
    let (full_width, full_height) = (columns * (width + gap) + gap, rows * (height + gap) + gap);
    let mut out = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}" width="{full_width}" height="{full_height}" font-family="sans-serif">
<rect width="{full_width}" height="{full_height}" fill="#fff"/>
"##
    );
    for (index, diagram) in diagrams.iter().enumerate() {
        let x = gap + (index % ROW) as u32 * (width + gap);
        let y = gap + (index / ROW) as u32 * (height + gap);
        out.push_str(&format!(r#"<g transform="translate({x} {y})">"#));
        out.push('\n');
        // Writing to a string cannot fail.
        let _ = diagram.draw(&mut out);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// Text for XML and HTML: nothing in it is markup.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML knows no other controls.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, moves};

    #[test]
    fn a_picture_shows_every_piece_arrow_and_crossed_square() {
        let position = fen::parse("W:W28,K46:B23,K5").expect("a position");
        let mv = moves::parse(&position, "28x19").expect("a move");
        let svg = Diagram::new(position)
            .with_moves(&[mv])
            .with_caption("<b>&")
            .to_svg();
        // Two men of two circles, two kings of two.
        assert_eq!(svg.matches("<circle").count(), 8);
        assert_eq!(svg.matches("#d4a017").count(), 2);
        assert_eq!(
            (svg.matches("#b91c1c").count(), svg.matches(ARROW).count()),
            (1, 2)
        );
        assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"));
    }

    #[test]
    fn the_board_can_be_turned() {
        let diagram = Diagram::new(Position::start());
        let square = |number| Square::new(number).expect("a square");
        assert_eq!(
            (diagram.place(square(1)), diagram.place(square(46))),
            ((0, 1), (9, 0))
        );
        let turned = diagram.seen_by(Color::Black);
        assert_eq!(
            (turned.place(square(50)), turned.place(square(5))),
            ((0, 1), (9, 0))
        );
    }

    #[test]
    fn a_page_has_three_diagrams_in_a_row() {
        let diagrams = vec![Diagram::new(Position::start()); 4];
        let svg = page(&diagrams);
        assert_eq!(svg.matches("<g transform").count(), 4);
        assert!(svg.contains(r#"translate(20 440)"#), "{}", &svg[..300]);
    }
}
