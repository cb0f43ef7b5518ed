use super::Sample;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// How quiet a position must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stillness {
    /// Neither side could capture.
    Quiet,
    /// The side to move cannot capture; the other side may threaten to.
    Calm,
    /// All positions.
    #[default]
    Any,
}

impl Stillness {
    /// All kinds.
    pub const ALL: [Stillness; 3] = [Stillness::Quiet, Stillness::Calm, Stillness::Any];

    /// Name on the command line.
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
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Filter {
    /// How quiet they must be.
    #[serde(rename = "still")]
    pub stillness: Stillness,
    /// Largest score either way, in hundredths of a man.
    pub largest_score: Option<u32>,
    /// First ply of the game.
    pub first_ply: u32,
    /// Fewest pieces.
    pub fewest_pieces: u32,
    /// Of the positions with kings on both sides, one in so many; 1 for all. Which ones depends on the position only.
    pub one_of_kings: u32,
    /// Whether to take those in which the move played captures, or lets the opponent capture, too.
    pub exchanges: bool,
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
            exchanges: true,
        }
    }
}

impl Filter {
    /// Whether to take this one.
    #[inline]
    pub fn takes(&self, sample: &Sample) -> bool {
        let position = &sample.position;
        let score = sample.score.centimen().unsigned_abs();
        let [white, black] = damier_rules::board::Color::BOTH;
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
            && (self.exchanges || !sample.exchanges())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_engine::eval::Score;
    use damier_rules::GameResult;
    use damier_rules::notation::fen;

    /// The position in which `mv` was played.
    fn sample(text: &str, mv: &str) -> Sample {
        let position = fen::parse(text).unwrap();
        let moves = position.legal_moves();
        Sample {
            position,
            score: Score::DRAW,
            result: GameResult::Draw,
            mv: *moves
                .iter()
                .find(|one| one.to_string().starts_with(mv))
                .unwrap(),
            ply: 0,
            left: 1,
            game: 0,
            file: 0,
        }
    }

    #[test]
    fn moves_that_capture_or_give_a_capture_are_left_out() {
        let filter = Filter {
            exchanges: false,
            ..Filter::default()
        };
        let quiet = sample("W:W28,40:B9,10", "28-22");
        // The man on 22 can be taken from 18.
        let offer = sample("W:W28,40:B18,10", "28-22");
        let capture = sample("W:W28,40:B22,10", "28x17");
        for (sample, taken) in [(quiet, true), (offer, false), (capture, false)] {
            assert_eq!(filter.takes(&sample), taken, "{:?}", sample.position);
            assert!(Filter::default().takes(&sample));
        }
    }
}
