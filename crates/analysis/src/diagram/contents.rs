//! What stands on a board: numbers of squares, pieces, arrows.

use super::drawing::{Line, Outline, Rgb, Shape};
use super::{Diagram, Numbers};
use damier_rules::board::{Color, Square};
use damier_rules::notation::moves;

impl Diagram {
    /// Numbers of empty squares, pieces and arrows.
    pub(super) fn contents(&self) -> Vec<Shape> {
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
