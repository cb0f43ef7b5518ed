//! Self-play, datasets, training, tuning and experiments.

mod dataset;
mod experiment;
mod games;
mod generation;
mod selfplay;
mod train;
mod tune;
