//! Random numbers that are the same on every machine: xoshiro256** of Blackman and Vigna, seeded through splitmix64.

use crate::rules::mix;

/// A stream of random numbers, decided by its seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    state: [u64; 4],
}

/// The next number of the generator splitmix64, which stretches a seed of 64 bits.
fn splitmix64(state: &mut u64) -> u64 {
    let number = mix(*state);
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    number
}

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        let mut seed = seed;
        Rng {
            state: std::array::from_fn(|_| splitmix64(&mut seed)),
        }
    }

    /// One of many streams of a seed: that of the game or shard with this number, whichever thread plays it.
    pub fn stream(seed: u64, number: u64) -> Rng {
        // Both are mixed, so that neighbours share nothing.
        let (mut seed, mut number) = (seed, !number);
        Rng::new(splitmix64(&mut seed) ^ splitmix64(&mut number).rotate_left(32))
    }

    /// A number of 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let c = c ^ a;
        let d = d ^ b;
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number below `bound`, each equally likely (Lemire's method); 0 where the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let wide = |x: u64| u128::from(x) * u128::from(bound);
        let mut product = wide(self.next_u64());
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = wide(self.next_u64());
            }
        }
        (product >> 64) as u64
    }

    /// A number from `first` to `last`, both included, each equally likely. `first` must not be above `last`.
    pub fn within(&mut self, first: u32, last: u32) -> u32 {
        first + self.below(u64::from(last - first) + 1) as u32
    }

    /// True in `percent` of all cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// A number from 0 to 1, 1 not included.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of the items, each equally likely; none of none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }

    /// Puts the items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the authors' own C code (prng.di.unimi.it).
    #[test]
    fn the_generators_are_those_of_the_authors() {
        let mut seed = 1_234_567;
        let stretched: [u64; 5] = std::array::from_fn(|_| splitmix64(&mut seed));
        assert_eq!(
            stretched,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
        let mut rng = Rng {
            state: [1, 2, 3, 4],
        };
        let numbers: [u64; 10] = std::array::from_fn(|_| rng.next_u64());
        assert_eq!(
            numbers,
            [
                11_520,
                0,
                1_509_978_240,
                1_215_971_899_390_074_240,
                1_216_172_134_540_287_360,
                607_988_272_756_665_600,
                16_172_922_978_634_559_625,
                8_476_171_486_693_032_832,
                10_595_114_339_597_558_777,
                2_904_607_092_377_533_576,
            ]
        );
    }

    #[test]
    fn streams_differ_and_repeat() {
        let first = |seed, number| Rng::stream(seed, number).next_u64();
        let mut seen: Vec<u64> = (0..100)
            .flat_map(|seed| (0..100).map(move |number| first(seed, number)))
            .collect();
        assert_eq!(seen[0], first(0, 0));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 10_000);
    }

    #[test]
    fn what_is_drawn_is_even() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        // Five standard deviations are 456.
        assert!(
            counts.iter().all(|n| n.abs_diff(10_000) < 456),
            "{counts:?}"
        );
        let mean = (0..10_000).map(|_| rng.unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.015, "{mean}");
        assert_eq!((rng.below(0), rng.below(1)), (0, 0));
        let seen: std::collections::BTreeSet<u32> = (0..200).map(|_| rng.within(3, 6)).collect();
        assert!(seen.into_iter().eq(3..=6));
        assert_eq!(rng.within(7, 7), 7);
        let often = (0..10_000).filter(|_| rng.percent(30)).count();
        assert!(often.abs_diff(3_000) < 230, "{often}");
        assert!((0..100).all(|_| rng.percent(100) && !rng.percent(0)));
        assert_eq!(rng.pick::<u8>(&[]), None);
        let mut items: Vec<u32> = (0..100).collect();
        rng.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
