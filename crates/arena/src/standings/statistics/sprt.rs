use std::fmt;
use std::str::FromStr;

/// The unit of a difference in strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EloUnit {
    /// Logistic Elo, which follows from the score alone.
    #[default]
    Elo,
    /// Normalised Elo: the score by its standard deviation.
    Normalised,
}

impl EloUnit {
    /// Its name in bounds and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            EloUnit::Elo => "elo",
            EloUnit::Normalised => "normalised",
        }
    }
}

/// `Elo`, `normalised Elo`.
impl fmt::Display for EloUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EloUnit::Elo => "Elo",
            EloUnit::Normalised => "normalised Elo",
        })
    }
}

/// The hypotheses of a sequential test, and its error rates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtBounds {
    /// The smaller difference.
    pub elo0: f64,
    /// The larger difference.
    pub elo1: f64,
    /// What both are in.
    pub unit: EloUnit,
    /// Probability of accepting the larger difference if the smaller is true, 0 to 1/2.
    pub alpha: f64,
    /// Probability of accepting the smaller difference if the larger is true, 0 to 1/2.
    pub beta: f64,
}

/// Why bounds are invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtBoundsError {
    /// Not two numbers and perhaps a unit, with commas between them.
    #[error(
        "expected two differences in Elo with a comma between them, such as 0,5, or in normalised Elo, such as \
         0,5,normalised"
    )]
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
    /// Valid bounds in logistic Elo and error rates.
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
            unit: EloUnit::Elo,
            alpha,
            beta,
        })
    }
}

/// `ELO0,ELO1` or `ELO0,ELO1,normalised`, with error rates of 5 %.
impl FromStr for SprtBounds {
    type Err = SprtBoundsError;

    fn from_str(text: &str) -> Result<SprtBounds, SprtBoundsError> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let (elo0, elo1, unit) = match words[..] {
            [elo0, elo1] => (elo0, elo1, EloUnit::Elo),
            [elo0, elo1, unit] => {
                let mut units = [EloUnit::Elo, EloUnit::Normalised].into_iter();
                let unit = units.find(|known| known.name() == unit);
                (elo0, elo1, unit.ok_or(SprtBoundsError::Syntax)?)
            }
            _ => return Err(SprtBoundsError::Syntax),
        };
        let number = |text: &str| text.parse::<f64>().map_err(|_| SprtBoundsError::Syntax);
        let bounds = SprtBounds::new(number(elo0)?, number(elo1)?, 0.05, 0.05)?;
        Ok(SprtBounds { unit, ..bounds })
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
