//! The threads that play a batch.

use super::error::TuneError;
use super::game;
use super::settings::TuneSettings;
use super::spsa::Tunable;
use crate::engine::{Engine, EngineError};
use crate::lab::arena::schedule::openings::Opening;
use crate::search::Control;
use crate::search::params::Params;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Stack size of a playing thread.
const STACK: usize = 4 << 20;
/// Interval between progress reports.
const TICK: Duration = Duration::from_millis(200);

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

/// Plays a batch on all threads: the result of each pair. None if stopped.
pub(super) fn play(
    settings: &TuneSettings,
    batch: &[Pair],
    players: &mut [[Engine; 2]],
    control: &Control,
    tick: &mut dyn FnMut(u64),
) -> Result<Option<Vec<i32>>, TuneError> {
    let next = AtomicUsize::new(0);
    let mut results = vec![None; batch.len()];
    thread::scope(|scope| {
        let (sender, played) = channel();
        for engines in players {
            let (next, sender) = (&next, sender.clone());
            let body = move || work(settings, batch, engines, next, control, &sender);
            let builder = thread::Builder::new().stack_size(STACK);
            if let Err(error) = builder.spawn_scoped(scope, body) {
                control.stop();
                return Err(TuneError::Thread(error));
            }
        }
        drop(sender);
        let mut done = 0;
        loop {
            match played.recv_timeout(TICK) {
                Ok((index, result)) => {
                    results[index] = Some(result);
                    done += 1;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            tick(done);
        }
    })?;
    Ok(results.into_iter().collect())
}

/// Plays pairs on one thread as long as there are any.
fn work(
    settings: &TuneSettings,
    batch: &[Pair],
    engines: &mut [Engine; 2],
    next: &AtomicUsize,
    control: &Control,
    sender: &Sender<(usize, i32)>,
) {
    loop {
        let index = next.fetch_add(1, Relaxed);
        let Some(pair) = batch.get(index) else {
            return;
        };
        for (engine, values) in engines.iter_mut().zip(&pair.sides) {
            engine.set_params(with_values(
                &settings.options.params,
                &settings.tunables,
                values,
            ));
        }
        let result = game::play_pair(engines, &pair.opening, settings.nodes, control);
        let Some(result) = result else {
            return;
        };
        if sender.send((index, result)).is_err() {
            return;
        }
    }
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
