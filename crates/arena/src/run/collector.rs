//! Records and counts the games of a match.
//!
//! Games end in any order. Each is written to the journal at once, but counted (standings, PDN, SPRT) in the order of
//! the schedule, so that the results depend only on the games.

use super::error::MatchError;
use super::progress::{ProgressEvent, ProgressReporter};
use super::result::{BrokenEngine, MatchEnd, MatchResult};
use super::worker::WorkerEvent;
use crate::live::{LiveFile, LiveGames};
use crate::plan::MatchPlan;
use crate::record::journal::{ExistingFiles, MatchJournal};
use crate::record::pdn_file::PdnFile;
use crate::record::{GameId, GameRecord, RecordError, score_sheet};
use crate::schedule::GamePair;
use crate::standings::Standings;
use crate::standings::statistics::Sprt;
use damier_os::files::place;
use damier_os::signals;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Interval between checks for an interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Refuses a journal with more games than the match has now: the PDN file would lose the rest.
fn check_not_longer(
    path: &Path,
    journal: &MatchJournal,
    plan: &MatchPlan,
) -> Result<(), RecordError> {
    let schedule = &plan.schedule;
    match journal.games().map(GameId::pair).max() {
        Some(last) if last >= schedule.pairs() => {
            let round = last / schedule.pairings().len().max(1) as u64;
            Err(RecordError::Longer {
                path: path.to_owned(),
                games: 2 * (round + 1),
            })
        }
        _ => Ok(()),
    }
}

pub(super) struct ResultCollector<'a> {
    plan: &'a MatchPlan,
    journal: Option<MatchJournal>,
    pdn: Option<PdnFile>,
    live: Option<LiveFile>,
    standings: Standings,
    progress: ProgressReporter<'a>,
    /// The next game to count.
    next: GameId,
    /// Without a journal: finished games that wait for an earlier one to end.
    waiting: BTreeMap<GameId, Box<GameRecord>>,
    began: Instant,
    played_now: u64,
    /// The games in the journal at the start.
    played: HashSet<GameId>,
    restarts: Vec<u64>,
    warnings: Vec<String>,
    /// Engines that cannot begin a game (the others play on), and the first of them.
    left_out: Vec<usize>,
    broken: Option<BrokenEngine>,
    /// The pair of the last game counted.
    pair: Option<(u64, GamePair)>,
    /// Where the sequential test ended: later games do not count.
    decided: Option<Sprt>,
}

impl<'a> ResultCollector<'a> {
    pub(super) fn new(
        plan: &'a MatchPlan,
        report: &'a mut dyn FnMut(ProgressEvent<'_>),
    ) -> Result<ResultCollector<'a>, MatchError> {
        let mut collector = ResultCollector {
            plan,
            journal: None,
            pdn: None,
            live: None,
            standings: Standings::new(&plan.schedule, plan.engines.len()),
            progress: ProgressReporter::new(report),
            next: GameId(0),
            waiting: BTreeMap::new(),
            began: Instant::now(),
            played_now: 0,
            played: HashSet::new(),
            restarts: vec![0; plan.engines.len()],
            warnings: Vec::new(),
            left_out: Vec::new(),
            broken: None,
            pair: None,
            decided: None,
        };
        match collector.open_files() {
            Ok(()) => Ok(collector),
            Err(error) => {
                if let Some(journal) = collector.journal {
                    journal.discard_if_new();
                }
                Err(error.into())
            }
        }
    }

    fn open_files(&mut self) -> Result<(), RecordError> {
        let files = &self.plan.files;
        let pdn = files.pdn.as_deref().map(place);
        let has_text =
            |path: &&PathBuf| fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() > 0);
        let old_pdn = pdn.as_ref().filter(has_text);
        if let (Some(pdn), ExistingFiles::Refuse) = (old_pdn, files.existing) {
            return Err(RecordError::Exists(pdn.clone()));
        }
        if let Some(path) = &files.journal {
            let journal = MatchJournal::open(path, &self.plan.settings, files.existing)?;
            let journal = self.journal.insert(journal);
            check_not_longer(path, journal, self.plan)?;
            self.played = journal.games().collect();
        }
        if let (Some(pdn), ExistingFiles::Resume, true) =
            (old_pdn, files.existing, self.played.is_empty())
        {
            return Err(RecordError::NotInJournal(pdn.clone()));
        }
        pdn.map_or(Ok(()), |path| {
            self.begin_pdn(&path)?;
            self.live = LiveFile::beside(&path);
            Ok(())
        })
    }

    /// The number of games that were in the journal at the start.
    pub(super) fn take_played(&mut self) -> HashSet<GameId> {
        std::mem::take(&mut self.played)
    }

    /// Writes the counted games of the journal to a new PDN file and moves it to its path, so that the file is complete
    /// after any interruption. A file with other games is left alone.
    fn begin_pdn(&mut self, path: &Path) -> Result<(), RecordError> {
        let has_text = self.pdn.insert(PdnFile::begin(path)?).replaces_text()?;
        self.count()?;
        let counted = self.pdn.as_ref().map_or(Ok(0), PdnFile::length)?;
        match self.plan.files.existing {
            // The file appeared between the first check and the lock.
            ExistingFiles::Refuse if has_text => return Err(RecordError::Exists(path.to_owned())),
            ExistingFiles::Resume if has_text => {
                self.each_uncounted(Self::write_pdn)?;
                let continues = self.pdn.as_mut().map(|pdn| pdn.continues_earlier(counted));
                if !continues.unwrap_or(Ok(true))? {
                    return Err(RecordError::OtherGames(path.to_owned()));
                }
            }
            _ => {}
        }
        self.pdn.as_mut().map_or(Ok(()), |pdn| pdn.publish(counted))
    }

    /// Calls `each` with every finished game that waits for an earlier one, in order.
    fn each_uncounted(
        &mut self,
        each: fn(&mut Self, &GameRecord) -> Result<(), RecordError>,
    ) -> Result<(), RecordError> {
        let ids: Vec<GameId> = match &self.journal {
            Some(journal) => journal.games().collect(),
            None => self.waiting.keys().copied().collect(),
        };
        for id in ids {
            self.set_pair(id);
            let Some((_, pair)) = &self.pair else {
                continue;
            };
            let game = match &mut self.journal {
                Some(journal) => journal.peek(id, &pair.opening.position())?,
                None => self.waiting.remove(&id).map(|game| *game),
            };
            if let Some(game) = game {
                each(self, &game)?;
            }
        }
        Ok(())
    }

    /// Sets `pair` to the pair of a game; None if the schedule has no such game.
    fn set_pair(&mut self, id: GameId) {
        let is_set = self
            .pair
            .as_ref()
            .is_some_and(|(number, _)| *number == id.pair());
        if !is_set {
            let pair = self.plan.schedule.pair(id.pair());
            self.pair = pair.map(|pair| (id.pair(), pair));
        }
    }

    /// Handles the workers' events until they are done or the match ends early.
    pub(super) fn collect(
        &mut self,
        events: &Receiver<WorkerEvent>,
        live: &LiveGames,
    ) -> Result<MatchEnd, MatchError> {
        let mut end = self.count()?;
        while end.is_none() {
            if signals::asked_to_end() {
                self.add_last(events)?;
                return Ok(MatchEnd::Interrupted);
            }
            match events.recv_timeout(POLL_INTERVAL) {
                Ok(WorkerEvent::Broken(engine, fault, lines)) => {
                    let name = self.plan.engines[engine].name.clone();
                    let broken = BrokenEngine { name, fault, lines };
                    if self.plan.engines.len() == 2 {
                        self.add_last(events)?;
                        return Ok(MatchEnd::Broken(broken));
                    }
                    self.leave_out(engine, broken);
                    self.count()?;
                }
                Ok(event) => end = self.handle(event)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let broken = self.broken.take();
                    return Ok(broken.map_or(MatchEnd::Complete, MatchEnd::Broken));
                }
            }
            if end.is_none() {
                self.progress.update(&self.standings, self.plan);
                let (played, total) = (self.standings.games, self.plan.games());
                let goes_on = |file: &mut LiveFile| file.update(live, played, total);
                if !self.live.as_mut().is_none_or(goes_on) {
                    self.live = None;
                }
            }
        }
        Ok(end.unwrap_or(MatchEnd::Complete))
    }

    fn handle(&mut self, event: WorkerEvent) -> Result<Option<MatchEnd>, RecordError> {
        match event {
            WorkerEvent::Game(game) => {
                self.add(game)?;
                return self.count();
            }
            WorkerEvent::Restarted(engine, fault) => {
                log::warn!("{}: {fault}", self.plan.engines[engine].name);
                self.restarts[engine] += 1;
            }
            WorkerEvent::Warning(engine, what) => {
                let name = &self.plan.engines[engine].name;
                self.warn(format!("{name} {what}"));
            }
            WorkerEvent::Broken(..) => {}
        }
        Ok(None)
    }

    /// Plays on without an engine.
    fn leave_out(&mut self, engine: usize, broken: BrokenEngine) {
        if self.left_out.contains(&engine) {
            return;
        }
        let (name, fault) = (&broken.name, &broken.fault);
        self.warn(format!(
            "{name} cannot begin a game; its other games are skipped: {fault}"
        ));
        self.left_out.push(engine);
        self.broken.get_or_insert(broken);
    }

    /// Writes a game to the journal.
    fn add(&mut self, game: Box<GameRecord>) -> Result<(), RecordError> {
        self.played_now += 1;
        match &mut self.journal {
            Some(journal) => journal.append(&game)?,
            None => _ = self.waiting.insert(game.id, game),
        }
        Ok(())
    }

    /// Adds the finished games that are still in the queue.
    fn add_last(&mut self, events: &Receiver<WorkerEvent>) -> Result<(), RecordError> {
        for event in events.try_iter() {
            if let WorkerEvent::Game(game) = event {
                self.add(game)?;
            }
        }
        Ok(())
    }

    /// Reports warnings that the user should see, once each.
    fn warn(&mut self, what: String) {
        if !self.warnings.contains(&what) {
            log::warn!("{what}");
            self.progress.warn(&what);
            self.warnings.push(what);
        }
    }

    /// Counts the games that are next in order; returns why the match ends if the sequential test has ended.
    fn count(&mut self) -> Result<Option<MatchEnd>, RecordError> {
        loop {
            if let Some(sprt) = self.decided {
                return Ok(Some(MatchEnd::Sprt(sprt)));
            }
            let id = self.next;
            self.set_pair(id);
            let Some((_, pair)) = &self.pair else {
                return Ok(None);
            };
            let game = match &mut self.journal {
                Some(journal) => journal.take(id, &pair.opening.position())?,
                None => self.waiting.remove(&id).map(|game| *game),
            };
            if let Some(game) = game {
                self.standings.add(pair, &game);
                self.write_pdn(&game)?;
                if id.leg() == 1 {
                    self.decided = self.test();
                }
            } else if self.plan.shard.holds(id.pair())
                && !pair
                    .engines
                    .iter()
                    .any(|engine| self.left_out.contains(engine))
            {
                return Ok(None);
            }
            // A game of an excluded engine may still be in progress: it is counted at the end.
            self.next = GameId(id.0 + 1);
        }
    }

    fn test(&self) -> Option<Sprt> {
        let bounds = self.plan.sprt?;
        let pairing = *self.plan.schedule.pairings().first()?;
        let sprt = self.standings.against(pairing).sprt(bounds);
        sprt.verdict.is_some().then_some(sprt)
    }

    fn write_pdn(&mut self, game: &GameRecord) -> Result<(), RecordError> {
        let (Some(pdn), Some((_, pair))) = (&mut self.pdn, &self.pair) else {
            return Ok(());
        };
        let seats = pair.seats(game.id.leg());
        let names = seats.map(|seat| self.plan.engines[seat].name.as_str());
        let levels = seats.map(|seat| self.plan.levels[seat]);
        let sheet = score_sheet::game(pair, game, names, levels);
        pdn.write(sheet.to_string().as_bytes())
    }

    /// Syncs everything to disk. If the match was cut short, games after a missing one are counted too.
    pub(super) fn finish(
        &mut self,
        result: Result<MatchEnd, MatchError>,
    ) -> Result<MatchEnd, MatchError> {
        let mut result = result;
        if let Ok(MatchEnd::Interrupted | MatchEnd::Broken(_)) = &result {
            let counted = self.each_uncounted(|collector, game| {
                if let Some((_, pair)) = &collector.pair {
                    collector.standings.add(pair, game);
                }
                collector.write_pdn(game)
            });
            result = result.and_then(|end| counted.map(|()| end).map_err(MatchError::from));
        }
        let journal = self.journal.as_mut().map_or(Ok(()), MatchJournal::sync);
        let pdn = self.pdn.as_ref().map_or(Ok(()), PdnFile::sync);
        self.standings.close();
        let end = result?;
        journal.and(pdn)?;
        Ok(end)
    }

    pub(super) fn into_result(self, end: MatchEnd) -> MatchResult {
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
