//! Computes slices: [`plan`] decides which and in what order, [`build`] runs as many in parallel as threads and memory
//! allow, and [`make`] computes each by retrograde analysis.

mod build;
mod children;
mod distances;
mod error;
mod initial;
mod make;
mod pair;
mod plan;
mod values;
mod workers;

pub use build::{build, embed};
pub use error::BuildError;
pub use plan::{BuildOptions, BuildProgress, order};

#[cfg(test)]
mod tests;
