use super::Sample;
use std::fmt;
use std::str::FromStr;

/// How still a position must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stillness {
    /// Neither side could capture.
    Quiet,
    /// The side to move cannot capture; the other side may threaten to.
    Calm,
    /// No matter.
    #[default]
    Any,
}

impl Stillness {
    /// All there are.
    pub const ALL: [Stillness; 3] = [Stillness::Quiet, Stillness::Calm, Stillness::Any];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Stillness::Quiet => "quiet",
            Stillness::Calm => "calm",
            Stillness::Any => "any",
        }
    }
}

impl fmt::Display for Stillness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stillness {
    type Err = String;

    fn from_str(text: &str) -> Result<Stillness, String> {
        let found = Stillness::ALL.into_iter().find(|one| one.name() == text);
        found.ok_or_else(|| "expected one of quiet, calm, any".to_owned())
    }
}

/// Which positions to take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Only those that are as still as this.
    pub stillness: Stillness,
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
            stillness: Stillness::Any,
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
            && match self.stillness {
                Stillness::Quiet => sample.is_quiet(),
                Stillness::Calm => sample.is_calm(),
                Stillness::Any => true,
            }
    }
}
