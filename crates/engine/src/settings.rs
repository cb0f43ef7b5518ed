//! Settings: named values with a type, a range, a default and a line of help, each declared once in a table.
//!
//! The macro `settings!` turns such a table into a struct of plain fields, so that reading one costs what a field
//! costs, and into a list of [`Setting`]s, from which everything else follows: arguments, declarations, files,
//! documents, errors.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// What values a setting takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A whole number in a range, both ends included.
    Int(i64, i64),
    /// A power of two in a range, both ends included.
    PowerOfTwo(i64, i64),
    /// 0 for none, or a whole number in a range, both ends included.
    ZeroOr(i64, i64),
    /// A word of a list.
    Choice(&'static [&'static str]),
    /// The name of a file, or one of some words in its place.
    File(&'static [&'static str]),
    /// The name of a folder; empty for none.
    Folder,
    /// A text of at most so many characters, all of ASCII.
    Ascii(usize),
    /// A text that the type of the field reads; this describes what it takes.
    Text(&'static str),
}

/// What a value must be, in words: `true or false`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Bool => f.write_str("true or false"),
            Kind::Int(min, max) => write!(f, "a number from {min} to {max}"),
            Kind::PowerOfTwo(min, max) => write!(f, "a power of two from {min} to {max}"),
            Kind::ZeroOr(min, max) => write!(f, "0 or a number from {min} to {max}"),
            Kind::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Kind::File(words) => write!(f, "a file, or one of {}", words.join(", ")),
            Kind::Folder => f.write_str("a folder, or nothing"),
            Kind::Ascii(longest) => write!(f, "1 to {longest} characters of ASCII"),
            Kind::Text(expected) => f.write_str(expected),
        }
    }
}

/// Why a setting was not changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingError {
    /// There is no setting of this name.
    #[error("no {what} `{name:.40}`; {}", hint(name, known))]
    Unknown {
        /// What the settings of the table are called: `option`.
        what: &'static str,
        /// What was given.
        name: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// A setting of earlier versions.
    #[error(
        "`{0}` was removed with the experiment that it was for: docs/experiments.md names the commit"
    )]
    Removed(String),
    /// The setting takes no such value.
    #[error("{name} must be {expected}, not `{value:.40}`")]
    Invalid {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes, in words.
        expected: String,
    },
}

/// The names most like one that is unknown, or all of them where none is like it.
fn hint(name: &str, known: &[&str]) -> String {
    match near(name, known.iter().copied())[..] {
        [] => format!("there are {}", known.join(", ")),
        [one] => format!("did you mean `{one}`?"),
        ref some => format!("did you mean one of {}?", some.join(", ")),
    }
}

/// The names like `name`, the most alike first: at most five.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let likeness = |known: &str| match name.len() > 1 && known.contains(name) {
        true => 1.0,
        false => strsim::jaro_winkler(name, known),
    };
    let mut near: Vec<(f64, &str)> = known
        .into_iter()
        .map(|known| (likeness(known), known))
        .filter(|&(likeness, _)| likeness > 0.8)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(5).map(|(_, name)| name).collect()
}

/// A type that a setting of the table `Table` can have. (The parameter lets a crate implement it, for its own table,
/// for types of other crates.)
pub trait Value<Table>: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// What was expected, in words.
    fn read(text: &str, kind: &Kind) -> Result<Self, String>;

    /// The value as [`Value::read`] takes it.
    fn show(&self, kind: &Kind) -> String;

    /// Sets the value of the setting `name` from the text. A value of several parts, such as the search parameters,
    /// keeps the parts that the text does not name.
    ///
    /// # Errors
    /// The setting takes no such value; the old one stays.
    fn assign(&mut self, name: &'static str, text: &str, kind: &Kind) -> Result<(), SettingError> {
        *self = Self::read(text, kind).map_err(|expected| SettingError::Invalid {
            name,
            value: text.to_owned(),
            expected,
        })?;
        Ok(())
    }

    /// As [`Value::assign`], for an argument of the command line, which only as the name of a file may be something
    /// other than UTF-8.
    ///
    /// # Errors
    /// As [`Value::assign`].
    fn assign_os(
        &mut self,
        name: &'static str,
        text: &OsStr,
        kind: &Kind,
    ) -> Result<(), SettingError> {
        match text.to_str() {
            Some(text) => self.assign(name, text, kind),
            None => Err(SettingError::Invalid {
                name,
                value: text.to_string_lossy().into_owned(),
                expected: kind.to_string(),
            }),
        }
    }
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl<T> Value<T> for $int {
            fn read(text: &str, kind: &Kind) -> Result<$int, String> {
                let fits = |number: &i64| match *kind {
                    Kind::Int(min, max) => (min..=max).contains(number),
                    Kind::PowerOfTwo(min, max) => (min..=max).contains(number) && number.count_ones() == 1,
                    Kind::ZeroOr(min, max) => *number == 0 || (min..=max).contains(number),
                    _ => true,
                };
                let number: Option<i64> = text.parse().ok().filter(fits);
                number.and_then(|number| number.try_into().ok()).ok_or_else(|| kind.to_string())
            }

            fn show(&self, _: &Kind) -> String {
                self.to_string()
            }
        }
    )*};
}

integers!(i32 u16 u32 usize);

/// Makes an enum a value that is one of several words.
#[macro_export]
macro_rules! choice {
    ($type:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $type {
            /// All variants, in order.
            pub const ALL: [$type; [$($word),+].len()] = [$($type::$variant),+];

            /// Names, in the order of [`Self::ALL`].
            pub const NAMES: &[&str] = &[$($word),+];

            /// The word that stands for it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $word),+
                }
            }
        }

        impl<T> $crate::settings::Value<T> for $type {
            fn read(text: &str, kind: &$crate::settings::Kind) -> Result<$type, String> {
                match text {
                    $($word => Ok($type::$variant),)+
                    _ => Err(kind.to_string()),
                }
            }

            fn show(&self, _: &$crate::settings::Kind) -> String {
                self.name().to_owned()
            }
        }
    };
}

/// `true` or `false`, or the first or second of two words.
impl<T> Value<T> for bool {
    fn read(text: &str, kind: &Kind) -> Result<bool, String> {
        let words = match kind {
            Kind::Choice(words) => words,
            _ => &["true", "false"][..],
        };
        match words.iter().position(|word| *word == text) {
            Some(index) => Ok(index == 0),
            None => Err(kind.to_string()),
        }
    }

    fn show(&self, kind: &Kind) -> String {
        match kind {
            Kind::Choice(words) => words[usize::from(!self)].to_owned(),
            _ => self.to_string(),
        }
    }
}

impl<T> Value<T> for String {
    fn read(text: &str, kind: &Kind) -> Result<String, String> {
        let text = text.trim();
        let fits = match *kind {
            Kind::File(_) => !text.is_empty(),
            Kind::Ascii(longest) => {
                (1..=longest).contains(&text.len()) && text.chars().all(|c| matches!(c, ' '..='~'))
            }
            _ => true,
        };
        fits.then(|| text.to_owned())
            .ok_or_else(|| kind.to_string())
    }

    fn show(&self, _: &Kind) -> String {
        self.clone()
    }
}

/// The name of a file or folder.
impl<T> Value<T> for PathBuf {
    fn read(text: &str, kind: &Kind) -> Result<PathBuf, String> {
        <String as Value<T>>::read(text, kind).map(PathBuf::from)
    }

    fn show(&self, _: &Kind) -> String {
        self.display().to_string()
    }

    fn assign_os(
        &mut self,
        name: &'static str,
        text: &OsStr,
        kind: &Kind,
    ) -> Result<(), SettingError> {
        match text.to_str() {
            Some(text) => Value::<T>::assign(self, name, text, kind)?,
            None => *self = PathBuf::from(text),
        }
        Ok(())
    }
}

/// The longest time that a setting can be, in seconds: a day.
const DAY: f64 = 86_400.0;

/// Seconds: from a tenth to a day.
impl<T> Value<T> for Duration {
    fn read(text: &str, kind: &Kind) -> Result<Duration, String> {
        let seconds: Option<f64> = text.parse().ok().filter(|s| (0.1..=DAY).contains(s));
        seconds
            .map(Duration::from_secs_f64)
            .ok_or_else(|| kind.to_string())
    }

    fn show(&self, _: &Kind) -> String {
        self.as_secs_f64().to_string()
    }
}

/// A row of the table that makes the struct `T`. `S` says where the setting belongs.
pub struct Setting<T: 'static, S: 'static = ()> {
    /// Name of the setting.
    pub name: &'static str,
    /// What it is, in one line.
    pub help: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// Where it belongs.
    pub scope: S,
    #[doc(hidden)]
    pub get: fn(&T) -> String,
    #[doc(hidden)]
    pub set: fn(&mut T, &str) -> Result<(), SettingError>,
    #[doc(hidden)]
    pub set_os: fn(&mut T, &OsStr) -> Result<(), SettingError>,
}

impl<T, S> Setting<T, S> {
    /// The present value.
    pub fn get(&self, from: &T) -> String {
        (self.get)(from)
    }

    /// Changes the value.
    ///
    /// # Errors
    /// The setting takes no such value; the old one stays.
    pub fn set(&self, into: &mut T, value: &str) -> Result<(), SettingError> {
        (self.set)(into, value)
    }

    /// Changes the value to an argument of the command line, in which the name of a file need not be UTF-8.
    ///
    /// # Errors
    /// The setting takes no such value; the old one stays.
    pub fn set_os(&self, into: &mut T, value: &OsStr) -> Result<(), SettingError> {
        (self.set_os)(into, value)
    }

    /// The setting of this name among those of a table, which are called `what`.
    ///
    /// # Errors
    /// There is none.
    pub fn find(
        table: &'static [Setting<T, S>],
        what: &'static str,
        name: &str,
    ) -> Result<&'static Setting<T, S>, SettingError> {
        let unknown = || SettingError::Unknown {
            what,
            name: name.to_owned(),
            known: table.iter().map(|setting| setting.name).collect(),
        };
        let found = table.iter().find(|setting| setting.name == name);
        found.ok_or_else(unknown)
    }
}

/// A struct from a table of settings. Each row is a line of help, then
/// `field as "name": type = default, kind in scope;`, where the name is that of the field unless it is given, and the
/// scope is left out where there is none.
#[macro_export]
macro_rules! settings {
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
    (
        $(#[$meta:meta])*
        pub struct $Struct:ident: $Scope:ty, $what:literal;
        $(
            $(#[doc = $help:literal])+
            $field:ident $(as $name:literal)?: $type:ty = $default:expr, $kind:expr $(, in $scope:expr)?;
        )*
    ) => {
        $(#[$meta])*
        pub struct $Struct {
            $($(#[doc = $help])+ pub $field: $type,)*
        }

        impl Default for $Struct {
            fn default() -> $Struct {
                $Struct { $($field: $default,)* }
            }
        }

        impl $Struct {
            /// The table: every setting, in order.
            pub fn specs() -> &'static [$crate::settings::Setting<$Struct, $Scope>] {
                static TABLE: &[$crate::settings::Setting<$Struct, $Scope>] = &[$({
                    const KIND: $crate::settings::Kind = $kind;
                    const NAME: &str = $crate::settings!(@name $field $($name)?);
                    $crate::settings::Setting {
                        name: NAME,
                        help: concat!($($help),+).trim_ascii(),
                        kind: KIND,
                        scope: { $($scope)? },
                        get: |from| $crate::settings::Value::<$Struct>::show(&from.$field, &KIND),
                        set: |into, text| {
                            $crate::settings::Value::<$Struct>::assign(&mut into.$field, NAME, text, &KIND)
                        },
                        set_os: |into, text| {
                            $crate::settings::Value::<$Struct>::assign_os(&mut into.$field, NAME, text, &KIND)
                        },
                    }
                }),*];
                TABLE
            }

            /// The present value of a setting.
            ///
            /// # Errors
            /// There is none of this name.
            pub fn get(&self, name: &str) -> Result<String, $crate::settings::SettingError> {
                Ok($crate::settings::Setting::find($Struct::specs(), $what, name)?.get(self))
            }

            /// Changes a setting.
            ///
            /// # Errors
            /// There is none of this name, or it takes no such value; the old one stays.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::settings::SettingError> {
                $crate::settings::Setting::find($Struct::specs(), $what, name)?.set(self, value)
            }
        }
    };
}

pub use {choice, settings};

#[cfg(test)]
mod tests {
    use super::*;

    settings! {
        #[derive(Clone, PartialEq, Debug)]
        pub struct Sample: u8, "sample";
        /// Threads that
        /// search
        threads: usize = 1, Kind::Int(1, 64), in 3;
        /// Size of the table
        size as "tt-size": u32 = 8, Kind::PowerOfTwo(1, 64), in 4;
        /// Whether
        ponder: bool = false, Kind::Bool, in 0;
        /// Whether moves are taken back
        back: bool = true, Kind::Choice(&["accept", "refuse"]), in 0;
        /// How long
        wait: Duration = Duration::from_secs(2), Kind::Text("seconds"), in 0;
    }

    #[test]
    fn a_row_says_everything_of_a_setting() {
        let [threads, size, ..] = Sample::specs() else {
            panic!("a table")
        };
        assert_eq!(threads.help, "Threads that search");
        assert_eq!((threads.name, threads.scope), ("threads", 3));
        assert_eq!((size.name, size.scope), ("tt-size", 4));
        let mut sample = Sample::default();
        sample.set("tt-size", "16").unwrap();
        sample.set("wait", "0.5").unwrap();
        sample.set("ponder", "true").unwrap();
        sample.set("back", "refuse").unwrap();
        assert!(!sample.back && sample.get("back").as_deref() == Ok("refuse"));
        assert_eq!(
            (sample.size, sample.wait.as_millis(), sample.ponder),
            (16, 500, true)
        );
        for (name, bad) in [
            ("tt-size", "17"),
            ("tt-size", "128"),
            ("threads", "0"),
            ("wait", "nan"),
            ("ponder", "1"),
            ("back", "true"),
        ] {
            assert!(sample.set(name, bad).is_err(), "{name} {bad}");
        }
        assert_eq!(sample.get("tt-size").unwrap(), "16");
    }

    #[test]
    fn an_error_names_the_range_or_near_names() {
        let mut sample = Sample::default();
        let range = sample.set("threads", "65").unwrap_err().to_string();
        assert!(
            range.contains("threads") && range.contains("from 1 to 64") && range.contains("65")
        );
        let unknown = sample.set("thread", "2").unwrap_err().to_string();
        assert!(unknown.contains("`threads`") && !unknown.contains("ponder"));
        let all = sample.set("xyz", "2").unwrap_err().to_string();
        assert!(all.contains("threads") && all.contains("ponder"));
    }

    #[test]
    fn near_names_are_those_that_hold_the_text_or_resemble_it() {
        let names = ["lmr_base", "lmr_divisor", "grain", "one_reply"];
        assert_eq!(near("lmr", names), ["lmr_base", "lmr_divisor"]);
        assert_eq!(near("grian", names), ["grain"]);
        assert!(near("zzz", names).is_empty());
    }
}
