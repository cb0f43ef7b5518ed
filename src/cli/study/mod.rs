//! The commands that study positions and games.

mod analyze;
mod annotate;
mod batch;
mod eval;
mod input;
mod list;
mod losses;
mod mine;
mod picture;
mod puzzles;
mod solve;
mod source;

use super::command::Entry;

/// In the order of the help.
pub(super) const COMMANDS: &[Entry] = &[
    Entry::of::<analyze::AnalyzeArgs>(),
    Entry::of::<annotate::AnnotateArgs>(),
    Entry::of::<mine::MineArgs>(),
    Entry::of::<puzzles::PuzzlesArgs>(),
    Entry::of::<losses::LossesArgs>(),
    Entry::of::<solve::SolveArgs>(),
    Entry::of::<picture::PictureArgs>(),
    Entry::of::<eval::EvalArgs>(),
];
