//! What pages ask of the pool.

use super::mailbox::Mailbox;
use damier_engine::{Level, Strength, ThinkEvent};
use damier_rules::Game;
use damier_rules::notation::pdn;
use std::sync::Arc;

/// A page, by number.
pub(crate) type PageId = u64;

/// What is to be searched.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// A move to play.
    Think {
        /// How long.
        level: Level,
        /// Whether the book may answer.
        book: bool,
        /// How strongly.
        strength: Strength,
    },
    /// The best moves.
    Analyse {
        /// How many.
        lines: usize,
    },
    /// The moves of the game, judged.
    Annotate {
        /// The game with all that it has.
        game: Box<pdn::Game>,
        /// Nodes of each search.
        nodes: u64,
    },
}

/// A search that a page asked for.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// Number of the request.
    pub id: u32,
    /// The game.
    pub game: Game,
    /// What is wanted.
    pub work: Work,
}

/// What the scheduler is told.
pub(super) enum PoolCommand {
    Begin(PageId, Box<Search>, Arc<Mailbox>),
    Stop(PageId),
    Event(usize, ThinkEvent),
    Quit,
}
