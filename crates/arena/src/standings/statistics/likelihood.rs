//! The likelihood of a true score, given counts of results.
//!
//! The distribution of results is unknown; only the counts are known. So for each score, the most likely distribution
//! with that mean is used (empirical likelihood). With counts `n_i` of results worth `a_i`, and `N` in all, it is `p_i
//! = n_i / (N (1 + x (a_i - mean)))`, with the `x` for which the mean is right (Owen, "Empirical Likelihood"; Van den
//! Bergh, "A practical introduction to the GSPRT"). If there is no such `x`, because all results lie on one side of the
//! mean, the rest of the probability goes to the best or the worst result, even though it never occurred.

/// Half the 95 % point of chi-squared with one degree of freedom.
const HALF_CHI95: f64 = 1.920_729_410_347_062_3;
/// Number of bisections: enough for the precision of a double.
const HALVINGS: usize = 100;

/// Counts of results, each list from the worst result, worth 0, to the best, worth 1, in even steps. The lists are
/// independent samples with the same mean.
pub(super) struct Likelihood<'a> {
    pub(super) counts: [&'a [u64]; 2],
}

impl Likelihood<'_> {
    /// Log-likelihood of a mean strictly between 0 and 1, relative to the best distribution of any mean. Concave.
    pub(super) fn log(&self, mean: f64) -> f64 {
        self.counts.iter().map(|counts| log_of(counts, mean)).sum()
    }

    /// The means not rejected at 95 %; None without results.
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        let best = self.best()?;
        let floor = self.log_at(best) - HALF_CHI95;
        let edge = |end: f64| {
            let (mut inside, mut outside) = (best, end);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (inside + outside);
                if self.log_at(middle) >= floor {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            inside
        };
        // The end of the range is not rejected if no other result occurred.
        let low = if self.only(0) { 0.0 } else { edge(0.0) };
        let high = if self.only_best() { 1.0 } else { edge(1.0) };
        Some((low, high))
    }

    /// Confidence that the mean is above this one: the signed root of the likelihood ratio, as a normal deviate.
    pub(super) fn above(&self, mean: f64) -> f64 {
        let Some(best) = self.best() else {
            return 0.5;
        };
        let ratio = (self.log_at(best) - self.log(mean)).max(0.0);
        normal((best - mean).signum() * (2.0 * ratio).sqrt())
    }

    /// The most likely mean, by golden-section search.
    fn best(&self) -> Option<f64> {
        let total = |counts: &&[u64]| counts.iter().sum::<u64>();
        match self.counts.each_ref().map(total) {
            [0, 0] => return None,
            [_, 0] => return Some(mean(self.counts[0])),
            [0, _] => return Some(mean(self.counts[1])),
            _ => {}
        }
        let ratio = 0.5 * (5f64.sqrt() - 1.0);
        let ends = self.counts.map(mean);
        let (mut low, mut high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        for _ in 0..HALVINGS {
            let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
            if self.log_at(left) < self.log_at(right) {
                low = left;
            } else {
                high = right;
            }
        }
        Some(0.5 * (low + high))
    }

    /// [`Likelihood::log`], extended to means of 0 and 1.
    fn log_at(&self, mean: f64) -> f64 {
        let at_end = |worst: bool| if worst { 0.0 } else { f64::NEG_INFINITY };
        if mean <= 0.0 {
            at_end(self.only(0))
        } else if mean >= 1.0 {
            at_end(self.only_best())
        } else {
            self.log(mean)
        }
    }

    /// Whether only the result at this index occurred.
    fn only(&self, place: usize) -> bool {
        let others = |counts: &&[u64]| {
            let seen = counts.iter().enumerate().filter(|(_, n)| **n > 0);
            seen.map(|(at, _)| at).all(|at| at == place)
        };
        self.counts.iter().all(others)
    }

    fn only_best(&self) -> bool {
        self.counts
            .iter()
            .all(|counts| counts[..counts.len() - 1].iter().all(|&n| n == 0))
    }
}

/// The value of the result at this index of `len`.
fn worth(place: usize, len: usize) -> f64 {
    place as f64 / (len - 1) as f64
}

fn mean(counts: &[u64]) -> f64 {
    let points = counts
        .iter()
        .enumerate()
        .map(|(i, &n)| worth(i, counts.len()) * n as f64);
    points.sum::<f64>() / counts.iter().sum::<u64>() as f64
}

/// Log-likelihood of the counts under the best distribution with this mean, minus that of the best of all
/// distributions.
fn log_of(counts: &[u64], mean: f64) -> f64 {
    // Values of the results relative to the mean, for finding the root.
    let seen = || {
        let all = counts.iter().enumerate().filter(|(_, n)| **n > 0);
        all.map(|(i, &n)| (n as f64, worth(i, counts.len()) - mean))
    };
    // Between these, all p_i are non-negative.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let slope = |x: f64| seen().map(|(n, d)| n * d / (1.0 + x * d)).sum::<f64>();
    // Decreasing in x; without a root, bisection ends at the border, which is then the answer.
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = 0.5 * (low + high);
    -seen().map(|(n, d)| n * (x * d).ln_1p()).sum::<f64>()
}

/// The cumulative normal distribution (Marsaglia's series, exact to a few units in the last place).
pub(super) fn normal(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut i) = (x, x, 1.0);
    loop {
        i += 2.0;
        term *= x * x / i;
        if sum + term == sum {
            break;
        }
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x - 0.918_938_533_204_672_8).exp()
}
