//! Drawings as pages of a PDF, with letters that can be copied.

use super::drawing::{Drawing, Line, Outline, Rgb, Shape};
use super::text;
use crate::Language;
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::UnicodeCmap;
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo};
use pdf_writer::{Content, Filter, Finish, Name, Rect, Ref, Str, TextStr};
use std::collections::BTreeMap;
use zeno::Command;

/// What the font is called inside the file; the letters before the sign say that it is a part of a font.
const FONT_NAME: Name = Name(b"DAMIER+Roboto-Regular");
/// Name on a page.
const FONT: Name = Name(b"F");
/// How hard data is compressed, of 10.
const LEVEL: u8 = 6;
const IDENTITY: SystemInfo = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const RESOURCES: Ref = Ref::new(3);
const INFO: Ref = Ref::new(4);
const FONT_REF: Ref = Ref::new(5);

/// A document, page after page.
pub struct Pdf {
    out: pdf_writer::Pdf,
    next: Ref,
    pages: Vec<Ref>,
    /// Shapes that come again and again; they are few.
    shared: Vec<(Vec<Shape>, Ref)>,
    /// Percentages.
    opacities: BTreeMap<u8, Ref>,
    /// The letters that were used, by their place in the font.
    letters: BTreeMap<u16, char>,
}

impl Default for Pdf {
    fn default() -> Pdf {
        Pdf::new()
    }
}

impl Pdf {
    /// One without pages.
    pub fn new() -> Pdf {
        Pdf {
            out: pdf_writer::Pdf::new(),
            next: Ref::new(FONT_REF.get() + 1),
            pages: Vec::new(),
            shared: Vec::new(),
            opacities: BTreeMap::new(),
            letters: BTreeMap::new(),
        }
    }

    /// Adds a page; a unit of the drawing is a point.
    pub fn add(&mut self, drawing: &Drawing) {
        let (width, height) = (drawing.width as f32, drawing.height as f32);
        let mut content = Content::new();
        // As in the drawing, from above.
        content.transform([1.0, 0.0, 0.0, -1.0, 0.0, height]);
        for group in &drawing.groups {
            content.save_state();
            let scale = group.scale;
            content.transform([scale, 0.0, 0.0, scale, group.x, group.y]);
            match group.is_shared {
                true => self.shared(&mut content, &group.shapes),
                false => self.shapes(&mut content, &group.shapes, true),
            }
            content.restore_state();
        }
        let (page, data) = (self.next.bump(), self.next.bump());
        self.stream(data, &content.finish());
        let mut object = self.out.page(page);
        object.parent(PAGES).contents(data);
        object.media_box(Rect::new(0.0, 0.0, width, height));
        object.pair(Name(b"Resources"), RESOURCES);
        object.finish();
        self.pages.push(page);
    }

    /// The bytes of the document. `title`: what a viewer shows for it; `by`: the program; `language`: of its text.
    pub fn finish(mut self, title: &str, by: &str, language: Language) -> Vec<u8> {
        self.font();
        for (&percent, &id) in &self.opacities {
            let share = f32::from(percent) / 100.0;
            let mut state = self.out.ext_graphics(id);
            state.stroking_alpha(share).non_stroking_alpha(share);
        }
        let mut resources = self
            .out
            .indirect(RESOURCES)
            .start::<pdf_writer::writers::Resources>();
        resources.fonts().pair(FONT, FONT_REF);
        let mut forms = resources.x_objects();
        for &(_, form) in &self.shared {
            forms.pair(Name(name("B", form).as_bytes()), form);
        }
        forms.finish();
        let mut states = resources.ext_g_states();
        for &state in self.opacities.values() {
            states.pair(Name(name("G", state).as_bytes()), state);
        }
        states.finish();
        resources.finish();
        let count = self.pages.len() as i32;
        self.out.pages(PAGES).kids(self.pages).count(count);
        let mut info = self.out.document_info(INFO);
        if !title.is_empty() {
            info.title(TextStr(title));
        }
        info.creator(TextStr(by));
        info.finish();
        let mut catalog = self.out.catalog(CATALOG);
        catalog.pages(PAGES).lang(TextStr(language.code()));
        if !title.is_empty() {
            catalog.viewer_preferences().display_doc_title(true);
        }
        catalog.finish();
        self.out.finish()
    }

    /// A compressed stream.
    fn stream(&mut self, id: Ref, bytes: &[u8]) {
        let data = compress_to_vec_zlib(bytes, LEVEL);
        self.out.stream(id, &data).filter(Filter::FlateDecode);
    }

    /// Draws shapes that come again and again, wherever they stand.
    fn shared(&mut self, content: &mut Content, shapes: &[Shape]) {
        let known = self.shared.iter().find(|(known, _)| known == shapes);
        let id = known.map(|&(_, id)| id).unwrap_or_else(|| {
            let mut inside = Content::new();
            self.shapes(&mut inside, shapes, false);
            let data = compress_to_vec_zlib(&inside.finish(), LEVEL);
            let id = self.next.bump();
            let mut form = self.out.form_xobject(id, &data);
            form.filter(Filter::FlateDecode);
            // Larger than any board, on all sides.
            form.bbox(Rect::new(-1000.0, -1000.0, 1000.0, 1000.0));
            form.resources();
            form.finish();
            self.shared.push((shapes.to_vec(), id));
            id
        });
        content.x_object(Name(name("B", id).as_bytes()));
    }

    /// `shares`: whether discs and labels are drawn once and used again; not within what is drawn once itself.
    fn shapes(&mut self, content: &mut Content, shapes: &[Shape], shares: bool) {
        for shape in shapes {
            content.save_state();
            if shape.opacity < 1.0 {
                let percent = (shape.opacity * 100.0).round() as u8;
                let next = &mut self.next;
                let state = *self.opacities.entry(percent).or_insert_with(|| next.bump());
                content.set_parameters(Name(name("G", state).as_bytes()));
            }
            match at_origin(&shape.outline).filter(|_| shares) {
                Some((x, y, outline)) => {
                    content.transform([1.0, 0.0, 0.0, 1.0, hundredths(x), hundredths(y)]);
                    let opacity = 1.0;
                    let shape = Shape {
                        outline,
                        opacity,
                        ..*shape
                    };
                    self.shared(content, &[shape]);
                }
                None => self.shape(content, shape),
            }
            content.restore_state();
        }
    }

    fn shape(&mut self, content: &mut Content, shape: &Shape) {
        if let Some(fill) = shape.fill {
            let [red, green, blue] = channels(fill);
            content.set_fill_rgb(red, green, blue);
        }
        if let Some((color, width)) = shape.stroke {
            let [red, green, blue] = channels(color);
            content.set_stroke_rgb(red, green, blue);
            content.set_line_width(width);
        }
        if shape.is_round {
            content.set_line_cap(LineCapStyle::RoundCap);
            content.set_line_join(LineJoinStyle::RoundJoin);
        }
        if let Outline::Text(line) = &shape.outline {
            return self.text(content, line);
        }
        path(content, &shape.outline.path());
        match (shape.fill, shape.stroke) {
            (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
            (Some(_), None) => content.fill_nonzero(),
            (None, Some(_)) => content.stroke(),
            (None, None) => content.end_path(),
        };
    }

    fn text(&mut self, content: &mut Content, line: &Line) {
        let mut bytes = Vec::new();
        for letter in line.text.chars() {
            let glyph = text::glyph(letter);
            self.letters.entry(glyph.id).or_insert(glyph.letter);
            bytes.extend(glyph.id.to_be_bytes());
        }
        content.begin_text();
        content.set_font(FONT, line.size);
        content.set_text_matrix([1.0, 0.0, 0.0, -1.0, text::begin(line), line.y]);
        content.show(Str(&bytes));
        content.end_text();
    }

    /// The font, with the widths and the letters of what was used.
    fn font(&mut self) {
        let Some(face) = text::face() else { return };
        let mut next = || self.next.bump();
        let (letters, descriptor, data, unicode) = (next(), next(), next(), next());
        let scale = 1000.0 / f32::from(face.units_per_em());
        let mut font = self.out.type0_font(FONT_REF);
        font.base_font(FONT_NAME)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(letters)
            .to_unicode(unicode);
        font.finish();
        let mut cid = self.out.cid_font(letters);
        cid.subtype(CidFontType::Type2)
            .base_font(FONT_NAME)
            .system_info(IDENTITY)
            .font_descriptor(descriptor)
            .default_width(0.0)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = cid.widths();
        for &id in self.letters.keys() {
            let width = face.glyph_hor_advance(ttf_parser::GlyphId(id)).unwrap_or(0);
            widths.consecutive(id, [f32::from(width) * scale]);
        }
        widths.finish();
        cid.finish();
        let bounds = face.global_bounding_box();
        let [left, low, right, high] = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max]
            .map(|at| f32::from(at) * scale);
        self.out
            .font_descriptor(descriptor)
            .name(FONT_NAME)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(left, low, right, high))
            .italic_angle(0.0)
            .ascent(f32::from(face.ascender()) * scale)
            .descent(f32::from(face.descender()) * scale)
            .cap_height(711.0)
            .stem_v(80.0)
            .font_file2(data);
        let bytes = compress_to_vec_zlib(text::FONT, LEVEL);
        let mut file = self.out.stream(data, &bytes);
        file.filter(Filter::FlateDecode);
        file.pair(Name(b"Length1"), text::FONT.len() as i32);
        file.finish();
        let mut map = UnicodeCmap::new(Name(b"Letters"), IDENTITY);
        for (&id, &letter) in &self.letters {
            map.pair(id, letter);
        }
        self.stream(unicode, &map.finish());
    }
}

/// What many diagrams have in many places: its place, and the same at the origin.
fn at_origin(outline: &Outline) -> Option<(f32, f32, Outline)> {
    let (x, y) = (0.0, 0.0);
    match outline {
        Outline::Circle {
            x: from,
            y: top,
            radius,
        } => {
            let radius = *radius;
            Some((*from, *top, Outline::Circle { x, y, radius }))
        }
        Outline::Label(line) => {
            let here = Line {
                x,
                y,
                ..line.clone()
            };
            Some((line.x, line.y, Outline::Label(here)))
        }
        _ => None,
    }
}

/// The name of a resource on a page.
fn name(kind: &str, id: Ref) -> String {
    format!("{kind}{}", id.get())
}

fn channels(Rgb(color): Rgb) -> [f32; 3] {
    [16, 8, 0].map(|shift| hundredths(f32::from((color >> shift) as u8) / 255.0))
}

/// Enough for print, and short.
fn hundredths(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

fn path(content: &mut Content, commands: &[Command]) {
    let (mut x, mut y) = (0.0, 0.0);
    for command in commands {
        let at = |point: &zeno::Point| (hundredths(point.x), hundredths(point.y));
        let (to_x, to_y) = match command {
            Command::MoveTo(to) | Command::LineTo(to) => at(to),
            Command::CurveTo(.., to) | Command::QuadTo(_, to) => at(to),
            Command::Close => {
                content.close_path();
                continue;
            }
        };
        match command {
            Command::MoveTo(_) => content.move_to(to_x, to_y),
            Command::CurveTo(first, second, _) => {
                let ((x1, y1), (x2, y2)) = (at(first), at(second));
                content.cubic_to(x1, y1, x2, y2, to_x, to_y)
            }
            // The same curve with two controls.
            Command::QuadTo(control, _) => {
                let third =
                    |from: f32, control: f32| hundredths(from + (control - from) * 2.0 / 3.0);
                let (x1, y1) = (third(x, control.x), third(y, control.y));
                let (x2, y2) = (third(to_x, control.x), third(to_y, control.y));
                content.cubic_to(x1, y1, x2, y2, to_x, to_y)
            }
            _ => content.line_to(to_x, to_y),
        };
        (x, y) = (to_x, to_y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::{Diagram, Numbers, Sheet};
    use damier_rules::Position;
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    /// The objects of a file, found as a reader finds them: by the table at its end.
    fn objects(pdf: &[u8]) -> Vec<&[u8]> {
        let find = |bytes: &[u8], word: &[u8]| {
            let mut at = bytes.windows(word.len());
            at.position(|part| part == word)
        };
        let start = find(pdf, b"startxref\n").expect("the end") + 10;
        let digits = pdf[start..].iter().take_while(|byte| byte.is_ascii_digit());
        let table = digits.fold(0, |sum, digit| 10 * sum + usize::from(digit - b'0'));
        let text = String::from_utf8_lossy(&pdf[table..]);
        let entries = text
            .lines()
            .filter_map(|line| line.strip_suffix(" 00000 n"));
        let places = entries.map(|line| line.trim().parse::<usize>().expect("a place"));
        let objects = places.enumerate().map(|(index, place)| {
            let object = &pdf[place..];
            let head = format!("{} 0 obj", index + 1);
            assert!(object.starts_with(head.as_bytes()), "object {head}");
            &object[..find(object, b"endobj").expect("its end")]
        });
        objects.collect()
    }

    fn data(object: &[u8]) -> Option<Vec<u8>> {
        let begin = object.windows(7).position(|part| part == b"stream\n")? + 7;
        decompress_to_vec_zlib(&object[begin..]).ok()
    }

    #[test]
    fn every_object_stands_where_the_table_says_and_boards_are_shared() {
        let diagram = Diagram {
            numbers: Numbers::Border,
            shows_turn: true,
            caption: "Чижов \u{2013} \u{e9}".to_owned(),
            ..Diagram::new(Position::start())
        };
        let diagrams = vec![diagram; 12];
        let sheet = Sheet::new(12);
        let mut pdf = Pdf::new();
        for page in 0..3 {
            pdf.add(&sheet.page(&diagrams, 1 + 12 * page, 1 + page));
        }
        let bytes = pdf.finish("A sheet", "Damier", Language::default());
        assert!(bytes.starts_with(b"%PDF-1."));
        let objects = objects(&bytes);
        let has = |object: &&&[u8], word: &str| String::from_utf8_lossy(object).contains(word);
        let count = |word| objects.iter().filter(|object| has(object, word)).count();
        // The board, a disc and its ring for each side, the disc of the side to move.
        assert_eq!((count("/Type /Page\n"), count("/Subtype /Form")), (3, 6));
        assert_eq!((count("/Count 3"), count("/FontFile2")), (1, 1));
        // What is shown in Cyrillic can be copied.
        let streams: Vec<Vec<u8>> = objects.iter().filter_map(|object| data(object)).collect();
        assert!(streams.iter().any(|stream| stream == text::FONT));
        let map = streams.iter().map(|stream| String::from_utf8_lossy(stream));
        let map = map.into_iter().find(|text| text.contains("beginbfchar"));
        let map = map.expect("a map");
        assert!(map.contains("<0427>") && map.contains("<00E9>"), "{map}");
        // A page of twelve boards of forty pieces.
        assert!(bytes.len() < 60_000, "{}", bytes.len());
    }

    #[test]
    fn a_document_without_pages_is_one() {
        let bytes = Pdf::new().finish("", "Damier", Language::default());
        assert_eq!(objects(&bytes).len(), 9);
    }
}
