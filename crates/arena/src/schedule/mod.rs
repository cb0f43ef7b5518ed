//! Which engines meet from which opening; reproducible from the seed.
//!
//! In a round every pairing plays one opening with both colours: a pair of games. A pair depends only on its number, so
//! any worker can play it at any time.

pub mod openings;

use self::openings::{Opening, WindowJudge};
use damier_engine::rng::Rng;
use damier_rules::Key;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// How often the random plies of a round are redrawn to find a position from which no earlier round began.
const DRAWS: u16 = 50;
/// Most draws where the position must have a score in a window too: each draw extends the next opening.
const WINDOW_DRAWS: u16 = 1_000;

/// Which engines meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Round robin.
    RoundRobin,
    /// Gauntlet: the first engine against each of the others.
    Gauntlet,
}

/// All pairs of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    /// In the order in which they are played.
    openings: Vec<Opening>,
    random_plies: u32,
    /// Judges what the random plies lead to.
    window: Option<Arc<WindowJudge>>,
    seed: u64,
    rounds: u64,
    /// The random openings so far, shared by all clones of the schedule.
    drawn: Arc<Mutex<Drawn>>,
}

/// The random openings of the first rounds. A round depends on those before it, but not on interruptions of the match.
#[derive(Clone, Debug, Default)]
struct Drawn {
    /// For each round, which draw was accepted, from 0.
    taken: Vec<u16>,
    /// The start positions of these rounds.
    positions: HashSet<Key>,
    /// Whether a round had to repeat the position of an earlier one.
    repeats: bool,
    /// Positions outside the window, which are not judged again.
    refused: HashSet<Key>,
    /// Whether a round found no new position in the window. Those after it are drawn without it.
    is_outside: bool,
}

/// One pair of games.
#[derive(Clone, PartialEq, Debug)]
pub struct GamePair {
    /// Index into [`Schedule::pairings`].
    pub pairing: usize,
    /// The engines; the first has white in the first game.
    pub engines: [usize; 2],
    /// The opening.
    pub opening: Opening,
    /// Index into [`Schedule::openings`].
    pub opening_index: usize,
}

impl GamePair {
    /// The engines with white and with black in a game of the pair.
    pub fn seats(&self, leg: usize) -> [usize; 2] {
        let [first, second] = self.engines;
        if leg == 0 {
            [first, second]
        } else {
            [second, first]
        }
    }
}

/// Who plays whom, how often and from where.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleSettings {
    /// Who plays whom.
    pub format: Format,
    /// Number of engines.
    pub engines: usize,
    /// Each opening is extended by so many random plies, which lead to a new position every time as long as one is
    /// found.
    pub random_plies: u32,
    /// Shuffles the openings and draws the random plies.
    pub seed: u64,
    /// Pairs of games of each pairing; by default one for each opening.
    pub rounds: Option<u64>,
}

impl Schedule {
    /// A schedule of these openings, shuffled. They start again when they are used up.
    pub fn new(mut openings: Vec<Opening>, settings: &ScheduleSettings) -> Schedule {
        let &ScheduleSettings {
            format,
            engines,
            random_plies,
            seed,
            rounds,
        } = settings;
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
            window: None,
            seed,
            rounds,
            drawn: Arc::default(),
        }
    }

    /// Takes only positions in the window of this judge, if there are random plies. Where an opening leads to none, the
    /// next one is extended.
    pub fn with_window(self, judge: WindowJudge) -> Schedule {
        Schedule {
            window: Some(Arc::new(judge)),
            ..self
        }
    }

    /// The pairings, as numbers of engines.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The openings in the order in which they are played.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Whether pairings meet from the same position more than once (with random plies: in the rounds drawn so far).
    /// Engines limited by nodes or depth, with one thread each, then repeat their games.
    pub fn repeats(&self) -> bool {
        if self.random_plies > 0 {
            return self
                .drawn
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .repeats;
        }
        let once = self.rounds.min(self.openings.len() as u64);
        let positions = self.openings.iter().take(once as usize);
        let distinct: HashSet<Key> = positions.map(|opening| opening.position().key()).collect();
        self.rounds > distinct.len() as u64
    }

    /// Draws the openings of this many rounds, so that [`Schedule::repeats`] covers them.
    pub fn draw(&self, rounds: u64) {
        let rounds = rounds.min(self.rounds);
        if self.random_plies > 0 && rounds > 0 {
            self.which_draw(rounds - 1);
        }
    }

    /// Index of the opening that a draw of a round extends.
    fn extended(&self, round: u64, draw: u16) -> usize {
        let further = match self.window {
            Some(_) => u64::from(draw),
            None => 0,
        };
        ((round + further) % self.openings.len() as u64) as usize
    }

    /// Whether a round so far found no new position in the window.
    pub fn is_outside_window(&self) -> bool {
        let drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.is_outside
    }

    /// How many random openings of a round are tried.
    fn most_draws(&self) -> u16 {
        match self.window {
            Some(_) => WINDOW_DRAWS,
            None => DRAWS,
        }
    }

    /// The random openings of a round, one after another.
    fn draws(&self, round: u64) -> impl Iterator<Item = Opening> {
        let mut rng = Rng::stream(self.seed, round);
        let plies = self.random_plies as usize;
        (0..self.most_draws()).map(move |draw| {
            let opening = &self.openings[self.extended(round, draw)];
            // An opening that cannot be extended is used as it is.
            let longer = openings::random_plies(opening, plies, true, &mut rng);
            longer.unwrap_or_else(|| opening.clone())
        })
    }

    /// Which draw of random plies a round uses.
    fn which_draw(&self, round: u64) -> u16 {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let round = round as usize;
        while drawn.taken.len() <= round {
            let taken = self.accepted_draw(&mut drawn);
            drawn.taken.push(taken);
        }
        drawn.taken[round]
    }

    /// Which draw the next round uses.
    fn accepted_draw(&self, drawn: &mut Drawn) -> u16 {
        let judge = self.window.as_ref().filter(|_| !drawn.is_outside);
        let is_accepted = |opening: Opening| {
            let key = opening.position().key();
            if drawn.positions.contains(&key) || drawn.refused.contains(&key) {
                return false;
            }
            if judge.is_some_and(|judge| !judge.accepts(&opening)) {
                drawn.refused.insert(key);
                return false;
            }
            drawn.positions.insert(key)
        };
        let taken = self.draws(drawn.taken.len() as u64).position(is_accepted);
        if taken.is_none() {
            drawn.repeats = true;
            drawn.is_outside |= judge.is_some();
        }
        taken.unwrap_or(0) as u16
    }

    /// The opening of a round, with the index of the one that it extends.
    fn opening(&self, round: u64) -> (usize, Opening) {
        if self.random_plies == 0 {
            let index = self.extended(round, 0);
            return (index, self.openings[index].clone());
        }
        let draw = self.which_draw(round);
        let index = self.extended(round, draw);
        let drawn = self.draws(round).nth(usize::from(draw));
        (index, drawn.unwrap_or_else(|| self.openings[index].clone()))
    }

    /// Number of pairs of games.
    pub fn pairs(&self) -> u64 {
        self.rounds * self.pairings.len() as u64
    }

    /// The pair with this number, from 0. None after the last.
    pub fn pair(&self, number: u64) -> Option<GamePair> {
        if number >= self.pairs() {
            return None;
        }
        let count = self.pairings.len() as u64;
        let (round, pairing) = (number / count, (number % count) as usize);
        let (index, opening) = self.opening(round);
        let (first, second) = self.pairings[pairing];
        Some(GamePair {
            pairing,
            engines: [first, second],
            opening,
            opening_index: index,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::openings::{OpeningSource, load};

    const TWO: ScheduleSettings = ScheduleSettings {
        format: Format::RoundRobin,
        engines: 2,
        random_plies: 2,
        seed: 3,
        rounds: None,
    };

    fn schedule(format: Format, seed: u64, plies: u32) -> Schedule {
        let openings = load(&OpeningSource::TwoMove).expect("built in");
        let settings = ScheduleSettings {
            format,
            engines: 4,
            random_plies: plies,
            seed,
            rounds: Some(200),
        };
        Schedule::new(openings, &settings)
    }

    #[test]
    fn a_pair_follows_from_its_number() {
        let all = |seed| -> Vec<GamePair> {
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
        // Every pairing plays the same openings.
        assert!(
            pairs[..6]
                .iter()
                .all(|pair| pair.opening == pairs[0].opening)
        );
        // In the second pass through the openings, the random moves differ.
        assert_eq!(pairs[0].opening_index, pairs[6 * 79].opening_index);
        assert_ne!(pairs[0].opening, pairs[6 * 79].opening);
        assert_eq!((pairs[7].seats(0), pairs[7].seats(1)), ([0, 2], [2, 0]));
    }

    #[test]
    fn only_random_plies_keep_openings_from_coming_again() {
        let rounds = |rounds, plies| {
            let openings = load(&OpeningSource::TwoMove).expect("built in");
            let (random_plies, rounds) = (plies, Some(rounds));
            Schedule::new(
                openings,
                &ScheduleSettings {
                    random_plies,
                    seed: 1,
                    rounds,
                    ..TWO
                },
            )
            .repeats()
        };
        assert_eq!(
            (rounds(79, 0), rounds(80, 0), rounds(80, 2)),
            (false, true, false)
        );
    }

    #[test]
    fn random_plies_lead_to_new_positions_as_long_as_there_are_any() {
        let schedule = |rounds| {
            let start = load(&OpeningSource::Start).expect("built in");
            Schedule::new(
                start,
                &ScheduleSettings {
                    rounds: Some(rounds),
                    ..TWO
                },
            )
        };
        let keys = |schedule: &Schedule, count: u64| -> Vec<Key> {
            let pairs = (0..count).filter_map(|number| schedule.pair(number));
            pairs.map(|pair| pair.opening.position().key()).collect()
        };
        let number_of = |keys: &[Key]| keys.iter().collect::<HashSet<_>>().len();
        // One move and a reply: 79 of the 81 lines lose no man.
        let few = schedule(60);
        let played = keys(&few, 60);
        assert_eq!((number_of(&played), few.repeats()), (60, false));
        let many = schedule(100);
        let all = keys(&many, 100);
        assert!(
            many.repeats() && number_of(&all) < 90,
            "{}",
            number_of(&all)
        );
        // A round is the same in whatever order rounds are asked for.
        let fresh = schedule(1000);
        assert_eq!(
            fresh.pair(59).map(|pair| pair.opening.position().key()),
            Some(played[59])
        );
        assert_eq!(all[..60], played);
        fresh.draw(100);
        assert!(fresh.repeats());
    }

    #[test]
    fn positions_after_random_plies_are_new_and_in_the_window() {
        let judge =
            || WindowJudge::new("0.4,0.9".parse().expect("a window"), 2_000).expect("memory");
        let schedule = || {
            let openings = load(&OpeningSource::ThreeMove).expect("built in");
            let schedule = Schedule::new(
                openings,
                &ScheduleSettings {
                    rounds: Some(120),
                    ..TWO
                },
            );
            schedule.with_window(judge())
        };
        let (one, other) = (schedule(), schedule());
        let pairs: Vec<GamePair> = (0..120).filter_map(|number| one.pair(number)).collect();
        // In whatever order rounds are asked for.
        assert_eq!(other.pair(77), Some(pairs[77].clone()));
        let keys: HashSet<Key> = pairs
            .iter()
            .map(|pair| pair.opening.position().key())
            .collect();
        let names: HashSet<&str> = pairs
            .iter()
            .map(|pair| pair.opening.name.as_str())
            .collect();
        assert_eq!(
            (keys.len(), one.repeats(), one.is_outside_window()),
            (120, false, false)
        );
        assert!(names.len() > 60, "from many openings: {}", names.len());
        let judge = judge();
        for pair in &pairs {
            assert!(judge.accepts(&pair.opening), "{}", pair.opening.name);
            assert_eq!(pair.opening.name, one.openings()[pair.opening_index].name);
        }
    }

    #[test]
    fn a_window_without_positions_is_noticed() {
        let judge = WindowJudge::new("50,60".parse().expect("a window"), 100).expect("memory");
        let start = load(&OpeningSource::Start).expect("built in");
        let schedule = Schedule::new(
            start,
            &ScheduleSettings {
                rounds: Some(2),
                ..TWO
            },
        )
        .with_window(judge);
        assert!(schedule.pair(1).is_some() && schedule.is_outside_window());
    }

    #[test]
    fn the_same_position_twice_is_a_repetition() {
        let mut openings = load(&OpeningSource::TwoMove).expect("built in");
        let schedule = |openings: &[Opening]| {
            let settings = ScheduleSettings {
                random_plies: 0,
                seed: 1,
                ..TWO
            };
            Schedule::new(openings.to_vec(), &settings)
        };
        assert!(!schedule(&openings).repeats());
        openings.push(Opening {
            name: "again".to_owned(),
            start: openings[7].position(),
            moves: Vec::new(),
        });
        assert!(schedule(&openings).repeats());
        let distinct = openings::distinct(openings);
        assert_eq!(distinct.len(), 79);
        assert!(distinct.iter().all(|opening| opening.name != "again"));
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
