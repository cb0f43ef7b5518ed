//! Reads openings from files.

use super::{Opening, OpeningsError};
use crate::{LineError, LineErrorKind};
use damier_os::input;
use damier_rules::notation::{fen, pdn, positions};
use damier_rules::{Game, Status};
use damier_text::{Decoded, Encoding};
use std::path::Path;

/// Maximum size of a file of openings, in bytes.
const MAX_FILE: u64 = 1 << 28;

/// The openings of a file, and the encoding it is in; in PDN, at most `plies` moves of each game.
pub(super) fn load(
    path: &Path,
    plies: Option<usize>,
    given: Option<Encoding>,
) -> Result<(Vec<Opening>, Encoding), OpeningsError> {
    let file = path.display().to_string();
    let bytes = input::read_at_most(path, MAX_FILE).map_err(|error| OpeningsError::Read {
        file: file.clone(),
        error,
    })?;
    let Decoded { text, encoding } = damier_text::decode(&bytes, given);
    let is_pdn = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("pdn"));
    let openings = if is_pdn || !begins_with_fen(&text) {
        from_pdn(&file, &text, plies)?
    } else {
        from_fens(&file, &text)?
    };
    if openings.is_empty() {
        return Err(OpeningsError::Empty { file });
    }
    match openings.iter().find(|opening| is_over(&opening.game())) {
        Some(Opening { name, .. }) => Err(OpeningsError::Over {
            file,
            name: name.clone(),
        }),
        None => Ok((openings, encoding)),
    }
}

/// Whether the game is over here, also because the side that has just moved has no pieces left.
fn is_over(game: &Game) -> bool {
    let position = game.position();
    game.status() != Status::Playing || position.pieces(!position.turn()).is_empty()
}

/// Whether the text behind the first comments begins as a FEN or a picture does, and PDN does not.
fn begins_with_fen(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with('#') {
        rest = rest
            .split_once('\n')
            .map_or("", |(_, rest)| rest.trim_start());
    }
    rest.is_empty() || rest.starts_with(['"', '?']) || positions::begin(rest)
}

fn from_fens(file: &str, text: &str) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::new();
    for (line, text) in positions::of_text(text) {
        let start = fen::parse(&text).map_err(|error| LineError {
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

fn from_pdn(file: &str, text: &str, plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::new();
    for (index, game) in pdn::read(text).enumerate() {
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
