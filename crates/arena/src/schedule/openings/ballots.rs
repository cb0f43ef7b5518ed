//! Ballots: all sound openings of a fixed number of moves from the start. The list is a file, because the search that
//! finds it takes seconds; a test searches again.

use super::Opening;
use damier_rules::notation::moves;
use std::collections::HashSet;

/// The lines of two moves, then those of three, each sorted by squares.
const LINES: &str = include_str!("ballots.txt");

/// The ballots of `plies` moves, two or three; of lines that transpose, only the first.
pub(super) fn positions(plies: usize) -> Vec<Opening> {
    let mut seen = HashSet::new();
    let mut ballots = lines(plies);
    ballots.retain(|opening| seen.insert(opening.position().key()));
    ballots
}

/// Like [`positions`], with all transpositions.
pub(super) fn lines(plies: usize) -> Vec<Opening> {
    let of_length = |line: &&str| line.split(' ').count() == plies;
    LINES.lines().filter(of_length).map(opening).collect()
}

fn opening(line: &str) -> Opening {
    let mut opening = Opening {
        name: line.to_owned(),
        ..Opening::start()
    };
    for word in line.split(' ') {
        let mv = moves::parse(&opening.position(), word);
        opening
            .moves
            .push(mv.unwrap_or_else(|error| unreachable!("{line}: {error}")));
    }
    opening
}

#[cfg(test)]
mod tests {
    use super::super::material::Material;
    use super::*;
    use damier_rules::Move;
    use damier_rules::notation::fen;

    /// Search depth, in quiet moves, within which no side may win a man. Two-move ballots need none; finding the last
    /// three-move ballot that is excluded by convention takes five.
    const LOOK_AHEAD: u32 = 5;

    /// All lines of `plies` moves from the start after which no side soon wins a man.
    fn sound_lines(plies: usize) -> Vec<Opening> {
        let mut lines = vec![Opening::start()];
        for _ in 0..plies {
            lines = lines.iter().flat_map(one_more_move).collect();
        }
        // Shallower searches first: they reject most lines and give the deeper ones their move order.
        for look in 0..=LOOK_AHEAD {
            let mut material = Material::default();
            lines.retain(|opening| material.change(&opening.position(), look, 0) == 0);
        }
        lines
    }

    /// The opening, extended by each legal move.
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

    #[test]
    fn the_list_is_what_the_search_finds() {
        for plies in [2, 3] {
            assert_eq!(
                lines(plies),
                sound_lines(plies),
                "ballots.txt, lines of {plies} moves"
            );
        }
    }

    #[test]
    fn the_two_move_ballots_are_those_of_the_community() {
        let text = include_str!("../../../../../tests/data/two-move-ballots.fen");
        let ours: Vec<String> = positions(2)
            .iter()
            .map(|opening| fen::format(&opening.position()))
            .collect();
        assert_eq!(ours, text.lines().collect::<Vec<_>>());
    }

    /// By convention there are 494 lines to 331 positions.
    #[test]
    fn the_three_move_ballots_are_as_many_as_the_community_counts() {
        let positions = positions(3);
        assert_eq!((lines(3).len(), positions.len()), (494, 331));
        assert_eq!(positions[0].name, "31-26 16-21 32-27");
    }
}
