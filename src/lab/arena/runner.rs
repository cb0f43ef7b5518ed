//! A whole match: workers play, one thread writes down and counts.
//!
//! Games end in any order. Each goes into the journal at once, and is counted (standings, PDN, SPRT) in the order of the
//! schedule, so that what comes out depends on nothing but the games.

use super::journal::{Existing, Journal, JournalError};
use super::pin::{self, PinError};
use super::player::{Fault, Level};
use super::progress::{Progress, Teller};
use super::record::{GameId, GameRecord};
use super::referee::Terms;
use super::schedule::{Pair, Schedule};
use super::score_sheet;
use super::spec::EngineSpec;
use super::standings::Standings;
use super::statistics::{Bounds, Sprt};
use super::worker::{Event, Shared, Worker};
use crate::endgame::Tables;
use crate::os::process as os;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How many finished games may wait to be written down.
const MAX_WAITING: usize = 64;
/// How often to look whether the user wants an end.
const LOOK: Duration = Duration::from_millis(100);

/// Where a match is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// Games as PDN.
    pub pdn: Option<PathBuf>,
    /// What the match goes on from after an end.
    pub journal: Option<PathBuf>,
    /// What to do with files that are there.
    pub existing: Existing,
}

/// A match to play.
#[derive(Clone, Debug)]
pub struct Match {
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// The level of each.
    pub levels: Vec<Level>,
    /// Who meets whom from what.
    pub schedule: Schedule,
    /// What ends games.
    pub terms: Terms,
    /// Men and plies of scores that decide a game, where they may.
    pub agreement: Option<(f64, u32)>,
    /// Endgame tables that end games, if any are to.
    pub tables: Option<Arc<Tables>>,
    /// Games at once.
    pub concurrency: NonZeroUsize,
    /// Whether each game has cores of its own.
    pub pin: bool,
    /// The test that ends the match.
    pub sprt: Option<Bounds>,
    /// Where it is written.
    pub files: Files,
    /// All that decides which games are played, for the journal: an object.
    pub settings: Value,
}

/// Why a match did not end as it should.
#[derive(Debug)]
pub enum MatchError {
    /// The journal.
    Journal(JournalError),
    /// The PDN file.
    Pdn(PathBuf, io::Error),
    /// Cores.
    Pin(PinError),
    /// A thread could not be started.
    Thread(io::Error),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Journal(error) => error.fmt(f),
            MatchError::Pdn(path, error) => write!(f, "{}: {error}", path.display()),
            MatchError::Pin(error) => error.fmt(f),
            MatchError::Thread(error) => write!(f, "no thread for a game: {error}"),
        }
    }
}

impl std::error::Error for MatchError {}

impl From<JournalError> for MatchError {
    fn from(error: JournalError) -> MatchError {
        MatchError::Journal(error)
    }
}

/// An engine that could not begin a game, however often it was started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Its name.
    pub name: String,
    /// Why, the last time.
    pub fault: Fault,
    /// The last lines exchanged.
    pub lines: Vec<String>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} cannot begin a game, three times in a row: {}",
            self.name, self.fault
        )?;
        let mut lines = self.lines.iter();
        lines.try_for_each(|line| write!(f, "\n    {line}"))
    }
}

/// Why no more games were played.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// All were.
    Complete,
    /// The test came to an end.
    Sprt(Sprt),
    /// The user wanted it.
    Interrupted,
    /// An engine cannot be started any more.
    Broken(Broken),
}

/// What a match came to.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The results.
    pub standings: Standings,
    /// Why it ended.
    pub end: End,
    /// Time since this run began.
    pub elapsed: Duration,
    /// Games that this run played; the others came from the journal.
    pub played_now: u64,
    /// How often engines had to be started again before they could begin a game.
    pub restarts: Vec<u64>,
    /// Whether the journal had lines that could not be read, whose games were played again.
    pub journal_damaged: bool,
}

impl Match {
    /// Whether games are likely to be copies of earlier ones, which no interval and no test allows for: the same openings
    /// again, with searches that nothing but their size limits.
    pub fn repeats_games(&self) -> bool {
        let is_fixed = |level: &Level| matches!(level, Level::Nodes(_) | Level::Depth(_));
        self.schedule.repeats() && self.levels.iter().all(is_fixed)
    }

    /// Plays the match. `each` is told now and then how far it is.
    ///
    /// # Errors
    /// A file cannot be written, or there are too few cores or threads. What was played is in the journal.
    pub fn play<'a>(
        &'a self,
        each: &'a mut dyn FnMut(&Progress),
    ) -> Result<MatchResult, MatchError> {
        let games = usize::from(self.concurrency);
        let cores = match self.pin {
            true => Some(pin::cores(&self.engines, games).map_err(MatchError::Pin)?),
            false => None,
        };
        let mut keeper = Keeper::new(self, each)?;
        let shared = Shared {
            next: AtomicU64::new(0),
            played: std::mem::take(&mut keeper.played),
            stop: Arc::new(AtomicBool::new(false)),
        };
        let (sender, events) = sync_channel(MAX_WAITING);
        // A worker plays pairs: more of them than there are pairs would find nothing to do.
        let pairs = usize::try_from(self.schedule.pairs()).unwrap_or(usize::MAX);
        let result = thread::scope(|scope| {
            for index in 0..games.min(pairs) {
                let worker = Worker::new(self, &shared, sender.clone());
                let cores = cores.as_ref().map(|cores| cores[index].clone());
                let body = move || {
                    // Checked before; a worker that is not pinned plays all the same.
                    let _ = cores.map(|cores| os::run_on(&cores));
                    worker.run();
                };
                let builder = thread::Builder::new().name(format!("game {}", index + 1));
                if let Err(error) = builder.spawn_scoped(scope, body) {
                    shared.stop.store(true, Relaxed);
                    return Err(MatchError::Thread(error));
                }
            }
            drop(sender);
            let result = keeper.keep(&events);
            shared.stop.store(true, Relaxed);
            // Workers that wait to tell of a game find nobody listening.
            drop(events);
            result
        });
        let end = keeper.finish(result)?;
        Ok(keeper.into_result(end))
    }
}

/// The file that is meant, so that it is replaced and not a link to it. A device or a pipe would be replaced too, with
/// nothing left of it: that is refused.
fn behind_links(path: &Path) -> Result<PathBuf, MatchError> {
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        let error = io::Error::other("not a regular file");
        return Err(MatchError::Pdn(path.to_owned(), error));
    }
    Ok(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
}

/// Writes down and counts.
struct Keeper<'a> {
    plan: &'a Match,
    journal: Option<Journal>,
    pdn: Option<(PathBuf, File)>,
    standings: Standings,
    teller: Teller<'a>,
    /// The next game to count.
    next: GameId,
    /// Games that are over and wait for an earlier one; without a journal.
    waiting: BTreeMap<GameId, Box<GameRecord>>,
    began: Instant,
    played_now: u64,
    /// Games that were in the journal at the start.
    played: HashSet<GameId>,
    restarts: Vec<u64>,
    /// The pair of the game counted last.
    pair: Option<(u64, Pair)>,
    /// The end of the test: games after it do not count.
    decided: Option<Sprt>,
}

impl<'a> Keeper<'a> {
    fn new(plan: &'a Match, each: &'a mut dyn FnMut(&Progress)) -> Result<Self, MatchError> {
        let files = &plan.files;
        let pdn = files.pdn.as_deref().map(behind_links).transpose()?;
        let is_there = |path: &&PathBuf| fs::metadata(path).is_ok_and(|data| data.len() > 0);
        let old_pdn = pdn.as_ref().filter(is_there);
        if let (Some(pdn), Existing::Refuse) = (old_pdn, files.existing) {
            return Err(JournalError::Exists(pdn.clone()).into());
        }
        let open = |path: &PathBuf| Journal::open(path, &plan.settings, files.existing);
        let journal = files.journal.as_ref().map(open).transpose()?;
        let knows_none = journal
            .as_ref()
            .is_none_or(|journal| journal.games().next().is_none());
        if let (Some(pdn), Existing::Resume, true) = (old_pdn, files.existing, knows_none) {
            return Err(JournalError::Unknown(pdn.clone()).into());
        }
        let played = journal.iter().flat_map(Journal::games).collect();
        let mut keeper = Keeper {
            plan,
            played,
            journal,
            pdn: None,
            standings: Standings::new(&plan.schedule, plan.engines.len()),
            teller: Teller::new(each),
            next: GameId(0),
            waiting: BTreeMap::new(),
            began: Instant::now(),
            played_now: 0,
            restarts: vec![0; plan.engines.len()],
            pair: None,
            decided: None,
        };
        if let Some(path) = &pdn {
            keeper.begin_pdn(path)?;
        }
        Ok(keeper)
    }

    /// Writes the games of the journal, as far as they are counted, beside the file, and puts them in its place: whatever
    /// a sudden end left of it, it is whole again.
    fn begin_pdn(&mut self, path: &Path) -> Result<(), MatchError> {
        let fail = |error| MatchError::Pdn(path.to_owned(), error);
        let mut beside = path.as_os_str().to_owned();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        self.pdn = Some((path.to_owned(), File::create(&beside).map_err(fail)?));
        let counted = self.count();
        let renamed = match counted {
            Ok(_) => fs::rename(&beside, path).map_err(fail),
            Err(error) => Err(error),
        };
        if renamed.is_err() {
            let _ = fs::remove_file(&beside);
        }
        renamed
    }

    /// Takes what the workers tell, until they are done or there is an end.
    fn keep(&mut self, events: &Receiver<Event>) -> Result<End, MatchError> {
        if let Some(end) = self.count()? {
            return Ok(end);
        }
        loop {
            if os::asked_to_end() {
                return Ok(End::Interrupted);
            }
            match events.recv_timeout(LOOK) {
                Ok(Event::Game(game)) => {
                    self.played_now += 1;
                    match &mut self.journal {
                        Some(journal) => journal.append(&game)?,
                        None => _ = self.waiting.insert(game.id, game),
                    }
                    if let Some(end) = self.count()? {
                        return Ok(end);
                    }
                }
                Ok(Event::Restarted(engine, fault)) => {
                    log::warn!("{}: {fault}", self.plan.engines[engine].name);
                    self.restarts[engine] += 1;
                }
                Ok(Event::Broken(engine, fault, lines)) => {
                    let name = self.plan.engines[engine].name.clone();
                    return Ok(End::Broken(Broken { name, fault, lines }));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(End::Complete),
            }
            self.teller.tell(&self.standings, self.plan);
        }
    }

    /// Counts the games whose turn it is; tells when the test has ended.
    fn count(&mut self) -> Result<Option<End>, MatchError> {
        let schedule = &self.plan.schedule;
        loop {
            if let Some(sprt) = self.decided {
                return Ok(Some(End::Sprt(sprt)));
            }
            let id = self.next;
            if self
                .pair
                .as_ref()
                .is_none_or(|(number, _)| *number != id.pair())
            {
                let pair = schedule.pair(id.pair());
                self.pair = pair.map(|pair| (id.pair(), pair));
            }
            let Some((_, pair)) = &self.pair else {
                return Ok(None);
            };
            let game = match &mut self.journal {
                Some(journal) => journal.take(id, &pair.opening.position())?,
                None => self.waiting.remove(&id).map(|game| *game),
            };
            let Some(game) = game else {
                return Ok(None);
            };
            self.standings.add(pair, &game);
            self.next = GameId(id.0 + 1);
            self.write_pdn(&game)?;
            if id.leg() == 1 {
                self.decided = self.test();
            }
        }
    }

    fn test(&self) -> Option<Sprt> {
        let bounds = self.plan.sprt?;
        let pairing = *self.plan.schedule.pairings().first()?;
        let sprt = self.standings.against(pairing).sprt(bounds);
        sprt.verdict.is_some().then_some(sprt)
    }

    fn write_pdn(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        let (Some((path, file)), Some((_, pair))) = (&mut self.pdn, &self.pair) else {
            return Ok(());
        };
        let seats = pair.seats(game.id.leg());
        let names = seats.map(|seat| self.plan.engines[seat].name.as_str());
        let levels = seats.map(|seat| self.plan.levels[seat]);
        let sheet = score_sheet::game(pair, game, names, levels);
        let mut text = Vec::new();
        sheet
            .write(&mut text)
            .and_then(|()| file.write_all(&text))
            .map_err(|error| MatchError::Pdn(path.clone(), error))
    }

    /// Brings everything to the disk, whatever came.
    fn finish(&mut self, result: Result<End, MatchError>) -> Result<End, MatchError> {
        let mut sync = Ok(());
        if let Some(journal) = &mut self.journal {
            let path = self.plan.files.journal.clone().unwrap_or_default();
            let failed = |error| MatchError::Journal(JournalError::Io(path, error));
            sync = journal.sync().map_err(failed);
        }
        if let Some((path, file)) = &self.pdn {
            let synced = file.sync_data();
            sync = sync.and(synced.map_err(|error| MatchError::Pdn(path.clone(), error)));
        }
        self.standings.close();
        let end = result?;
        sync.map(|()| end)
    }

    fn into_result(self, end: End) -> MatchResult {
        MatchResult {
            standings: self.standings,
            end,
            elapsed: self.began.elapsed(),
            played_now: self.played_now,
            restarts: self.restarts,
            journal_damaged: self.journal.is_some_and(|journal| journal.is_damaged()),
        }
    }
}
