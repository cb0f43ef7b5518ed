//! What threads share: the standard library's, or its double that tries every order of events (`--cfg damier_loom`).

#[cfg(damier_loom)]
pub use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
#[cfg(damier_loom)]
pub use loom::sync::{Condvar, Mutex, MutexGuard};
pub use std::sync::PoisonError;
#[cfg(not(damier_loom))]
pub use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
#[cfg(not(damier_loom))]
pub use std::sync::{Condvar, Mutex, MutexGuard};
