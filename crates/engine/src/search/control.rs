use super::{Depth, TimeControl};
use damier_os::pool;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
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
    /// A game clock, from which the search computes its time.
    pub clock: Option<TimeControl>,
}

impl Limits {
    /// Whether a time ends the search, or a stop alone.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some()
            || self.move_time.is_some()
            || self.depth.is_none() && self.nodes.is_none()
    }

    /// Whether the search has no limit and ends only by a stop.
    pub fn is_unlimited(&self) -> bool {
        *self == Limits::default()
    }
}

/// Stops and times a running search; shared between threads.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    began: Mutex<Instant>,
    /// Notified when it is stopped or the ponder hit comes.
    changed: Condvar,
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
            changed: Condvar::new(),
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
        self.change(|_| self.stop.store(true, Relaxed));
    }

    /// The expected move was played: time begins to run now.
    pub fn ponder_hit(&self) {
        self.change(|began| {
            *began = Instant::now();
            self.pondering.store(false, Relaxed);
        });
    }

    /// Under the lock, so that a thread about to wait is notified.
    fn change(&self, change: impl FnOnce(&mut Instant)) {
        change(&mut self.began.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// Waits until the ponder hit comes or it is stopped, if it is pondering.
    pub fn wait_for_ponder_hit(&self) {
        self.wait(Duration::MAX, || self.is_pondering() && !self.is_stopped());
    }

    /// Waits for this time, or until stopped.
    pub fn sleep(&self, time: Duration) {
        self.wait(time, || !self.is_stopped());
    }

    fn wait(&self, most: Duration, is_waiting: impl Fn() -> bool) {
        let began = self.began.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .changed
            .wait_timeout_while(began, most, |_| is_waiting());
        drop(waited);
    }

    /// Excludes a time: the clock starts so much later.
    pub fn delay(&self, time: Duration) {
        if let Ok(mut began) = self.began.lock() {
            *began += time;
        }
    }

    /// Whether the search was stopped.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the search runs on the opponent's time.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Time since the clock of this move started; zero while pondering.
    pub fn spent(&self) -> Duration {
        if self.is_pondering() {
            return Duration::ZERO;
        }
        self.began
            .lock()
            .map_or(Duration::ZERO, |began| began.elapsed())
    }
}

impl pool::Stop for Control {
    fn stop(&self) {
        Control::stop(self);
    }

    fn is_stopped(&self) -> bool {
        Control::is_stopped(self)
    }
}

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_secs(60);

    /// How long `wait` takes, while `end` comes after some milliseconds.
    fn waited(control: &Control, wait: fn(&Control), end: fn(&Control)) -> Duration {
        let began = Instant::now();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(20));
                end(control);
            });
            wait(control);
        });
        began.elapsed()
    }

    #[test]
    fn who_waits_hears_of_a_stop_and_of_the_ponder_hit() {
        let least = Duration::from_millis(20);
        let sleep = |control: &Control| control.sleep(LONG);
        let time = waited(&Control::new(), sleep, Control::stop);
        assert!(time >= least && time < LONG, "{time:?}");
        for end in [Control::stop, Control::ponder_hit] {
            let control = Control::pondering(Instant::now());
            let time = waited(&control, Control::wait_for_ponder_hit, end);
            assert!(time >= least && time < LONG, "{time:?}");
        }
        // What has happened already is not waited for.
        let control = Control::new();
        control.wait_for_ponder_hit();
        control.stop();
        control.sleep(LONG);
        let control = Control::new();
        control.sleep(least);
        assert!(control.spent() >= least);
    }
}
