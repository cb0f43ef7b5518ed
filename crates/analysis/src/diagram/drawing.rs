//! What a picture consists of, before it is SVG, PNG or PDF.

use super::text;
use zeno::{Command, PathBuilder, PathData};

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
    /// A line of text.
    Text(Line),
    /// The number of a square: a part of the picture, which is not copied with the text of a PDF.
    Label(Line),
}

/// `x` is the left edge, or the middle where `centered`; `y` the line on which the letters stand.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Line {
    pub x: f32,
    pub y: f32,
    pub size: f32,
    pub centered: bool,
    pub text: String,
}

impl Outline {
    /// A square.
    pub fn square(x: f32, y: f32, side: f32) -> Outline {
        Outline::Rect {
            x,
            y,
            width: side,
            height: side,
        }
    }

    /// The path around it; that of letters follows the font of the program.
    pub fn path(&self) -> Vec<Command> {
        let mut path = Vec::new();
        match self {
            &Outline::Rect {
                x,
                y,
                width,
                height,
            } => {
                path.add_rect((x, y), width, height);
            }
            &Outline::Circle { x, y, radius } => {
                path.add_circle((x, y), radius);
            }
            Outline::Path(text) => path.extend(text.as_str().commands()),
            Outline::Text(line) | Outline::Label(line) => path = text::outlines(line),
        }
        path
    }
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

/// Shapes that are moved and scaled together.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Group {
    pub x: f32,
    pub y: f32,
    pub scale: f32,
    /// Whether many groups have the same shapes, as of an empty board: a PDF has them once.
    pub is_shared: bool,
    pub shapes: Vec<Shape>,
}

/// A picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) groups: Vec<Group>,
}
