//! What can be wrong with a line; the messages are legal Hub values themselves.

use thiserror::Error;

/// Why a line is not a command (or not a reply). `Display` says what is wrong and what was expected, in one line of
/// ASCII without double quotes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", self.place())]
pub struct ParseError {
    /// The first word of the line, where it is one that the protocol knows; empty otherwise.
    pub command: &'static str,
    /// What is wrong with the line.
    #[source]
    pub problem: Problem,
}

/// What can be wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A double quote is opened and the line ends before it is closed.
    #[error("a double quote is opened and never closed")]
    UnclosedQuote,
    /// A double quote inside a word that does not begin with one.
    #[error("double quote inside the word '{word}'; expected quotes around a whole value")]
    QuoteInWord {
        /// The word, truncated.
        word: String,
    },
    /// An `=` with no name before it.
    #[error("an equals sign without a name before it; expected name=value")]
    MissingName,
    /// A required argument is missing, or has no value.
    #[error("{argument} is missing; expected {argument}=...")]
    MissingArgument {
        /// The argument.
        argument: &'static str,
    },
    /// A value that should begin with a number and does not.
    #[error("{argument} {}; expected a number", shown(found))]
    NotANumber {
        /// The argument.
        argument: &'static str,
        /// What was found, truncated.
        found: String,
    },
    /// A number out of the range of the argument.
    #[error("{argument} is {found}; expected {} to {}", range.0, range.1)]
    OutOfRange {
        /// The argument.
        argument: &'static str,
        /// What was found, truncated.
        found: String,
        /// The least and the greatest value, as text.
        range: (String, String),
    },
    /// Moves outside the quotes: `moves=32-28 17-22`.
    #[error("'{found}' stands outside moves=; several moves must be in double quotes")]
    UnquotedMoves {
        /// The first of them, truncated.
        found: String,
    },
    /// A line longer than a reader keeps.
    #[error("the line is longer than {limit} bytes")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
}

impl Problem {
    /// Says in which command the problem lies.
    pub(super) fn of(self, command: &'static str) -> ParseError {
        ParseError {
            command,
            problem: self,
        }
    }
}

impl ParseError {
    /// The command, as the beginning of the message.
    fn place(&self) -> String {
        match self.command {
            "" => String::new(),
            command => format!("{command}: "),
        }
    }
}

/// What stands in the place of a number.
fn shown(found: &str) -> String {
    match found {
        "" => "has no value".to_owned(),
        found => format!("is '{found}'"),
    }
}
