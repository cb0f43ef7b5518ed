//! The commands of the lab: `damier bench`, `suite` and `experiment`.

pub(super) mod experiment;
mod levels;
mod matches;
pub(super) mod measure;
