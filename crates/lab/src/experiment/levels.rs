//! How far apart the levels of the option `elo` are: a tournament of neighbours, and where full strength and other
//! programs stand among them.

use super::{Curve, Findings, Grid, Plot, Scale};
use crate::duel::{Duel, DuelError, DuelProgress};
use damier_arena::level::GameLevel;
use damier_arena::players::process::Launch;
use damier_arena::schedule::openings::{self, OpeningSource};
use damier_arena::spec::{self, Connection, EngineSpec};
use damier_arena::standings::statistics::{Tally, score_of};
use damier_engine::search::MAX_DEPTH;
use damier_engine::{HIGHEST_ELO, LOWEST_ELO};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Points from one level to the next.
pub const STEP: usize = 200;
/// Random plies after each ballot of two moves.
pub const RANDOM_PLIES: u32 = 6;
/// Nodes of a move of full strength.
const FULL_NODES: u64 = 500_000;
/// Name of the strongest player in the tables.
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
    /// See [`DuelError`].
    pub fn play(&self, progress: DuelProgress) -> Result<Findings, DuelError> {
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
    fn check(&self, levels: &[u32], guests: &[EngineSpec]) -> Result<(), DuelError> {
        if let Some(guest) = guests.iter().find(|guest| guest.level.is_none()) {
            return Err(DuelError::NoLevel(guest.name.clone()));
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
        progress: DuelProgress,
    ) -> Result<Meeting, DuelError> {
        let [first, second] = engines.each_ref().map(|engine| engine.name.clone());
        let title = format!("{first} - {second}");
        let level = |engine: &EngineSpec| {
            engine
                .level
                .ok_or_else(|| DuelError::NoLevel(engine.name.clone()))
        };
        let levels = [level(&engines[0])?, level(&engines[1])?];
        let openings = openings::load(&OpeningSource::TwoMove)?;
        let duel = Duel {
            title,
            engines,
            levels,
            openings,
            random_plies: RANDOM_PLIES,
            games,
            seed: self.seed.into(),
            adjudicates: true,
            folder: self.folder.clone(),
            concurrency: self.concurrency,
        };
        let (_, standings) = duel.play(progress)?;
        Ok(Meeting {
            first,
            second,
            tally: *standings.against((0, 1)),
        })
    }

    fn findings(
        &self,
        levels: &[u32],
        steps: &[Meeting],
        visits: &[Meeting],
        places: &[(String, f64)],
    ) -> Findings {
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
        Findings {
            experiment: "levels",
            positions: self.games as usize / 2,
            depth: None,
            tables,
            plot: plot(levels, steps),
        }
    }
}

/// A row of a table.
fn row(met: &Meeting) -> Vec<String> {
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
}

/// The scores of the levels against their lower neighbours, and those of the ladder.
fn plot(levels: &[u32], steps: &[Meeting]) -> Plot {
    let share = |met: &Meeting| 100.0 * met.tally.score();
    let uppers = levels.iter().rev();
    let measured = uppers.zip(steps).map(|(&elo, met)| (elo, share(met)));
    let mut measured: Vec<(u32, f64)> = measured.collect();
    measured.reverse();
    let expected = |&(elo, _): &(u32, f64)| (elo, 100.0 * score_of(STEP as f64));
    Plot {
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

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::GameResult;

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
}
