//! The commands that measure and tune: `damier perft`, `bench`, `cpu`, `suite`, `experiment` and `tune`.

mod bench;
mod cpu;
mod experiment;
mod levels;
mod matches;
mod odds;
mod pairings;
mod perft;
mod suite;
mod tune;

use super::Failure;
use super::command::Entry;
use damier::lab::LabError;

/// In the order of the help.
pub(super) const COMMANDS: &[Entry] = &[
    Entry::of::<perft::PerftArgs>(),
    Entry::of::<bench::BenchArgs>(),
    Entry::of::<cpu::CpuArgs>(),
    Entry::of::<suite::SuiteArgs>(),
    Entry::of::<experiment::ExperimentArgs>(),
    Entry::of::<tune::TuneArgs>(),
];

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::Write(error) => Failure::Io(error),
            other => Failure::Error(other.to_string()),
        }
    }
}
