//! Openings in which one side is ahead: drawn from others with random plies, and scored by a search or an engine.

use super::{Opening, ScoreWindow, random_plies};
use crate::level::GameLevel;
use crate::players::hub::HubPlayer;
use crate::players::{EngineFault, Player, Turn};
use crate::spec::{Connection, EngineSpec};
use damier_engine::rng::Rng;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// So many draws in a row without a position in the window end the search for openings.
const DRAWS: u32 = 2_000;
/// Timeout of an engine without output.
const PATIENCE: Duration = Duration::from_secs(60);

/// Which openings are wanted.
#[derive(Clone, Debug)]
pub struct Imbalance {
    /// Where they are drawn from.
    pub openings: Vec<Opening>,
    /// Random plies after each; moves that lose a man at once are avoided.
    pub random_plies: u32,
    /// How many men one side is ahead.
    pub window: ScoreWindow,
    /// How many openings.
    pub count: usize,
    /// Seed of the order and of the random plies.
    pub seed: u64,
}

/// An opening with its score.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoredOpening {
    /// The opening.
    pub opening: Opening,
    /// Men by which white is ahead.
    pub men: f64,
}

impl Imbalance {
    /// Draws distinct positions in the window; `judge` gives a score in men for the side to move, or none where it has
    /// no opinion. Fewer than wanted if too many draws in a row find nothing. `progress` gets the number of openings
    /// found. The same seed and the same scores give the same openings.
    ///
    /// # Errors
    /// The judge fails.
    pub fn draw<E>(
        mut self,
        judge: &mut dyn FnMut(&Opening) -> Result<Option<f64>, E>,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Vec<ScoredOpening>, E> {
        let mut rng = Rng::new(self.seed);
        rng.shuffle(&mut self.openings);
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut in_vain = 0;
        // Without random plies each opening comes once.
        let draws = match self.random_plies {
            0 => self.openings.len(),
            _ => usize::MAX,
        };
        for source in self.openings.iter().cycle().take(draws) {
            if found.len() == self.count || in_vain == DRAWS {
                break;
            }
            in_vain += 1;
            let plies = self.random_plies as usize;
            let Some(opening) = random_plies(source, plies, true, &mut rng) else {
                continue;
            };
            let position = opening.position();
            if !seen.insert(position.key()) {
                continue;
            }
            let score = judge(&opening)?;
            if let Some(men) = score.filter(|&men| self.window.contains(men)) {
                let men = match position.turn() {
                    damier_rules::Color::White => men,
                    damier_rules::Color::Black => -men,
                };
                found.push(ScoredOpening { opening, men });
                in_vain = 0;
                progress(found.len());
            }
        }
        Ok(found)
    }
}

/// A Hub engine that scores openings.
pub struct HubJudge {
    player: HubPlayer,
    level: GameLevel,
}

impl HubJudge {
    /// The judge; `level` is for an engine without one of its own. None for an engine that does not speak Hub, since
    /// others give no scores.
    pub fn new(engine: &EngineSpec, level: GameLevel) -> Option<HubJudge> {
        let Connection::Hub { launch, params } = &engine.connection else {
            return None;
        };
        let name = engine.name.clone();
        Some(HubJudge {
            player: HubPlayer::new(name, launch.clone(), params.clone(), Arc::default()),
            level: engine.level.unwrap_or(level),
        })
    }

    /// The engine's score in men for the side to move; none if it gives none, as for a single legal move.
    ///
    /// # Errors
    /// The engine fails.
    pub fn score(&mut self, opening: &Opening) -> Result<Option<f64>, EngineFault> {
        let position = opening.position();
        self.player.begin(&position, position.turn(), self.level)?;
        let reply = self.player.think(&Turn {
            game: &opening.game(),
            level: self.level,
            remaining: None,
            patience: PATIENCE,
        })?;
        Ok(reply.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::openings::{OpeningSource, load};
    use std::convert::Infallible;

    #[test]
    fn openings_are_distinct_reproducible_and_in_the_window() {
        let wanted = |random_plies, count| Imbalance {
            openings: load(&OpeningSource::TwoMove).expect("built in"),
            random_plies,
            window: "0.3,0.5".parse().expect("a window"),
            count,
            seed: 7,
        };
        // A score that follows from the position alone.
        let score = |opening: &Opening| {
            let key = format!("{:?}", opening.position().key());
            f64::from(crc32fast::hash(key.as_bytes()) % 1_000) / 1_000.0 - 0.5
        };
        let draw = |imbalance: Imbalance| {
            let mut judge = |opening: &Opening| Ok::<_, Infallible>(Some(score(opening)));
            let Ok(found) = imbalance.draw(&mut judge, &mut |_| ());
            found
        };
        let found = draw(wanted(3, 50));
        assert_eq!((found.len(), &found), (50, &draw(wanted(3, 50))));
        let keys: HashSet<_> = found.iter().map(|it| it.opening.position().key()).collect();
        assert_eq!(keys.len(), 50);
        for it in &found {
            let men = score(&it.opening);
            assert!((0.3..=0.5).contains(&men.abs()));
            let sign = if it.opening.position().turn() == damier_rules::Color::White {
                1.0
            } else {
                -1.0
            };
            assert_eq!(it.men, sign * men);
        }
        // Without random plies no opening comes twice, and a judge without an opinion chooses none.
        assert!(draw(wanted(0, 1_000)).len() < 79);
        let none = wanted(3, 5).draw(&mut |_| Ok::<_, Infallible>(None), &mut |_| ());
        assert_eq!(none, Ok(Vec::new()));
    }
}
