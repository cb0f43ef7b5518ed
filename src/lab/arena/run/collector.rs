//! Writes down and counts the games of a match.
//!
//! Games end in any order. Each goes into the journal at once, and is counted (standings, PDN, SPRT) in the order of the
//! schedule, so that what comes out depends on nothing but the games.

use crate::lab::arena::record::journal::{ExistingFiles, Journal, RecordError};
use crate::lab::arena::record::pdn_file::PdnFile;
use crate::lab::arena::record::score_sheet;
use crate::lab::arena::record::{GameId, GameRecord};
use crate::lab::arena::run::progress::{ProgressEvent, ProgressReporter};
use crate::lab::arena::run::worker::WorkerEvent;
use crate::lab::arena::run::{BrokenEngine, MatchEnd, MatchError, MatchPlan, MatchResult};
use crate::lab::arena::schedule::GamePair;
use crate::lab::arena::standings::Standings;
use crate::lab::arena::standings::statistics::Sprt;
use crate::os::signals;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often to look whether the user wants an end.
const LOOK: Duration = Duration::from_millis(100);

/// The file that is meant, so that it is replaced and not a link to it. A device or a pipe would be replaced too, with
/// nothing left of it: that is refused.
fn behind_links(path: &Path) -> Result<PathBuf, MatchError> {
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        let error = io::Error::other("not a regular file");
        return Err(MatchError::Pdn(path.to_owned(), error));
    }
    Ok(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
}

/// Refuses a journal of more games than are asked for now: the PDN file would lose the others.
fn not_longer(path: &Path, journal: &Journal, plan: &MatchPlan) -> Result<(), RecordError> {
    let schedule = &plan.schedule;
    match journal.games().map(GameId::pair).max() {
        Some(last) if last >= schedule.pairs() => {
            let round = last / schedule.pairings().len().max(1) as u64;
            Err(RecordError::Longer(path.to_owned(), 2 * (round + 1)))
        }
        _ => Ok(()),
    }
}

/// Writes down and counts.
pub(super) struct ResultCollector<'a> {
    plan: &'a MatchPlan,
    journal: Option<Journal>,
    pdn: Option<PdnFile>,
    standings: Standings,
    teller: ProgressReporter<'a>,
    /// The next game to count.
    next: GameId,
    /// Games that are over and wait for an earlier one; without a journal.
    waiting: BTreeMap<GameId, Box<GameRecord>>,
    began: Instant,
    played_now: u64,
    /// Games that were in the journal at the start.
    pub played: HashSet<GameId>,
    restarts: Vec<u64>,
    warnings: Vec<String>,
    /// Engines that cannot begin a game, where the others go on, and the first of them.
    left_out: Vec<usize>,
    broken: Option<BrokenEngine>,
    /// The pair of the game counted last.
    pair: Option<(u64, GamePair)>,
    /// The end of the test: games after it do not count.
    decided: Option<Sprt>,
}

impl<'a> ResultCollector<'a> {
    pub fn new(
        plan: &'a MatchPlan,
        each: &'a mut dyn FnMut(ProgressEvent<'_>),
    ) -> Result<Self, MatchError> {
        let files = &plan.files;
        let pdn = files.pdn.as_deref().map(behind_links).transpose()?;
        let is_there = |path: &&PathBuf| fs::metadata(path).is_ok_and(|data| data.len() > 0);
        let old_pdn = pdn.as_ref().filter(is_there);
        if let (Some(pdn), ExistingFiles::Refuse) = (old_pdn, files.existing) {
            return Err(RecordError::Exists(pdn.clone()).into());
        }
        let open = |path: &PathBuf| Journal::open(path, &plan.settings, files.existing);
        let journal = files.journal.as_ref().map(open).transpose()?;
        if let (Some(path), Some(journal)) = (&files.journal, &journal) {
            not_longer(path, journal, plan)?;
        }
        let knows_none = journal
            .as_ref()
            .is_none_or(|journal| journal.games().next().is_none());
        if let (Some(pdn), ExistingFiles::Resume, true) = (old_pdn, files.existing, knows_none) {
            return Err(RecordError::Unknown(pdn.clone()).into());
        }
        let played = journal.iter().flat_map(Journal::games).collect();
        let mut keeper = ResultCollector {
            plan,
            played,
            journal,
            pdn: None,
            standings: Standings::new(&plan.schedule, plan.engines.len()),
            teller: ProgressReporter::new(each),
            next: GameId(0),
            waiting: BTreeMap::new(),
            began: Instant::now(),
            played_now: 0,
            restarts: vec![0; plan.engines.len()],
            warnings: Vec::new(),
            left_out: Vec::new(),
            broken: None,
            pair: None,
            decided: None,
        };
        if let Some(path) = &pdn {
            keeper.begin_pdn(path)?;
        }
        Ok(keeper)
    }

    /// Writes the games of the journal, as far as they are counted, beside the file, and puts them in its place: whatever
    /// a sudden end left of it, it is whole again. A file that is not of these games is left alone.
    fn begin_pdn(&mut self, path: &Path) -> Result<(), MatchError> {
        let fail = |error| MatchError::Pdn(path.to_owned(), error);
        let pdn = self.pdn.insert(PdnFile::begin(path)?);
        // Locked until it is replaced.
        let earlier = pdn.earlier()?;
        let size = earlier
            .as_ref()
            .map_or(Ok(0), |file| file.metadata().map(|data| data.len()));
        let has_games = size.map_err(fail)? > 0;
        self.count()?;
        let counted = self.pdn_length()?;
        if let (Some(earlier), true) = (&earlier, has_games) {
            match self.plan.files.existing {
                ExistingFiles::Replace => {}
                // It came between the first look and the lock.
                ExistingFiles::Refuse => return Err(RecordError::Exists(path.to_owned()).into()),
                ExistingFiles::Resume => {
                    self.each_late(ResultCollector::write_pdn)?;
                    let pdn = self.pdn.as_mut();
                    if !pdn.map_or(Ok(true), |pdn| pdn.continues(earlier, counted))? {
                        return Err(RecordError::OtherGames(path.to_owned()).into());
                    }
                }
            }
        }
        self.pdn.as_mut().map_or(Ok(()), |pdn| pdn.replace(counted))
    }

    fn pdn_length(&self) -> Result<u64, MatchError> {
        self.pdn.as_ref().map_or(Ok(0), PdnFile::length)
    }

    /// Does something with each game that is over and waits for an earlier one, in their order.
    fn each_late(
        &mut self,
        each: fn(&mut Self, &GameRecord) -> Result<(), MatchError>,
    ) -> Result<(), MatchError> {
        let ids: Vec<GameId> = match &self.journal {
            Some(journal) => journal.games().collect(),
            None => self.waiting.keys().copied().collect(),
        };
        for id in ids {
            self.meet(id);
            let Some((_, pair)) = &self.pair else {
                continue;
            };
            let start = pair.opening.position();
            let game = match &mut self.journal {
                Some(journal) => journal.look_at(id, &start)?,
                None => self.waiting.remove(&id).map(|game| *game),
            };
            if let Some(game) = game {
                each(self, &game)?;
            }
        }
        Ok(())
    }

    /// Has the pair of a game; none where the schedule has none.
    fn meet(&mut self, id: GameId) {
        let is_there = self
            .pair
            .as_ref()
            .is_some_and(|(number, _)| *number == id.pair());
        if !is_there {
            let pair = self.plan.schedule.pair(id.pair());
            self.pair = pair.map(|pair| (id.pair(), pair));
        }
    }

    /// Counts the games behind the first that is not over, where no other is to come.
    fn count_late(&mut self) -> Result<(), MatchError> {
        self.each_late(|keeper, game| {
            if let Some((_, pair)) = &keeper.pair {
                keeper.standings.add(pair, game);
            }
            keeper.write_pdn(game)
        })
    }

    /// Takes what the workers tell, until they are done or there is an end.
    pub fn keep(&mut self, events: &Receiver<WorkerEvent>) -> Result<MatchEnd, MatchError> {
        if let Some(end) = self.count()? {
            return Ok(end);
        }
        loop {
            if signals::asked_to_end() {
                self.take_last(events)?;
                return Ok(MatchEnd::Interrupted);
            }
            match events.recv_timeout(LOOK) {
                Ok(WorkerEvent::Game(game)) => {
                    self.take(game)?;
                    if let Some(end) = self.count()? {
                        return Ok(end);
                    }
                }
                Ok(WorkerEvent::Restarted(engine, fault)) => {
                    log::warn!("{}: {fault}", self.plan.engines[engine].name);
                    self.restarts[engine] += 1;
                }
                Ok(WorkerEvent::Warning(engine, what)) => {
                    let name = &self.plan.engines[engine].name;
                    self.warn(format!("{name} {what}"));
                }
                Ok(WorkerEvent::Broken(engine, fault, lines)) => {
                    let name = self.plan.engines[engine].name.clone();
                    let broken = BrokenEngine { name, fault, lines };
                    if self.plan.engines.len() == 2 {
                        self.take_last(events)?;
                        return Ok(MatchEnd::Broken(broken));
                    }
                    self.leave_out(engine, broken);
                    self.count()?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let broken = self.broken.take();
                    return Ok(broken.map_or(MatchEnd::Complete, MatchEnd::Broken));
                }
            }
            self.teller.tell(&self.standings, self.plan);
        }
    }

    /// Goes on without an engine.
    fn leave_out(&mut self, engine: usize, broken: BrokenEngine) {
        if self.left_out.contains(&engine) {
            return;
        }
        let (name, fault) = (&broken.name, &broken.fault);
        self.warn(format!(
            "{name} cannot begin a game, and its other games are left out: {fault}"
        ));
        self.left_out.push(engine);
        self.broken.get_or_insert(broken);
    }

    /// Writes a game down.
    fn take(&mut self, game: Box<GameRecord>) -> Result<(), MatchError> {
        self.played_now += 1;
        match &mut self.journal {
            Some(journal) => journal.append(&game)?,
            None => _ = self.waiting.insert(game.id, game),
        }
        Ok(())
    }

    /// Takes the games that are over and not taken yet.
    fn take_last(&mut self, events: &Receiver<WorkerEvent>) -> Result<(), MatchError> {
        for event in events.try_iter() {
            if let WorkerEvent::Game(game) = event {
                self.take(game)?;
            }
        }
        Ok(())
    }

    /// Tells what the user should look at, once.
    fn warn(&mut self, what: String) {
        if !self.warnings.contains(&what) {
            log::warn!("{what}");
            self.teller.warn(&what);
            self.warnings.push(what);
        }
    }

    /// Counts the games whose turn it is; tells when the test has ended.
    fn count(&mut self) -> Result<Option<MatchEnd>, MatchError> {
        loop {
            if let Some(sprt) = self.decided {
                return Ok(Some(MatchEnd::Sprt(sprt)));
            }
            let id = self.next;
            self.meet(id);
            let Some((_, pair)) = &self.pair else {
                return Ok(None);
            };
            let game = match &mut self.journal {
                Some(journal) => journal.take(id, &pair.opening.position())?,
                None => self.waiting.remove(&id).map(|game| *game),
            };
            let Some(game) = game else {
                // One that is in flight all the same is counted at the end.
                if pair
                    .engines
                    .iter()
                    .any(|engine| self.left_out.contains(engine))
                {
                    self.next = GameId(id.0 + 1);
                    continue;
                }
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
        let (Some(pdn), Some((_, pair))) = (&mut self.pdn, &self.pair) else {
            return Ok(());
        };
        let seats = pair.seats(game.id.leg());
        let names = seats.map(|seat| self.plan.engines[seat].name.as_str());
        let levels = seats.map(|seat| self.plan.levels[seat]);
        let sheet = score_sheet::game(pair, game, names, levels);
        let mut text = Vec::new();
        // Into memory: nothing can fail.
        let _ = sheet.write(&mut text);
        pdn.write(&text)
    }

    /// Brings everything to the disk, whatever came.
    pub fn finish(&mut self, result: Result<MatchEnd, MatchError>) -> Result<MatchEnd, MatchError> {
        let result = match result {
            Ok(end @ (MatchEnd::Interrupted | MatchEnd::Broken(_))) => {
                self.count_late().map(|()| end)
            }
            other => other,
        };
        let mut sync = Ok(());
        if let Some(journal) = &mut self.journal {
            let path = self.plan.files.journal.clone().unwrap_or_default();
            let failed = |error| MatchError::Journal(RecordError::Io(path, error));
            sync = journal.sync().map_err(failed);
        }
        if let Some(pdn) = &self.pdn {
            sync = sync.and(pdn.sync());
        }
        self.standings.close();
        let end = result?;
        sync.map(|()| end)
    }

    pub fn into_result(self, end: MatchEnd) -> MatchResult {
        MatchResult {
            standings: self.standings,
            end,
            elapsed: self.began.elapsed(),
            played_now: self.played_now,
            restarts: self.restarts,
            warnings: self.warnings,
            journal_damaged: self.journal.is_some_and(|journal| journal.is_damaged()),
        }
    }
}
