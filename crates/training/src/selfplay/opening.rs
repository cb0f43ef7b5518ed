//! Start of a game: random plies from the start position, or a generated position ([`endings`]).

use super::endings;
use super::judge::Judge;
use super::settings::SelfplaySettings;
use crate::dataset::Played;
use damier_engine::rng::Rng;
use damier_engine::search::Control;
use damier_engine::{Engine, Job, Level, Purpose};
use damier_rules::{Game, Position, Status};

/// Nodes of the search that decides whether an opening is balanced enough.
const NODES: u64 = 1_000;
/// Number of openings tried before the most balanced of them is taken.
const TRIES: u32 = 100;
/// Replaces [`SelfplaySettings::window`] for generated positions, whose point is uneven material.
const ENDINGS_WINDOW: u32 = 400;

/// A game with its random plies played, and those plies.
pub(super) type Opening = (Game, Vec<Played>);

/// The opening of a game. None if stopped.
pub(super) fn choose(
    settings: &SelfplaySettings,
    random: &mut Rng,
    engine: &mut Engine,
    judge: &Judge,
    control: &Control,
) -> Option<Opening> {
    let generated = random.percent(settings.endings);
    let window = if generated {
        settings.window.max(ENDINGS_WINDOW)
    } else {
        settings.window
    };
    let mut best: Option<(u32, Opening)> = None;
    for _ in 0..TRIES {
        let opening = if generated {
            Some((Game::new(endings::position(random)), Vec::new()))
        } else {
            random_plies(settings, random)
        };
        let Some((game, moves)) = opening else {
            continue;
        };
        // A game that is decided at the start teaches nothing.
        if judge.exact(&game).is_some() {
            continue;
        }
        let size = score_size(&game, engine, control);
        if control.is_stopped() {
            return None;
        }
        if size <= window {
            return Some((game, moves));
        }
        if best.as_ref().is_none_or(|(least, _)| size < *least) {
            best = Some((size, (game, moves)));
        }
    }
    let start = || (Game::new(Position::start()), Vec::new());
    Some(best.map_or_else(start, |(_, opening)| opening))
}

/// A game with as many random moves as the settings require. None if it ends before that.
fn random_plies(settings: &SelfplaySettings, random: &mut Rng) -> Option<Opening> {
    let (fewest, most) = settings.random_plies;
    let plies = random.within(fewest, most);
    let (mut game, mut moves) = (Game::new(Position::start()), Vec::new());
    for _ in 0..plies {
        let legal = game.position().legal_moves();
        let mv = *random.pick(legal.as_slice())?;
        moves.push(Played { mv, score: None });
        game.play(mv);
    }
    (game.status() == Status::Playing).then_some((game, moves))
}

/// The advantage of the side ahead by a short search, in hundredths of a man.
fn score_size(game: &Game, engine: &mut Engine, control: &Control) -> u32 {
    engine.new_game();
    // `Measure`, so that a forced move is searched too.
    let job = Job::new(game.clone(), Level::nodes(NODES)).with_purpose(Purpose::Measure);
    let outcome = engine.run(&job, control, &mut ());
    outcome.report.score.centimen().unsigned_abs()
}
