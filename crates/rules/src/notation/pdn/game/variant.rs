//! The game that tags name.

use crate::notation::text::quoted;

/// Numbers and names of the other games of the `GameType` tag: those of PDN 3.0 and of lidraughts.
const OTHER_TYPES: [(u32, &str); 17] = [
    (21, "English draughts"),
    (22, "Italian draughts"),
    (23, "pool checkers"),
    (24, "Spanish draughts"),
    (25, "Russian draughts"),
    (26, "Brazilian draughts"),
    (27, "Canadian draughts"),
    (28, "Portuguese draughts"),
    (29, "Czech draughts"),
    (30, "Turkish draughts"),
    (31, "Thai draughts"),
    (40, "Frisian draughts"),
    (41, "Spantsiretti"),
    (50, "Othello"),
    (96, "breakthrough"),
    (97, "Frysk!"),
    (98, "antidraughts"),
];

/// Names of other games, as lidraughts, py-draughts and people write them in `Variant`.
const OTHER_VARIANTS: [&str; 19] = [
    "frisian",
    "frysk!",
    "frysk",
    "antidraughts",
    "losing",
    "suicide",
    "giveaway",
    "breakthrough",
    "killer",
    "russian",
    "brazilian",
    "american",
    "english",
    "italian",
    "spanish",
    "czech",
    "turkish",
    "canadian",
    "pool",
];

/// What a tag says about the game.
#[derive(PartialEq, Eq, Debug)]
pub(in crate::notation::pdn) enum Named {
    International,
    /// Another game, by name.
    Other(String),
    /// Nothing that is known.
    Unknown,
}

/// The game of a `GameType`: by its number, and by the width and height of the board, which are the third and fourth of
/// its parts.
pub(in crate::notation::pdn) fn of_type(game_type: &str) -> Named {
    let mut parts = game_type.split([',', ';']).map(str::trim);
    let number = parts.next().unwrap_or_default();
    let digits = number
        .split(|c: char| !c.is_ascii_digit())
        .next()
        .unwrap_or_default();
    match digits.parse() {
        Ok(20) => match (parts.nth(1), parts.next()) {
            // A part of 0 says nothing.
            (Some(width), Some(height))
                if (width, height) != ("10", "10")
                    && ![width, height].iter().any(|part| matches!(*part, "" | "0")) =>
            {
                let (width, height) = (quoted(width), quoted(height));
                Named::Other(format!("draughts on {width} by {height} squares"))
            }
            _ => Named::International,
        },
        Ok(number) => {
            let named = OTHER_TYPES.iter().find(|(known, _)| *known == number);
            named.map_or(Named::Unknown, |(_, name)| Named::Other((*name).to_owned()))
        }
        Err(_) if game_type.trim().to_lowercase().starts_with("international") => {
            Named::International
        }
        Err(_) => Named::Unknown,
    }
}

/// The game that a variant's name stands for, if it is another.
pub(in crate::notation::pdn) fn of_name(name: &str) -> Option<String> {
    let name = name.trim().to_lowercase();
    let first = name.split([' ', '(']).next().unwrap_or_default();
    OTHER_VARIANTS.contains(&first).then(|| first.to_owned())
}
