//! The games in progress, for those who watch a match: a small file beside the games, written anew twice a second and
//! removed at the end. A reader sees a whole state; a file that is not rewritten was left by a killed match.

use super::record::GameId;
use super::referee::Scene;
use super::schedule::GamePair;
use damier_os::files::{self, AtomicFile, ReplaceError};
use damier_rules::Move;
use damier_rules::notation::fen;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How often the file is written.
const INTERVAL: Duration = Duration::from_millis(500);
/// A file that was not renewed for this long is left over.
const STALE: Duration = Duration::from_secs(10);
/// Largest file that is read: ten thousand games at once have less.
const LARGEST: u64 = 64 << 20;
/// What the file begins with.
const MAGIC: &[u8] = b"{\"damier_live\":";
const VERSION: u32 = 1;

/// A match in progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LiveMatch {
    damier_live: u32,
    /// Games counted so far.
    pub played: u64,
    /// Games of the whole match.
    pub total: u64,
    /// The games in progress.
    pub games: Vec<LiveGame>,
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LiveGame {
    /// Number in the match, from 1.
    pub game: u64,
    /// Who has white.
    pub white: String,
    /// Who has black.
    pub black: String,
    /// The first position of the opening, as FEN.
    pub start: String,
    /// The moves from there, those of the opening included, as Hub writes them.
    pub moves: Vec<String>,
    /// The last score that white and black reported, in men, each from its side.
    pub scores: [Option<f64>; 2],
    /// Seconds on the clocks of white and black when the last move was played.
    pub clocks: [Option<f64>; 2],
    /// Seconds since the last move.
    pub thinking: f64,
}

/// The games that the workers play now.
#[derive(Default)]
pub(super) struct LiveGames {
    games: Mutex<BTreeMap<GameId, (LiveGame, Instant)>>,
}

impl LiveGames {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<GameId, (LiveGame, Instant)>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game begins.
    pub fn begin(&self, id: GameId, pair: &GamePair, [white, black]: [&str; 2]) {
        let game = LiveGame {
            game: id.number(),
            white: white.to_owned(),
            black: black.to_owned(),
            start: fen::format(&pair.opening.start),
            moves: pair.opening.moves.iter().map(Move::to_string).collect(),
            scores: [None; 2],
            clocks: [None; 2],
            thinking: 0.0,
        };
        self.lock().insert(id, (game, Instant::now()));
    }

    /// A player is asked for a move.
    pub fn show(&self, id: GameId, scene: &Scene<'_>) {
        let mut games = self.lock();
        let Some((game, since)) = games.get_mut(&id) else {
            return;
        };
        if let Some(ply) = scene.last {
            game.moves.push(ply.mv.to_string());
            game.scores[(!scene.turn).index()] = ply.score;
        }
        game.clocks = scene.clocks.map(|left| left.map(|left| left.as_secs_f64()));
        *since = Instant::now();
    }

    /// A game is over, or was not played.
    pub fn end(&self, id: GameId) {
        self.lock().remove(&id);
    }

    fn now(&self) -> Vec<LiveGame> {
        let games = self.lock();
        let now = games.values().map(|(game, since)| LiveGame {
            thinking: since.elapsed().as_secs_f64(),
            ..game.clone()
        });
        now.collect()
    }
}

/// The file beside the games with this name.
fn beside(pdn: &Path) -> PathBuf {
    files::beside(pdn, ".live")
}

/// The file of a match that is written. An error here leaves the match as it is, unwatched.
pub(super) struct LiveFile {
    path: PathBuf,
    written: Option<Instant>,
}

impl LiveFile {
    /// The file beside these games. None where another file has its name.
    pub fn beside(pdn: &Path) -> Option<LiveFile> {
        let path = beside(pdn);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Ok(data) if data.is_file() && is_ours(&path) => {}
            _ => {
                log::warn!("{}: not written, it is another file", path.display());
                return None;
            }
        }
        Some(LiveFile {
            path,
            written: None,
        })
    }

    /// Writes the file if it is due; whether it can still be written.
    pub fn update(&mut self, games: &LiveGames, played: u64, total: u64) -> bool {
        if self.written.is_some_and(|at| at.elapsed() < INTERVAL) {
            return true;
        }
        let now = LiveMatch {
            damier_live: VERSION,
            played,
            total,
            games: games.now(),
        };
        self.written = Some(Instant::now());
        let written = self.write(&now);
        if let Err(error) = &written {
            log::warn!("{}: {error}", self.path.display());
        }
        written.is_ok()
    }

    fn write(&self, now: &LiveMatch) -> Result<(), ReplaceError> {
        let text = serde_json::to_vec(now).map_err(io::Error::other)?;
        let mut file = AtomicFile::begin(&self.path, MAGIC, &[] as &[&Path])?;
        file.file().write_all(&text)?;
        Ok(file.put_in_place()?)
    }
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        if self.written.is_some() {
            // One that is left over is not read for long.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn is_ours(path: &Path) -> bool {
    let bytes = files::read_at_most(path, LARGEST).unwrap_or_default();
    bytes.is_empty() || bytes.starts_with(MAGIC)
}

/// The match in progress whose games go to this file; none where there is none.
pub fn read(pdn: &Path) -> Option<LiveMatch> {
    let path = beside(pdn);
    let written = fs::metadata(&path).and_then(|data| data.modified()).ok()?;
    let age = SystemTime::now().duration_since(written);
    if age.is_ok_and(|age| age > STALE) {
        return None;
    }
    let bytes = files::read_at_most(&path, LARGEST).ok()?;
    let live: LiveMatch = serde_json::from_slice(&bytes).ok()?;
    (live.damier_live == VERSION).then_some(live)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::openings::Opening;
    use damier_rules::board::Color;

    #[test]
    fn games_in_progress_are_written_read_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let pdn = folder.path().join("games.pdn");
        let games = LiveGames::default();
        let pair = GamePair {
            pairing: 0,
            engines: [0, 1],
            opening: Opening::start(),
            opening_index: 0,
        };
        games.begin(GameId(6), &pair, ["A", "B"]);
        let scene = Scene {
            turn: Color::White,
            last: None,
            clocks: [Some(Duration::from_secs(9)), None],
        };
        games.show(GameId(6), &scene);
        let mut file = LiveFile::beside(&pdn).expect("no other file");
        assert_eq!(read(&pdn), None);
        assert!(file.update(&games, 3, 20));
        let found = read(&pdn).expect("a match");
        assert_eq!((found.played, found.total), (3, 20));
        let game = &found.games[0];
        assert_eq!((game.game, game.white.as_str()), (7, "A"));
        assert_eq!(game.clocks, [Some(9.0), None]);
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // A file of somebody else stays as it is.
        fs::write(beside(&pdn), "mine").unwrap();
        assert!(LiveFile::beside(&pdn).is_none());
        assert_eq!(read(&pdn), None);
    }
}
