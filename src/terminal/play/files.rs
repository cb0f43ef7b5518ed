//! Games are saved and loaded as PDN.

use super::session::{Ended, PlaySession};
use super::{PlayerKind, won_by};
use crate::engine::{NAME_AND_VERSION, Thinker};
use crate::notation::pdn::{self, Outcome};
use crate::notation::text::for_terminal;
use crate::os::files;
use crate::rules::{Game, Status};
use crate::text::{self, Encoding};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The largest file that is loaded, in bytes.
const LARGEST: u64 = 64 << 20;
/// How a game of ours begins; a file that was half written is known by it.
const MAGIC: &[u8] = b"[";
/// Maximum number of names that are tried for a game that is interrupted.
const MOST_NAMES: u32 = 1000;

impl<T: Thinker + 'static> PlaySession<'_, T> {
    /// Saves the game to a file that is not there yet, or to the one that it was saved to before.
    pub(super) fn save(&mut self, name: Option<String>) -> io::Result<()> {
        let Some(path) = name.map(PathBuf::from).or_else(|| self.file.clone()) else {
            return writeln!(self.out, "Name the file, as in: save game.pdn");
        };
        let shown = shown(&path);
        let is_own = self.file.as_ref() == Some(&path);
        if !is_own && path.symlink_metadata().is_ok() {
            return writeln!(self.out, "{shown} exists already: choose another name.");
        }
        match files::replace(&path, MAGIC, self.pdn().as_bytes()) {
            Ok(()) => {
                self.file = Some(path);
                self.is_unsaved = false;
                writeln!(self.out, "Saved to {shown}.")
            }
            Err(error) => writeln!(self.out, "{shown}: {error}"),
        }
    }

    /// Loads a game: `FILE`, or `FILE 3` for the third game of a file.
    pub(super) fn load(&mut self, text: &str) -> io::Result<()> {
        let (name, number) = match text.rsplit_once(char::is_whitespace) {
            Some((name, last)) if !Path::new(text).exists() => match last.parse() {
                Ok(number) => (name.trim_end(), number),
                Err(_) => (text, 1),
            },
            _ => (text, 1),
        };
        let shown = shown(Path::new(name));
        let bytes = match files::read_at_most(name, LARGEST) {
            Ok(bytes) => bytes,
            Err(error) => return writeln!(self.out, "{shown}: {error}"),
        };
        let decoded = text::decode(&bytes, self.setting.encoding);
        let text = decoded.text;
        let index = usize::checked_sub(number, 1);
        let game = match index.and_then(|index| pdn::read(&text).nth(index)) {
            Some(Ok(game)) => game,
            Some(Err(error)) => {
                let error = for_terminal(&error.to_string());
                return writeln!(self.out, "{shown}: {error}");
            }
            None => {
                let games = pdn::read(&text).count();
                return writeln!(
                    self.out,
                    "{shown}: no game {number}, there are {games} in it"
                );
            }
        };
        if decoded.encoding != Encoding::Utf8 && self.setting.encoding.is_none() {
            writeln!(self.out, "{shown}: read as {}.", decoded.encoding)?;
        }
        let names = ["White", "Black"].map(|tag| for_terminal(game.tag(tag).unwrap_or("?")));
        writeln!(self.out, "{} against {}.\n", names[0], names[1])?;
        if game.unread.count > 0 {
            let note = for_terminal(&game.unread.to_string());
            writeln!(self.out, "{shown}: {note}.\n")?;
        }
        self.begin_loaded(game)
    }

    fn begin_loaded(&mut self, loaded: pdn::Game) -> io::Result<()> {
        let mut game = Game::new(loaded.start);
        loaded
            .plain_moves()
            .into_iter()
            .for_each(|mv| game.play(mv));
        let is_over = game.status() != Status::Playing;
        self.begin(game)?;
        let outcome = loaded.result;
        self.loaded = Some(loaded);
        let why = match outcome {
            Outcome::White => "the file says that white has won",
            Outcome::Black => "the file says that black has won",
            Outcome::Draw => "the file says that it is a draw",
            Outcome::Nobody => "the file says that both have lost",
            Outcome::Unknown => return Ok(()),
        };
        if is_over {
            return Ok(());
        }
        self.ended = Some(Ended {
            outcome,
            why: why.to_owned(),
        });
        self.show_result()
    }

    /// Saves a game that is interrupted to a new file, whatever it takes: at worst it is shown.
    pub(super) fn rescue(&mut self) -> io::Result<()> {
        if !self.is_unsaved || self.game.moves().is_empty() {
            return Ok(());
        }
        let pdn = self.pdn();
        let folders = [self.setting.folder.clone(), std::env::temp_dir()];
        let saved = folders
            .iter()
            .find_map(|folder| save_new(folder, pdn.as_bytes()).ok());
        match saved {
            Some(path) => writeln!(self.out, "The game is saved to {}.", shown(&path)),
            None => {
                writeln!(self.out, "The game cannot be saved:\n")?;
                write!(self.out, "{pdn}")
            }
        }
    }

    fn pdn(&self) -> String {
        match &self.loaded {
            Some(loaded) => self.continued(loaded.clone()).to_string(),
            None => self.played().to_string(),
        }
    }

    /// A game that was played from its beginning in this session.
    fn played(&self) -> pdn::Game {
        let mut game = pdn::Game::new(*self.game.start());
        let name = |player| match (player, self.elo) {
            (PlayerKind::Human, _) => "Human".to_owned(),
            (PlayerKind::Computer, 0) => NAME_AND_VERSION.to_owned(),
            (PlayerKind::Computer, elo) => format!("Damier (level {elo})"),
        };
        let [white, black] = self.setting.players.map(name);
        let tags = [
            ("Event", "Game in the terminal"),
            ("Site", "?"),
            ("Date", &pdn::date(now())),
            ("Round", "-"),
            ("White", &white),
            ("Black", &black),
        ];
        game.tags = tags
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
        game.moves = self.game.moves().iter().map(|&mv| mv.into()).collect();
        game.result = self.result();
        game
    }

    /// The game of a file with the moves made since as its main line.
    fn continued(&self, mut game: pdn::Game) -> pdn::Game {
        let before = game.plain_moves();
        let played = self.game.moves();
        game.set_main_line(played);
        // What was taken back stays in the file, and so does its result.
        let is_old = before.starts_with(played) && self.ended.is_none();
        if !is_old || game.result == Outcome::Unknown {
            game.result = self.result();
        }
        game
    }

    /// How the game stands as a result.
    fn result(&self) -> Outcome {
        match (&self.ended, self.game.status()) {
            (Some(ended), _) => ended.outcome,
            (None, Status::WonBy(color)) => won_by(color),
            (None, Status::Drawn(_)) if !self.plays_on => Outcome::Draw,
            (None, _) => Outcome::Unknown,
        }
    }
}

/// Writes a file with a name that is not there yet.
fn save_new(folder: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let day = pdn::date(now()).replace('.', "-");
    for number in 1..=MOST_NAMES {
        let name = match number {
            1 => format!("damier-{day}.pdn"),
            _ => format!("damier-{day}-{number}.pdn"),
        };
        let path = folder.join(name);
        // Takes the name before anybody else does.
        let reserved = OpenOptions::new().write(true).create_new(true).open(&path);
        match reserved {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        }
        return match files::replace(&path, MAGIC, bytes) {
            Ok(()) => Ok(path),
            Err(error) => {
                let _ = std::fs::remove_file(&path);
                Err(io::Error::other(error))
            }
        };
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Seconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

fn shown(path: &Path) -> String {
    for_terminal(&path.display().to_string())
}
