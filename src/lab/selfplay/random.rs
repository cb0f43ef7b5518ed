use crate::rules::mix;

/// The random numbers of one game (splitmix64): the same for the same seed and game, whatever is played before or beside.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64, game: u64) -> Random {
        Random(mix(mix(seed) ^ mix(game).rotate_left(32)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number from `first` to `last`, both included.
    pub fn within(&mut self, first: u32, last: u32) -> u32 {
        first + self.below((last - first) as usize + 1) as u32
    }

    /// Whether something happens that does so in `percent` of all cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }
}
