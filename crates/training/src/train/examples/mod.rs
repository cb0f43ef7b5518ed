//! What is learned from: positions of games with labels, and of the endgame tables.

pub(super) mod data;
pub(super) mod endings;
pub(super) mod example;
pub(super) mod labels;
#[cfg(test)]
pub(super) mod samples;
pub(super) mod test_set;
