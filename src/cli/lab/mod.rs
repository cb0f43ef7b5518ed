//! The commands of the lab: `damier bench`, `suite`, `experiment` and `tune`.

pub(super) mod experiment;
mod levels;
mod matches;
pub(super) mod measure;
pub(super) mod tune;
