//! A batch of games on many threads.

use super::error::TuneError;
use super::game;
use super::settings::TuneSettings;
use super::spsa::Tunable;
use damier_arena::schedule::openings::Opening;
use damier_engine::search::Control;
use damier_engine::search::params::Params;
use damier_engine::{Engine, EngineError};
use damier_os::pool::{Event, Order, Pool};

/// A pair of games to play.
pub(super) struct Pair {
    pub opening: Opening,
    /// The values of the two sides.
    pub sides: [Vec<i64>; 2],
}

/// Two engines for each thread.
pub(super) fn players(
    settings: &TuneSettings,
    threads: usize,
) -> Result<Vec<[Engine; 2]>, TuneError> {
    let first = settings.engine(None)?;
    first
        .tables()
        .check(settings.options.bb_size as u8)
        .map_err(EngineError::from)?;
    let beside = || settings.engine(Some(&first));
    let threads = threads.clamp(1, settings.batch as usize);
    let mut players = (1..threads)
        .map(|_| Ok([beside()?, beside()?]))
        .collect::<Result<Vec<_>, EngineError>>()?;
    let second = beside()?;
    players.push([first, second]);
    Ok(players)
}

/// Plays a batch on all threads: the result of each pair. None if stopped. `tick` gets the number of pairs played up to
/// the first that is not.
pub(super) fn batch(
    settings: &TuneSettings,
    pairs: &[Pair],
    players: &mut [[Engine; 2]],
    control: &Control,
    tick: &mut dyn FnMut(u64),
) -> Result<Option<Vec<i32>>, TuneError> {
    let count = pairs.len() as u64;
    let mut results = Vec::with_capacity(pairs.len());
    let work = |engines: &mut &mut [Engine; 2], pair: u64| {
        play_pair(settings, engines, &pairs[pair as usize], control)
    };
    let pool = Pool {
        ahead: count,
        order: Order::Sequential,
        stop: control,
    };
    pool.run(players, 0..count, work, |event| {
        if let Event::Done(result) = event {
            results.push(result);
        }
        tick(results.len() as u64);
        Ok::<_, TuneError>(())
    })?;
    Ok((results.len() == pairs.len()).then_some(results))
}

/// Plays a pair with the values of its sides.
fn play_pair(
    settings: &TuneSettings,
    engines: &mut [Engine; 2],
    pair: &Pair,
    control: &Control,
) -> Option<i32> {
    for (engine, values) in engines.iter_mut().zip(&pair.sides) {
        let params = with_values(&settings.options.params, &settings.tunables, values);
        engine.set_params(params);
    }
    game::play_pair(engines, &pair.opening, settings.nodes, control)
}

/// The parameters with these values.
fn with_values(params: &Params, tunables: &[Tunable], values: &[i64]) -> Params {
    let mut params = params.clone();
    for (tunable, value) in tunables.iter().zip(values) {
        params
            .set(tunable.name, &value.to_string())
            .unwrap_or_else(|error| unreachable!("a value in the range: {error}"));
    }
    params
}
