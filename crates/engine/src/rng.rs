//! Random numbers that are the same on every machine and in every version: files of self-play depend on each of them.
//! The generator comes from `rand_xoshiro`; what is drawn from it is written here, because `rand` may change how it
//! draws.

use damier_rules::internal::mix;
use rand_xoshiro::Xoshiro256StarStar;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// A stream of random numbers (xoshiro256**), decided by its seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng(Xoshiro256StarStar);

impl Rng {
    /// The stream of a seed, which is stretched by splitmix64.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256StarStar::seed_from_u64(seed))
    }

    /// The stream of a seed for the game or shard with this number, whichever thread plays it.
    pub fn stream(seed: u64, number: u64) -> Rng {
        // Both are mixed, so that neighbours share nothing.
        Rng::new(mix(seed) ^ mix(!number).rotate_left(32))
    }

    /// A number of 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
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

    /// A random item, each equally likely; None if there are no items.
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

    /// Computed by the C code of the authors (prng.di.unimi.it).
    #[test]
    fn the_streams_are_what_they_always_were() {
        let first = |mut rng: Rng| [(); 3].map(|()| rng.next_u64());
        let golden = [
            (
                Rng::new(0),
                [
                    11_091_344_671_253_066_420,
                    13_793_997_310_169_335_082,
                    1_900_383_378_846_508_768,
                ],
            ),
            (
                Rng::new(7),
                [
                    12_923_355_070_828_475_994,
                    5_142_052_590_334_782_674,
                    15_488_392_906_492_639_638,
                ],
            ),
            (
                Rng::stream(0, 0),
                [
                    2_223_961_520_728_390_571,
                    16_941_581_052_569_974_474,
                    3_524_093_001_784_990_122,
                ],
            ),
            (
                Rng::stream(114, 1 << 40),
                [
                    8_912_138_712_174_192_854,
                    15_973_847_053_792_013_416,
                    6_335_969_126_243_327_846,
                ],
            ),
        ];
        for (rng, numbers) in golden {
            assert_eq!(first(rng), numbers);
        }
        let mut rng = Rng::stream(114, 5);
        let drawn = [
            rng.below(1_000),
            rng.below(3),
            u64::from(rng.within(3, 12)),
            (rng.unit() * 1e9) as u64,
        ];
        assert_eq!(drawn, [261, 0, 12, 535540652]);
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
    fn draws_are_uniform() {
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
