//! The `damier` binary.
fn main() {}
