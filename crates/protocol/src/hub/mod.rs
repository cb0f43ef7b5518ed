//! Hub v2, the line protocol between draughts engines and their clients (SCAN `protocol.txt`).
//!
//! A line is a command and arguments: `<command> <name>=<value> <flag> ...`. A value that is empty or holds a blank or
//! an `=` is in double quotes; a quote cannot be escaped, so no value can contain one.
//!
//! * [`Command`]: a line from the client. `Command::parse` accepts any bytes; `Display` writes.
//! * [`Reply`]: a line from the engine. `Display` writes Scan's keys in Scan's order, because clients match them with
//!   regular expressions; `Reply::parse` reads the replies of any engine.
//! * [`ParseError`]: why a line is not a command; its text fits in an `error` reply.
//!
//! Unknown commands and arguments are ignored, as the protocol requires.

mod command;
mod error;
mod lex;
mod number;
mod reply;

pub use command::{Command, GoMode, LevelArgs};
pub use error::{ParseError, Problem};
pub use number::Seconds;
pub use reply::{Id, Info, Param, ParamKind, Reply};

/// Parses the arguments after a command: names and values in order; a flag has no value.
///
/// # Errors
/// An unclosed quote, a quote inside a word, or an `=` without a name.
pub fn arguments(text: &str) -> Result<Vec<(String, Option<String>)>, ParseError> {
    let owned = |arg: &lex::Arg<'_>| (arg.name.to_owned(), arg.value.map(str::to_owned));
    match lex::args(text) {
        Ok(args) => Ok(args.iter().map(owned).collect()),
        Err(problem) => Err(ParseError {
            command: "",
            problem,
        }),
    }
}

/// The longest line that a reader must keep, in bytes. A game of a hundred thousand moves fits.
pub const MAX_LINE: usize = 4 << 20;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
