//! The commands of the lab: `damier bench`, `suite` and `experiment`.

pub(super) mod experiment;
pub(super) mod measure;
