//! An engine of a match.

use crate::level::GameLevel;
use crate::players::dxp::DxpSpec;
use crate::players::process::Launch;

/// An engine that takes part.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// Name in reports, unique in the match and printable.
    pub name: String,
    /// How to talk to it.
    pub connection: Connection,
    /// Own level, if it has one.
    pub level: Option<GameLevel>,
}

/// How to talk to an engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Connection {
    /// A process that speaks Hub.
    Hub {
        /// The process.
        launch: Launch,
        /// Parameters to set before `init`.
        params: Vec<(String, String)>,
    },
    /// A program that speaks DXP over TCP.
    Dxp(DxpSpec),
}
