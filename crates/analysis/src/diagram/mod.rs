//! The board as a picture, SVG or PNG, and sheets of boards, also as PDF. The drawing is our own.

mod contents;
mod drawing;
mod page;
mod pdf;
mod png;
mod sheet;
mod style;
mod svg;
#[cfg(test)]
mod tests;
mod text;

use crate::Language;
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{Move, Position};
pub use drawing::Drawing;
use drawing::{Group, Line, Outline, Rgb, Shape};
pub use page::page;
pub use pdf::Pdf;
pub use png::PngError;
pub use sheet::{MOST_PER_PAGE, Sheet};
pub use style::{Numbers, Style};
pub use svg::escape;
pub use text::{is_font_sound, unknown_letters};

/// Side of a square.
const SIDE: u32 = 40;
/// Room for numbers around the board.
const BORDER: u32 = 24;
/// Room around each diagram of a page.
const GAP: u32 = 20;
/// Diagrams in a row of a page.
const ROW: usize = 3;

/// Size of the letters below a board; a long caption has smaller letters, and is cut at the smallest.
const LETTERS: f32 = 14.0;
const FINE_PRINT: f32 = 8.0;
/// Height of a line below a board, and of the room around all of them.
const LINE: u32 = 22;
const AROUND: u32 = 8;

const BLACK: Rgb = Rgb(0);

/// A position to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagram {
    /// The position.
    pub position: Position,
    /// The colour at the lower edge.
    pub bottom: Color,
    /// Moves shown as arrows, each from the position behind the one before. The arrow of a capture bends where the
    /// piece lands; squares of captured pieces are crossed.
    pub arrows: Vec<Move>,
    /// Squares in another colour, as of the last move.
    pub marked: Bitboard,
    /// Text below: a line, or two on a [`Sheet`].
    pub caption: String,
    /// Colours.
    pub style: Style,
    /// Where the numbers of squares stand.
    pub numbers: Numbers,
    /// Whether a line below says who is to move.
    pub shows_turn: bool,
    /// The language of that line.
    pub language: Language,
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
            style: Style::default(),
            numbers: Numbers::default(),
            shows_turn: false,
            language: Language::default(),
        }
    }

    /// A picture of this diagram alone.
    pub fn to_svg(&self) -> String {
        page(std::slice::from_ref(self)).to_svg()
    }

    /// Room between the edge of the picture and the squares.
    fn border(&self) -> u32 {
        match self.numbers {
            Numbers::Border => BORDER,
            Numbers::Inside | Numbers::None => 0,
        }
    }

    /// Width and height of the board with its border.
    fn width(&self) -> u32 {
        10 * SIDE + 2 * self.border()
    }

    fn height(&self) -> u32 {
        let lines = u32::from(self.shows_turn) + u32::from(!self.caption.is_empty());
        let below = if lines > 0 { AROUND + LINE * lines } else { 0 };
        self.width() + below
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

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f32, f32) {
        let (row, column) = self.place(square);
        let edge = |place| (place * SIDE + self.border()) as f32;
        (edge(column), edge(row))
    }

    fn center(&self, square: Square) -> (f32, f32) {
        let (x, y) = self.corner(square);
        let half = SIDE as f32 / 2.0;
        (x + half, y + half)
    }

    /// The groups of shapes of a diagram whose corner is there: the empty board, and what stands on it.
    fn groups(&self, x: f32, y: f32, scale: f32) -> [Group; 2] {
        let group = |is_shared, shapes| Group {
            x,
            y,
            scale,
            is_shared,
            shapes,
        };
        [group(true, self.board()), group(false, self.contents())]
    }

    /// The empty board with its border.
    fn board(&self) -> Vec<Shape> {
        let (side, border) = ((10 * SIDE) as f32, self.border() as f32);
        let palette = self.style.palette();
        let square = |x, y, side| Outline::square(x + border, y + border, side);
        let mut out = vec![Shape::filled(square(0.0, 0.0, side), palette.light)];
        for place in Square::all() {
            let (x, y) = self.corner(place);
            let fill = match self.marked.contains(place) {
                true => palette.marked,
                false => palette.dark,
            };
            out.push(Shape::filled(Outline::square(x, y, SIDE as f32), fill));
        }
        out.push(Shape::stroked(
            square(0.5, 0.5, side - 1.0),
            palette.frame,
            1.0,
        ));
        if self.numbers == Numbers::Border {
            let numbers = Square::all().filter_map(|square| self.border_number(square));
            out.extend(numbers);
        }
        out
    }

    /// The number of a square at the edge of the board, beside it.
    fn border_number(&self, square: Square) -> Option<Shape> {
        const SIZE: f32 = 16.0;
        // From the middle of a line to the middle of its letters.
        let half = SIZE * 0.36;
        let far = (self.width() - BORDER) as f32;
        let (x, y) = self.center(square);
        let (x, y) = match self.place(square) {
            (0, _) => (x, BORDER as f32 / 2.0),
            (9, _) => (x, far + BORDER as f32 / 2.0),
            (_, 0) => (BORDER as f32 / 2.0, y),
            (_, 9) => (far + BORDER as f32 / 2.0, y),
            _ => return None,
        };
        let line = Line {
            x,
            y: y + half,
            size: SIZE,
            centered: true,
            text: square.to_string(),
        };
        Some(Shape::filled(Outline::Label(line), BLACK))
    }
}
