//! Positions as they are kept in memory to learn from: 40 bytes each.

use crate::train::{Labelled, Labels};
use damier_engine::eval::network::bucket;
use damier_rules::Position;
use damier_rules::board::Color;
use rayon::prelude::*;

/// An expectation of 1 as a whole number; even, so that a half is one too.
const ONE: u16 = u16::MAX - 1;
const NO_RESULT: u16 = u16::MAX;

/// A position, turned and its colours exchanged where needed so that the side to move has white, with its label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// Bits of the squares with own men, enemy men, own kings and enemy kings.
    pub boards: [u64; 4],
    score: u16,
    result: u16,
    /// The network's bucket.
    pub bucket: u8,
}

impl Example {
    /// A position with what the search expects and the result, each from 0 to 1 for the side to move.
    pub fn new(position: &Position, score: f32, result: Option<f32>) -> Example {
        let position = match position.turn() {
            Color::White => *position,
            Color::Black => position.flipped(),
        };
        let [own, enemy] = Color::BOTH;
        Example {
            boards: [
                position.men(own).bits(),
                position.men(enemy).bits(),
                position.kings(own).bits(),
                position.kings(enemy).bits(),
            ],
            score: whole(score.into()),
            result: result.map_or(NO_RESULT, |result| whole(result.into())),
            bucket: bucket(&position) as u8,
        }
    }

    /// A labelled position of a game.
    pub fn of(labelled: &Labelled) -> Example {
        let result = labelled.result.map(|result| result.points());
        Example::new(&labelled.sample.position, labelled.score, result)
    }

    /// What the search expects, from 0 to 1.
    #[inline]
    pub fn score(&self) -> f32 {
        f32::from(self.score) / f32::from(ONE)
    }

    /// The result, from 0 to 1; between 0, 0.5 and 1 where it is the mean of many games. None where there is none.
    #[inline]
    pub fn result(&self) -> Option<f32> {
        (self.result != NO_RESULT).then(|| f32::from(self.result) / f32::from(ONE))
    }

    /// The label.
    #[inline]
    pub(in crate::train) fn label(&self, labels: &Labels) -> f32 {
        labels.label(self.score(), self.result())
    }

    pub(in crate::train) fn hash(&self, hasher: &mut crc32fast::Hasher) {
        let mut bytes = [0; 37];
        for (to, board) in bytes.chunks_exact_mut(8).zip(self.boards) {
            to.copy_from_slice(&board.to_le_bytes());
        }
        bytes[32..34].copy_from_slice(&self.score.to_le_bytes());
        bytes[34..36].copy_from_slice(&self.result.to_le_bytes());
        bytes[36] = self.bucket;
        hasher.update(&bytes);
    }
}

fn whole(share: f64) -> u16 {
    (share.clamp(0.0, 1.0) * f64::from(ONE)).round() as u16
}

/// Makes one example of all that have the same position, where the first of them stands: with the mean of their scores,
/// and the mean of the results of those that have one. Gives how many went.
pub(in crate::train) fn merge_duplicates(examples: &mut Vec<Example>) -> usize {
    let mut order: Vec<(u64, u32)> = examples
        .par_iter()
        .zip(0..examples.len() as u32)
        .map(|(example, at)| (example.boards.into_iter().fold(0, fold), at))
        .collect();
    // By hash, then place: the first of a group is the first of its position.
    order.par_sort_unstable();
    let mut gone = vec![false; examples.len()];
    for group in order
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() > 1)
    {
        merge_group(examples, group, &mut gone);
    }
    let before = examples.len();
    let mut gone = gone.into_iter();
    examples.retain(|_| !gone.next().unwrap_or(false));
    before - examples.len()
}

/// Merges the examples of one hash into the first of them. One of another position, which is there by chance, is left
/// alone.
fn merge_group(examples: &mut [Example], group: &[(u64, u32)], gone: &mut [bool]) {
    let first = group[0].1 as usize;
    let boards = examples[first].boards;
    let (mut score, mut count, mut result, mut results) = (0u64, 0u64, 0u64, 0u64);
    for &(_, at) in group {
        let example = &examples[at as usize];
        if example.boards != boards {
            continue;
        }
        score += u64::from(example.score);
        count += 1;
        if example.result != NO_RESULT {
            result += u64::from(example.result);
            results += 1;
        }
        gone[at as usize] = at as usize != first;
    }
    let mean = |sum: u64, count: u64| ((sum + count / 2) / count) as u16;
    examples[first].score = mean(score, count);
    if results > 0 {
        examples[first].result = mean(result, results);
    }
}

/// Mixes a word into a hash.
fn fold(hash: u64, board: u64) -> u64 {
    let product = (hash ^ board ^ 0xCBF2_9CE4_8422_2325).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::notation::fen;

    fn example(text: &str, score: f32, result: Option<f32>) -> Example {
        Example::new(&fen::parse(text).unwrap(), score, result)
    }

    #[test]
    fn labels_are_kept_and_half_is_exact() {
        let one = example("W:W31-50:B1-20", 0.25, Some(0.5));
        assert!((one.score() - 0.25).abs() < 1e-5);
        assert_eq!(one.result(), Some(0.5));
        assert_eq!(example("W:W31-50:B1-20", 1.0, None).result(), None);
        let labels = Labels::default();
        assert!((one.label(&labels) - (0.3 * 0.5 + 0.7 * 0.25)).abs() < 1e-5);
        let none = example("W:W31-50:B1-20", 0.25, None);
        assert!((none.label(&labels) - 0.25).abs() < 1e-5);
    }

    #[test]
    fn duplicates_are_averaged_where_the_first_stands() {
        let [start, turned] = ["W:W31-50:B1-20", "B:W31-50:B1-20"];
        let mut examples = vec![
            example("W:W40:B10", 0.9, Some(1.0)),
            example(start, 0.2, None),
            example("W:W40:B11", 0.1, None),
            // The side to move has white: the same position.
            example(turned, 0.4, Some(1.0)),
            example(start, 0.6, Some(0.0)),
            example("W:W40:B11", 0.3, None),
        ];
        let untouched = examples[0];
        assert_eq!(merge_duplicates(&mut examples), 3);
        assert_eq!(examples.len(), 3);
        assert_eq!(examples[0], untouched);
        assert!((examples[1].score() - 0.4).abs() < 1e-4);
        assert_eq!(
            examples[1].result(),
            Some(0.5),
            "the mean of those that have one"
        );
        assert!((examples[2].score() - 0.2).abs() < 1e-4);
        assert_eq!(examples[2].result(), None);
        assert_eq!(merge_duplicates(&mut examples), 0);
    }

    #[test]
    fn positions_of_one_hash_stay_apart() {
        let mut examples = [
            example("W:W40:B10", 0.2, None),
            example("W:W40:B11", 0.8, None),
        ];
        let before = examples;
        let mut gone = [false; 2];
        merge_group(&mut examples, &[(5, 0), (5, 1)], &mut gone);
        assert_eq!((examples, gone), (before, [false; 2]));
    }
}
