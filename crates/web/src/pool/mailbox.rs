//! The unsent events of a client's search. A newer event replaces an outdated one, so that a mailbox stays small
//! however slowly the client reads.

use damier_analysis::annotate::AnnotatedGame;
use damier_engine::search::Report;
use damier_rules::{Game, Move};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// An event of a search.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The number of searches ahead in the queue.
    Queued(usize),
    /// Intermediate result.
    Info(Snapshot),
    /// Final result and the move to play.
    Best(Option<Move>, Snapshot),
    /// Number of annotated positions, of all positions of the game.
    Progress { done: usize, total: usize },
    /// The annotated game.
    Annotated(Box<AnnotatedGame>),
    /// The search panicked.
    Failed(String),
}

impl Event {
    /// Whether the next event replaces this one.
    fn is_replaceable(&self) -> bool {
        matches!(
            self,
            Event::Info(_) | Event::Queued(_) | Event::Progress { .. }
        )
    }
}

/// The result of a search at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// Best first.
    pub lines: Vec<Report>,
    /// Positions searched in all time slices.
    pub nodes: u64,
    /// Time of all time slices.
    pub time: Duration,
    /// Number of legal moves that hold the result, once it is known.
    pub safe: Option<usize>,
}

#[derive(Default)]
struct State {
    /// Number and game of the request.
    search: Option<(u32, Game)>,
    events: VecDeque<Event>,
}

/// The mailbox of a client.
#[derive(Default)]
pub(crate) struct Mailbox {
    state: Mutex<State>,
    /// Notified of each new event.
    pub changed: Notify,
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the events of the last search and accepts those of a new one.
    pub fn begin(&self, id: u32, game: Game) {
        let mut state = self.lock();
        state.events.clear();
        state.search = Some((id, game));
    }

    /// Adds an event of the current search; drops one of an earlier search.
    pub fn push(&self, id: u32, event: Event) {
        let mut state = self.lock();
        if state.search.as_ref().is_none_or(|(now, _)| *now != id) {
            return;
        }
        state.events.retain(|old| !old.is_replaceable());
        state.events.push_back(event);
        drop(state);
        self.changed.notify_one();
    }

    /// Takes the next event, with number and game of its search. Replaceable events only with `all`.
    pub fn take(&self, all: bool) -> Option<(u32, Game, Event)> {
        let mut state = self.lock();
        if !all && state.events.front().is_some_and(Event::is_replaceable) {
            return None;
        }
        let (id, game) = state.search.clone()?;
        let event = state.events.pop_front()?;
        Some((id, game, event))
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.lock().events.is_empty()
    }
}
