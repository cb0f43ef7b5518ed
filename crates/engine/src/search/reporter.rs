//! What is sent to the observer, and when.

use super::{Observer, PassReport, Report};
use std::time::{Duration, Instant};

/// The last lines are repeated after this time without a report, because clients take a silent engine for frozen.
const INTERVAL: Duration = Duration::from_secs(1);

/// Sends reports to the observer of a search.
pub(super) struct Reporter<'a> {
    observer: &'a mut dyn Observer,
    began: Instant,
    lines: Vec<Report>,
    due: Instant,
}

impl<'a> Reporter<'a> {
    /// For a search that began at `began`.
    pub fn new(observer: &'a mut dyn Observer, began: Instant) -> Reporter<'a> {
        Reporter {
            observer,
            began,
            lines: Vec::new(),
            due: Instant::now() + INTERVAL,
        }
    }

    /// Reports lines, the best one first.
    pub fn report(&mut self, lines: Vec<Report>) {
        self.lines = lines;
        self.send();
    }

    /// Reports a pass.
    pub fn pass(&mut self, pass: &PassReport) {
        self.observer.pass(pass);
    }

    /// Repeats the last lines with the present counts, where nothing was reported for a while.
    pub fn pulse(&mut self, nodes: u64, mean_depth: f64) {
        if Instant::now() < self.due {
            return;
        }
        let time = self.began.elapsed();
        for line in &mut self.lines {
            (line.nodes, line.mean_depth, line.time) = (nodes, mean_depth, time);
        }
        self.send();
    }

    fn send(&mut self) {
        self.due = Instant::now() + INTERVAL;
        self.lines
            .iter()
            .for_each(|line| self.observer.report(line));
    }
}
