//! Letters as outlines, for pictures that carry no text.
//!
//! The font is Roboto (Google, Apache-2.0), cut down to Latin, Greek and Cyrillic letters and some signs.

use super::drawing::Line;
use std::collections::HashMap;
use std::sync::LazyLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};
use zeno::{Command, PathBuilder, Vector};

pub(super) static FONT: &[u8] = include_bytes!("assets/roboto.ttf");
const FONT_CRC: u32 = 0xb1f6_738f;
/// Behind a line that was cut.
const CUT: &str = "\u{2026}";

/// Whether the font in the program is whole: with another one letters are drawn as they come, or left out.
pub fn is_font_sound() -> bool {
    crc32fast::hash(FONT) == FONT_CRC
}

pub(super) fn face() -> Option<Face<'static>> {
    // It is part of the program: a test reads it.
    Face::parse(FONT, 0).ok()
}

/// How a letter is drawn.
#[derive(Clone, Copy)]
pub(super) struct Glyph {
    /// Place in the font.
    pub id: u16,
    /// What is shown: the letter, or the sign for one that the font lacks.
    pub letter: char,
    /// Width where letters have size 1.
    pub width: f32,
}

/// The sign for a letter that the font lacks.
const UNKNOWN: char = '\u{fffd}';

/// The letters of the font.
static GLYPHS: LazyLock<HashMap<char, Glyph>> = LazyLock::new(|| {
    let Some(face) = face() else {
        return HashMap::new();
    };
    let em = f32::from(face.units_per_em());
    let mut glyphs = HashMap::new();
    let tables = face
        .tables()
        .cmap
        .into_iter()
        .flat_map(|cmap| cmap.subtables);
    for table in tables.filter(|table| table.is_unicode()) {
        table.codepoints(|code| {
            let Some((letter, id)) = char::from_u32(code).zip(table.glyph_index(code)) else {
                return;
            };
            let width = f32::from(face.glyph_hor_advance(id).unwrap_or(0)) / em;
            let id = id.0;
            glyphs.insert(letter, Glyph { id, letter, width });
        });
    }
    glyphs
});

pub(super) fn glyph(letter: char) -> Glyph {
    let known = GLYPHS.get(&letter).or_else(|| GLYPHS.get(&UNKNOWN));
    known.copied().unwrap_or(Glyph {
        id: 0,
        letter: UNKNOWN,
        width: 0.5,
    })
}

/// How wide a line is with letters of size 1.
pub(super) fn width(text: &str) -> f32 {
    text.chars().map(|letter| glyph(letter).width).sum()
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

/// Words in lines of letters of a size, none wider than the room; what does not fit into `most` lines is cut.
pub(super) fn wrapped(text: &str, room: f32, size: f32, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0.0;
    for word in text.split_whitespace() {
        let (count, wide) = (lines.len(), width(word) * size);
        let longer = used + width(" ") * size + wide;
        match lines.last_mut() {
            Some(line) if longer <= room || count == most => {
                line.push(' ');
                line.push_str(word);
                used = longer;
                // Enough of the rest for the sign that it was cut.
                if longer > room {
                    break;
                }
            }
            _ => {
                lines.push(word.to_owned());
                used = wide;
            }
        }
    }
    let cut = lines.iter().map(|line| fitted(line, room, size, size).0);
    cut.collect()
}

/// How many letters of a text the font lacks.
pub fn unknown_letters(text: &str) -> usize {
    let is_unknown = |letter: &char| !letter.is_control() && !GLYPHS.contains_key(letter);
    text.chars().filter(is_unknown).count()
}

/// Where a line begins.
pub(super) fn begin(line: &Line) -> f32 {
    match line.centered {
        true => line.x - width(&line.text) * line.size / 2.0,
        false => line.x,
    }
}

/// The outlines of a line.
pub(super) fn outlines(line: &Line) -> Vec<Command> {
    let Some(face) = face() else {
        return Vec::new();
    };
    let scale = line.size / f32::from(face.units_per_em());
    let mut pen = Pen {
        path: Vec::new(),
        x: begin(line),
        y: line.y,
        scale,
    };
    for letter in line.text.chars() {
        let glyph = glyph(letter);
        face.outline_glyph(GlyphId(glyph.id), &mut pen);
        pen.x += glyph.width * line.size;
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
        let line = Line {
            x: 0.0,
            y: 0.0,
            size: 10.0,
            centered: false,
            text: "\u{4e2d}".to_owned(),
        };
        assert!(!outlines(&line).is_empty(), "no sign for an unknown letter");
        assert_eq!(unknown_letters("Чижов \u{4e2d}\n\u{4e2d}"), 2);
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

    #[test]
    fn words_are_wrapped_and_the_last_line_is_cut() {
        assert_eq!(wrapped("one two", 400.0, 10.0, 2), ["one two"]);
        assert_eq!(wrapped(" ", 400.0, 10.0, 2), [""; 0]);
        let long = "28-23 24x42 ".repeat(20);
        let whole = wrapped(&long, 150.0, 10.0, 100);
        assert_eq!(whole.join(" "), long.trim_end());
        let two = wrapped(&long, 150.0, 10.0, 2);
        assert!(two.len() == 2 && two[1].ends_with(CUT), "{two:?}");
        for line in [whole, two, wrapped(&"x".repeat(9_000), 150.0, 10.0, 2)].concat() {
            assert!(width(&line) * 10.0 <= 151.0, "{line}");
        }
    }
}
