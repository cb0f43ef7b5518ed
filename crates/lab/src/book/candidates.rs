//! Moves of games to search for a book.

use damier_book::{Canonical, Code};
use damier_rules::Move;
use damier_rules::notation::pdn;
use std::collections::BTreeMap;

/// The distinct moves in the first `plies` plies of games, in positions with a choice, turned so that white is to move;
/// and the number of games that cannot be read.
pub fn candidates(bytes: &[u8], plies: usize) -> (Vec<(Code, Move)>, usize) {
    let mut found = BTreeMap::new();
    let mut damaged = 0;
    for game in pdn::read(&pdn::decode(bytes)) {
        let Ok(game) = game else {
            damaged += 1;
            continue;
        };
        let mut position = game.start;
        for mv in game.plain_moves().into_iter().take(plies) {
            if position.legal_moves().len() > 1 {
                let canonical = Canonical::of(&position);
                let mv = canonical.convert(mv);
                let order = (
                    canonical.code(),
                    mv.from().number(),
                    mv.to().number(),
                    mv.captured().bits(),
                );
                found.insert(order, mv);
            }
            position = position.play(mv);
        }
    }
    (
        found
            .into_iter()
            .map(|((code, ..), mv)| (code, mv))
            .collect(),
        damaged,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::Position;

    #[test]
    fn moves_of_games_are_found_once() {
        let text = b"1. 32-28 18-23 *\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n1. 32-99 *\n";
        let (found, damaged) = candidates(text, 4);
        assert_eq!(damaged, 1);
        // The first move, two replies, and a capture with a choice or none.
        let start = Canonical::of(&Position::start()).code();
        assert_eq!(found.iter().filter(|(code, _)| *code == start).count(), 1);
        assert!(found.len() >= 3);
        for (code, mv) in &found {
            assert!(
                code.position()
                    .is_some_and(|position| position.is_legal(*mv))
            );
        }
        assert_eq!(candidates(text, 1).0.len(), 1);
    }
}
