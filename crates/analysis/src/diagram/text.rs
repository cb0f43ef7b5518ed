//! Letters as outlines, for pictures that carry no text.
//!
//! The font is Roboto (Google, Apache-2.0), cut down to Latin, Greek and Cyrillic letters and some signs.

use ttf_parser::{Face, GlyphId, OutlineBuilder};
use zeno::{Command, PathBuilder, Vector};

const FONT: &[u8] = include_bytes!("assets/roboto.ttf");
/// Behind a line that was cut.
const CUT: &str = "\u{2026}";

fn face() -> Option<Face<'static>> {
    // It is part of the program: a test reads it.
    Face::parse(FONT, 0).ok()
}

/// A letter that the font lacks is drawn as its sign for that.
fn glyph(face: &Face, letter: char) -> GlyphId {
    let unknown = || face.glyph_index('\u{fffd}').unwrap_or_default();
    face.glyph_index(letter).unwrap_or_else(unknown)
}

/// How wide a line is with letters of size 1.
fn width(text: &str) -> f32 {
    let Some(face) = face() else { return 0.0 };
    let advances = text
        .chars()
        .map(|letter| face.glyph_hor_advance(glyph(&face, letter)));
    let units: u32 = advances.map(|units| u32::from(units.unwrap_or(0))).sum();
    units as f32 / f32::from(face.units_per_em())
}

/// The text, or its beginning, and the size of its letters, so that it fits into a width. Control characters become
/// spaces.
pub(super) fn fitted(text: &str, room: f32, largest: f32, smallest: f32) -> (String, f32) {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut text: String = text.chars().map(plain).collect();
    let size = largest.min(room / width(&text).max(f32::EPSILON));
    if size >= smallest {
        return (text, size);
    }
    let room = room / smallest - width(CUT);
    // Longer than any line that fits: cutting letter by letter takes the square of the length.
    let most = text.char_indices().nth(500);
    text.truncate(most.map_or(text.len(), |(at, _)| at));
    while width(&text) > room && text.pop().is_some() {}
    (text.trim_end().to_owned() + CUT, smallest)
}

/// The outlines of a line that begins at `x`, or has its middle there.
pub(super) fn outlines(text: &str, x: f32, y: f32, size: f32, centered: bool) -> Vec<Command> {
    let Some(face) = face() else {
        return Vec::new();
    };
    let scale = size / f32::from(face.units_per_em());
    let begin = if centered {
        x - width(text) * size / 2.0
    } else {
        x
    };
    let mut pen = Pen {
        path: Vec::new(),
        x: begin,
        y,
        scale,
    };
    for letter in text.chars() {
        let id = glyph(&face, letter);
        face.outline_glyph(id, &mut pen);
        pen.x += f32::from(face.glyph_hor_advance(id).unwrap_or(0)) * scale;
    }
    pen.path
}

/// Where the next letter begins.
struct Pen {
    path: Vec<Command>,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> Vector {
        Vector::new(self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.path.move_to(to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.path.line_to(to);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (control, to) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(control, to);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (first, second, to) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.curve_to(first, second, to);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_players_can_be_drawn() {
        let face = face().expect("the font");
        for letter in "AZaz09\u{e9}\u{15f}\u{416}\u{44f}\u{457}\u{3a9}\u{2013}".chars() {
            let id = face
                .glyph_index(letter)
                .unwrap_or_else(|| panic!("{letter}"));
            assert_ne!(id, GlyphId(0), "{letter}");
        }
        let outline = outlines("\u{4e2d}", 0.0, 0.0, 10.0, false);
        assert!(!outline.is_empty(), "no sign for an unknown letter");
    }

    #[test]
    fn a_line_fits_its_room() {
        assert_eq!(
            fitted("short", 400.0, 14.0, 8.0),
            ("short".to_owned(), 14.0)
        );
        let (text, size) = fitted(&"middle ".repeat(12), 400.0, 14.0, 8.0);
        assert!(size < 14.0 && text.ends_with("middle "), "{size}");
        for long in ["long ".repeat(100_000), "\n\0".repeat(9_000)] {
            let (text, size) = fitted(&long, 400.0, 14.0, 8.0);
            assert!(text.ends_with(CUT) && width(&text) * size <= 401.0);
        }
        assert_eq!(fitted("", 400.0, 14.0, 8.0).0, "");
    }
}
