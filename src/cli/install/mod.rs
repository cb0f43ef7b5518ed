//! What an installation has beside the program.

mod completions;
mod manual;

use super::command::Entry;

/// In the order of the help.
pub(super) const COMMANDS: &[Entry] = &[
    Entry::of::<completions::CompletionsArgs>(),
    Entry::of::<manual::ManualArgs>(),
];
