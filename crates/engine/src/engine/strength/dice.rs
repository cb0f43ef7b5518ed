//! Random numbers for the choices of a level.

use damier_rules::Game;
use damier_rules::internal::mix;

/// A stream of random numbers (splitmix64).
#[derive(Clone, Debug)]
pub(in crate::engine) struct Dice(u64);

impl Dice {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(mix(seed))
    }

    /// The stream for the move to be played in a game: the same game always gets the same one.
    pub fn of_game(seed: u64, game: &Game) -> Dice {
        let keys = game.keys().iter();
        Dice(keys.fold(mix(seed), |state, key| mix(state ^ key.0)))
    }

    /// A number of 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = mix(self.0);
        self.0
    }

    /// A number from 0 to 1, 1 not included.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number around 0 with a standard deviation of 1, bell-shaped, never beyond 3 (the sum of three even ones).
    pub fn normal(&mut self) -> f64 {
        (0..3).map(|_| 2.0 * self.unit() - 1.0).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_mean_and_the_spread_they_should() {
        let mut dice = Dice::new(7);
        let numbers: Vec<f64> = (0..20_000).map(|_| dice.normal()).collect();
        let mean = |of: &dyn Fn(f64) -> f64| {
            numbers.iter().map(|&x| of(x)).sum::<f64>() / numbers.len() as f64
        };
        assert!(mean(&|x| x).abs() < 0.03 && (mean(&|x| x * x) - 1.0).abs() < 0.05);
        assert!(numbers.iter().all(|x| x.abs() <= 3.0));
    }
}
