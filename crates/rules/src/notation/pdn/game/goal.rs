//! What the end of a composition's solution says was to be reached.

use super::{Game, Outcome};
use crate::notation::signs;

/// Words for a win, a draw, white, black, and those between them, in Dutch, English, French, German and Russian.
const WIN: [&str; 23] = [
    "wint",
    "winst",
    "gewonnen",
    "win",
    "wins",
    "winning",
    "won",
    "gagne",
    "gagnent",
    "gagnant",
    "gain",
    "gewinnt",
    "gewinn",
    "gewinnen",
    "siegt",
    "выигрывает",
    "выигрывают",
    "выигрыш",
    "выиграли",
    "победа",
    "+",
    "x",
    "1-0",
];
const DRAW: [&str; 12] = [
    "remise",
    "gelijk",
    "draw",
    "draws",
    "drawn",
    "nulle",
    "nul",
    "égalité",
    "unentschieden",
    "remis",
    "ничья",
    "=",
];
const WHITE: [&str; 8] = [
    "wit",
    "white",
    "blanc",
    "blancs",
    "weiß",
    "weiss",
    "белые",
    "белых",
];
const BLACK: [&str; 8] = [
    "zwart",
    "black",
    "noir",
    "noirs",
    "schwarz",
    "черные",
    "чёрные",
    "черных",
];
const BETWEEN: [&str; 16] = [
    "en", "and", "et", "und", "и", "les", "le", "the", "met", "with", "avec", "mit", "partie",
    "to", "de", "is",
];

/// The goal that words name: `wit wint`, `and wins`, `remise`, `W+`, `+`. White wins where no side is named, by the
/// convention of compositions.
pub(in crate::notation::pdn) fn named(text: &str) -> Option<Outcome> {
    let (mut goal, mut is_black) = (None, false);
    for word in text.split(|c: char| c.is_whitespace() || c == ',') {
        let word = word
            .trim_matches(['!', '.', ':', ';', '(', ')', '{', '}'])
            .to_lowercase();
        let plain = signs::plain(&word);
        let is_one = |words: &[&str]| words.contains(&word.as_str()) || words.contains(&&*plain);
        let side = plain.strip_suffix(['+', '=']).unwrap_or_default();
        let is_side = ["w", "b", "z", "n", "s"].contains(&side);
        match () {
            () if word.is_empty() || is_one(&WHITE) || is_one(&BETWEEN) => {}
            () if is_one(&BLACK) => is_black = true,
            () if is_one(&WIN) => goal = Some(Outcome::White),
            () if is_one(&DRAW) => goal = Some(Outcome::Draw),
            () if is_side => {
                is_black = side != "w";
                let is_win = plain.ends_with('+');
                goal = Some(if is_win {
                    Outcome::White
                } else {
                    Outcome::Draw
                });
            }
            () => return None,
        }
    }
    match goal {
        Some(Outcome::White) if is_black => Some(Outcome::Black),
        goal => goal,
    }
}

/// Whether a word names a side, as before a move.
pub(in crate::notation::pdn) fn is_side(word: &str) -> bool {
    let word = word.to_lowercase();
    let word = word.as_str();
    WHITE.contains(&word) || BLACK.contains(&word) || ["w", "b", "z", "n"].contains(&word)
}

/// A text up to the letter of a note, `A)` or `(A)`.
fn before_note(text: &str) -> &str {
    let is_label = |word: &str| {
        let word = word.strip_prefix('(').unwrap_or(word);
        matches!(word.as_bytes(), [letter, b')' | b':'] if letter.is_ascii_alphabetic())
            || word.to_lowercase().starts_with("var")
            || word == "-"
    };
    let label = text.split(' ').find(|word| is_label(word));
    let end = label.map_or(text.len(), |label| {
        label.as_ptr() as usize - text.as_ptr() as usize
    });
    &text[..end]
}

impl Game {
    /// What the end of a composition's solution says is reached: `+`, `x`, `W+`, "wit wint", "and wins", "remise",
    /// `=`, in Dutch, English, French, German or Russian. White wins where no side is named.
    pub fn goal(&self) -> Option<Outcome> {
        let last = self.moves.last()?;
        // `=`, `+-` and `-+`.
        let of_mark = |nag: &u8| match nag {
            10 => Some(Outcome::Draw),
            18 => Some(Outcome::White),
            19 => Some(Outcome::Black),
            _ => None,
        };
        let words = last.comment.as_deref().map(before_note).and_then(named);
        words.or_else(|| last.nags.iter().find_map(of_mark))
    }
}
