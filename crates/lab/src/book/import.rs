//! A book from exported JSON.

use super::export::{JsonBook, JsonMove, JsonPosition};
use super::{BookBuildError, SCORE_MAX};
use damier_book::format::{self, MOST_MOVES, RawEntry, RawMove};
use damier_book::{Canonical, Learned, numbered_moves};
use damier_rules::notation::{fen, hub_board, moves};
use std::path::Path;

/// The bytes of the book that a text describes. `path`, its file, is for messages.
///
/// # Errors
/// The text is not such JSON, or contains an invalid position, move or score.
pub fn from_json(path: &Path, text: &[u8]) -> Result<Vec<u8>, BookBuildError> {
    let wrong = |what: String| BookBuildError::Import {
        file: path.to_owned(),
        what,
    };
    let book: JsonBook = serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
    if let Some(root) = book
        .header
        .roots
        .iter()
        .find(|root| hub_board::parse(root).is_err())
    {
        return Err(wrong(format!("{root:.60}: not a Hub board")));
    }
    let entries = book.book.iter().map(|position| {
        entry(position).map_err(|what| wrong(format!("{:.200}: {what}", position.fen)))
    });
    let entries = entries.collect::<Result<Vec<RawEntry>, _>>()?;
    Ok(format::encode(&book.header, entries))
}

fn entry(json: &JsonPosition) -> Result<RawEntry, String> {
    let position = fen::parse(&json.fen).map_err(|error| error.to_string())?;
    let canonical = Canonical::of(&position);
    let legal = numbered_moves(canonical.position());
    if json.moves.is_empty() || json.moves.len() > MOST_MOVES {
        return Err(format!(
            "{} moves; a position has 1 to {MOST_MOVES}",
            json.moves.len()
        ));
    }
    let raw = |json: &JsonMove| {
        let mv = moves::parse(&position, &json.mv).map_err(|error| error.to_string())?;
        let number = legal
            .iter()
            .position(|known| *known == canonical.convert(mv));
        let number = number.and_then(|number| u8::try_from(number).ok());
        let score = (json.searched * 100.0).round();
        if score.abs() > f64::from(SCORE_MAX) || u64::from(json.points) > 2 * u64::from(json.games)
        {
            return Err(format!("{:.20}: a score or points out of range", json.mv));
        }
        Ok(RawMove {
            number: number.ok_or("too many moves")?,
            score: score as i32,
            learned: Learned {
                games: json.games,
                points: json.points,
            },
        })
    };
    Ok(RawEntry {
        key: canonical.code().key(),
        depth: json.depth,
        moves: json.moves.iter().map(raw).collect::<Result<_, String>>()?,
    })
}
