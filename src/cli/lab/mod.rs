//! The commands of the lab: `damier bench`, `suite` and `experiment`.

pub(super) mod experiment;
mod levels;
pub(super) mod measure;
