//! Training: weights out of games of self-play.
//!
//! [`run`] reads files of games ([`Data`]), labels their positions ([`Labels`]), holds whole games out, trains a network batch
//! by batch for a fixed number of epochs, and writes the mean of its weights over the last steps. A run that was interrupted
//! goes on from its checkpoint; the same run writes the same bytes, with any number of threads and however often it was
//! interrupted. [`TestSet`] measures the losses of any weights on games.

mod adam;
mod checkpoint;
mod data;
mod endings;
mod error;
mod example;
mod labels;
mod learner;
mod losses;
mod network;
mod output;
#[cfg(test)]
mod samples;
mod schedule;
mod session;
mod settings;
mod test_set;

pub use data::{Data, FileSummary};
pub use error::TrainError;
pub use example::Example;
pub use labels::{Labelled, Labels};
pub use losses::Losses;
pub use session::{EpochReport, Event, Run, Summary, run};
pub use settings::Settings;
pub use test_set::TestSet;

use learner::{Learner, State};
#[cfg(test)]
use samples::samples;
