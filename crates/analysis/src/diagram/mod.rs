//! The board as a picture, SVG or PNG. The drawing is our own.

mod drawing;
mod png;
mod svg;
mod text;

use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::notation::moves;
use damier_rules::{Move, Position};
pub use drawing::Drawing;
use drawing::{Group, Outline, Rgb, Shape};
pub use png::PngError;
pub use svg::escape;

/// Side of a square.
const SIDE: u32 = 40;
/// Room for the numbers below and beside the board of a diagram with a caption.
const CAPTION: u32 = 30;
/// Room around each diagram of a page.
const GAP: u32 = 20;
/// Diagrams in a row of a page.
const ROW: usize = 3;

/// Size of the letters of a caption; a long one has smaller letters, and is cut at the smallest.
const LETTERS: f32 = 14.0;
const FINE_PRINT: f32 = 8.0;

const LIGHT: Rgb = Rgb(0xf3e3c3);
const DARK: Rgb = Rgb(0xa9794f);
const MARKED: Rgb = Rgb(0xc9a227);
const FRAME: Rgb = Rgb(0x5c3d22);
const ARROW: Rgb = Rgb(0x1a7f37);
const CROSS: Rgb = Rgb(0xb91c1c);
const CROWN: Rgb = Rgb(0xd4a017);

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

    /// The same with arrows for moves, each from the position behind the one before it. The arrow of a capture bends
    /// where the piece lands; squares of captured pieces are crossed.
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
        page(std::slice::from_ref(self)).to_svg()
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

    fn center(&self, square: Square) -> (f32, f32) {
        let (row, column) = self.place(square);
        let middle = |place| (place * SIDE + SIDE / 2) as f32;
        (middle(column), middle(row))
    }

    fn shapes(&self) -> Vec<Shape> {
        let side = 10.0 * SIDE as f32;
        let mut out = vec![Shape::filled(rect(0.0, 0.0, side), LIGHT)];
        for square in Square::all() {
            let (row, column) = self.place(square);
            let (x, y) = ((column * SIDE) as f32, (row * SIDE) as f32);
            let fill = if self.marked.contains(square) {
                MARKED
            } else {
                DARK
            };
            out.push(Shape::filled(rect(x, y, SIDE as f32), fill));
            let number = Outline::Text {
                x: x + 2.0,
                y: y + 9.0,
                size: 9.0,
                centered: false,
                text: square.to_string(),
            };
            out.push(Shape::filled(number, Rgb(0xffffff)).with_opacity(0.8));
        }
        for color in Color::BOTH {
            for square in self.position.pieces(color) {
                let is_king = self.position.kings(color).contains(square);
                self.piece(&mut out, square, color, is_king);
            }
        }
        let mut position = self.position;
        for &mv in &self.arrows {
            let way = moves::ways(&position, mv, 1).pop();
            let way = way.unwrap_or_else(|| vec![mv.from(), mv.to()]);
            self.arrow(&mut out, &way);
            position = position.play(mv);
        }
        // Above the arrows, which lead over them.
        for square in self.arrows.iter().flat_map(|mv| mv.captured()) {
            out.push(self.cross(square));
        }
        out.push(Shape::stroked(rect(0.5, 0.5, side - 1.0), FRAME, 1.0));
        if !self.caption.is_empty() {
            let (text, size) = text::fitted(&self.caption, side, LETTERS, FINE_PRINT);
            let line = Outline::Text {
                x: side / 2.0,
                y: side + CAPTION as f32 / 2.0 + 5.0,
                size,
                centered: true,
                text,
            };
            out.push(Shape::filled(line, Rgb(0)));
        }
        out
    }

    fn piece(&self, out: &mut Vec<Shape>, square: Square, color: Color, is_king: bool) {
        let (x, y) = self.center(square);
        let (fill, edge) = match color {
            Color::White => (Rgb(0xfdfdf8), Rgb(0x555555)),
            Color::Black => (Rgb(0x1f1f1f), Rgb(0xbbbbbb)),
        };
        let disc =
            |y| Shape::filled(Outline::Circle { x, y, radius: 16.0 }, fill).with_stroke(edge, 1.5);
        if is_king {
            let (left, top) = (x - 8.0, y - 9.0);
            let crown = Outline::Path(format!("M{left} {top}l3 9h10l3-9l-5 4l-3-6l-3 6z"));
            let crown = Shape::filled(crown, CROWN).with_stroke(edge, 0.7);
            out.extend([disc(y + 2.0), disc(y - 3.0), crown]);
        } else {
            let ring = Outline::Circle { x, y, radius: 10.0 };
            out.extend([disc(y), Shape::stroked(ring, edge, 1.0)]);
        }
    }

    /// What marks a captured piece.
    fn cross(&self, square: Square) -> Shape {
        let (x, y) = self.center(square);
        let (left, top) = (x - 12.0, y - 12.0);
        let cross = Outline::Path(format!("M{left} {top}l24 24m0 -24l-24 24"));
        Shape::stroked(cross, CROSS, 4.0).round()
    }

    fn arrow(&self, out: &mut Vec<Shape>, way: &[Square]) {
        let points: Vec<(f32, f32)> = way.iter().map(|&square| self.center(square)).collect();
        let [before @ .., (to_x, to_y)] = points.as_slice() else {
            return;
        };
        let (x, y) = before.last().copied().unwrap_or((*to_x, *to_y));
        let length = (to_x - x).hypot(to_y - y).max(1.0);
        let (dx, dy) = ((to_x - x) / length, (to_y - y) / length);
        // The head: a triangle that ends in the middle of the square.
        let (neck_x, neck_y) = (to_x - 14.0 * dx, to_y - 14.0 * dy);
        let wing = |side: f32| format!("{:.1} {:.1}", neck_x - side * dy, neck_y + side * dx);
        let turns = before.iter().map(|(x, y)| format!("{x:.1} {y:.1}L"));
        let line = Outline::Path(format!(
            "M{}{neck_x:.1} {neck_y:.1}",
            turns.collect::<String>()
        ));
        let head = Outline::Path(format!(
            "M{to_x:.1} {to_y:.1}L{}L{}z",
            wing(9.0),
            wing(-9.0)
        ));
        let line = Shape::stroked(line, ARROW, 6.0).round();
        out.push(line.with_opacity(0.85));
        out.push(Shape::filled(head, ARROW).with_opacity(0.85));
    }
}

/// A square of the drawing.
fn rect(x: f32, y: f32, side: f32) -> Outline {
    Outline::Rect {
        x,
        y,
        width: side,
        height: side,
    }
}

/// A page of diagrams, three in a row.
pub fn page(diagrams: &[Diagram]) -> Drawing {
    let columns = diagrams.len().clamp(1, ROW) as u32;
    let tallest = diagrams.iter().map(Diagram::height).max();
    let (width, height) = (10 * SIDE, tallest.unwrap_or(10 * SIDE));
    let gap = if diagrams.len() > 1 { GAP } else { 0 };
    let rows = diagrams.len().div_ceil(ROW).max(1) as u32;
    let groups = diagrams.iter().enumerate().map(|(index, diagram)| Group {
        x: gap + (index % ROW) as u32 * (width + gap),
        y: gap + (index / ROW) as u32 * (height + gap),
        shapes: diagram.shapes(),
    });
    Drawing {
        width: columns * (width + gap) + gap,
        height: rows * (height + gap) + gap,
        groups: groups.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::notation::fen;

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
            (
                svg.matches("#b91c1c").count(),
                svg.matches("#1a7f37").count()
            ),
            (1, 2)
        );
        assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"));
        // Both strokes of the cross are seen: it lies above the arrow.
        assert!(svg.rfind("#1a7f37") < svg.find("#b91c1c"), "{svg}");
    }

    #[test]
    fn the_arrow_of_a_capture_bends_where_the_piece_lands() {
        // 38x29x18x7: up to the right, then to the left twice.
        let position = fen::parse("W:W38:B33,23,12").expect("a position");
        let line = moves::parse_line(&position, "38x7").expect("a capture of three");
        let one = Diagram::new(position).with_moves(&line);
        let center = |number| one.center(Square::new(number).expect("a square"));
        let way = moves::ways(&position, line[0], 1).remove(0);
        assert_eq!(way.len(), 4);
        let drawing = page(std::slice::from_ref(&one));
        let svg = drawing.to_svg();
        let turns: Vec<String> = way[..3]
            .iter()
            .map(|square| center(square.number()))
            .map(|(x, y)| format!("{x:.1} {y:.1}L"))
            .collect();
        assert!(svg.contains(&format!("d=\"M{}", turns.concat())), "{svg}");
        assert!(svg.contains("stroke-linejoin=\"round\""));
        // The pixels of a square where it lands, and of one beside the straight way.
        let plain = page(&[Diagram::new(position)]);
        for square in &way[1..3] {
            let (x, y) = center(square.number());
            let at = (x as usize, y as usize);
            assert_ne!(pixel(&drawing, 1, at.0, at.1), pixel(&plain, 1, at.0, at.1));
        }
        // Both moves of a line, each from where the last one left off.
        let start = Position::start();
        let line = moves::parse_line(&start, "32-28 19-23 28x19 14x23").expect("legal");
        let svg = Diagram::new(start).with_moves(&line).to_svg();
        assert_eq!(svg.matches("#1a7f37").count(), 8);
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
        let svg = page(&diagrams).to_svg();
        assert_eq!(svg.matches("<g transform").count(), 4);
        assert!(svg.contains(r#"translate(20 440)"#), "{}", &svg[..300]);
    }

    /// The color of a pixel.
    fn pixel(drawing: &Drawing, scale: u32, x: usize, y: usize) -> u32 {
        let png = drawing.to_png(scale).expect("a picture");
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(png))
            .read_info()
            .expect("PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut bytes).expect("pixels");
        assert_eq!(
            [info.width, info.height],
            [drawing.width * scale, drawing.height * scale]
        );
        let at = 3 * (y * info.width as usize + x);
        let color = bytes[at..at + 3].iter();
        color.fold(0, |color, &byte| color << 8 | u32::from(byte))
    }

    #[test]
    fn the_pixels_are_those_of_the_drawing() {
        let position = fen::parse("W:W28,K46:B23,K5").expect("a position");
        let mv = moves::parse(&position, "28x19").expect("a move");
        let one = Diagram::new(position).with_caption("WWWW");
        let plain = page(std::slice::from_ref(&one));
        // A light square, a dark one, the middle of the men on 23 and 28, twice as large.
        let middle = |row: usize, column: usize| (2 * (column * 40 + 20), 2 * (row * 40 + 20));
        for ((x, y), color) in [
            (middle(0, 0), LIGHT),
            (middle(0, 1), DARK),
            (middle(4, 5), Rgb(0x1f1f1f)),
            (middle(5, 4), Rgb(0xfdfdf8)),
        ] {
            assert_eq!(pixel(&plain, 2, x, y), color.0, "{x} {y}");
        }
        let arrowed = page(&[one.with_moves(&[mv])]);
        let (x, y) = middle(4, 5);
        assert_ne!(pixel(&arrowed, 2, x, y), 0x1f1f1f);
        // Something of the caption is black.
        let has_ink = (0..30).any(|y| pixel(&plain, 1, 200, 400 + y) < 0x808080);
        assert!(has_ink || (190..210).any(|x| pixel(&plain, 1, x, 415) < 0x808080));
    }

    #[test]
    fn a_picture_of_too_many_pixels_is_refused() {
        let diagrams = vec![Diagram::new(Position::start()); 200];
        let refused = page(&diagrams).to_png(8);
        assert!(matches!(refused, Err(PngError::TooLarge { .. })));
        assert!(page(&diagrams[..2]).to_png(0).is_ok());
    }
}
