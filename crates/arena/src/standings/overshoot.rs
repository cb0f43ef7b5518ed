//! How much moves exceeded their time.

use hdrhistogram::Histogram;
use std::time::Duration;

/// Significant decimal digits of the recorded durations: quantiles are accurate to one percent.
const DIGITS: u8 = 2;

/// How much longer than allowed an engine's moves took.
#[derive(Clone, PartialEq, Debug)]
pub struct Overshoot {
    /// In microseconds.
    histogram: Histogram<u64>,
    worst: Duration,
}

impl Default for Overshoot {
    fn default() -> Overshoot {
        Overshoot {
            histogram: Histogram::new(DIGITS).expect("a valid number of digits"),
            worst: Duration::ZERO,
        }
    }
}

impl Overshoot {
    /// Adds a move.
    pub(super) fn add(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        // Fails only for times of more than 70,000 years.
        let _ = self.histogram.record(micros);
        self.worst = self.worst.max(time);
    }

    /// The maximum; None without moves.
    pub fn worst(&self) -> Option<Duration> {
        (!self.histogram.is_empty()).then_some(self.worst)
    }

    /// The quantile for a share from 0 to 1; None without moves.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let worst = self.worst()?;
        let micros = self.histogram.value_at_quantile(share);
        Some(Duration::from_micros(micros).min(worst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_close_and_the_worst_is_exact() {
        let mut overshoot = Overshoot::default();
        assert_eq!((overshoot.quantile(0.99), overshoot.worst()), (None, None));
        (1..=1000).for_each(|ms| overshoot.add(Duration::from_millis(ms)));
        let q = overshoot.quantile(0.99).expect("some").as_secs_f64();
        assert!((0.99..=0.99 * 1.02).contains(&q), "{q}");
        assert_eq!(overshoot.worst(), Some(Duration::from_secs(1)));
        assert_eq!(overshoot.quantile(1.0), Some(Duration::from_secs(1)));
        overshoot.add(Duration::MAX);
        assert_eq!(overshoot.worst(), Some(Duration::MAX));
    }

    #[test]
    fn moves_in_time_count() {
        let mut overshoot = Overshoot::default();
        (0..99).for_each(|_| overshoot.add(Duration::ZERO));
        overshoot.add(Duration::from_millis(3));
        assert_eq!(overshoot.quantile(0.99), Some(Duration::ZERO));
        assert_eq!(overshoot.worst(), Some(Duration::from_millis(3)));
    }
}
