use damier_engine::search::Control;
use damier_os::pool;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Ends work that consists of many searches, from another thread.
#[derive(Debug, Default)]
pub struct Stop {
    asked: AtomicBool,
    /// Searches that may still run.
    searches: Mutex<Vec<Weak<Control>>>,
}

impl Stop {
    /// Nothing is stopped yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends the searches that run, and lets no other begin.
    pub fn stop(&self) {
        self.asked.store(true, Relaxed);
        let searches = self.searches.lock();
        let searches = searches.unwrap_or_else(PoisonError::into_inner);
        searches
            .iter()
            .filter_map(Weak::upgrade)
            .for_each(|control| control.stop());
    }

    /// Whether [`Stop::stop`] was called.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Relaxed)
    }

    /// The control of a search that begins now.
    pub fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::new());
        let searches = self.searches.lock();
        let mut searches = searches.unwrap_or_else(PoisonError::into_inner);
        searches.retain(|search| search.strong_count() > 0);
        searches.push(Arc::downgrade(&control));
        // Asked while the one before ended.
        if self.is_asked() {
            control.stop();
        }
        control
    }
}

impl pool::Stop for Stop {
    fn stop(&self) {
        Stop::stop(self);
    }

    fn is_stopped(&self) -> bool {
        self.is_asked()
    }
}
