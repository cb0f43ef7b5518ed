//! Text below a board, and pages of boards.

use super::drawing::{Drawing, Group, Line, Outline, Shape};
use super::{
    AROUND, BLACK, Diagram, FINE_PRINT, GAP, LETTERS, LINE, ROW, SIDE, Style, sheet, text,
};
use damier_rules::board::Color;

/// Where and how text stands below a board.
pub(super) struct Below {
    /// The middle of the lines, and their longest.
    pub middle: f32,
    pub room: f32,
    /// Where the letters of the first line stand.
    pub top: f32,
    /// Size of letters, from the first line to the next, and size of letters of a caption of several lines.
    pub letters: f32,
    pub pitch: f32,
    pub small: f32,
    /// Most lines of a caption.
    pub most: usize,
    /// The number of the diagram.
    pub number: Option<usize>,
}

impl Diagram {
    /// What stands below a board: who is to move, behind a number where there is one, and the caption.
    pub(super) fn below(&self, below: &Below) -> Vec<Shape> {
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
