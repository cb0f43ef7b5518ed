//! Self-play, datasets, training, tuning and experiments.

mod dataset;
mod experiment;
mod games;
mod generation;
#[path = "../common/messages.rs"]
mod messages;
mod selfplay;
mod train;
mod train_faults;
mod train_runs;
mod tune;
