//! The base of games. A thread of its own reads it, so that neither an engine nor a socket waits for the disk.

use super::messages::{Answer, Line, Occurrence, Wanted};
use super::rules;
use damier_base::{Base, BaseError, ImportSettings, Observer, Order, Search};
use damier_rules::notation::moves;
use damier_rules::notation::pdn::{self, PdnError};
use damier_rules::{Move, Position};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Maximum number of requests of a page that wait for the base.
const MOST_WAITING: usize = 8;
/// Maximum number of games in a list.
const MOST_LISTED: usize = 200;

/// What is done with the base for a request.
pub(super) type Work = Box<dyn FnOnce(&mut Reader) -> Result<Answer, String> + Send>;

/// The thread of the base.
pub(super) struct BaseThread {
    /// The name of the file, without its folder.
    pub name: String,
    tasks: Sender<Task>,
}

struct Task {
    id: u32,
    work: Work,
    answers: UnboundedSender<(u32, Answer)>,
    /// Of a large request.
    _memory: Option<OwnedSemaphorePermit>,
}

impl BaseThread {
    /// Opens the base and starts its thread.
    ///
    /// # Errors
    /// It is not there, no base, locked, damaged, or of a newer version.
    pub fn start(path: PathBuf) -> Result<BaseThread, BaseError> {
        let base = Base::open(path)?;
        // Reads each game once, and so finds coarse damage.
        base.content(0)?;
        let name = base.path().file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let (tasks, received) = channel();
        let reader = Reader {
            base,
            name: name.clone(),
            is_checked: false,
        };
        let thread = thread::Builder::new().name("base".to_owned());
        let spawned = thread.spawn(move || reader.work(&received));
        match spawned {
            Ok(_) => Ok(BaseThread { name, tasks }),
            Err(error) => Err(BaseError {
                path: name.into(),
                kind: error.into(),
            }),
        }
    }
}

/// What a page has asked of the base.
pub(super) struct Asked {
    sender: UnboundedSender<(u32, Answer)>,
    answers: UnboundedReceiver<(u32, Answer)>,
    waiting: usize,
}

impl Asked {
    pub fn new() -> Asked {
        let (sender, answers) = unbounded_channel();
        Asked {
            sender,
            answers,
            waiting: 0,
        }
    }

    /// Hands a request to the thread.
    ///
    /// # Errors
    /// There is no base, or too many requests of the page wait.
    pub fn ask(
        &mut self,
        thread: Option<&BaseThread>,
        id: u32,
        work: Work,
        memory: Option<OwnedSemaphorePermit>,
    ) -> Result<(), String> {
        let Some(thread) = thread else {
            return Err("no base of games is open: start `damier serve --base FILE`".to_owned());
        };
        if self.waiting == MOST_WAITING {
            return Err(format!(
                "{MOST_WAITING} requests wait for the base: ask again when one is answered"
            ));
        }
        let task = Task {
            id,
            work,
            answers: self.sender.clone(),
            _memory: memory,
        };
        let sent = thread.tasks.send(task);
        sent.map_err(|_| "internal error: the base is closed".to_owned())?;
        self.waiting += 1;
        Ok(())
    }

    /// The next answer.
    pub async fn answer(&mut self) -> (u32, Answer) {
        match self.answers.recv().await {
            Some(answer) => {
                self.waiting -= 1;
                answer
            }
            None => unreachable!("a sender is kept here"),
        }
    }
}

/// The base, on its thread.
pub(super) struct Reader {
    base: Base,
    name: String,
    /// Whether all pages of the file were checked, as before an import.
    is_checked: bool,
}

impl Reader {
    fn work(mut self, tasks: &Receiver<Task>) {
        for task in tasks {
            // Those of pages that are gone are left out.
            if task.answers.is_closed() {
                continue;
            }
            let answer = (task.work)(&mut self);
            let answer = answer.unwrap_or_else(|message| Answer::Error { message });
            // The page may have gone meanwhile.
            let _ = task.answers.send((task.id, answer));
        }
    }

    /// An error without the folder of the base.
    fn said(&self, error: &BaseError) -> String {
        format!("{}: {}", self.name, error.kind)
    }

    pub fn content(&self) -> Result<Answer, String> {
        let content = self.base.content(0).map_err(|error| self.said(&error))?;
        let name = self.name.clone();
        Ok(Answer::Base { name, content })
    }

    pub fn list(&self, search: &Search, offset: usize, limit: usize) -> Result<Answer, String> {
        let part = offset..offset.saturating_add(limit.min(MOST_LISTED));
        let found = self.base.list(search, part);
        found
            .map(Answer::BaseGames)
            .map_err(|error| self.said(&error))
    }

    pub fn explore(&self, search: &Search, position: &Position) -> Result<Answer, String> {
        let explored = self.base.explore(search, position);
        explored
            .map(Answer::BaseExplored)
            .map_err(|error| self.said(&error))
    }

    pub fn game(&self, game: i64) -> Result<Answer, String> {
        let header = self.base.header(game).map_err(|error| self.said(&error))?;
        let pdn = self.base.pdn(game).map_err(|error| self.said(&error))?;
        Ok(Answer::BaseGame { header, pdn })
    }

    pub fn import(
        &mut self,
        name: &str,
        text: &str,
        collection: Option<String>,
    ) -> Result<Answer, String> {
        let settings = ImportSettings {
            unchecked: self.is_checked,
            collection: collection.filter(|name| !name.trim().is_empty()),
            ..ImportSettings::default()
        };
        let mut first = FirstFault(None);
        let imported = Base::create(self.base.path())
            .and_then(|mut base| base.import(name, text.as_bytes(), &settings, &mut first));
        let imported = imported.map_err(|error| self.said(&error))?;
        self.is_checked = true;
        if imported.games + imported.duplicates + imported.left_out == 0 {
            return Err(format!("no game in {name}"));
        }
        Ok(Answer::BaseImported {
            games: imported.games,
            duplicates: imported.duplicates,
            left_out: imported.left_out,
            error: first.0,
        })
    }
}

/// Why the first game of an import cannot be read.
struct FirstFault(Option<String>);

impl Observer for FirstFault {
    fn left_out(&mut self, error: &PdnError) {
        self.0.get_or_insert_with(|| error.to_string());
    }
}

/// The position after a line.
pub(super) fn position(line: &Line) -> Result<Position, String> {
    let game = rules::game(line).map_err(|error| error.to_string())?;
    Ok(*game.position())
}

/// Those of some games that had a position, each when it had it first. A text without a game has none.
pub(super) fn with_position(games: &[String], wanted: &Position) -> Vec<Occurrence> {
    let occurrence = |(index, text): (usize, &String)| {
        let game = pdn::read(text).next()?.ok()?;
        let mut position = game.start;
        let mut moves = game.moves.iter();
        let mut ply = 0;
        while position != *wanted {
            position = position.play(moves.next()?.mv);
            ply += 1;
        }
        Some(Occurrence { index, ply })
    };
    games.iter().enumerate().filter_map(occurrence).collect()
}

/// The search for these games.
pub(super) fn search(wanted: Wanted) -> Result<Search, String> {
    Ok(Search {
        result: read("result", wanted.result.as_deref())?,
        from: read("date", wanted.from.as_deref())?,
        to: read("date", wanted.to.as_deref())?,
        material: read("pieces", wanted.material.as_deref())?,
        opening: opening(wanted.opening.as_deref().unwrap_or_default())?,
        players: wanted.players,
        white: wanted.white,
        black: wanted.black,
        event: wanted.event,
        collection: wanted.collection,
        position: None,
        order: Order::Stored,
    })
}

fn read<T: std::str::FromStr<Err: Display>>(
    what: &str,
    text: Option<&str>,
) -> Result<Option<T>, String> {
    let value = text.map(str::parse).transpose();
    value.map_err(|error: T::Err| format!("{what}: {error}"))
}

fn opening(text: &str) -> Result<Vec<Move>, String> {
    moves::parse_line(&Position::start(), text).map_err(|error| format!("opening: {error}"))
}
