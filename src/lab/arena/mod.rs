//! The arena: matches between engines of any protocol, refereed by the rules library.
//!
//! - [`openings`]: where the games begin: files, ballots, random moves, a window of scores.
//! - [`player`]: an engine as the referee sees it: started, asked for moves, finished.
//! - [`spec`]: which engines play; [`level`]: what they may spend; [`shell`]: command lines.
//! - [`process`], [`hub_player`]: an engine at the end of pipes that speaks Hub; [`dxp_player`]: one that speaks DXP.
//! - [`referee`]: one game, with [`adjudicate`] for those that are decided before they are over.
//! - [`schedule`]: who plays whom from which opening.
//! - [`runner`]: a whole match, with its [`progress`]; [`journal`] lets it go on after any end.
//! - [`standings`], [`statistics`]: what the games come to; [`report`] and [`report_json`] say it.

pub mod adjudicate;
mod clock;
pub mod dxp_player;
pub mod histogram;
mod hub_params;
pub mod hub_player;
pub mod journal;
mod keeper;
pub mod level;
pub mod openings;
mod pdn_file;
pub mod pin;
pub mod player;
pub mod process;
pub mod progress;
pub mod record;
pub mod referee;
pub mod report;
pub mod report_json;
pub mod runner;
pub mod schedule;
mod score_sheet;
pub mod shell;
pub mod spec;
pub mod standings;
pub mod statistics;
mod wire;
mod worker;
