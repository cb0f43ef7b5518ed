//! Ballots: all sound openings of a fixed number of moves from the start. The list is a file, because the search that
//! finds it takes seconds; a test searches again.

use super::{Opening, OpeningsError};
use damier_rules::notation::moves;
use std::collections::HashSet;

/// The lines of two moves, then those of three, each sorted by squares.
static LINES: [u8; include_bytes!("ballots.txt").len()] = *include_bytes!("ballots.txt");
/// Their CRC-32.
const CRC: u32 = 0x845f_e316;

/// The ballots of `plies` moves, two or three; of lines that transpose, only the first.
///
/// # Errors
/// The list is damaged.
pub(super) fn positions(plies: usize) -> Result<Vec<Opening>, OpeningsError> {
    let mut seen = HashSet::new();
    let mut ballots = lines(plies)?;
    ballots.retain(|opening| seen.insert(opening.position().key()));
    Ok(ballots)
}

/// Like [`positions`], with all transpositions.
///
/// # Errors
/// As [`positions`].
pub(super) fn lines(plies: usize) -> Result<Vec<Opening>, OpeningsError> {
    let of_length = |line: &&str| line.split(' ').count() == plies;
    let lines = checked(&LINES).ok_or(OpeningsError::Damaged)?.lines();
    let openings = lines.filter(of_length).map(opening);
    openings
        .collect::<Option<_>>()
        .ok_or(OpeningsError::Damaged)
}

/// The bytes of the list as text, if they are that.
fn checked(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    (crc32fast::hash(bytes) == CRC).then_some(text)
}

fn opening(line: &str) -> Option<Opening> {
    let mut opening = Opening {
        name: line.to_owned(),
        ..Opening::start()
    };
    for word in line.split(' ') {
        let mv = moves::parse(&opening.position(), word).ok()?;
        opening.moves.push(mv);
    }
    Some(opening)
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
                lines(plies).unwrap(),
                sound_lines(plies),
                "ballots.txt, lines of {plies} moves"
            );
        }
    }

    #[test]
    fn the_two_move_ballots_are_those_of_the_community() {
        let text = include_str!("two-move-ballots.fen");
        let ours: Vec<String> = positions(2)
            .unwrap()
            .iter()
            .map(|opening| fen::format(&opening.position()))
            .collect();
        assert_eq!(ours, text.lines().collect::<Vec<_>>());
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        for at in 0..LINES.len() {
            let mut changed = LINES;
            changed[at] ^= 1;
            assert_eq!(checked(&changed), None, "{at}");
        }
    }

    /// By convention there are 494 lines to 331 positions.
    #[test]
    fn the_three_move_ballots_are_as_many_as_the_community_counts() {
        let positions = positions(3).unwrap();
        assert_eq!((lines(3).unwrap().len(), positions.len()), (494, 331));
        assert_eq!(positions[0].name, "31-26 16-21 32-27");
    }
}
