//! `damier cpu`.

use crate::cli::{Command, Failure, GivenOptions, error, print};
use damier::cpu::{self, CANDIDATES, VARIABLE};

/// Show the processor level in use, and why it was chosen
///
/// The search is compiled for several levels of processors; the highest level of this machine is used. The environment
/// variable DAMIER_CPU names another level.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: DAMIER_CPU=v3 damier cpu")]
pub(in crate::cli) struct CpuArgs {}

impl Command for CpuArgs {
    const NAME: &'static str = "cpu";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let level = cpu::level().map_err(error)?;
        let why = match cpu::is_asked_for() {
            true => format!("{VARIABLE} asks for it"),
            false => "the best that this processor has".to_owned(),
        };
        let vnni = match level.has_vnni() {
            Some(true) => ", with VNNI in the network",
            Some(false) => ", without VNNI",
            None => "",
        };
        print(&format!("{}: {why}{vnni}", level.name()))?;
        for candidate in CANDIDATES {
            let lacking = candidate.lacking();
            let there = match lacking.is_empty() {
                true => "this processor has it".to_owned(),
                false => format!("this processor lacks {}", lacking.join(", ")),
            };
            print(&format!(
                "  {:8} {there} ({})",
                candidate.name, candidate.about
            ))?;
        }
        Ok(())
    }
}
