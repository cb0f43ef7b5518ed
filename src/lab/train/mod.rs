//! Training: weights out of games of self-play.
//!
//! [`run`] reads files of games ([`Data`]), holds whole games out, teaches a learner batch by batch to expect what
//! the search and the game said of each position ([`Labels`]), keeps the epoch that does best on the games held out, and
//! writes its weights. A run that was ended goes on from its checkpoint, and the same run writes the same bytes, with any
//! number of threads and however often it was ended.

mod adam;
mod checkpoint;
mod data;
mod error;
mod known;
mod label;
mod learner;
mod network;
mod output;
#[cfg(test)]
mod samples;
mod schedule;
mod session;
mod settings;

pub use data::{Data, Example, FileSummary};
pub use error::TrainError;
pub use label::{Labels, Losses};
pub use session::{EpochReport, Event, Run, Summary, run};
pub use settings::Settings;

use learner::{Learner, State};
#[cfg(test)]
use samples::samples;
