//! A client of the pool and its requests.

use super::mailbox::Mailbox;
use damier_engine::{Level, Strength, ThinkEvent};
use damier_rules::Game;
use damier_rules::notation::pdn;
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// Number of a client.
pub(super) type ClientId = u64;

/// The kind of a search.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// Choose a move to play.
    Think {
        /// Limits of the search.
        level: Level,
        /// Whether the book may answer.
        book: bool,
        /// Playing strength.
        strength: Strength,
    },
    /// Find the best moves.
    Analyse {
        /// Number of moves.
        lines: usize,
    },
    /// Annotate a game.
    Annotate {
        /// The game with tags, comments and variations.
        game: Box<pdn::Game>,
        /// Nodes of each search.
        nodes: u64,
    },
}

/// A requested search.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// Number of the request.
    pub id: u32,
    /// The game.
    pub game: Game,
    /// Kind and limits.
    pub work: Work,
}

/// A command or an event for the scheduler.
pub(super) enum PoolCommand {
    Begin(ClientId, Box<Search>, Arc<Mailbox>),
    Stop(ClientId),
    Event(usize, ThinkEvent),
    Quit,
}

/// A client of the pool, with at most one search. Dropping the client stops its search.
pub(crate) struct Client {
    pub(super) id: ClientId,
    pub(super) commands: Sender<PoolCommand>,
    /// Events of the search.
    pub mailbox: Arc<Mailbox>,
}

impl Client {
    /// Begins a search; it replaces the current one.
    pub fn begin(&self, search: Search) {
        let mailbox = Arc::clone(&self.mailbox);
        self.send(PoolCommand::Begin(self.id, Box::new(search), mailbox));
    }

    /// Stops the search and reports its result.
    pub fn stop(&self) {
        self.send(PoolCommand::Stop(self.id));
    }

    fn send(&self, command: PoolCommand) {
        if self.commands.send(command).is_err() {
            log::error!("the engines have ended");
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stop();
    }
}
