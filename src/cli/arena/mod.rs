//! `damier match`.

mod args;
mod run;

use super::command::Entry;

/// In the order of the help.
pub(super) const COMMANDS: &[Entry] = &[Entry::of::<args::MatchArgs>()];
