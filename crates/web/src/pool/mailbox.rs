//! What a page has yet to be told of its search. However slowly it reads, this does not grow: what is out of date is
//! replaced.

use damier_analysis::annotate::AnnotatedGame;
use damier_engine::search::Report;
use damier_rules::{Game, Move};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// What happened to a search.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// It waits for so many others.
    Queued(usize),
    /// What it has found so far.
    Info(Snapshot),
    /// What it has found, and the move to play.
    Best(Option<Move>, Snapshot),
    /// How many positions of a game are judged, of how many.
    Progress { done: usize, total: usize },
    /// A game with its moves judged.
    Annotated(Box<AnnotatedGame>),
    /// The search panicked.
    Failed(String),
}

impl Event {
    /// Whether what comes next says more.
    fn is_replaced(&self) -> bool {
        matches!(
            self,
            Event::Info(_) | Event::Queued(_) | Event::Progress { .. }
        )
    }
}

/// The lines of a search at some time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// Best first.
    pub lines: Vec<Report>,
    /// Positions searched, in all slices.
    pub nodes: u64,
    /// Time searched, in all slices.
    pub time: Duration,
    /// How many legal moves hold the result, once that is known.
    pub safe: Option<usize>,
}

#[derive(Default)]
struct State {
    /// Number of the request, and its game.
    search: Option<(u32, Game)>,
    events: VecDeque<Event>,
}

/// The mailbox of a page.
#[derive(Default)]
pub(crate) struct Mailbox {
    state: Mutex<State>,
    /// Tells of news.
    pub news: Notify,
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on events are of this search.
    pub fn begin(&self, id: u32, game: Game) {
        let mut state = self.lock();
        state.events.clear();
        state.search = Some((id, game));
    }

    /// Adds an event of a search; those of an earlier search are dropped.
    pub fn put(&self, id: u32, event: Event) {
        let mut state = self.lock();
        if state.search.as_ref().is_none_or(|(now, _)| *now != id) {
            return;
        }
        state.events.retain(|old| !old.is_replaced());
        state.events.push_back(event);
        drop(state);
        self.news.notify_one();
    }

    /// Takes the next event, with the number and the game of its search. `infos`: also what will be replaced.
    pub fn take(&self, infos: bool) -> Option<(u32, Game, Event)> {
        let mut state = self.lock();
        if !infos && state.events.front().is_some_and(Event::is_replaced) {
            return None;
        }
        let (id, game) = state.search.clone()?;
        let event = state.events.pop_front()?;
        Some((id, game, event))
    }

    /// Whether something waits.
    pub fn is_empty(&self) -> bool {
        self.lock().events.is_empty()
    }
}
