//! What a picture consists of, before it is SVG or PNG.

/// Red, green and blue, `0xrrggbb`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rgb(pub u32);

/// A filled area or a line, with its outline in units of the board.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shape {
    pub outline: Outline,
    pub fill: Option<Rgb>,
    /// Color and width.
    pub stroke: Option<(Rgb, f32)>,
    /// From 0 to 1.
    pub opacity: f32,
    /// Whether lines end round.
    pub is_round: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Outline {
    Rect {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
    },
    Circle {
        x: f32,
        y: f32,
        radius: f32,
    },
    /// The `d` of a path in SVG.
    Path(String),
    /// `x` is the left edge, or the middle where `centered`; `y` the line on which the letters stand.
    Text {
        x: f32,
        y: f32,
        size: f32,
        centered: bool,
        text: String,
    },
}

impl Shape {
    pub fn filled(outline: Outline, fill: Rgb) -> Shape {
        Shape {
            outline,
            fill: Some(fill),
            stroke: None,
            opacity: 1.0,
            is_round: false,
        }
    }

    pub fn stroked(outline: Outline, stroke: Rgb, width: f32) -> Shape {
        Shape {
            outline,
            fill: None,
            stroke: Some((stroke, width)),
            opacity: 1.0,
            is_round: false,
        }
    }

    pub fn with_stroke(self, stroke: Rgb, width: f32) -> Shape {
        let stroke = Some((stroke, width));
        Shape { stroke, ..self }
    }

    pub fn with_opacity(self, opacity: f32) -> Shape {
        Shape { opacity, ..self }
    }

    pub fn round(self) -> Shape {
        let is_round = true;
        Shape { is_round, ..self }
    }
}

/// Shapes that are moved together.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Group {
    pub x: u32,
    pub y: u32,
    pub shapes: Vec<Shape>,
}

/// A picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) groups: Vec<Group>,
}
