//! Annotated games: every move judged by the expected points that it lost.
//!
//! ```no_run
//! use damier_analysis::Stop;
//! use damier_analysis::annotate::Annotator;
//! use damier_engine::{Engine, Level, Options};
//! use damier_rules::notation::pdn;
//!
//! let mut annotator = Annotator::new(Engine::new(Options::default())?, Level::nodes(50_000));
//! for game in pdn::read("1. 32-28 19-23 2. 28x19 14x23 *").flatten() {
//!     let annotated = annotator.annotate(&game, &Stop::new(), &mut |_, _| {});
//!     let pdn = annotated.map(|annotated| annotated.to_pdn("Damier"));
//! }
//! # Ok::<(), damier_engine::EngineError>(())
//! ```

mod json;
mod judge;
pub mod page;
mod pdn;
mod summary;
#[cfg(test)]
mod tests;

pub use json::GameObject;
pub use judge::Annotator;
pub use summary::{PlayerSummary, accuracy};

use crate::Evaluation;
use crate::mine::Combination;
use crate::{Motif, motifs};
use damier_endgame::Verdict;
use damier_rules::board::Color;
use damier_rules::notation::pdn::Game as PdnGame;
use damier_rules::{Move, Position};
use std::fmt;

/// Why a move is judged, or is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    /// By searches.
    Search,
    /// By the endgame tables.
    Table,
    /// Not judged: the only legal move.
    Forced,
    /// Not judged: in the opening book.
    Book,
    /// Not judged: the game was drawn already by a rule.
    Over,
}

impl Judged {
    /// Name in one word.
    pub fn name(self) -> &'static str {
        match self {
            Judged::Search => "search",
            Judged::Table => "table",
            Judged::Forced => "forced",
            Judged::Book => "book",
            Judged::Over => "over",
        }
    }

    /// Whether the move counts in the summary.
    pub fn counts(self) -> bool {
        matches!(self, Judged::Search | Judged::Table)
    }
}

/// The mark of a move that lost something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// `?!`: it lost at least [`Mark::DUBIOUS`] expected points.
    Dubious,
    /// `?`: at least [`Mark::MISTAKE`].
    Mistake,
    /// `??`: at least [`Mark::BLUNDER`].
    Blunder,
}

impl Mark {
    /// Expected points from which on a move is dubious.
    pub const DUBIOUS: f64 = 0.06;
    /// Expected points from which on it is a mistake.
    pub const MISTAKE: f64 = 0.12;
    /// Expected points from which on it is a blunder: more than half of what lies between draw and loss.
    pub const BLUNDER: f64 = 0.25;

    /// The mark of a move that lost so many expected points.
    pub fn of(loss: f64) -> Option<Mark> {
        match loss {
            _ if loss >= Mark::BLUNDER => Some(Mark::Blunder),
            _ if loss >= Mark::MISTAKE => Some(Mark::Mistake),
            _ if loss >= Mark::DUBIOUS => Some(Mark::Dubious),
            _ => None,
        }
    }

    /// The numeric annotation glyph.
    pub fn nag(self) -> u8 {
        match self {
            Mark::Mistake => 2,
            Mark::Blunder => 4,
            Mark::Dubious => 6,
        }
    }

    /// As it stands behind a move.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Dubious => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::Dubious => "dubious",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        })
    }
}

/// A move of a game, judged.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveJudgement {
    /// The move.
    pub mv: Move,
    /// How it was judged.
    pub judged: Judged,
    /// The position before it, for the side that moved.
    pub before: Evaluation,
    /// The expected points that it lost, from 0 to 1; 0 where it was not judged.
    pub loss: f64,
    /// What the endgame tables say of the move, for the side that played it, where they are certain.
    pub table: Option<Verdict>,
}

impl MoveJudgement {
    /// The mark it deserves.
    pub fn mark(&self) -> Option<Mark> {
        Mark::of(self.loss)
    }

    /// The best move, where it is another one.
    pub fn better(&self) -> Option<Move> {
        let best = self.before.line.first().copied();
        best.filter(|&best| best != self.mv)
    }
}

/// Names of combinations around a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Named {
    /// Of the one that could have been played instead.
    pub missed: Vec<Motif>,
    /// Of the one that the other side can play now.
    pub allowed: Vec<Motif>,
}

impl Named {
    /// Motifs in words, each after this: `missed coup royal`.
    fn parts(&self) -> impl Iterator<Item = String> {
        let parts = [("missed", &self.missed), ("allowed", &self.allowed)];
        let parts = parts.into_iter().filter(|(_, motifs)| !motifs.is_empty());
        parts.map(|(word, motifs)| {
            let names: Vec<&str> = motifs.iter().map(|motif| motif.name()).collect();
            format!("{word} {}", names.join(", "))
        })
    }
}

/// A game with its moves judged.
#[derive(Clone, PartialEq, Debug)]
pub struct AnnotatedGame {
    /// The game as it was read.
    pub game: PdnGame,
    /// Moves, in order.
    pub moves: Vec<MoveJudgement>,
    /// The position after the last move.
    pub last: Evaluation,
    /// White's moves and black's, summed up.
    pub players: [PlayerSummary; 2],
}

impl AnnotatedGame {
    /// The name of a player, where it is known.
    pub fn player(&self, color: Color) -> Option<&str> {
        let name = self.game.tag(capital(color)).map(str::trim);
        name.filter(|name| !matches!(*name, "" | "?" | "-"))
    }

    /// What is known of the position after so many plies.
    pub fn evaluation(&self, ply: usize) -> &Evaluation {
        self.moves.get(ply).map_or(&self.last, |mv| &mv.before)
    }

    /// The names of combinations around a move that lost something: of the one that was missed, and of the one that the
    /// move allows. `position`: that before the move.
    pub fn motifs(&self, ply: usize, position: &Position) -> Named {
        let Some(judgement) = self.moves.get(ply).filter(|mv| mv.mark().is_some()) else {
            return Named::default();
        };
        let name = |position: &Position, line: &[Move]| {
            let combination = Combination::of(position, line);
            combination.map_or(Vec::new(), |found| motifs(position, &found.line))
        };
        let best = judgement.better().map(|_| &judgement.before.line[..]);
        let after = position.play(judgement.mv);
        Named {
            missed: name(position, best.unwrap_or_default()),
            allowed: name(&after, &self.evaluation(ply + 1).line),
        }
    }
}

/// The name of a side, which is also that of the tag of its player.
fn capital(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
