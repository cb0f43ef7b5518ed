//! Who plays whom from what: the same for the same seed.
//!
//! A round is an opening, and every pairing plays it with both colours: a pair of games. Pairs are numbered through; what a
//! pair is follows from its number alone, so that any worker may play it at any time.

use super::openings::{self, Opening};
use crate::lab::rng::Rng;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Each engine meets each other.
    RoundRobin,
    /// The first engine meets each other.
    Gauntlet,
}

/// All pairs of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    /// In the order in which they are played.
    openings: Vec<Opening>,
    random_plies: u32,
    seed: u64,
    rounds: u64,
}

/// One pair of games.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// Which of [`Schedule::pairings`].
    pub pairing: usize,
    /// The engines: in the first game the first has white.
    pub engines: [usize; 2],
    /// From what.
    pub opening: Opening,
    /// Which of [`Schedule::openings`].
    pub opening_index: usize,
}

impl Pair {
    /// The engines that have white and black in a game of the pair.
    pub fn seats(&self, leg: usize) -> [usize; 2] {
        let [first, second] = self.engines;
        if leg == 0 {
            [first, second]
        } else {
            [second, first]
        }
    }
}

impl Schedule {
    /// A schedule for so many engines. Openings are shuffled by the seed and begin again when they are used up; to each so
    /// many random plies are added, others every time. `rounds`: none for each opening once.
    pub fn new(
        format: Format,
        engines: usize,
        mut openings: Vec<Opening>,
        random_plies: u32,
        seed: u64,
        rounds: Option<u64>,
    ) -> Schedule {
        let pairings = match format {
            Format::RoundRobin => (0..engines)
                .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
                .collect(),
            Format::Gauntlet => (1..engines).map(|second| (0, second)).collect(),
        };
        Rng::new(seed).shuffle(&mut openings);
        let rounds = rounds.unwrap_or(openings.len() as u64);
        Schedule {
            pairings,
            openings,
            random_plies,
            seed,
            rounds,
        }
    }

    /// The pairings, by the numbers of the engines.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The openings in the order in which they are played.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Whether pairings meet from the same position more than once. Engines that are limited by nodes or depth, with one
    /// thread each, play the same games again then.
    pub fn repeats(&self) -> bool {
        self.random_plies == 0 && self.rounds > self.openings.len() as u64
    }

    /// How many pairs of games there are.
    pub fn pairs(&self) -> u64 {
        self.rounds * self.pairings.len() as u64
    }

    /// A pair, by its number from 0. None after the last.
    pub fn pair(&self, number: u64) -> Option<Pair> {
        if number >= self.pairs() {
            return None;
        }
        let count = self.pairings.len() as u64;
        let (round, pairing) = (number / count, (number % count) as usize);
        let index = (round % self.openings.len() as u64) as usize;
        let opening = &self.openings[index];
        let opening = if self.random_plies == 0 {
            opening.clone()
        } else {
            let mut rng = Rng::stream(self.seed, round);
            let plies = self.random_plies as usize;
            // An opening from which no line leads on is played as it is.
            let longer = openings::random_plies(opening, plies, true, &mut rng);
            longer.unwrap_or_else(|| opening.clone())
        };
        let (first, second) = self.pairings[pairing];
        Some(Pair {
            pairing,
            engines: [first, second],
            opening,
            opening_index: index,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::openings::{Source, load};
    use super::*;

    fn schedule(format: Format, seed: u64, plies: u32) -> Schedule {
        let openings = load(&Source::TwoMove).expect("built in");
        Schedule::new(format, 4, openings, plies, seed, Some(200))
    }

    #[test]
    fn a_pair_follows_from_its_number() {
        let all = |seed| -> Vec<Pair> {
            let schedule = schedule(Format::RoundRobin, seed, 3);
            (0..schedule.pairs())
                .filter_map(|n| schedule.pair(n))
                .collect()
        };
        let pairs = all(1);
        assert_eq!(
            (pairs.len(), pairs == all(1), pairs == all(2)),
            (1200, true, false)
        );
        // Every pairing plays what the others play.
        assert!(
            pairs[..6]
                .iter()
                .all(|pair| pair.opening == pairs[0].opening)
        );
        // The second time round the random moves are others.
        assert_eq!(pairs[0].opening_index, pairs[6 * 79].opening_index);
        assert_ne!(pairs[0].opening, pairs[6 * 79].opening);
        assert_eq!((pairs[7].seats(0), pairs[7].seats(1)), ([0, 2], [2, 0]));
    }

    #[test]
    fn only_random_plies_keep_openings_from_coming_again() {
        let rounds = |rounds, plies| {
            let openings = load(&Source::TwoMove).expect("built in");
            Schedule::new(Format::RoundRobin, 2, openings, plies, 1, Some(rounds)).repeats()
        };
        assert_eq!(
            (rounds(79, 0), rounds(80, 0), rounds(80, 2)),
            (false, true, false)
        );
    }

    #[test]
    fn a_gauntlet_is_the_first_against_all() {
        let gauntlet = schedule(Format::Gauntlet, 1, 0);
        assert_eq!(gauntlet.pairings(), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(gauntlet.pair(gauntlet.pairs()), None);
        let mut indices: Vec<_> = (0..79)
            .filter_map(|round| gauntlet.pair(3 * round))
            .map(|pair| pair.opening_index)
            .collect();
        indices.sort_unstable();
        assert_eq!(indices, (0..79).collect::<Vec<_>>(), "each once");
    }
}
