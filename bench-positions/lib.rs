#![doc = include_str!("README.md")]

/// What `damier bench` searches.
pub const BENCH: &str = include_str!("bench.fen");
/// Combinations, each with the moves that solve it.
pub const TACTICS: &str = include_str!("tactics.fen");
/// Endings, each with its result or the moves that keep it.
pub const ENDINGS: &str = include_str!("endings.fen");
/// Positions in which MTD(f) met search inconsistencies.
pub const INCONSISTENCIES: &str = include_str!("inconsistencies.fen");
