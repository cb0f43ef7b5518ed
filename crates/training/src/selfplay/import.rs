//! `damier dataset import`: games of people and of other programs, as games to train on.
//!
//! A game in PDN has a result and moves. What training needs besides is the score of each position: the one that
//! `damier match` wrote behind the move, or else that of a search here. A score depends only on the game and the
//! settings, so that the bytes of the file do not depend on the number of threads, and an interrupted import goes on.

use super::SelfplayError;
use super::scoring::{Scoring, Searches};
use crate::dataset::record::MOST_PLIES;
use crate::dataset::{End, GameRecord, Header, Played, Recipe};
use damier_engine::Options;
use damier_engine::eval::Score;
use damier_os::files;
use damier_os::shard::Shard;
use damier_rules::Game;
use damier_rules::board::Color;
use damier_rules::notation::pdn::{self, Annotated, Outcome};
use damier_text::Encoding;
use std::io::{self, Read};
use std::path::PathBuf;

/// Version of what is made of a game.
const RULES: u32 = 1;
/// The largest score in hundredths of a man, about what a file of games can hold.
const MOST: f64 = 10_000.0;

/// What to import.
#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    /// Files of PDN.
    pub files: Vec<PathBuf>,
    /// The encoding they are in, where it is given.
    pub encoding: Option<Encoding>,
    /// The file of games to write.
    pub out: PathBuf,
    /// Nodes for each position without a score.
    pub nodes: u64,
    /// Whether positions with a score are searched too.
    pub search_all: bool,
    /// The engine that searches; its table and threads are chosen here.
    pub engine: Options,
    /// Games at once.
    pub threads: usize,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Games in the file.
    pub games: u64,
    /// Games that were there before.
    pub found: u64,
    /// Games without a result or without a move, which are left out.
    pub left_out: u64,
    /// Games that could not be read, and why.
    pub damages: Vec<String>,
    /// Files in another encoding than UTF-8, and which.
    pub encodings: Vec<(String, Encoding)>,
    /// Positions searched now.
    pub searched: u64,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// Why games could not be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file cannot be read.
    #[error("{file}: {error}")]
    #[allow(missing_docs)]
    Read { file: String, error: io::Error },
    /// There is no game with a result.
    #[error("no game with moves and a result in {files}")]
    #[allow(missing_docs)]
    NoGame { files: String },
    /// The file of games cannot be written or continued.
    #[error(transparent)]
    Out(#[from] SelfplayError),
}

/// A game with a result, and the checksum of all bytes read.
struct Source {
    games: Vec<pdn::Game>,
    checksum: u32,
}

/// Imports games. `each` gets the games done and all games, and says whether to go on.
///
/// # Errors
/// A file cannot be read or written, has no game, or the file to write is of another run.
pub fn import(
    import: &Import,
    each: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Imported, ImportError> {
    let mut imported = Imported::default();
    let source = read(import, &mut imported)?;
    let total = source.games.len() as u64;
    let header = Header {
        recipe: recipe(import, source.checksum),
        shard: Shard::WHOLE,
    };
    let scoring = Scoring::new(&import.engine, import.nodes, import.threads)?;
    let scored = scoring.run(
        &import.out,
        &header,
        total,
        (0..).zip(&source.games),
        |searches, (number, game)| record(import, searches, game, number),
        each,
    )?;
    imported.found = scored.found;
    imported.games = scored.games;
    imported.searched = scored.searched;
    imported.stopped = scored.stopped;
    Ok(imported)
}

fn read(import: &Import, imported: &mut Imported) -> Result<Source, ImportError> {
    let mut hasher = crc32fast::Hasher::new();
    let mut games = Vec::new();
    for file in &import.files {
        let fail = |error| ImportError::Read {
            file: file.display().to_string(),
            error,
        };
        let mut bytes = Vec::new();
        let mut input = files::open_regular(file).map_err(fail)?;
        input.read_to_end(&mut bytes).map_err(fail)?;
        hasher.update(&bytes);
        let decoded = damier_text::decode(&bytes, import.encoding);
        if decoded.encoding != Encoding::Utf8 {
            let encoding = (file.display().to_string(), decoded.encoding);
            imported.encodings.push(encoding);
        }
        let mut stream = pdn::Stream::new(decoded.text.as_bytes());
        while let Some(found) = stream.next_game().map_err(fail)? {
            match found {
                Ok(game) if is_usable(&game) => games.push(game),
                Ok(_) => imported.left_out += 1,
                Err(damaged) => {
                    imported
                        .damages
                        .push(format!("{}: {}", file.display(), damaged.error))
                }
            }
        }
    }
    if games.is_empty() {
        let files: Vec<String> = import
            .files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        return Err(ImportError::NoGame {
            files: files.join(", "),
        });
    }
    Ok(Source {
        games,
        checksum: hasher.finalize(),
    })
}

fn is_usable(game: &pdn::Game) -> bool {
    let known = matches!(game.result, Outcome::White | Outcome::Draw | Outcome::Black);
    known && !game.moves.is_empty() && game.moves.len() <= MOST_PLIES as usize
}

fn recipe(import: &Import, checksum: u32) -> Recipe {
    let given = import
        .encoding
        .map(|encoding| ("encoding", encoding.to_string()));
    [
        ("import", RULES.to_string()),
        ("seed", checksum.to_string()),
        ("level", format!("{} nodes", import.nodes)),
        (
            "scores",
            if import.search_all {
                "searched"
            } else {
                "of the games"
            }
            .to_owned(),
        ),
        ("search", import.engine.search.to_string()),
        ("endgame-tables", import.engine.bb_size.to_string()),
        ("weights", import.engine.weights.display().to_string()),
    ]
    .into_iter()
    .chain(given)
    .collect()
}

fn record(
    import: &Import,
    searches: &mut Searches,
    source: &pdn::Game,
    index: u64,
) -> Option<GameRecord> {
    let mut game = Game::new(source.start);
    let mut moves = Vec::with_capacity(source.moves.len());
    for annotated in &source.moves {
        let score = match game.position().legal_moves().len() {
            1 => None,
            _ => Some(match written(import, annotated) {
                Some(score) => score,
                None => searches.score(&game)?,
            }),
        };
        moves.push(Played {
            mv: annotated.mv,
            score,
        });
        game.play(annotated.mv);
    }
    let winner = match source.result {
        Outcome::White => Some(Color::White),
        Outcome::Black => Some(Color::Black),
        Outcome::Draw | Outcome::Nobody | Outcome::Unknown => None,
    };
    let by_rules = End::of(&game).filter(|(_, won)| *won == winner);
    // A win by resignation or time, and a draw by agreement, are results that somebody believed.
    let agreed = match winner {
        Some(_) => End::Score,
        None => End::Length,
    };
    Some(GameRecord {
        index,
        start: source.start,
        moves,
        end: by_rules.map_or(agreed, |(end, _)| end),
        winner,
    })
}

/// The score that stands behind a move, as `damier match` writes it: `score=+0.08`, in men for the side that moved.
fn written(import: &Import, annotated: &Annotated) -> Option<Score> {
    let comment = annotated
        .comment
        .as_deref()
        .filter(|_| !import.search_all)?;
    let mut words = comment.split_whitespace();
    let text = words.find_map(|word| word.strip_prefix("score="))?;
    let men = text.parse().ok().filter(|men: &f64| men.is_finite())?;
    Some(Score::new((men * 100.0).clamp(-MOST, MOST).round() as i32))
}
