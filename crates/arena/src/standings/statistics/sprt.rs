use std::str::FromStr;

/// The hypotheses of a sequential test, and its error rates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtBounds {
    /// The smaller difference, in logistic Elo.
    pub elo0: f64,
    /// The larger difference.
    pub elo1: f64,
    /// Probability of accepting the larger difference if the smaller is true, 0 to 1/2.
    pub alpha: f64,
    /// Probability of accepting the smaller difference if the larger is true, 0 to 1/2.
    pub beta: f64,
}

/// Why bounds are invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtBoundsError {
    /// Not two numbers with a comma between them.
    #[error("expected two differences in Elo with a comma between them, such as 0,5")]
    Syntax,
    /// The first is not smaller than the second, or they are too far from 0.
    #[error(
        "the first difference in Elo must be smaller than the second, both between -1000 and 1000"
    )]
    Order,
    /// An error rate not between 0 and 1/2.
    #[error("an error rate must be more than 0 and less than 0.5")]
    Rate,
}

impl SprtBounds {
    /// Valid bounds and error rates.
    ///
    /// # Errors
    /// `elo0` is not below `elo1`, or a rate is not between 0 and 1/2.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<SprtBounds, SprtBoundsError> {
        if !(elo0 < elo1 && elo0 >= -1000.0 && elo1 <= 1000.0) {
            return Err(SprtBoundsError::Order);
        }
        let sensible = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(sensible(alpha) && sensible(beta)) {
            return Err(SprtBoundsError::Rate);
        }
        Ok(SprtBounds {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }
}

/// `ELO0,ELO1`, with error rates of 5 %.
impl FromStr for SprtBounds {
    type Err = SprtBoundsError;

    fn from_str(text: &str) -> Result<SprtBounds, SprtBoundsError> {
        let (elo0, elo1) = text.split_once(',').ok_or(SprtBoundsError::Syntax)?;
        let number = |text: &str| {
            text.trim()
                .parse::<f64>()
                .map_err(|_| SprtBoundsError::Syntax)
        };
        SprtBounds::new(number(elo0)?, number(elo1)?, 0.05, 0.05)
    }
}

/// The two hypotheses of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hypothesis {
    /// The difference is `elo0` or less.
    H0,
    /// The difference is `elo1` or more.
    H1,
}

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// Log-likelihood ratio of `elo1` to `elo0`.
    pub llr: f64,
    /// At or below this, `elo0` is accepted (Wald).
    pub lower: f64,
    /// At or above this, `elo1` is accepted.
    pub upper: f64,
    /// The accepted hypothesis; None while the test is undecided.
    pub verdict: Option<Hypothesis>,
}

impl Sprt {
    pub(super) fn new(llr: f64, bounds: SprtBounds) -> Sprt {
        let lower = (bounds.beta / (1.0 - bounds.alpha)).ln();
        let upper = ((1.0 - bounds.beta) / bounds.alpha).ln();
        let verdict = if llr >= upper {
            Some(Hypothesis::H1)
        } else if llr <= lower {
            Some(Hypothesis::H0)
        } else {
            None
        };
        Sprt {
            llr,
            lower,
            upper,
            verdict,
        }
    }
}
