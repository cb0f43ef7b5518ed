//! The arena: matches between engines of any protocol, refereed by the rules library.
//!
//! - [`openings`]: where the games begin: files, ballots, random moves, a window of scores.
//! - [`player`]: an engine as the referee sees it: started, asked for moves, finished.
//! - [`statistics`]: what the results say about the engines.
//! - [`dxp_player`]: one that speaks DXP.

pub mod dxp_player;
pub mod openings;
pub mod player;
pub mod statistics;
