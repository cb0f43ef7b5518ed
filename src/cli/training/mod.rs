//! `damier selfplay`, `dataset` and `train`.

mod dataset;
mod pdn;
mod selfplay;
pub(super) mod train;

use super::command::Entry;

/// In the order of the help.
pub(super) const COMMANDS: &[Entry] = &[
    Entry::of::<selfplay::SelfplayArgs>(),
    Entry::Group(dataset::COMMANDS),
    Entry::of::<train::TrainArgs>(),
];
