#![doc = include_str!("../README.md")]
//! ## Modules, in the order in which a game passes through them
//!
//! - [`spec`]: the engines and their [`level`]; [`plan`]: the whole description of a match.
//! - [`schedule`]: pairings and openings.
//! - [`players`]: engines, over Hub or DXP.
//! - [`referee`]: plays one game; adjudicates decided games.
//! - [`record`]: the record of a game, the journal and the PDN file.
//! - [`standings`]: results and statistics.
//! - [`live`]: the games in progress, for spectators.
//! - [`run`]: plays the match; [`report`]: formats its result.

pub mod level;
mod line_error;
pub mod live;
pub mod plan;
pub mod players;
pub mod record;
pub mod referee;
pub mod report;
pub mod run;
pub mod schedule;
pub mod spec;
pub mod standings;

pub use line_error::{LineError, LineErrorKind};
