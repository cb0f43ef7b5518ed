//! The Hub session: an engine that reads commands and writes replies.
//!
//! Four threads that do not wait for each other's work:
//!
//! ```text
//! input  -> reader  -> lines   -> session -> jobs    -> engine
//! output <- writer  <- replies <- session <- outcome <-'
//!             ^---------- infos -----------------------'
//! ```
//!
//! * the reader turns bytes into commands (`reader`);
//! * the session keeps the state and executes each command (`session`);
//! * the engine searches on its own thread ([`crate::engine::Thread`]), and sends its infos to the writer;
//! * the writer keeps lines apart and merges infos (`writer`).
//!
//! The session is generic over [`Thinker`](crate::engine::Thinker), so that tests can replace the engine by a script.

mod reader;
mod session;
mod words;
mod writer;

use std::io::{self, IsTerminal};

pub use session::{Exit, HubSettings, run};
pub use writer::Pipe;

use crate::engine::Engine;
use crate::os::output;

/// Runs a session on standard input and output.
///
/// # Errors
/// A thread could not be started.
pub fn run_on_stdio(engine: Engine, setting: HubSettings) -> io::Result<Exit> {
    let pipe = (!io::stdout().is_terminal()).then(|| Pipe::new(output::unread));
    run(engine, setting, io::stdin(), io::stdout(), pipe)
}

#[cfg(test)]
mod tests;
