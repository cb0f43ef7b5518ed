//! Plays one game.

use super::judge::Judge;
use super::opening;
use super::settings::SelfplaySettings;
use crate::dataset::{End, GameRecord, Played};
use damier_engine::rng::Rng;
use damier_engine::search::Control;
use damier_engine::{Engine, Job};

/// A game of this many plies is a draw; no game has come close.
const MOST_PLIES: usize = 1_000;

/// Plays the game with this number. None if stopped.
pub(super) fn play(
    settings: &SelfplaySettings,
    index: u64,
    engine: &mut Engine,
    control: &Control,
) -> Option<GameRecord> {
    let mut random = Rng::stream(settings.seed, index);
    let mut judge = Judge::new(settings.adjudicate, settings.bb_size, engine.tables());
    let (mut game, mut moves) = opening::choose(settings, &mut random, engine, &judge, control)?;
    engine.new_game();
    let mut decided = None;
    let (end, winner) = loop {
        if let Some(end) = End::of(&game).or(decided) {
            break end;
        }
        if game.moves().len() >= MOST_PLIES {
            break (End::Length, None);
        }
        let legal = game.position().legal_moves();
        let played = if let [only] = legal.as_slice() {
            Played {
                mv: *only,
                score: None,
            }
        } else if settings.random_moves > 0 && random.percent(settings.random_moves) {
            Played {
                mv: legal[random.below(legal.len() as u64) as usize],
                score: None,
            }
        } else {
            let job = Job::new(game.clone(), settings.next_level(&mut random));
            let outcome = engine.run(&job, control, &mut ());
            if control.is_stopped() {
                return None;
            }
            // Not the score of an interrupted iteration: it is biased towards the side to move.
            let score = outcome.whole;
            decided = judge.verdict(game.position().turn(), score);
            Played {
                mv: outcome.best.unwrap_or(legal[0]),
                score: Some(score),
            }
        };
        moves.push(played);
        game.play(played.mv);
        decided = decided.or_else(|| judge.exact(&game));
    };
    Some(GameRecord {
        index,
        start: *game.start(),
        moves,
        end,
        winner,
    })
}
