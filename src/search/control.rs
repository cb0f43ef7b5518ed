use super::{Depth, TimeControl};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// When a search ends by itself. Limits add up: the first one reached ends it. None at all: it runs until stopped.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Last iteration, in plies.
    pub depth: Option<Depth>,
    /// Positions entered, by all threads together; exact.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// A game clock, of which the search takes what it thinks right.
    pub clock: Option<TimeControl>,
}

impl Limits {
    /// Whether nothing but a stop ends the search.
    pub fn is_unlimited(&self) -> bool {
        *self == Limits::default()
    }
}

/// The reins of a running search, shared between threads.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    began: Mutex<Instant>,
}

impl Control {
    /// For a search that begins now.
    pub fn new() -> Control {
        Control::since(Instant::now())
    }

    /// For a search whose time began to run at `began`.
    pub fn since(began: Instant) -> Control {
        Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            began: Mutex::new(began),
        }
    }

    /// For a search on the opponent's time: time limits wait for [`Control::ponder_hit`].
    pub fn pondering(began: Instant) -> Control {
        let control = Control::since(began);
        control.pondering.store(true, Relaxed);
        control
    }

    /// Ends the search at the next opportunity.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The expected move was played: time begins to run now.
    pub fn ponder_hit(&self) {
        if let Ok(mut began) = self.began.lock() {
            *began = Instant::now();
        }
        self.pondering.store(false, Relaxed);
    }

    /// Time that does not count: the clock begins to run so much later.
    pub fn delay(&self, time: Duration) {
        if let Ok(mut began) = self.began.lock() {
            *began += time;
        }
    }

    /// Whether the search was told to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the opponent's time runs.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Since time began to run for this move; nothing while pondering.
    pub fn spent(&self) -> Duration {
        if self.is_pondering() {
            return Duration::ZERO;
        }
        self.began
            .lock()
            .map_or(Duration::ZERO, |began| began.elapsed())
    }
}

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}
