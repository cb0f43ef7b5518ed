//! Matches between variants of the engine, played by the arena: from three-move ballots, each with both colours.

use super::{Plan, Variant};
use crate::LabError;
use damier_arena::level::GameLevel;
use damier_arena::plan::{MatchFiles, MatchPlan};
use damier_arena::players::process::Launch;
use damier_arena::record::GameRecord;
use damier_arena::record::journal::{self, ExistingFiles};
use damier_arena::referee::GameLimits;
use damier_arena::run::progress::ProgressEvent;
use damier_arena::run::{self, MatchEnd};
use damier_arena::schedule::openings::{self, Opening, OpeningSource};
use damier_arena::schedule::{Format, GamePair, Schedule, ScheduleSettings};
use damier_arena::spec::{Connection, EngineSpec};
use damier_arena::standings::statistics::{Tally, score_of};
use damier_arena::standings::{DetectionStats, Standings};
use damier_endgame::Tables;
use damier_engine::Options;
use damier_os::shard::Shard;
use serde_json::json;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Seed of the order of the ballots.
const SEED: u64 = 1;
/// Longer games are drawn.
const MAX_MOVES: u32 = 200;

/// How matches are played.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchConditions {
    /// The program that plays: it is started with the argument `hub`.
    pub program: PathBuf,
    /// The level of each move.
    pub level: GameLevel,
    /// Games of each pairing, an even number. None: every ballot with both colours.
    pub games: Option<u64>,
    /// A folder for journals, from which interrupted matches continue.
    pub folder: Option<PathBuf>,
    /// Number of games in parallel.
    pub concurrency: NonZeroUsize,
}

impl MatchConditions {
    /// Games of a pairing from the openings of these conditions.
    ///
    /// # Errors
    /// As [`MatchConditions::openings`], and where games would repeat.
    pub(super) fn games(&self) -> Result<u64, LabError> {
        let openings = self.openings()?.len();
        refuse_repeated(self.games, openings, [self.level; 2])?;
        Ok(self.games.unwrap_or(2 * openings as u64))
    }

    /// The three-move ballots: all 494 lines, or at a level that repeats a game from the same position only the 331
    /// that do not transpose.
    ///
    /// # Errors
    /// The ballots in the program are damaged.
    pub(super) fn openings(&self) -> Result<Vec<Opening>, LabError> {
        let loaded = match repeats_games(self.level) {
            true => openings::load(&OpeningSource::ThreeMove),
            false => openings::ballot_lines(),
        };
        loaded.map_err(LabError::step)
    }
}

/// Refuses more games than openings with both colours, where both players repeat theirs.
fn refuse_repeated(
    games: Option<u64>,
    openings: usize,
    levels: [GameLevel; 2],
) -> Result<(), LabError> {
    let different = 2 * openings as u64;
    match games {
        Some(games) if games > different && levels.into_iter().all(repeats_games) => {
            Err(LabError::Repeated { games, different })
        }
        _ => Ok(()),
    }
}

/// Whether two games from the same position are the same at this level.
fn repeats_games(level: GameLevel) -> bool {
    match level {
        GameLevel::Nodes(_) | GameLevel::Depth(_) => true,
        GameLevel::MoveTime(_) | GameLevel::Clock { .. } => false,
    }
}

/// Who plays.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Contender {
    pub player: Player,
    pub level: GameLevel,
}

/// A variant of this engine, or another engine.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Player {
    Variant(Variant),
    Guest(EngineSpec),
}

impl Contender {
    pub fn new(variant: Variant, level: GameLevel) -> Contender {
        Contender {
            player: Player::Variant(variant),
            level,
        }
    }

    /// A guest plays at its own level, if it has one.
    pub fn guest(engine: EngineSpec, level: GameLevel) -> Contender {
        Contender {
            level: engine.level.unwrap_or(level),
            player: Player::Guest(engine),
        }
    }

    pub fn name(&self) -> &str {
        match &self.player {
            Player::Variant(variant) => &variant.name,
            Player::Guest(engine) => &engine.name,
        }
    }
}

/// The result of a match, as of its first player.
pub(super) struct MatchScore {
    pub tally: Tally,
    /// What each player detected.
    pub detections: [DetectionStats; 2],
    /// Games in which both had a decisive detection: won, drawn, lost.
    pub both_decisive: [u64; 3],
}

impl MatchScore {
    fn of(standings: &Standings) -> MatchScore {
        MatchScore {
            tally: *standings.against((0, 1)),
            detections: [0, 1].map(|engine| standings.engines[engine].detections),
            both_decisive: standings.both_decisive,
        }
    }
}

/// Plays matches, one after another.
pub(super) struct Matches<'a> {
    conditions: &'a MatchConditions,
    base: &'a Options,
    openings: Vec<Opening>,
    tables: Arc<Tables>,
}

impl<'a> Matches<'a> {
    /// Matches between variants of `base`.
    pub fn new(conditions: &'a MatchConditions, base: &'a Options) -> Result<Self, LabError> {
        Matches::from_openings(conditions, base, conditions.openings()?)
    }

    /// A set of matches from these openings.
    pub fn from_openings(
        conditions: &'a MatchConditions,
        base: &'a Options,
        openings: Vec<Opening>,
    ) -> Result<Self, LabError> {
        Ok(Matches {
            conditions,
            base,
            openings,
            tables: Tables::open(None).map_err(damier_engine::EngineError::from)?,
        })
    }

    /// Games of a match.
    pub fn games(&self) -> u64 {
        let ballots = 2 * self.openings.len() as u64;
        self.conditions.games.unwrap_or(ballots)
    }

    /// Whether a match can be played without repeating a game.
    ///
    /// # Errors
    /// It cannot.
    pub fn check(&self, players: [&Contender; 2]) -> Result<(), LabError> {
        let levels = players.map(|player| player.level);
        refuse_repeated(self.conditions.games, self.openings.len(), levels)
    }

    /// Plays a match; `progress` is told how many of its games are over.
    pub fn play(
        &self,
        players: [&Contender; 2],
        progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
    ) -> Result<MatchScore, LabError> {
        self.check(players)?;
        if let Some(folder) = &self.conditions.folder {
            let fail = |error| LabError::Read {
                file: folder.display().to_string(),
                error,
            };
            fs::create_dir_all(folder).map_err(fail)?;
        }
        let plan = self.plan(players)?;
        let games = plan.games() as usize;
        let mut failed = None;
        let result = run::play(&plan, &mut |event| match event {
            ProgressEvent::Progress(done) => {
                let told = progress(done.done as usize);
                failed = failed.take().or(told.err());
            }
            ProgressEvent::Warning(what) => log::warn!("{what}"),
        });
        let result = result.map_err(LabError::step)?;
        match (failed, result.end) {
            (Some(error), _) => Err(error),
            (None, MatchEnd::Broken(engine)) => Err(LabError::Step(engine.to_string().into())),
            (None, MatchEnd::Interrupted) => Err(LabError::Interrupted),
            (None, MatchEnd::Complete | MatchEnd::Sprt(_)) => {
                progress(games)?;
                Ok(MatchScore::of(&result.standings))
            }
        }
    }

    fn plan(&self, players: [&Contender; 2]) -> Result<MatchPlan, LabError> {
        Ok(MatchPlan {
            engines: vec![self.engine(players[0])?, self.engine(players[1])?],
            levels: players.iter().map(|player| player.level).collect(),
            schedule: self.schedule(),
            shard: Shard::WHOLE,
            limits: GameLimits {
                max_moves: Some(MAX_MOVES),
                margin: Duration::from_secs(1),
                patience: Duration::from_secs(60),
            },
            agreement: None,
            tables: Some(Arc::clone(&self.tables)),
            concurrency: self.conditions.concurrency,
            pin: false,
            sprt: None,
            files: MatchFiles {
                pdn: None,
                journal: self.journal(players),
                existing: ExistingFiles::Resume,
            },
            settings: self.settings(players)?,
        })
    }

    /// What the journal of a match says of it.
    fn settings(&self, players: [&Contender; 2]) -> Result<serde_json::Value, LabError> {
        let [first, second] = [self.engine(players[0])?, self.engine(players[1])?];
        Ok(json!({
            "experiment": title(players),
            "engines": [first.to_string(), second.to_string()],
            "levels": players.map(|player| player.level.to_string()),
            "openings": self.openings.len(),
            "seed": SEED,
        }))
    }

    fn schedule(&self) -> Schedule {
        let settings = ScheduleSettings {
            format: Format::RoundRobin,
            engines: 2,
            random_plies: 0,
            seed: SEED,
            rounds: self.conditions.games.map(|games| games / 2),
        };
        Schedule::new(self.openings.clone(), &settings)
    }

    /// The journal of a match.
    fn journal(&self, players: [&Contender; 2]) -> Option<PathBuf> {
        let name = format!("{}.journal", title(players)).replace([' ', '/', '\\', ':'], "-");
        self.conditions
            .folder
            .as_ref()
            .map(|folder| folder.join(name))
    }

    /// The games in the journal of a match, which may be going on.
    pub fn played(
        &self,
        players: [&Contender; 2],
    ) -> Result<Vec<(GamePair, GameRecord)>, LabError> {
        let Some(path) = self.journal(players).filter(|path| path.exists()) else {
            return Ok(Vec::new());
        };
        let settings = self.settings(players)?;
        journal::games(&path, &settings, &self.schedule()).map_err(LabError::step)
    }

    /// The result of these games.
    pub fn score(&self, games: &[(GamePair, GameRecord)]) -> MatchScore {
        let mut standings = Standings::new(&self.schedule(), 2);
        games
            .iter()
            .for_each(|(pair, game)| standings.add(pair, game));
        standings.close();
        MatchScore::of(&standings)
    }

    fn engine(&self, player: &Contender) -> Result<EngineSpec, LabError> {
        let variant = match &player.player {
            Player::Variant(variant) => variant,
            Player::Guest(engine) => return Ok(engine.clone()),
        };
        let options = Options {
            book: false,
            line_gap: 0,
            ..variant.options(self.base)?
        };
        let usual = Options::default();
        let changed = Options::specs()
            .iter()
            .map(|spec| (spec, spec.get(&options)))
            .filter(|(spec, value)| *value != spec.get(&usual));
        Ok(EngineSpec {
            name: variant.name.clone(),
            connection: Connection::Hub {
                launch: Launch {
                    command: vec![
                        self.conditions.program.display().to_string(),
                        "hub".to_owned(),
                    ],
                    dir: None,
                },
                params: changed
                    .map(|(spec, value)| (spec.name.to_owned(), value))
                    .collect(),
            },
            level: None,
        })
    }
}

/// A folder for what an experiment writes; it is removed at the end unless the user has named it.
pub(super) struct Folder {
    pub path: PathBuf,
    kept: bool,
}

impl Folder {
    pub fn open(plan: &Plan) -> Result<Folder, LabError> {
        let beside =
            || std::env::temp_dir().join(format!("damier-experiment-{}", std::process::id()));
        let folder = Folder {
            path: plan.matches.folder.clone().unwrap_or_else(beside),
            kept: plan.matches.folder.is_some(),
        };
        fs::create_dir_all(&folder.path).map_err(|error| LabError::Read {
            file: folder.path.display().to_string(),
            error,
        })?;
        Ok(folder)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.kept {
            // A folder that stays does no harm.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// `mtdfix - mtdf`.
pub(super) fn title(players: [&Contender; 2]) -> String {
    players.map(Contender::name).join(" - ")
}

/// `52.3 % (49.1 to 55.5)`: the score with its 95 % interval.
pub(super) fn score(tally: &Tally) -> String {
    let Some(elo) = tally.elo() else {
        return String::new();
    };
    format!(
        "{:.1} % ({:.1} to {:.1})",
        100.0 * tally.score(),
        100.0 * score_of(elo.low),
        100.0 * score_of(elo.high)
    )
}

/// `+27 (-12 to +66)`: the difference in Elo with its 95 % interval.
pub(super) fn elo(tally: &Tally) -> String {
    tally.elo().map_or_else(String::new, |elo| {
        format!("{:+.0} ({:+.0} to {:+.0})", elo.value, elo.low, elo.high)
    })
}
