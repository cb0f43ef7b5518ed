//! Ballots: the openings of so many moves from the start, generated from the rules.

use super::Opening;
use super::material::Material;
use crate::rules::Move;
use std::collections::HashSet;

/// Quiet moves in which nobody may win a man, whether all or fewer of them are looked ahead. None would do for two moves; for
/// three the last of those that the community leaves out is found with five.
const LOOK: u32 = 5;

/// Every line of `plies` moves from the start after which nobody can win a man soon, in ascending order of the moves; of
/// several lines to one position the first. Takes half a second for three moves.
pub(super) fn generate(plies: usize) -> Vec<Opening> {
    let mut seen = HashSet::new();
    let mut lines = sound_lines(plies);
    lines.retain(|opening| seen.insert(opening.position().key()));
    lines
}

/// As [`generate`], with every line to a position.
fn sound_lines(plies: usize) -> Vec<Opening> {
    let mut lines = vec![Opening::start()];
    for _ in 0..plies {
        lines = lines.iter().flat_map(one_more_move).collect();
    }
    // Shorter looks first: they find most of what is wrong, and show the longer ones the moves to try.
    for look in 0..=LOOK {
        let mut material = Material::default();
        lines.retain(|opening| material.change(&opening.position(), look, 0) == 0);
    }
    lines
}

/// The opening with each legal move behind it.
fn one_more_move(opening: &Opening) -> Vec<Opening> {
    let position = opening.position();
    let mut legal = position.legal_moves().to_vec();
    legal.sort_by_key(|mv| (mv.from().number(), mv.to().number()));
    let extend = |mv: Move| {
        let mut next = opening.clone();
        next.moves.push(mv);
        next.name = next.line();
        next
    };
    legal.into_iter().map(extend).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn the_two_move_ballots_are_those_of_the_community() {
        let text = include_str!("../../../../../tests/data/two-move-ballots.fen");
        let ours: Vec<String> = generate(2)
            .iter()
            .map(|opening| fen::format(&opening.position()))
            .collect();
        assert_eq!(ours, text.lines().collect::<Vec<_>>());
    }

    /// The community counts 494 lines to 331 positions.
    #[test]
    fn the_three_move_ballots_are_as_many_as_the_community_counts() {
        let lines = sound_lines(3);
        let positions = generate(3);
        assert_eq!((lines.len(), positions.len()), (494, 331));
        assert_eq!(positions[0].name, "31-26 16-21 32-27");
    }
}
