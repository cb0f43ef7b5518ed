//! Van Horssen's experiments with MTDfix ("Handling Search Inconsistencies in MTD(f)", 2018), for this engine: the
//! matches of his Table 1 with the inconsistencies detected in them, what each driver needs for successive positions of
//! a game, and positions in which MTD(f) plays a wrong move.

pub mod find;
pub mod pairings;
mod passes;
mod report;
mod suite;

pub use passes::passes;

use super::matches::Folder;
use super::{Findings, Plan, cost};
use crate::LabError;
use damier_rules::Position;
use pairings::{PAPER, Pairings, drivers};
use std::path::PathBuf;

/// The pairings of the quick form.
const QUICK: [[&str; 2]; 3] = [["mtdfix", "weaker"], ["mtdf", "weaker"], PAPER[0]];

/// The matches, with their journals in this folder.
fn pairings(plan: &Plan, folder: Option<PathBuf>) -> Pairings {
    let names = match plan.quick {
        true => &QUICK[..],
        false => &PAPER[..],
    };
    Pairings {
        names: names.iter().map(|pair| pair.map(str::to_owned)).collect(),
        guests: Vec::new(),
        weaker: None,
        stronger: None,
        engine: plan.engine.clone(),
        conditions: super::MatchConditions {
            folder,
            ..plan.matches.clone()
        },
    }
}

/// Games of all matches.
pub(super) fn games(plan: &Plan) -> Result<usize, LabError> {
    pairings(plan, None).games()
}

pub(super) fn run(
    plan: &Plan,
    positions: &[Position],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Findings, LabError> {
    let folder = Folder::open(plan)?;
    let pairings = pairings(plan, Some(folder.path.clone()));
    pairings.play(&mut |_, done, _| progress(done))?;
    let mut tables = pairings.report(None)?.tables;
    let games = pairings.games()?;
    let mut findings = cost::run(plan, positions, &drivers(), &mut |done| {
        progress(games + done)
    })?;
    tables.append(&mut findings.tables);
    tables.push(suite::run(plan)?);
    Ok(Findings { tables, ..findings })
}
