use crate::search::Driver;
use crate::search::params::Params;
use crate::settings::SettingError;
use std::fmt;

/// What the user can choose: the parameters of Hub, of `hub.ini` and of the command line, under the same names.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The game; `normal` is international draughts.
    pub variant: String,
    /// Whether to play from the opening book.
    pub book: bool,
    /// Plies for which the book is used.
    pub book_ply: u32,
    /// Hundredths of a man that a book move may be worse than the best.
    pub book_margin: u32,
    /// Whether the client may let the engine think on the opponent's time.
    pub ponder: bool,
    /// Search threads.
    pub threads: usize,
    /// Log2 of the entries of the transposition table, 16 bytes each.
    pub tt_size: u32,
    /// Most pieces of the endgame tables used.
    pub bb_size: u32,
    /// Folder of further endgame tables; empty for none.
    pub endgame_dir: String,
    /// How the root is searched.
    pub search: Driver,
    /// What positions are judged with: a file of weights, or `embedded`, `handmade`, `material`.
    pub weights: String,
    /// Microseconds between lines on a pipe; 0 for none.
    pub line_gap: u32,
    /// The tunables of the search, for experiments: set by `param`, one after the other.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            variant: "normal".to_owned(),
            book: true,
            book_ply: 4,
            book_margin: 4,
            ponder: false,
            threads: 1,
            tt_size: 22,
            bb_size: 5,
            endgame_dir: String::new(),
            search: Driver::default(),
            weights: "embedded".to_owned(),
            line_gap: 500,
            params: Params::default(),
        }
    }
}

/// The type and range of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A whole number in a range, both ends included.
    Int(i64, i64),
    /// One of some words.
    Enum(Vec<&'static str>),
    /// The name of a file, or one of some words in its place.
    File(Vec<&'static str>),
    /// Any text.
    Text,
}

/// What a value has to be, in words: `true or false`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Bool => f.write_str("true or false"),
            Kind::Int(min, max) => write!(f, "a number from {min} to {max}"),
            Kind::Enum(words) => write!(f, "one of {}", words.join(", ")),
            Kind::File(words) => write!(f, "a file, or one of {}", words.join(", ")),
            Kind::Text => f.write_str("a text"),
        }
    }
}

/// An option as it is declared to a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// Its present value.
    pub value: String,
    /// What values it takes.
    pub kind: Kind,
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// There is no option of this name.
    Unknown(String),
    /// A search parameter was not set.
    Param(SettingError),
    /// The option takes no such value.
    Invalid {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes, in words.
        expected: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Param(error) => error.fmt(f),
            OptionError::Unknown(name) => write!(f, "no option {name:.40}"),
            OptionError::Invalid {
                name,
                value,
                expected,
            } => write!(f, "{name} is {expected}, not {value:.40}"),
        }
    }
}

impl std::error::Error for OptionError {}

const NAMES: [&str; 12] = [
    "variant",
    "book",
    "book-ply",
    "book-margin",
    "ponder",
    "threads",
    "tt-size",
    "bb-size",
    "search",
    "weights",
    "line-gap",
    "endgame-dir",
];

/// The option that sets a search parameter.
const PARAM: &str = "param";

fn kind(name: &str) -> Kind {
    match name {
        "variant" => Kind::Enum(vec!["normal"]),
        "book" | "ponder" => Kind::Bool,
        "book-ply" => Kind::Int(0, 20),
        "book-margin" => Kind::Int(0, 100),
        "threads" => Kind::Int(1, 64),
        "tt-size" => Kind::Int(16, 30),
        "bb-size" => Kind::Int(0, 6),
        "line-gap" => Kind::Int(0, 1_000_000),
        "weights" => Kind::File(vec!["embedded", "handmade", "material"]),
        "endgame-dir" => Kind::Text,
        _ => Kind::Enum(Driver::ALL.map(Driver::name).to_vec()),
    }
}

impl Options {
    /// All options with their present values, in the order in which they are declared.
    pub fn specs(&self) -> Vec<OptionSpec> {
        NAMES
            .into_iter()
            .map(|name| OptionSpec {
                name,
                value: self.get(name),
                kind: kind(name),
            })
            .collect()
    }

    fn get(&self, name: &str) -> String {
        match name {
            "variant" => self.variant.clone(),
            "book" => self.book.to_string(),
            "book-ply" => self.book_ply.to_string(),
            "book-margin" => self.book_margin.to_string(),
            "ponder" => self.ponder.to_string(),
            "threads" => self.threads.to_string(),
            "tt-size" => self.tt_size.to_string(),
            "bb-size" => self.bb_size.to_string(),
            "line-gap" => self.line_gap.to_string(),
            "weights" => self.weights.clone(),
            "endgame-dir" => self.endgame_dir.clone(),
            _ => self.search.to_string(),
        }
    }

    /// Sets an option from text. Search parameters are set by `param` and a value such as `lmr_base=70,grain=4`; it is not
    /// among [`Options::specs`], so that no client is offered it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if name == PARAM {
            return self.set_param(value);
        }
        let Some(name) = NAMES.into_iter().find(|&known| known == name) else {
            return Err(OptionError::Unknown(name.to_owned()));
        };
        let kind = kind(name);
        let invalid = || OptionError::Invalid {
            name,
            value: value.to_owned(),
            expected: kind.to_string(),
        };
        match &kind {
            Kind::Bool => {
                let flag = value.parse().map_err(|_| invalid())?;
                if name == "book" {
                    self.book = flag
                } else {
                    self.ponder = flag
                }
            }
            Kind::Int(min, max) => {
                let number: i64 = value.parse().map_err(|_| invalid())?;
                if !(*min..=*max).contains(&number) {
                    return Err(invalid());
                }
                self.set_number(name, number as u32);
            }
            Kind::File(_) if value.is_empty() => return Err(invalid()),
            Kind::File(_) => self.weights = value.to_owned(),
            Kind::Text => value.clone_into(&mut self.endgame_dir),
            Kind::Enum(words) => {
                if !words.contains(&value) {
                    return Err(invalid());
                }
                match name {
                    "variant" => self.variant = value.to_owned(),
                    _ => self.search = value.parse().map_err(|_| invalid())?,
                }
            }
        }
        Ok(())
    }

    fn set_param(&mut self, text: &str) -> Result<(), OptionError> {
        let mut params = self.params.clone();
        for pair in text.split(',') {
            let (name, value) = pair.split_once('=').ok_or_else(|| OptionError::Invalid {
                name: PARAM,
                value: text.to_owned(),
                expected: "NAME=VALUE, such as lmr_base=70".to_owned(),
            })?;
            params
                .set(name.trim(), value.trim())
                .map_err(OptionError::Param)?;
        }
        self.params = params;
        Ok(())
    }

    fn set_number(&mut self, name: &str, number: u32) {
        match name {
            "book-ply" => self.book_ply = number,
            "book-margin" => self.book_margin = number,
            "threads" => self.threads = number as usize,
            "tt-size" => self.tt_size = number,
            "bb-size" => self.bb_size = number,
            _ => self.line_gap = number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_its_own_value_and_nothing_else() {
        let mut options = Options::default();
        for spec in options.specs() {
            options.set(spec.name, &spec.value).unwrap();
            // Any other word is the name of a file, which is looked for when the engine is made.
            let bad: &[&str] = match spec.kind {
                Kind::Text => &[],
                Kind::File(_) => &[""],
                _ => &["", "x", "-1", "99999999999999999999", "1e3", "True", "nan"],
            };
            for bad in bad {
                assert!(
                    matches!(
                        options.set(spec.name, bad),
                        Err(OptionError::Invalid { .. })
                    ),
                    "{} {bad}",
                    spec.name
                );
            }
        }
        assert_eq!(options, Options::default());
        assert_eq!(
            options.set("nonsense", "1"),
            Err(OptionError::Unknown("nonsense".to_owned()))
        );
        options.set("param", "lmr_base=70").unwrap();
        options.set("param", "grain = 4, threats = false").unwrap();
        assert!(!options.params.threats);
        assert_eq!((options.params.lmr_base, options.params.grain), (70, 4));
        for bad in ["lmr_base", "grain=16,lmr=2", "lmr_base=7000", "lmr=1", ""] {
            assert!(options.set("param", bad).is_err(), "{bad}");
        }
        options.set("search", "pvs").unwrap();
        assert_eq!(options.search, Driver::Pvs);
    }
}
