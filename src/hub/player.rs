//! What a session needs of an engine.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::protocol::hub::{GoMode, Id, Info, LevelArgs, Param};

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

    /// Searches until a limit of the request is met or its signal says stop.
    fn think(&mut self, request: &Request, info: &mut dyn FnMut(Info)) -> Outcome;
}

/// What to search.
#[derive(Debug)]
pub struct Request {
    /// What for.
    pub mode: GoMode,
    /// The limits, not valid while the signal says that the player ponders.
    pub level: LevelArgs,
    /// When the client asked: the clock runs from here.
    pub start: Instant,
    /// What comes in between.
    pub signal: Signal,
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

/// Lets the session speak to a running search.
#[derive(Debug, Default)]
pub struct Signal {
    stop: AtomicBool,
    hit: OnceLock<Instant>,
}

impl Signal {
    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search should end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The move pondered on was played at this time: from then on the limits count.
    pub fn ponder_hit(&self, at: Instant) {
        // A second hit says nothing new.
        let _ = self.hit.set(at);
    }

    /// When the move pondered on was played.
    pub fn hit(&self) -> Option<Instant> {
        self.hit.get().copied()
    }
}
