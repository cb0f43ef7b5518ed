//! From which game a position is.

use damier_rules::notation::pdn::Game;
use std::collections::BTreeMap;

/// Tags of the game that are kept, and how many characters of each.
const TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];
const TAG: usize = 200;

/// The tags by which people know a game, as far as it has them.
pub(super) fn tags(game: &Game) -> BTreeMap<String, String> {
    let tags = TAGS.iter().filter_map(|&name| {
        let value = game.tag(name)?;
        Some((name.to_owned(), value.chars().take(TAG).collect()))
    });
    tags.collect()
}
