//! What can be wrong with a line, in words that are legal Hub themselves.

use std::fmt;

/// Why a line is no command (or no reply). `Display` says what is wrong and what was expected, in one line of ASCII
/// without double quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The first word of the line, where it is one that the protocol knows; empty otherwise.
    pub command: &'static str,
    /// What is wrong with the line.
    pub problem: Problem,
}

/// What can be wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// A double quote is opened and the line ends before it is closed.
    UnclosedQuote,
    /// A double quote inside a word that does not begin with one.
    QuoteInWord {
        /// The word, cut short.
        word: String,
    },
    /// An `=` with no name before it.
    MissingName,
    /// An argument the command cannot do without is not there, or has no value.
    MissingArgument {
        /// The argument.
        argument: &'static str,
    },
    /// A value that should be a number and does not begin with one.
    NotANumber {
        /// The argument.
        argument: &'static str,
        /// What was found, cut short.
        found: String,
    },
    /// A number outside what the argument can mean.
    OutOfRange {
        /// The argument.
        argument: &'static str,
        /// What was found, cut short.
        found: String,
        /// The least and the greatest value, as text.
        range: (String, String),
    },
    /// Moves that stand outside the quotes: `moves=32-28 17-22`.
    UnquotedMoves {
        /// The first of them, cut short.
        found: String,
    },
    /// A line longer than a reader keeps.
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

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.command {
            "" => self.problem.fmt(f),
            command => write!(f, "{command}: {}", self.problem),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnclosedQuote => write!(f, "a double quote is opened and never closed"),
            Self::QuoteInWord { word } => {
                write!(
                    f,
                    "double quote inside the word '{word}'; expected quotes around a whole value"
                )
            }
            Self::MissingName => write!(
                f,
                "an equals sign without a name before it; expected name=value"
            ),
            Self::MissingArgument { argument } => {
                write!(f, "{argument} is missing; expected {argument}=...")
            }
            Self::NotANumber { argument, found } if found.is_empty() => {
                write!(f, "{argument} has no value; expected a number")
            }
            Self::NotANumber { argument, found } => {
                write!(f, "{argument} is '{found}'; expected a number")
            }
            Self::OutOfRange {
                argument,
                found,
                range: (min, max),
            } => {
                write!(f, "{argument} is {found}; expected {min} to {max}")
            }
            Self::UnquotedMoves { found } => {
                write!(
                    f,
                    "'{found}' stands outside moves=; several moves must be in double quotes"
                )
            }
            Self::TooLong { limit } => write!(f, "the line is longer than {limit} bytes"),
        }
    }
}

impl std::error::Error for ParseError {}
