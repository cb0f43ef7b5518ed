//! `damier match`.

pub(super) mod args;
pub(super) mod run;
