//! Names of combinations. A name is given only where the line has all that the definition asks for; docs/analysis.md
//! has the definitions in words.

mod line;
mod shapes;
#[cfg(test)]
mod tests;

use damier_rules::{Move, Position};
use line::{Ply, plies};
use std::fmt;

/// A combination that has a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Motif {
    /// Three men given by 23x34, and the capture 40x29x20x9x18x7.
    Royal,
    /// 18x27 and 32x21 take the man on 18 away, and the capture goes from 38 or 40 by 29 and 18 to 7.
    Philippe,
    /// A capture in zigzag, whose second man came before its first.
    Napoleon,
    /// A king stopped by a piece that it captured already, before a man whose support it captured too.
    Turc,
    /// A piece lured to the square that a man left is spared, and captured first by another.
    Manoury,
    /// A man is sent to the last row, and its king captured.
    King,
    /// The piece that takes back after a capture of several is the first of the next one.
    Ricochet,
    /// A man captures backwards, and the piece that lands where the man stood is the first of the next capture.
    Talon,
    /// A piece that captured is sent back where it came from, and captured there.
    Recall,
    /// Two gifts of two, the second one while a man moves to the enemy's and begins to capture there; then another one
    /// captures.
    Raphael,
    /// One man is led by 27 to 18, another one by 37 to 28, and the capture goes from 33 by 22 to 13.
    Express,
    /// A man captures three or more along one straight line.
    Enfilade,
}

impl Motif {
    /// All motifs.
    pub const ALL: [Motif; 12] = [
        Motif::Royal,
        Motif::Philippe,
        Motif::Napoleon,
        Motif::Turc,
        Motif::Manoury,
        Motif::King,
        Motif::Ricochet,
        Motif::Talon,
        Motif::Recall,
        Motif::Raphael,
        Motif::Express,
        Motif::Enfilade,
    ];

    /// Name of the motif, French in all languages.
    pub fn name(self) -> &'static str {
        match self {
            Motif::Royal => "coup royal",
            Motif::Philippe => "coup Philippe",
            Motif::Napoleon => "coup Napol\u{e9}on",
            Motif::Turc => "coup turc",
            Motif::Manoury => "coup Manoury",
            Motif::King => "envoi \u{e0} dame",
            Motif::Ricochet => "coup de ricochet",
            Motif::Talon => "coup de talon",
            Motif::Recall => "coup de rappel",
            Motif::Raphael => "coup Rapha\u{eb}l",
            Motif::Express => "coup de l\u{2019}express",
            Motif::Enfilade => "enfilade",
        }
    }

    fn is_in(self, plies: &[Ply]) -> bool {
        match self {
            Motif::Royal => shapes::is_royal(plies),
            Motif::Philippe => shapes::is_philippe(plies),
            Motif::Napoleon => shapes::is_napoleon(plies),
            Motif::Turc => plies.windows(2).any(shapes::is_turc),
            Motif::Manoury => plies.windows(5).any(shapes::is_manoury),
            Motif::King => shapes::is_king_sent(plies),
            Motif::Ricochet => plies.windows(3).any(shapes::is_ricochet),
            Motif::Talon => plies.windows(3).any(shapes::is_talon),
            Motif::Recall => shapes::is_recall(plies),
            Motif::Raphael => plies.windows(7).any(shapes::is_raphael),
            Motif::Express => shapes::is_express(plies),
            Motif::Enfilade => shapes::is_enfilade(plies),
        }
    }
}

impl fmt::Display for Motif {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The motifs of a combination: its line from the first offer to the last capture.
pub fn motifs(start: &Position, line: &[Move]) -> Vec<Motif> {
    let Some(plies) = plies(start, line) else {
        return Vec::new();
    };
    let found = Motif::ALL.into_iter().filter(|motif| motif.is_in(&plies));
    let mut found: Vec<Motif> = found.collect();
    // Any other name says more.
    if found.len() > 1 {
        found.retain(|&motif| motif != Motif::Enfilade);
    }
    found
}
