//! What an installation has beside the program.

pub(super) mod completions;
pub(super) mod manual;
