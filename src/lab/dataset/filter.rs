use super::Sample;

/// Which positions to take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Only those where neither side could capture.
    pub quiet: bool,
    /// Only those with a score of at most so many hundredths of a man either way.
    pub largest_score: Option<u32>,
    /// Only those so many plies or more from the start of the game.
    pub first_ply: u32,
    /// Only those with so many pieces or more.
    pub fewest_pieces: u32,
    /// Of the positions with kings on both sides, one in so many; 1 for all. Which ones depends on the position only.
    pub one_of_kings: u32,
}

impl Default for Filter {
    /// Takes all.
    fn default() -> Filter {
        Filter {
            quiet: false,
            largest_score: None,
            first_ply: 0,
            fewest_pieces: 0,
            one_of_kings: 1,
        }
    }
}

impl Filter {
    /// Whether to take this one.
    #[inline]
    pub fn takes(&self, sample: &Sample) -> bool {
        let position = &sample.position;
        let score = sample.score.centimen().unsigned_abs();
        let [white, black] = crate::board::Color::BOTH;
        let kings = || !position.kings(white).is_empty() && !position.kings(black).is_empty();
        sample.ply >= self.first_ply
            && self.largest_score.is_none_or(|largest| score <= largest)
            && position.occupied().len() >= self.fewest_pieces
            && (self.one_of_kings <= 1
                || !kings()
                || (position.key().0 >> 32).is_multiple_of(u64::from(self.one_of_kings)))
            && (!self.quiet || sample.is_quiet())
    }
}
