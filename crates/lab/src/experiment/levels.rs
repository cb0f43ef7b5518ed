//! How far apart the levels of the option `elo` are: a tournament of neighbours, and where full strength and other
//! programs stand among them.

use super::{Curve, Findings, Grid, Plot, Scale};
use damier_arena::level::GameLevel;
use damier_arena::plan::{MatchFiles, MatchPlan};
use damier_arena::players::process::Launch;
use damier_arena::record::journal::ExistingFiles;
use damier_arena::referee::GameLimits;
use damier_arena::run::progress::ProgressEvent;
use damier_arena::run::{self, BrokenEngine, MatchEnd, MatchError};
use damier_arena::schedule::openings::{self, OpeningSource, OpeningsError};
use damier_arena::schedule::{Format, Schedule};
use damier_arena::spec::{self, Connection, EngineSpec, SpecError};
use damier_arena::standings::statistics::{Tally, score_of};
use damier_endgame::Tables;
use damier_engine::search::MAX_DEPTH;
use damier_engine::{HIGHEST_ELO, LOWEST_ELO};
use serde_json::json;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Points from one level to the next.
pub const STEP: usize = 200;
/// Random plies after each ballot of two moves.
pub const RANDOM_PLIES: u32 = 6;
/// Nodes of a move of full strength.
const FULL_NODES: u64 = 500_000;
/// Its name in the tables.
const FULL: &str = "full strength";
/// A guest that scores this much against a level does not meet the lower ones.
const ENOUGH: f64 = 0.95;

/// A tournament of levels.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The program that plays the levels.
    pub program: PathBuf,
    /// Games of each pair of neighbours, an even number.
    pub games: u64,
    /// Games of full strength and of each guest against a level, an even number; 0 for none.
    pub guest_games: u64,
    /// Other engines, each with a level of its own.
    pub guests: Vec<EngineSpec>,
    /// Folder of the journals, from which an interrupted tournament continues.
    pub folder: Option<PathBuf>,
    /// Games at once.
    pub concurrency: NonZeroUsize,
    /// Seed of the openings and of the levels' choices.
    pub seed: u32,
}

/// Why a tournament ended early.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The endgame tables that end games.
    #[error(transparent)]
    Tables(#[from] damier_endgame::StoreError),
    /// A match could not be completed.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// An engine does not play.
    #[error("{0}")]
    Broken(BrokenEngine),
    /// An engine's name or address is taken.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An engine has no level of its own.
    #[error("{0} has no level: give it move-time, nodes, depth or tc")]
    NoLevel(String),
    /// The user asked for the end.
    #[error("interrupted")]
    Interrupted,
}

/// How far a tournament is: which match it plays, games of it that are played, and all of it.
pub type Progress<'a> = &'a mut dyn FnMut(&str, u64, u64);

/// The result of one match: the score of the first.
struct Meeting {
    first: String,
    second: String,
    tally: Tally,
}

impl Tournament {
    /// Plays the tournament.
    ///
    /// # Errors
    /// See [`TournamentError`].
    pub fn play(&self, progress: Progress) -> Result<Findings, TournamentError> {
        let levels: Vec<u32> = (LOWEST_ELO..=HIGHEST_ELO).step_by(STEP).collect();
        let full = self.engine(FULL, 0, GameLevel::Nodes(FULL_NODES));
        let guests: Vec<EngineSpec> = [full].into_iter().chain(self.guests.clone()).collect();
        self.check(&levels, &guests)?;
        let mut steps = Vec::new();
        for two in levels.windows(2).rev() {
            let engines = [self.level(two[1]), self.level(two[0])];
            steps.push(self.meet(engines, self.games, progress)?);
        }
        let mut visits = Vec::new();
        let mut places = Vec::new();
        for guest in guests.iter().filter(|_| self.guest_games > 0) {
            let mut against = Vec::new();
            for &elo in levels.iter().rev() {
                let met =
                    self.meet([guest.clone(), self.level(elo)], self.guest_games, progress)?;
                let score = met.tally.score();
                against.push((elo, met.tally));
                visits.push(met);
                if score >= ENOUGH {
                    break;
                }
            }
            places.push((guest.name.clone(), place(&against)));
        }
        Ok(self.findings(&levels, &steps, &visits, &places))
    }

    /// Whether all engines can take part.
    fn check(&self, levels: &[u32], guests: &[EngineSpec]) -> Result<(), TournamentError> {
        if let Some(guest) = guests.iter().find(|guest| guest.level.is_none()) {
            return Err(TournamentError::NoLevel(guest.name.clone()));
        }
        let levels = levels.iter().map(|&elo| self.level(elo));
        let all: Vec<EngineSpec> = levels.chain(guests.iter().cloned()).collect();
        Ok(spec::check(&all, self.concurrency.get())?)
    }

    /// The engine that plays a level.
    fn level(&self, elo: u32) -> EngineSpec {
        self.engine(&elo.to_string(), elo, GameLevel::Depth(MAX_DEPTH))
    }

    fn engine(&self, name: &str, elo: u32, level: GameLevel) -> EngineSpec {
        let program = self.program.display().to_string();
        let params = [
            ("elo", elo.to_string()),
            ("elo-seed", self.seed.to_string()),
            ("book", "false".to_owned()),
            ("line-gap", "0".to_owned()),
        ];
        EngineSpec {
            name: name.to_owned(),
            connection: Connection::Hub {
                launch: Launch {
                    command: vec![program, "hub".to_owned()],
                    dir: None,
                },
                params: params.map(|(name, value)| (name.to_owned(), value)).into(),
            },
            level: Some(level),
        }
    }

    /// Plays a match of two engines.
    fn meet(
        &self,
        engines: [EngineSpec; 2],
        games: u64,
        progress: Progress,
    ) -> Result<Meeting, TournamentError> {
        let [first, second] = engines.each_ref().map(|engine| engine.name.clone());
        let title = format!("{first} - {second}");
        let no_level = |engine: &EngineSpec| TournamentError::NoLevel(engine.name.clone());
        let levels = engines
            .iter()
            .map(|engine| engine.level.ok_or_else(|| no_level(engine)));
        let levels: Vec<GameLevel> = levels.collect::<Result<_, _>>()?;
        let openings = openings::load(&OpeningSource::TwoMove)?;
        let seed = u64::from(self.seed);
        let settings = json!({
            "engines": engines.each_ref().map(ToString::to_string),
            "levels": levels.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "random-plies": RANDOM_PLIES,
            "seed": seed,
        });
        let journal = self
            .folder
            .as_ref()
            .map(|folder| folder.join(file_name(&title)));
        let plan = MatchPlan {
            schedule: Schedule::new(
                Format::RoundRobin,
                2,
                openings,
                RANDOM_PLIES,
                seed,
                Some(games / 2),
            ),
            engines: engines.into(),
            levels,
            limits: GameLimits {
                max_moves: None,
                margin: Duration::from_millis(100),
                patience: Duration::from_secs(60),
            },
            agreement: None,
            tables: Some(Tables::open(None)?),
            concurrency: self.concurrency,
            pin: false,
            sprt: None,
            files: MatchFiles {
                pdn: None,
                journal,
                existing: ExistingFiles::Resume,
            },
            settings,
        };
        let played = run::play(&plan, &mut |event| match event {
            ProgressEvent::Progress(now) => progress(&title, now.done, now.total),
            ProgressEvent::Warning(what) => log::warn!("{title}: {what}"),
        })?;
        match played.end {
            MatchEnd::Interrupted => Err(TournamentError::Interrupted),
            MatchEnd::Broken(broken) => Err(TournamentError::Broken(broken)),
            MatchEnd::Complete | MatchEnd::Sprt(_) => Ok(Meeting {
                first,
                second,
                tally: *played.standings.against((0, 1)),
            }),
        }
    }

    fn findings(
        &self,
        levels: &[u32],
        steps: &[Meeting],
        visits: &[Meeting],
        places: &[(String, f64)],
    ) -> Findings {
        let row = |met: &Meeting| {
            let [won, drawn, lost] = met.tally.wdl();
            let (low, high) = interval(&met.tally);
            vec![
                met.first.clone(),
                met.second.clone(),
                met.tally.games().to_string(),
                format!("+{won} ={drawn} -{lost}"),
                format!("{:.1} %", 100.0 * met.tally.score()),
                format!("{:.0} to {:.0} %", 100.0 * low, 100.0 * high),
            ]
        };
        let columns = vec!["level", "against", "games", "result", "score", "95 %"];
        let mut tables = vec![Grid {
            title: format!(
                "Neighbours on the ladder, from {RANDOM_PLIES} random plies after ballots of two moves, each with both \
                 colours."
            ),
            columns: columns.clone(),
            rows: steps.iter().map(row).collect(),
        }];
        if !visits.is_empty() {
            tables.push(Grid {
                title: format!(
                    "Full strength, with {FULL_NODES} nodes a move, and other engines, from the top of the ladder down \
                     to the level against which they score {:.0} %.",
                    100.0 * ENOUGH
                ),
                columns,
                rows: visits.iter().map(row).collect(),
            });
            tables.push(Grid {
                title: "Where they stand on the ladder.".to_owned(),
                columns: vec!["engine", "level"],
                rows: places
                    .iter()
                    .map(|(name, level)| vec![name.clone(), format!("{level:.0}")])
                    .collect(),
            });
        }
        let share = |met: &Meeting| 100.0 * met.tally.score();
        let uppers = levels.iter().rev();
        let measured = uppers.zip(steps).map(|(&elo, met)| (elo, share(met)));
        let mut measured: Vec<(u32, f64)> = measured.collect();
        measured.reverse();
        let expected = |&(elo, _): &(u32, f64)| (elo, 100.0 * score_of(STEP as f64));
        Findings {
            experiment: "levels",
            positions: self.games as usize / 2,
            depth: None,
            tables,
            plot: Plot {
                axis: "level",
                unit: format!("score against the level {STEP} points below, percent"),
                scale: Scale::Linear,
                curves: vec![
                    Curve {
                        name: "wanted".to_owned(),
                        points: measured.iter().map(expected).collect(),
                    },
                    Curve {
                        name: "measured".to_owned(),
                        points: measured,
                    },
                ],
            },
        }
    }
}

/// The 95 % interval of a score.
fn interval(tally: &Tally) -> (f64, f64) {
    tally
        .elo()
        .map_or((0.0, 1.0), |elo| (score_of(elo.low), score_of(elo.high)))
}

/// The points at which these results against levels would be expected.
fn place(against: &[(u32, Tally)]) -> f64 {
    let points: f64 = against.iter().map(|(_, tally)| tally.points()).sum();
    let expected = |at: f64| -> f64 {
        let of =
            |(elo, tally): &(u32, Tally)| tally.games() as f64 * score_of(at - f64::from(*elo));
        against.iter().map(of).sum()
    };
    let (mut low, mut high) = (
        f64::from(LOWEST_ELO) - 1_000.0,
        f64::from(HIGHEST_ELO) + 1_000.0,
    );
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        match expected(middle) < points {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// The journal of a match.
fn file_name(title: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = title.chars().map(safe).collect();
    format!("{name}.journal")
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_arena::GameResult;

    #[test]
    fn a_place_is_where_the_results_are_expected() {
        let mut even = Tally::new();
        for _ in 0..10 {
            even.add_pair(GameResult::Win, GameResult::Loss);
        }
        assert!((place(&[(1400, even)]) - 1400.0).abs() < 1.0);
        assert!((place(&[(1400, even), (1800, even)]) - 1600.0).abs() < 1.0);
        let mut won = Tally::new();
        (0..4).for_each(|_| won.add_pair(GameResult::Win, GameResult::Win));
        assert!(place(&[(2800, won)]) > 3_500.0);
    }

    #[test]
    fn journals_of_different_matches_have_different_names() {
        assert_eq!(
            file_name("full strength - 2800"),
            "full-strength---2800.journal"
        );
        assert_ne!(file_name("2800 - 2600"), file_name("2600 - 2400"));
    }
}
