//! The arena: matches between engines of any protocol, with games refereed by this program's own rules.
//!
//! The modules, in the order in which a game passes through them:
//! - [`spec`]: which engines take part, and at which [`level`]; [`plan`]: everything about a match before it begins.
//! - [`schedule`]: who plays whom from which opening.
//! - [`players`]: an engine as the referee sees it, over Hub or DXP.
//! - [`referee`]: one game, with adjudication of games that are decided before they are over.
//! - [`record`]: what is kept of a game; the journal and the PDN file.
//! - [`standings`]: results and statistics.
//! - [`live`]: the games in progress, for those who watch.
//! - [`run`]: plays the whole match; [`report`] prints its result.
//! - [`rng`]: random numbers that are the same everywhere.

mod game_result;
pub mod level;
mod line_error;
pub mod live;
pub mod plan;
pub mod players;
pub mod record;
pub mod referee;
pub mod report;
pub mod rng;
pub mod run;
pub mod schedule;
pub mod spec;
pub mod standings;

pub use game_result::GameResult;
pub use line_error::{LineError, LineErrorKind};
