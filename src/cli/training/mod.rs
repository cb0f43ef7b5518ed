//! `damier selfplay`, `dataset` and `train`.

pub(super) mod dataset;
pub(super) mod selfplay;
pub(super) mod train;
