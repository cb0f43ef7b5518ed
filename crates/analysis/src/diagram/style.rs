//! How a board looks.

use super::drawing::Rgb;
use damier_rules::board::Color;

/// The colors of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Wood and gold, for the screen.
    #[default]
    Color,
    /// Black, white and grey, for print and copies.
    Print,
}

/// Where the numbers of squares stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Numbers {
    /// In each empty square.
    #[default]
    Inside,
    /// At the border, for the squares along the four edges.
    Border,
    /// Nowhere.
    None,
}

/// The colors of a [`Style`].
pub(super) struct Palette {
    pub light: Rgb,
    pub dark: Rgb,
    pub marked: Rgb,
    pub frame: Rgb,
    pub arrow: Rgb,
    pub cross: Rgb,
    /// Around a cross, where it would not be seen on a black piece.
    pub halo: Option<Rgb>,
    /// Of numbers inside squares, and how opaque they are.
    pub number: (Rgb, f32),
}

/// The colors of a piece.
pub(super) struct PiecePalette {
    pub fill: Rgb,
    pub edge: Rgb,
    pub crown: Rgb,
}

const BLACK: Rgb = Rgb(0);
const WHITE: Rgb = Rgb(0xffffff);

impl Style {
    pub(super) fn palette(self) -> Palette {
        match self {
            Style::Color => Palette {
                light: Rgb(0xf3e3c3),
                dark: Rgb(0xa9794f),
                marked: Rgb(0xc9a227),
                frame: Rgb(0x5c3d22),
                arrow: Rgb(0x1a7f37),
                cross: Rgb(0xb91c1c),
                halo: None,
                number: (WHITE, 0.8),
            },
            Style::Print => Palette {
                light: WHITE,
                dark: Rgb(0xd4d4d4),
                marked: Rgb(0xa0a0a0),
                frame: BLACK,
                arrow: Rgb(0x505050),
                cross: BLACK,
                halo: Some(WHITE),
                number: (BLACK, 1.0),
            },
        }
    }

    pub(super) fn pieces(self, color: Color) -> PiecePalette {
        let (fill, edge, crown) = match (self, color) {
            (Style::Color, Color::White) => (Rgb(0xfdfdf8), Rgb(0x555555), Rgb(0xd4a017)),
            (Style::Color, Color::Black) => (Rgb(0x1f1f1f), Rgb(0xbbbbbb), Rgb(0xd4a017)),
            (Style::Print, Color::White) => (WHITE, BLACK, BLACK),
            (Style::Print, Color::Black) => (BLACK, WHITE, WHITE),
        };
        PiecePalette { fill, edge, crown }
    }
}
