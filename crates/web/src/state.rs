//! What all connections share: guard, engines, endgame tables, book and the watched match.

use super::guard::Guard;
use super::pool::Pool;
use super::watch::Watch;
use damier_book::Book;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Maximum number of open pages.
pub(super) const MAX_PAGES: usize = 128;

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
    /// One permit for each open page.
    pub pages: Arc<Semaphore>,
}
