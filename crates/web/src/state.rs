//! What all connections share: guard, engines, endgame tables, book and the watched match.

use super::base::BaseThread;
use super::http::guard::Guard;
use super::pool::Pool;
use super::watch::Watch;
use damier_book::Book;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// Maximum number of open pages.
pub(super) const MAX_PAGES: usize = 256;
/// KiB of memory for the large requests that are being answered, of all pages together.
pub(super) const LARGE_REQUESTS: usize = 96 << 10;

/// Time limit for closing all pages at the end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// State shared by all connections.
pub(super) struct AppState {
    pub guard: Guard,
    pub pool: Pool,
    /// Maximum number of pieces of the endgame tables that are probed.
    pub table_pieces: u8,
    /// The opening book.
    pub book: Option<Book>,
    /// The watched match.
    pub watch: Option<Watch>,
    /// The base of games.
    pub base: Option<BaseThread>,
    /// One permit for each open page.
    pub pages: Arc<Semaphore>,
    /// One permit for each KiB of [`LARGE_REQUESTS`].
    pub memory: Arc<Semaphore>,
    /// Told to all connections: whether the server stops.
    pub stops: watch::Sender<bool>,
}

impl AppState {
    /// Tells the pages that the server stops, and waits until their connections have ended.
    pub(super) async fn close_pages(&self) {
        self.stops.send_replace(true);
        let all_closed = self.pages.acquire_many(MAX_PAGES as u32);
        // A page that does not read is not waited for.
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, all_closed).await;
    }
}

/// Waits until the server stops.
pub(super) async fn stopped(stops: &mut watch::Receiver<bool>) {
    // The sender is part of the state, which the connection keeps.
    let _ = stops.wait_for(|&stops| stops).await;
}
