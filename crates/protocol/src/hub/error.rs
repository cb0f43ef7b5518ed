//! Parse errors; their messages are themselves valid Hub values.

use thiserror::Error;

/// Why a line is not a command (or a reply). `Display` says what is wrong and what was expected, in one line without
/// double quotes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", self.place())]
pub struct ParseError {
    /// The first word of the line if it is a known command, else empty.
    pub command: &'static str,
    /// What is wrong with the line.
    #[source]
    pub problem: Problem,
}

/// The kinds of parse error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A double quote is not closed before the end of the line.
    #[error("unclosed double quote")]
    UnclosedQuote,
    /// A double quote inside a word that does not start with one.
    #[error("double quote inside the word '{word}'; expected quotes around a whole value")]
    QuoteInWord {
        /// The word, truncated.
        word: String,
    },
    /// An `=` without a name before it.
    #[error("an equals sign without a name before it; expected name=value")]
    MissingName,
    /// A required argument is missing, or has no value.
    #[error("{argument} is missing; expected {argument}=...")]
    MissingArgument {
        /// Name of the argument.
        argument: &'static str,
    },
    /// A value that does not begin with a number.
    #[error("{argument} {}; expected a number", shown(found))]
    NotANumber {
        /// Name of the argument.
        argument: &'static str,
        /// The value, truncated.
        found: String,
    },
    /// A number outside the argument's range.
    #[error("{argument} is {found}; expected {} to {}", range.0, range.1)]
    OutOfRange {
        /// Name of the argument.
        argument: &'static str,
        /// The value, truncated.
        found: String,
        /// Minimum and maximum, as text.
        range: (String, String),
    },
    /// An argument that the command does not have.
    #[error("no argument '{found}'; known are {known}")]
    UnknownArgument {
        /// Name, truncated.
        found: String,
        /// The known names.
        known: &'static str,
    },
    /// A value where none is expected.
    #[error("{argument} is '{found}'; expected {argument} without a value")]
    UnexpectedValue {
        /// Name of the argument.
        argument: &'static str,
        /// The value, truncated.
        found: String,
    },
    /// Moves outside the quotes: `moves=32-28 17-22`.
    #[error("'{found}' is outside moves=; several moves must be in double quotes")]
    UnquotedMoves {
        /// The first of them, truncated.
        found: String,
    },
    /// A line over the reader's limit.
    #[error("the line is longer than {limit} bytes")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
}

impl Problem {
    /// Adds the command to the problem.
    pub(super) fn of(self, command: &'static str) -> ParseError {
        ParseError {
            command,
            problem: self,
        }
    }
}

impl ParseError {
    /// The command, as the start of the message.
    fn place(&self) -> String {
        match self.command {
            "" => String::new(),
            command => format!("{command}: "),
        }
    }
}

/// The value found where a number should be.
fn shown(found: &str) -> String {
    match found {
        "" => "has no value".to_owned(),
        found => format!("is '{found}'"),
    }
}
