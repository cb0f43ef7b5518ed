//! The board as a picture, SVG or PNG, and sheets of boards, also as PDF. The drawing is our own.

mod drawing;
mod pdf;
mod png;
mod sheet;
mod style;
mod svg;
mod text;

use crate::Language;
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::notation::moves;
use damier_rules::{Move, Position};
pub use drawing::Drawing;
use drawing::{Group, Line, Outline, Rgb, Shape};
pub use pdf::Pdf;
pub use png::PngError;
pub use sheet::{MOST_PER_PAGE, Sheet};
pub use style::{Numbers, Style};
pub use svg::escape;
pub use text::unknown_letters;

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

    /// Numbers of empty squares, pieces and arrows.
    fn contents(&self) -> Vec<Shape> {
        let mut out = Vec::new();
        let palette = self.style.palette();
        if self.numbers == Numbers::Inside {
            let occupied = Color::BOTH.map(|color| self.position.pieces(color));
            let is_empty = |square: &Square| !occupied.iter().any(|side| side.contains(*square));
            for square in Square::all().filter(is_empty) {
                let (x, y) = self.corner(square);
                let line = Line {
                    x: x + 2.0,
                    y: y + 9.0,
                    size: 9.0,
                    centered: false,
                    text: square.to_string(),
                };
                let (color, opacity) = palette.number;
                out.push(Shape::filled(Outline::Label(line), color).with_opacity(opacity));
            }
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
            self.arrow(&mut out, &way, palette.arrow);
            position = position.play(mv);
        }
        // Above the arrows, which lead over them.
        for square in self.arrows.iter().flat_map(|mv| mv.captured()) {
            let (x, y) = self.center(square);
            let (left, top) = (x - 12.0, y - 12.0);
            let cross = Outline::Path(format!("M{left} {top}l24 24m0 -24l-24 24"));
            let halo = palette.halo.map(|color| (color, 8.0));
            for (color, width) in halo.into_iter().chain([(palette.cross, 4.0)]) {
                out.push(Shape::stroked(cross.clone(), color, width).round());
            }
        }
        out
    }

    /// What stands below a board: who is to move, behind a number where there is one, and the caption.
    fn below(&self, below: &Below) -> Vec<Shape> {
        let mut out = Vec::new();
        let Below {
            middle,
            room,
            letters,
            ..
        } = *below;
        let mut y = below.top;
        if self.shows_turn || below.number.is_some() {
            let turn = self.position.turn();
            let number = below.number.map(|number| format!("{number}."));
            let words = match (turn, self.shows_turn) {
                (Color::White, true) => self.language.text("white-to-move"),
                (Color::Black, true) => self.language.text("black-to-move"),
                _ => "",
            };
            let (radius, gap) = (letters * 0.36, letters * 0.4);
            let number_width = number
                .iter()
                .map(|text| text::width(text) * letters + gap)
                .sum::<f32>();
            let turn_width = match self.shows_turn {
                true => 2.0 * radius + gap + text::width(words) * letters,
                false => 0.0,
            };
            let mut x = middle - (number_width + turn_width) / 2.0;
            let line = |x, text: &str| {
                Outline::Text(Line {
                    x,
                    y,
                    size: letters,
                    centered: false,
                    text: text.to_owned(),
                })
            };
            if let Some(number) = &number {
                out.push(Shape::filled(line(x, number), BLACK));
                x += number_width;
            }
            if self.shows_turn {
                let disc = Outline::Circle {
                    x: x + radius,
                    y: y - radius,
                    radius,
                };
                let fill = Style::Print.pieces(turn).fill;
                out.push(Shape::filled(disc, fill).with_stroke(BLACK, letters * 0.07));
                x += 2.0 * radius + gap;
                out.push(Shape::filled(line(x, words), BLACK));
            }
            y += below.pitch;
        }
        let caption = match below.most {
            _ if self.caption.is_empty() => Vec::new(),
            1 => vec![text::fitted(&self.caption, room, letters, FINE_PRINT)],
            most => {
                let lines = text::wrapped(&self.caption, room, below.small, most);
                lines.into_iter().map(|line| (line, below.small)).collect()
            }
        };
        for (text, size) in caption {
            let line = Line {
                x: middle,
                y,
                size,
                centered: true,
                text,
            };
            out.push(Shape::filled(Outline::Text(line), BLACK));
            y += size * sheet::PITCH;
        }
        out
    }

    fn piece(&self, out: &mut Vec<Shape>, square: Square, color: Color, is_king: bool) {
        let (x, y) = self.center(square);
        let palette = self.style.pieces(color);
        let (fill, edge) = (palette.fill, palette.edge);
        let disc =
            |y| Shape::filled(Outline::Circle { x, y, radius: 16.0 }, fill).with_stroke(edge, 1.5);
        if is_king {
            let (left, top) = (x - 8.0, y - 9.0);
            let crown = Outline::Path(format!("M{left} {top}l3 9h10l3-9l-5 4l-3-6l-3 6z"));
            let crown = Shape::filled(crown, palette.crown).with_stroke(edge, 0.7);
            out.extend([disc(y + 2.0), disc(y - 3.0), crown]);
        } else {
            let ring = Outline::Circle { x, y, radius: 10.0 };
            out.extend([disc(y), Shape::stroked(ring, edge, 1.0)]);
        }
    }

    fn arrow(&self, out: &mut Vec<Shape>, way: &[Square], color: Rgb) {
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
        let line = Shape::stroked(line, color, 6.0).round();
        out.push(line.with_opacity(0.85));
        out.push(Shape::filled(head, color).with_opacity(0.85));
    }
}

/// Where and how text stands below a board.
struct Below {
    /// The middle of the lines, and their longest.
    middle: f32,
    room: f32,
    /// Where the letters of the first line stand.
    top: f32,
    /// Size of letters, from the first line to the next, and size of letters of a caption of several lines.
    letters: f32,
    pitch: f32,
    small: f32,
    /// Most lines of a caption.
    most: usize,
    /// The number of the diagram.
    number: Option<usize>,
}

/// A page of diagrams, three in a row.
pub fn page(diagrams: &[Diagram]) -> Drawing {
    let columns = diagrams.len().clamp(1, ROW) as u32;
    let most = |size: fn(&Diagram) -> u32| diagrams.iter().map(size).max().unwrap_or(10 * SIDE);
    let (width, height) = (most(Diagram::width), most(Diagram::height));
    let gap = if diagrams.len() > 1 { GAP } else { 0 };
    let rows = diagrams.len().div_ceil(ROW).max(1) as u32;
    let groups = diagrams.iter().enumerate().flat_map(|(index, diagram)| {
        let x = (gap + (index % ROW) as u32 * (width + gap)) as f32;
        let y = (gap + (index / ROW) as u32 * (height + gap)) as f32;
        let side = diagram.width() as f32;
        let below = Below {
            middle: side / 2.0,
            room: side,
            top: side + AROUND as f32 / 2.0 + LETTERS,
            letters: LETTERS,
            pitch: LINE as f32,
            small: LETTERS,
            most: 1,
            number: None,
        };
        let below = Group {
            x,
            y,
            scale: 1.0,
            is_shared: false,
            shapes: diagram.below(&below),
        };
        let [board, contents] = diagram.groups(x, y, 1.0);
        [board, contents, below]
    });
    Drawing {
        width: columns * (width + gap) + gap,
        height: rows * (height + gap) + gap,
        groups: groups.filter(|group| !group.shapes.is_empty()).collect(),
    }
}

const BLACK: Rgb = Rgb(0);

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::notation::fen;

    #[test]
    fn a_picture_shows_every_piece_arrow_and_crossed_square() {
        let position = fen::parse("W:W28,K46:B23,K5").expect("a position");
        let mv = moves::parse(&position, "28x19").expect("a move");
        let diagram = Diagram {
            arrows: vec![mv],
            caption: "<b>&".to_owned(),
            ..Diagram::new(position)
        };
        let svg = diagram.to_svg();
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
        let one = Diagram {
            arrows: line.clone(),
            ..Diagram::new(position)
        };
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
        let diagram = Diagram {
            arrows: line,
            ..Diagram::new(start)
        };
        let svg = diagram.to_svg();
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
        let turned = Diagram {
            bottom: Color::Black,
            ..diagram
        };
        assert_eq!(
            (turned.place(square(50)), turned.place(square(5))),
            ((0, 1), (9, 0))
        );
    }

    #[test]
    fn a_page_has_three_diagrams_in_a_row() {
        let diagrams = vec![Diagram::new(Position::start()); 4];
        let svg = page(&diagrams).to_svg();
        // The board and what stands on it.
        assert_eq!(svg.matches("<g transform").count(), 8);
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
        let one = Diagram {
            caption: "WWWW".to_owned(),
            ..Diagram::new(position)
        };
        let plain = page(std::slice::from_ref(&one));
        // A light square, a dark one, the middle of the men on 23 and 28, twice as large.
        let middle = |row: usize, column: usize| (2 * (column * 40 + 20), 2 * (row * 40 + 20));
        for ((x, y), color) in [
            (middle(0, 0), Style::Color.palette().light),
            (middle(0, 1), Style::Color.palette().dark),
            (middle(4, 5), Rgb(0x1f1f1f)),
            (middle(5, 4), Rgb(0xfdfdf8)),
        ] {
            assert_eq!(pixel(&plain, 2, x, y), color.0, "{x} {y}");
        }
        let arrows = vec![mv];
        let arrowed = page(&[Diagram { arrows, ..one }]);
        let (x, y) = middle(4, 5);
        assert_ne!(pixel(&arrowed, 2, x, y), 0x1f1f1f);
        // Something of the caption is black.
        let has_ink = (0..30).any(|y| pixel(&plain, 1, 200, 400 + y) < 0x808080);
        assert!(has_ink || (190..210).any(|x| pixel(&plain, 1, x, 415) < 0x808080));
    }

    #[test]
    fn who_is_to_move_and_numbers_at_the_border_are_shown() {
        let position = fen::parse("B:W28:B16").expect("a position");
        let bordered = Diagram {
            numbers: Numbers::Border,
            style: Style::Print,
            shows_turn: true,
            ..Diagram::new(position)
        };
        let svg = bordered.to_svg();
        assert!(svg.contains(">Black to move<"), "{svg}");
        let numbers: Vec<&str> = svg
            .split("</text>")
            .filter_map(|part| {
                part.rsplit('>')
                    .next()?
                    .parse::<u8>()
                    .ok()
                    .and(part.rsplit('>').next())
            })
            .collect();
        let edge = "1 2 3 4 5 6 15 16 25 26 35 36 45 46 47 48 49 50";
        assert_eq!(numbers.join(" "), edge);
        // Inside: none under a piece.
        let inside = Diagram::new(position).to_svg();
        assert!(inside.contains(">17<") && !inside.contains(">16<"));
        let none = Diagram {
            numbers: Numbers::None,
            ..Diagram::new(position)
        };
        assert!(!none.to_svg().contains("<text"));
        // In print no color but grey.
        let colors = svg.split('#').skip(1).filter_map(|rest| rest.get(..6));
        assert!(
            colors
                .filter(|color| u32::from_str_radix(color, 16).is_ok())
                .all(|color| { color[..2] == color[2..4] && color[2..4] == color[4..] })
        );
    }

    #[test]
    fn a_picture_of_too_many_pixels_is_refused() {
        let diagrams = vec![Diagram::new(Position::start()); 200];
        let refused = page(&diagrams).to_png(8);
        assert!(matches!(refused, Err(PngError::TooLarge { .. })));
        assert!(page(&diagrams[..2]).to_png(0).is_ok());
    }
}
