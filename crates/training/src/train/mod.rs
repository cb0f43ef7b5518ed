//! Training: weights out of games of self-play.
//!
//! [`run`] reads files of games ([`Data`]), labels their positions ([`Labels`]), holds whole games out, trains a
//! network batch by batch for a fixed number of epochs, and writes the mean of its weights over the last steps. A run
//! that was interrupted goes on from its checkpoint; the same run writes the same bytes, with any number of threads and
//! however often it was interrupted. [`TestSet`] measures the losses of any weights on games.

mod checkpoint;
mod error;
mod examples;
mod learning;
mod output;
mod session;
mod settings;

pub use checkpoint::EpochReport;
pub use error::TrainError;
pub use examples::data::{Data, FileSummary};
pub use examples::example::Example;
pub use examples::labels::{Labelled, Labels};
pub use examples::test_set::TestSet;
pub use learning::losses::Losses;
pub use session::{Run, TrainingEvent, TrainingSummary, check, run};
pub use settings::{Objective, TrainingSettings};

#[cfg(test)]
use examples::samples::samples;
use learning::learner::{Learner, LearnerState};
