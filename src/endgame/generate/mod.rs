//! Computing slices: which ones and in what order ([`plan`]), as many at once as there are threads and memory for
//! ([`build`]), each backwards from the end of the game ([`make`]).

mod build;
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
