//! What can be wrong with a line, in words that are legal Hub themselves.

use std::fmt;

/// The longest piece of somebody's line that a message repeats, in characters.
const MAX_ECHO: usize = 32;

/// The longest message, in characters.
const MAX_MESSAGE: usize = 240;

/// Why a line is no command (or no reply). `Display` says what is wrong and what was expected, in one line of ASCII
/// without double quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseError {
    /// A double quote is opened and the line ends before it is closed.
    UnclosedQuote,
    /// A double quote inside a word that does not begin with one.
    QuoteInWord {
        /// The word, cut short.
        word: String,
    },
    /// An `=` with no name before it.
    MissingName,
    /// An argument the command cannot do without.
    MissingArgument {
        /// The command.
        command: &'static str,
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
    /// A line longer than [`MAX_LINE`](super::MAX_LINE).
    LineTooLong {
        /// The limit in bytes.
        limit: usize,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnclosedQuote => {
                write!(f, "a double quote is opened and never closed; line ignored")
            }
            Self::QuoteInWord { word } => {
                write!(
                    f,
                    "double quote inside the word '{word}'; quotes must enclose a whole value"
                )
            }
            Self::MissingName => write!(
                f,
                "an equals sign without a name before it; expected name=value"
            ),
            Self::MissingArgument { command, argument } => {
                write!(f, "{command} needs the argument {argument}=...")
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
            Self::LineTooLong { limit } => write!(f, "line ignored, longer than {limit} bytes"),
        }
    }
}

impl std::error::Error for ParseError {}

/// A piece of somebody's text made fit to repeat in a message: printable ASCII without double quotes, cut to 32
/// characters.
pub(super) fn echo(text: &str) -> String {
    let mut piece: String = text.chars().take(MAX_ECHO).map(legal).collect();
    if text.chars().nth(MAX_ECHO).is_some() {
        piece.push_str("...");
    }
    piece
}

/// A whole message made legal as a quoted Hub value, cut to 240 characters.
pub(super) fn message(text: &str) -> String {
    text.chars().take(MAX_MESSAGE).map(legal).collect()
}

fn legal(c: char) -> char {
    match c {
        '"' => '\'',
        ' '..='~' => c,
        c if c.is_whitespace() => ' ',
        _ => '?',
    }
}
