//! `damier selfplay`, `dataset` and `train`.

pub(super) mod dataset;
mod pdn;
pub(super) mod selfplay;
pub(super) mod train;
