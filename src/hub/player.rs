//! What a session needs of an engine.

use std::time::Duration;

use crate::protocol::hub::{GoMode, Id, Info, LevelArgs, Param};
use crate::search::Control;

/// An engine as the session sees it: told in the words of the protocol, answering in them.
///
/// All but [`think`](Player::think) must return at once (a client waits): what takes long is done in the background or
/// put off until it is needed.
pub trait Player: Send + 'static {
    /// Who plays.
    fn id(&self) -> Id;

    /// The parameters with their present values.
    fn params(&self) -> Vec<Param>;

    /// Changes a parameter. One that is unknown is ignored.
    ///
    /// # Errors
    /// Why the value cannot be taken; the old one stays.
    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String>;

    /// Makes the parameters count.
    ///
    /// # Errors
    /// What could not be done; the player can play all the same.
    fn init(&mut self) -> Result<(), String>;

    /// Forgets the game before.
    ///
    /// # Errors
    /// What could not be done; the player can play all the same.
    fn new_game(&mut self) -> Result<(), String>;

    /// Sets up the 51 characters (or the start position) and plays the moves.
    ///
    /// # Errors
    /// Why it cannot be done. The session asks for no search until another position could be set up.
    fn set_position(&mut self, pos: Option<&str>, moves: &[String]) -> Result<(), String>;

    /// The time to keep between two lines on a pipe, which is a parameter too.
    fn line_gap(&self) -> Duration;

    /// Searches until a limit of the request is met (none of time is while `control` ponders) or `control` says stop.
    fn think(
        &mut self,
        request: &Request,
        control: &Control,
        info: &mut dyn FnMut(Info),
    ) -> Outcome;
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Request {
    /// What for.
    pub mode: GoMode,
    /// The limits.
    pub level: LevelArgs,
}

/// What a search came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The state at the end; nothing where nothing was searched.
    pub info: Option<Info>,
    /// The move; nothing where the side to move has none.
    pub best: Option<String>,
    /// The answer expected.
    pub ponder: Option<String>,
}
