//! At which part of the other's time or nodes an engine is even with it: a few matches at factors that are powers of
//! the root of two, and the curve of the score through their results.

mod fit;

use self::fit::Fit;
use super::{Curve, Findings, Grid, Plot, Scale};
use crate::duel::{Duel, DuelError, DuelProgress};
use damier_arena::level::{GameLevel, LevelError};
use damier_arena::schedule::openings::Opening;
use damier_arena::spec::{self, EngineSpec};
use damier_arena::standings::statistics::{Interval, Tally};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Half the binary logarithm of a factor.
type Place = i32;
/// The first factor: a quarter.
const START: Place = -4;
/// The smallest and the largest factor: a 256th and 16.
const ENDS: (Place, Place) = (-16, 8);
/// Most matches.
const MATCHES: usize = 7;

/// Two engines, and how they play.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The engine whose time or nodes are multiplied, and its opponent.
    pub engines: [EngineSpec; 2],
    /// The level of those without one of their own, before it is multiplied.
    pub level: GameLevel,
    /// From which games begin.
    pub openings: Vec<Opening>,
    /// Games of each match, an even number.
    pub games: u64,
    /// Folder of the journals, from which an interrupted experiment continues.
    pub folder: Option<PathBuf>,
    /// Games at once.
    pub concurrency: NonZeroUsize,
    /// Seed of the order of the openings.
    pub seed: u32,
}

/// Why the experiment ended early.
#[derive(Debug, thiserror::Error)]
pub enum OddsError {
    /// A match.
    #[error(transparent)]
    Duel(#[from] DuelError),
    /// A level that cannot be multiplied.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// At fixed nodes a game from the same position would be played again.
    #[error(
        "{0} games need {1} openings, because engines at fixed nodes would play the same game again; there are {2}"
    )]
    Repeats(u64, u64, usize),
}

impl From<damier_arena::spec::SpecError> for OddsError {
    fn from(error: damier_arena::spec::SpecError) -> OddsError {
        OddsError::Duel(error.into())
    }
}

fn factor(place: Place) -> f64 {
    (f64::from(place) / 2.0).exp2()
}

/// A match that was played.
struct Meeting {
    place: Place,
    levels: [GameLevel; 2],
    tally: Tally,
}

impl Odds {
    /// Plays the matches.
    ///
    /// # Errors
    /// See [`OddsError`].
    pub fn play(&self, progress: DuelProgress) -> Result<Findings, OddsError> {
        spec::check(&self.engines, self.concurrency.get())?;
        let pairs = self.games / 2;
        let is_fixed = (0..2).all(|engine| matches!(self.level(engine), GameLevel::Nodes(_)));
        if is_fixed && pairs > self.openings.len() as u64 {
            let openings = self.openings.len();
            return Err(OddsError::Repeats(self.games, pairs, openings));
        }
        let mut played: Vec<Meeting> = Vec::new();
        while let Some(place) = next(&played) {
            let levels = [self.level(0).at_odds(factor(place))?, self.level(1)];
            let [first, second] = self.engines.each_ref().map(|engine| &engine.name);
            let duel = Duel {
                title: format!("{first} at {:.4} - {second}", factor(place)),
                engines: self.engines.clone(),
                levels,
                openings: self.openings.clone(),
                random_plies: 0,
                games: self.games,
                seed: self.seed.into(),
                adjudicates: true,
                folder: self.folder.clone(),
                concurrency: self.concurrency,
            };
            let (_, standings) = duel.play(progress)?;
            played.push(Meeting {
                place,
                levels,
                tally: *standings.against((0, 1)),
            });
        }
        played.sort_by_key(|met| met.place);
        Ok(self.findings(&played))
    }

    /// The level of an engine without odds.
    fn level(&self, engine: usize) -> GameLevel {
        self.engines[engine].level.unwrap_or(self.level)
    }

    fn findings(&self, played: &[Meeting]) -> Findings {
        let [first, second] = self.engines.each_ref().map(|engine| engine.name.as_str());
        let fit = fit(played);
        let mut tables = vec![Grid {
            title: format!("{first} at a part of its level against {second}."),
            columns: vec![
                "factor",
                "level",
                "against",
                "games",
                "result",
                "score",
                "Elo (95 %)",
                "normalised Elo (95 %)",
            ],
            rows: played.iter().map(row).collect(),
        }];
        tables.push(Grid {
            title: "Where the match is even.".to_owned(),
            columns: vec!["even factor", "95 %", "score by twice the time or nodes"],
            rows: vec![even(fit.as_ref(), played)],
        });
        // The axis has whole numbers.
        let thousandths = |place: Place| (1_000.0 * factor(place)).round() as u32;
        let points = |score: &dyn Fn(&Meeting) -> f64| {
            let point = |met: &Meeting| (thousandths(met.place), 100.0 * score(met));
            played.iter().map(point).collect()
        };
        let measured = Curve {
            name: "measured".to_owned(),
            points: points(&|met| met.tally.score()),
        };
        let fitted = fit.map(|fit| Curve {
            name: "fitted".to_owned(),
            points: points(&|met| fit.score(factor(met.place))),
        });
        Findings {
            experiment: "odds",
            positions: self.openings.len(),
            depth: None,
            tables,
            plot: Plot {
                axis: "thousandths of the level",
                unit: format!("score of {first} against {second}, percent"),
                scale: Scale::Linear,
                curves: [Some(measured), fitted].into_iter().flatten().collect(),
            },
        }
    }
}

fn fit(played: &[Meeting]) -> Option<Fit> {
    let results: Vec<(f64, Tally)> = played
        .iter()
        .map(|met| (factor(met.place), met.tally))
        .collect();
    Fit::new(&results)
}

/// Where the next match is played; None when enough are. As long as all are won the factor is halved, as long as all
/// are lost it is doubled; then the place nearest to where the fitted curve is even comes next, and both beside it.
fn next(played: &[Meeting]) -> Option<Place> {
    let (Some(least), Some(most)) = (
        played.iter().map(|met| met.place).min(),
        played.iter().map(|met| met.place).max(),
    ) else {
        return Some(START);
    };
    if played.len() >= MATCHES {
        return None;
    }
    let is_ahead = |met: &Meeting| met.tally.score() > 0.5;
    let is_behind = |met: &Meeting| met.tally.score() < 0.5;
    if !played.iter().any(is_behind) {
        return Some(least - 2).filter(|&place| place >= ENDS.0);
    }
    if !played.iter().any(is_ahead) {
        return Some(most + 2).filter(|&place| place <= ENDS.1);
    }
    let even = match fit(played) {
        Some(fit) => (2.0 * fit.even().log2()).round().clamp(-1e3, 1e3) as Place,
        None => (least + most) / 2,
    };
    let even = even.clamp(least, most);
    let is_new = |place: &Place| played.iter().all(|met| met.place != *place);
    [even, even - 1, even + 1].into_iter().find(is_new)
}

fn row(met: &Meeting) -> Vec<String> {
    let [won, drawn, lost] = met.tally.wdl();
    vec![
        format!("{:.4}", factor(met.place)),
        met.levels[0].to_string(),
        met.levels[1].to_string(),
        met.tally.games().to_string(),
        format!("+{won} ={drawn} -{lost}"),
        format!("{:.1} %", 100.0 * met.tally.score()),
        interval(met.tally.elo()),
        interval(met.tally.normalised_elo()),
    ]
}

fn interval(interval: Option<Interval>) -> String {
    let elo = |value: f64| match value {
        f64::INFINITY => "+infinite".to_owned(),
        f64::NEG_INFINITY => "-infinite".to_owned(),
        value => format!("{value:+.0}"),
    };
    interval.map_or_else(String::new, |it| {
        format!("{} ({} to {})", elo(it.value), elo(it.low), elo(it.high))
    })
}

/// The last table: a bound instead of a factor where no match was lost, or none won.
fn even(fit: Option<&Fit>, played: &[Meeting]) -> Vec<String> {
    let scores = || played.iter().map(|met| met.tally.score());
    let one_sided = match (scores().any(|it| it < 0.5), scores().any(|it| it > 0.5)) {
        (false, true) => played
            .first()
            .map(|met| format!("below {:.4}", factor(met.place))),
        (true, false) => played
            .last()
            .map(|met| format!("above {:.4}", factor(met.place))),
        _ => None,
    };
    let factor = match (one_sided, fit) {
        (Some(bound), _) => bound,
        (None, Some(fit)) => format!("{:.3}", fit.even()),
        (None, None) => "unknown".to_owned(),
    };
    let bounds = fit.and_then(Fit::interval);
    let doubling = fit.map(|fit| 100.0 * (fit.score(2.0 * fit.even()) - 0.5));
    vec![
        factor,
        bounds.map_or_else(
            || "not bounded by these games".to_owned(),
            |(low, high)| format!("{low:.3} to {high:.3}"),
        ),
        doubling.map_or_else(String::new, |points| format!("{points:+.1} %")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::GameResult::{Draw, Loss, Win};

    /// A match with this many pairs won by the first engine, and half as many lost by it.
    fn met(place: Place, won: usize, lost: usize) -> Meeting {
        let mut tally = Tally::new();
        (0..won).for_each(|_| tally.add_pair(Win, Draw));
        (0..lost).for_each(|_| tally.add_pair(Draw, Loss));
        (0..20).for_each(|_| tally.add_pair(Draw, Draw));
        Meeting {
            place,
            levels: [GameLevel::Nodes(1); 2],
            tally,
        }
    }

    #[test]
    fn matches_close_in_on_the_even_factor() {
        assert_eq!(next(&[]), Some(START));
        let mut played = vec![met(-4, 9, 1)];
        assert_eq!(next(&played), Some(-6), "half the time");
        played.push(met(-6, 6, 2));
        assert_eq!(next(&played), Some(-8));
        played.push(met(-8, 1, 6));
        // Between a 16th and an eighth; then beside it, and then it is enough.
        assert_eq!(next(&played), Some(-7));
        played.push(met(-7, 4, 4));
        assert_eq!(next(&played), None);
        let found = fit(&played).expect("a curve");
        assert!((0.07..0.11).contains(&found.even()), "{}", found.even());
    }

    #[test]
    fn an_engine_that_is_always_behind_or_ahead_gets_a_bound() {
        assert_eq!(next(&[met(-4, 0, 9)]), Some(-2));
        assert_eq!(next(&[met(8, 0, 9)]), None);
        assert_eq!(even(None, &[met(8, 0, 9)])[0], "above 16.0000");
        assert_eq!(next(&[met(-16, 9, 0)]), None);
        assert_eq!(even(None, &[met(-16, 9, 0)])[0], "below 0.0039");
        let many: Vec<Meeting> = (0..MATCHES as Place).map(|at| met(-at, 5, 4)).collect();
        assert_eq!(next(&many), None);
    }
}
