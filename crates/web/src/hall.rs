//! What all pages share: engines, endgame tables, book, and the places for pages.

use super::pool::{Mailbox, PageId, Pool, Search};
use super::watch::Watch;
use damier_book::Book;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Most pages at once.
pub(super) const MOST_PAGES: usize = 128;

/// What the pages share.
pub(super) struct Hall {
    pool: Pool,
    /// Most pieces of the tables that are asked.
    pub table_pieces: u8,
    /// The opening book.
    pub book: Option<Book>,
    /// The match that is watched.
    pub watch: Option<Watch>,
    places: Arc<Semaphore>,
    pages: AtomicU64,
}

impl Hall {
    pub fn new(pool: Pool, table_pieces: u8, book: Option<Book>, watch: Option<Watch>) -> Hall {
        Hall {
            pool,
            table_pieces,
            book,
            watch,
            places: Arc::new(Semaphore::new(MOST_PAGES)),
            pages: AtomicU64::new(1),
        }
    }

    /// A place for a page, if there is one left.
    pub fn enter(self: &Arc<Hall>) -> Option<Seat> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        Some(Seat {
            hall: Arc::clone(self),
            page: self.pages.fetch_add(1, Relaxed),
            mailbox: Arc::default(),
            _place: place,
        })
    }

    /// The engines.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }
}

/// The place of a page. Whoever drops it ends the search of the page.
pub(super) struct Seat {
    pub hall: Arc<Hall>,
    page: PageId,
    /// What its search has found.
    pub mailbox: Arc<Mailbox>,
    _place: OwnedSemaphorePermit,
}

impl Seat {
    /// Begins a search in the place of the last one.
    pub fn begin(&self, search: Search) {
        self.hall.pool.begin(self.page, search, &self.mailbox);
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.hall.pool.stop(self.page);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.stop();
    }
}
