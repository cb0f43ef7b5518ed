//! What all connections share: guard, engines, endgame tables, book and the watched match.

use super::guard::Guard;
use super::pool::Pool;
use super::watch::Watch;
use damier_book::Book;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Maximum number of open pages.
pub(super) const MAX_PAGES: usize = 256;
/// KiB of memory for the large requests that are being answered, of all pages together.
pub(super) const LARGE_REQUESTS: usize = 96 << 10;

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
    /// One permit for each KiB of [`LARGE_REQUESTS`].
    pub memory: Semaphore,
}
