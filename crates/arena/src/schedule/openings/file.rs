//! Reads openings from files.

use super::{Opening, OpeningsError};
use crate::{LineError, LineErrorKind};
use damier_os::input;
use damier_rules::notation::{fen, pdn};
use damier_rules::{Game, Status};
use std::path::Path;

/// Maximum size of a file of openings, in bytes.
const MAX_FILE: u64 = 1 << 28;

/// The openings of a file; in PDN, at most `plies` moves of each game.
pub(super) fn load(path: &Path, plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let file = path.display().to_string();
    let bytes = input::read_at_most(path, MAX_FILE).map_err(|error| OpeningsError::Read {
        file: file.clone(),
        error,
    })?;
    let is_pdn = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("pdn"));
    let openings = if is_pdn || !begins_with_fen(&bytes) {
        from_pdn(&file, &bytes, plies)?
    } else {
        from_fens(&file, &String::from_utf8_lossy(&bytes))?
    };
    if openings.is_empty() {
        return Err(OpeningsError::Empty { file });
    }
    match openings.iter().find(|opening| is_over(&opening.game())) {
        Some(Opening { name, .. }) => Err(OpeningsError::Over {
            file,
            name: name.clone(),
        }),
        None => Ok(openings),
    }
}

/// Whether the game is over here, also because the side that has just moved has no pieces left.
fn is_over(game: &Game) -> bool {
    let position = game.position();
    game.status() != Status::Playing || position.pieces(!position.turn()).is_empty()
}

/// The lines that are neither blank nor comments, with their line numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let numbered = lines.enumerate().map(|(index, line)| (index + 1, line));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Whether the first line begins with the side to move, as a FEN does and PDN does not.
fn begins_with_fen(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let first = lines(&text).next();
    first.is_none_or(|(_, line)| line.starts_with(['W', 'w', 'B', 'b', '"', '?']))
}

fn from_fens(file: &str, text: &str) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::new();
    for (line, text) in lines(text) {
        let start = fen::parse(text).map_err(|error| LineError {
            file: file.to_owned(),
            line,
            kind: LineErrorKind::Fen(error),
        })?;
        let name = format!("line {line}");
        openings.push(Opening {
            name,
            start,
            moves: Vec::new(),
        });
    }
    Ok(openings)
}

fn from_pdn(file: &str, bytes: &[u8], plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::new();
    for (index, game) in pdn::read(&pdn::decode(bytes)).enumerate() {
        let game = game.map_err(|error| OpeningsError::Pdn {
            file: file.to_owned(),
            error,
        })?;
        let mut moves = game.plain_moves();
        moves.truncate(plies.unwrap_or(usize::MAX));
        let name = format!("game {}", index + 1);
        openings.push(Opening {
            name,
            start: game.start,
            moves,
        });
    }
    Ok(openings)
}
