//! The Hub session: an engine at the far end of two pipes.
//!
//! Four threads, none of which waits for another's work:
//!
//! ```text
//! input  -> reader  -> lines   -> session -> jobs -> searcher
//! output <- writer  <- replies <- session <- outcome, infos <-'
//! ```
//!
//! * the reader turns bytes into commands (`reader`);
//! * the session keeps the state of the conversation and decides what each line means in it (`session`);
//! * the searcher has the engine while it searches, and gives it back with the outcome;
//! * the writer keeps lines apart and merges infos (`writer`).
//!
//! What the session needs of an engine is the trait [`Player`], so that tests can put a scripted one in its place.

mod engine_player;
mod player;
mod reader;
mod session;
mod writer;

use std::io::{self, IsTerminal};

pub use engine_player::EnginePlayer;
pub use player::{Outcome, Player, Request};
pub use session::{Exit, run};
pub use writer::Pipe;

use crate::os::output;

/// Holds a conversation on standard input and output.
///
/// # Errors
/// A thread could not be started.
pub fn run_on_stdio(player: impl Player) -> io::Result<Exit> {
    let pipe = (!io::stdout().is_terminal()).then(|| Pipe::new(output::unread));
    run(player, io::stdin(), io::stdout(), pipe)
}

#[cfg(test)]
mod tests;
