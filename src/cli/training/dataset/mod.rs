//! `damier dataset`.

mod import;
mod merge;
mod rescore;
mod score;
mod show;
mod stat;
mod verify;
mod wdl;

use crate::cli::command::{Entry, Group};
use crate::cli::{Failure, error, warn};
use damier::training::dataset::{Damage, Order, Reader};
use std::path::PathBuf;

pub(in crate::cli) const COMMANDS: Group = Group {
    name: "dataset",
    about: "Inspect, check, merge, import and rescore files of games for training",
    after_help: "Example: damier dataset stat games.dgr",
    entries: &[
        Entry::of::<import::ImportArgs>(),
        Entry::of::<stat::StatArgs>(),
        Entry::of::<show::ShowArgs>(),
        Entry::of::<merge::MergeArgs>(),
        Entry::of::<rescore::RescoreArgs>(),
        Entry::of::<verify::VerifyArgs>(),
        Entry::of::<score::ScoreArgs>(),
        Entry::of::<wdl::WdlArgs>(),
    ],
};

/// Reports damages on stderr; fails if there are any.
fn report_damages(damages: &[Damage]) -> Result<(), Failure> {
    damages.iter().for_each(|damage| warn(damage));
    match damages.is_empty() {
        true => Ok(()),
        false => Err(Failure::Reported),
    }
}

fn games(paths: &[PathBuf]) -> Result<u64, Failure> {
    let reader = Reader::open(paths, Order::Stored).map_err(error)?;
    Ok(reader.games_stored())
}
