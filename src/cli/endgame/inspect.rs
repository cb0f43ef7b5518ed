//! `damier endgame stat` and `damier endgame verify`.

use super::{StatArgs, VerifyArgs, open};
use crate::cli::{Failure, error, progress, say};
use damier::endgame::{self, Slice, Statistics, StoreError, UnsoundEntry, Verdict};
use damier::notation::fen;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

pub(super) fn stat(args: &StatArgs, dir: Option<&Path>) -> Result<(), Failure> {
    let tables = open(dir)?;
    let mut out = io::stdout().lock();
    if !args.json {
        writeln!(
            out,
            "{:10} {:>13} {:>13} {:>13} {:>13} {:>11} {:>7} {:>7}  longest win",
            "slice", "positions", "wins", "draws", "losses", "bytes", "bits", "plies"
        )?;
    }
    for one in tables.statistics().map_err(error)? {
        if args.json {
            let json = serde_json::to_string(&StatisticsJson::of(&one)).map_err(io::Error::from)?;
            writeln!(out, "{json}")?;
            continue;
        }
        let positions = one.slice.positions();
        let (plies, longest) = one
            .longest
            .map_or(("-".to_owned(), String::new()), |longest| {
                (longest.0.to_string(), fen::format(&longest.1))
            });
        writeln!(
            out,
            "{:10} {:13} {:13} {:13} {:13} {:11} {:7.3} {plies:>7}  {longest}",
            one.slice.to_string(),
            positions,
            one.wins,
            one.draws,
            one.losses,
            one.bytes,
            one.bytes as f64 * 8.0 / positions as f64,
        )?;
    }
    Ok(out.flush()?)
}

/// The statistics of a slice as JSON.
#[derive(Serialize)]
struct StatisticsJson {
    bytes: u64,
    draws: u64,
    enemy_kings: u8,
    enemy_men: u8,
    kings: u8,
    longest_fen: Option<String>,
    longest_win: Option<u32>,
    losses: u64,
    memory: u64,
    men: u8,
    positions: u64,
    slice: String,
    wins: u64,
}

impl StatisticsJson {
    fn of(one: &Statistics) -> StatisticsJson {
        let slice = one.slice;
        StatisticsJson {
            bytes: one.bytes,
            draws: one.draws,
            enemy_kings: slice.enemy_kings,
            enemy_men: slice.enemy_men,
            kings: slice.kings,
            longest_fen: one.longest.map(|(_, position)| fen::format(&position)),
            longest_win: one.longest.map(|(plies, _)| plies),
            losses: one.losses,
            memory: one.memory,
            men: slice.men,
            positions: slice.positions(),
            slice: slice.to_string(),
            wins: one.wins,
        }
    }
}

pub(super) fn verify(args: &VerifyArgs, dir: Option<&Path>, threads: usize) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().map_err(error)?;
    let tables = open(dir)?;
    let mut slices = tables.slices();
    if let Some(only) = args.only {
        slices.retain(|&slice| slice == only);
        if slices.is_empty() {
            return Err(error(format!("there is no table of {only}")));
        }
    }
    let bar = progress::bar(slices.len() as u64, "slices");
    let (mut faults, mut unchecked) = (Vec::new(), Vec::new());
    for &slice in &slices {
        bar.set_message(slice.to_string());
        match pool.install(|| endgame::verify(&tables, slice, args.step)) {
            Ok(None) => {}
            Ok(Some(fault)) => faults.push((slice, fault)),
            Err(missing @ StoreError::Missing { .. }) => unchecked.push(missing),
            Err(other) => return Err(error(other)),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    for missing in &unchecked {
        say(&missing);
    }
    for (slice, fault) in &faults {
        say(&describe(*slice, fault));
    }
    let sound = slices.len() - faults.len() - unchecked.len();
    let rest = match unchecked.len() {
        0 => String::new(),
        number => format!(", {number} cannot be checked"),
    };
    writeln!(
        io::stdout(),
        "{sound} slices are sound, {} are not{rest}",
        faults.len()
    )?;
    if faults.is_empty() && unchecked.is_empty() {
        Ok(())
    } else {
        Err(Failure::Told)
    }
}

fn describe(slice: Slice, fault: &UnsoundEntry) -> String {
    let shown = |verdict: Option<Verdict>| {
        verdict.map_or("unknown".to_owned(), |verdict| verdict.to_string())
    };
    format!(
        "{slice}: {} is stored as {}, its moves make it {}",
        fen::format(&fault.position),
        shown(fault.stored),
        shown(fault.expected)
    )
}
