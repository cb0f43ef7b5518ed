//! Games that are searched.

use serde::{Deserialize, Serialize};

/// Which games of the base are wanted, as the arguments of `damier games search`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Wanted {
    /// Players who all took part in the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
    /// The player of the white pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// The player of the black pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// `2-0`, `1-1`, `0-2`, `0-0` or `*`; `win`, `draw` or `loss` of the first of `players`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The first day, month or year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The last day, month or year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Words of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The first moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// Pieces of white and black at some point: `4x3`, `3Kx1K`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// The name of a collection that the game belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
}

/// A game that had a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Occurrence {
    /// Place of the game in the list, from 0.
    pub index: usize,
    /// Moves before the position.
    pub ply: usize,
}
