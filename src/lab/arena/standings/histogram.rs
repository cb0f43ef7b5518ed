//! Many durations in little memory.

use std::time::Duration;

/// Steps between two powers of two.
const STEPS: usize = 8;

/// Counts of durations, in microseconds, in steps of an eighth of their size at most.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    worst: Duration,
}

impl Histogram {
    /// Counts a duration.
    pub fn add(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let step = step_of(micros);
        if self.counts.len() <= step {
            self.counts.resize(step + 1, 0);
        }
        self.counts[step] += 1;
        self.total += 1;
        self.worst = self.worst.max(time);
    }

    /// The greatest.
    pub fn worst(&self) -> Option<Duration> {
        (self.total > 0).then_some(self.worst)
    }

    /// What the given share (0 to 1) of them does not exceed, up to an eighth too high.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let wanted = (share * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (step, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return Some(Duration::from_micros(most_of(step)).min(self.worst));
            }
        }
        None
    }
}

fn step_of(micros: u64) -> usize {
    if micros < STEPS as u64 {
        return micros as usize;
    }
    let power = micros.ilog2() as usize;
    let within = (micros >> (power - 3)) as usize % STEPS;
    (power - 2) * STEPS + within
}

/// The greatest number of a step.
fn most_of(step: usize) -> u64 {
    if step < STEPS {
        return step as u64;
    }
    let (power, within) = (step / STEPS + 2, (step % STEPS) as u64);
    let size = 1u64 << (power - 3);
    (STEPS as u64 + within) * size + (size - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_each_other() {
        let mut last = 0;
        for micros in (0..100_000).chain([u64::MAX / 2, u64::MAX]) {
            let step = step_of(micros);
            assert!(
                step == last || step == last + 1 || micros > 100_000,
                "{micros}"
            );
            assert!(most_of(step) >= micros, "{micros}");
            assert!(most_of(step) - micros <= micros / 8, "{micros}");
            last = step;
        }
    }

    #[test]
    fn quantiles_are_close_and_the_worst_is_exact() {
        let mut histogram = Histogram::default();
        assert_eq!((histogram.quantile(0.99), histogram.worst()), (None, None));
        (1..=1000).for_each(|ms| histogram.add(Duration::from_millis(ms)));
        let q = histogram.quantile(0.99).expect("some").as_secs_f64();
        assert!((0.99..=0.99 * 1.125).contains(&q), "{q}");
        assert_eq!(histogram.worst(), Some(Duration::from_secs(1)));
        assert_eq!(histogram.quantile(1.0), Some(Duration::from_secs(1)));
    }
}
