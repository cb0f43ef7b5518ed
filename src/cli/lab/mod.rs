//! The commands that measure and tune: `damier perft`, `bench`, `suite`, `experiment` and `tune`.

pub(super) mod bench;
pub(super) mod experiment;
mod levels;
mod matches;
mod odds;
mod pairings;
pub(super) mod perft;
pub(super) mod suite;
pub(super) mod tune;

use super::Failure;
use damier::lab::LabError;

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::Write(error) => Failure::Io(error),
            other => Failure::Error(other.to_string()),
        }
    }
}
