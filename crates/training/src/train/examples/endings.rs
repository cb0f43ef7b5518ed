//! Endings against a lone king, labelled by the endgame tables: games end where the tables begin, so nothing in them
//! tells a won ending from a drawn one.

use crate::train::Example;
use damier_endgame::{Slice, StoreError, Tables, Value};
use damier_engine::rng::Rng;
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{Position, Setup};
use rayon::prelude::*;
use std::sync::Arc;

/// Most pieces; tables in the program have no more.
const PIECES: u8 = 4;
/// Mixed into the seed, so that the positions have nothing to do with what else the seed decides.
const STREAM: u64 = 0x4B4E_4F57_4E21_0000;
/// Positions found between two calls of `go_on`.
const WAVE: u32 = 1 << 14;

/// The tables that label endings.
///
/// # Errors
/// One of them is damaged: the labels would not be those of the recipe.
pub(in crate::train) fn tables() -> Result<Arc<Tables>, StoreError> {
    let tables = Tables::open(None)?;
    tables.check(PIECES)?;
    Ok(tables)
}

/// `count` quiet positions of three and four pieces, one side a lone king, as many of each slice. None where `go_on`
/// says no.
pub(in crate::train) fn examples(
    tables: &Tables,
    count: u32,
    seed: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Example>> {
    in_waves(tables, count, seed, WAVE, go_on)
}

fn in_waves(
    tables: &Tables,
    count: u32,
    seed: u64,
    wave: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Example>> {
    if count == 0 {
        return Some(Vec::new());
    }
    let mut slices = tables.slices();
    slices.retain(|slice| (3..=PIECES).contains(&slice.pieces()) && has_lone_king(slice));
    let example = |number: u32| {
        let mut random = Rng::stream(seed ^ STREAM, u64::from(number));
        let slice = slices[number as usize % slices.len()];
        loop {
            let known = arrange(slice, &mut random)
                .and_then(|position| Some((position, tables.probe(&position, PIECES)?)));
            if let Some((position, verdict)) = known {
                let result = match verdict.value {
                    Value::Win => 1.0,
                    Value::Draw => 0.5,
                    Value::Loss => 0.0,
                };
                return Example::new(&position, result, Some(result));
            }
        }
    };
    let mut examples = Vec::with_capacity(count as usize);
    for first in (0..count).step_by(wave as usize) {
        if !go_on() {
            return None;
        }
        let wave = first..count.min(first.saturating_add(wave));
        examples.par_extend(wave.into_par_iter().map(example));
    }
    Some(examples)
}

fn has_lone_king(slice: &Slice) -> bool {
    (slice.men, slice.kings) == (0, 1) || (slice.enemy_men, slice.enemy_kings) == (0, 1)
}

/// The pieces of a slice on random squares, white to move. None where two of them share a square, a man stands on his
/// last row, or a side could capture.
fn arrange(slice: Slice, random: &mut Rng) -> Option<Position> {
    let mut setup = Setup::empty(Color::White);
    let mut taken = Bitboard::EMPTY;
    let sides = [
        (slice.men, slice.kings),
        (slice.enemy_men, slice.enemy_kings),
    ];
    for (side, (men, kings)) in sides.into_iter().enumerate() {
        for piece in 0..men + kings {
            let square = Bitboard::of(Square::new(random.within(1, 50) as u8)?);
            if !(taken & square).is_empty() {
                return None;
            }
            taken |= square;
            let pieces = match piece < men {
                true => &mut setup.men[side],
                false => &mut setup.kings[side],
            };
            *pieces |= square;
        }
    }
    let position = Position::try_from(setup).ok()?;
    let still = Color::BOTH
        .into_iter()
        .all(|color| !position.can_capture(color));
    (still && !position.is_terminal()).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_points(example: &Example) -> usize {
        (2.0 * example.score()) as usize
    }

    #[test]
    fn positions_are_many_and_their_labels_those_of_the_tables() {
        let tables = &tables().unwrap();
        let examples = examples(tables, 4_100, 3, &mut || true).expect("it goes on");
        assert_eq!(examples.len(), 4_100);
        assert_eq!(
            in_waves(tables, 4_100, 3, 700, &mut || true).as_ref(),
            Some(&examples)
        );
        let mut asked = 0;
        in_waves(tables, 4_100, 3, 700, &mut || {
            asked += 1;
            true
        });
        for last in 1..=asked {
            let mut left = last;
            let stopped = in_waves(tables, 4_100, 3, 700, &mut || {
                left -= 1;
                left > 0
            });
            assert_eq!((stopped, left), (None, 0));
        }
        let mut seen = std::collections::HashSet::new();
        let mut results = [0; 3];
        for example in &examples {
            seen.insert(example.boards);
            results[half_points(example)] += 1;
            assert_eq!(example.result(), Some(example.score()));
            assert!(
                example
                    .boards
                    .iter()
                    .map(|board| board.count_ones())
                    .sum::<u32>()
                    <= 4
            );
        }
        assert!(seen.len() > 3_000, "{}", seen.len());
        assert!(results.iter().all(|&count| count > 100), "{results:?}");
        // Most endings of three kings against one are drawn, those against a king on the long diagonal or not.
        let kings = examples.iter().filter(|example| {
            let [own_men, enemy_men, own, enemy] = example.boards.map(u64::count_ones);
            (own_men, enemy_men, own, enemy) == (0, 0, 3, 1)
        });
        let [lost, drawn, won] = kings.fold([0; 3], |mut counts, example| {
            counts[half_points(example)] += 1;
            counts
        });
        assert!(lost == 0 && drawn > won && won > 20, "{drawn} {won}");
    }
}
