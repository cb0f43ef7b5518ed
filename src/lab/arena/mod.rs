//! The arena: matches between engines of any protocol, refereed by the rules library.
//!
//! - [`player`]: an engine as the referee sees it: started, asked for moves, finished.
//! - [`dxp_player`]: one that speaks DXP.

pub mod dxp_player;
pub mod player;
