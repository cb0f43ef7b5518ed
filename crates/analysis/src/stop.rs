use damier_engine::search::Control;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Ends work that consists of many searches, from another thread.
#[derive(Debug, Default)]
pub struct Stop {
    asked: AtomicBool,
    search: Mutex<Option<Arc<Control>>>,
}

impl Stop {
    /// Nothing is stopped yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends the search that runs, and lets no other begin.
    pub fn stop(&self) {
        self.asked.store(true, Relaxed);
        let search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(control) = search.as_ref() {
            control.stop();
        }
    }

    /// Whether [`Stop::stop`] was called.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Relaxed)
    }

    /// The control of a search that begins now.
    pub fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::new());
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        *search = Some(Arc::clone(&control));
        // Asked while the one before ended.
        if self.is_asked() {
            control.stop();
        }
        control
    }
}
