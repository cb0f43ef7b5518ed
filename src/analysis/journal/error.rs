use serde_json::Value;
use std::io;
use std::path::PathBuf;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Another process has it.
    #[error("{}: another process writes it", .0.display())]
    Busy(PathBuf),
    /// It is something else.
    #[error("{}: exists and is no journal of this command; move it away, or give --out another name", .0.display())]
    Foreign(PathBuf),
    /// It was begun with other settings.
    #[error("{}: {}; give the same, or remove the journal to begin again",
        .path.display(), difference(.setting, .there, .here))]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        setting: String,
        /// What it was there.
        there: Value,
        /// What it is now.
        here: Value,
    },
    /// It was begun with other games.
    #[error("{}: was begun with other games: game {game} of the input is not the one that was done before; give the \
    same games, or remove the journal or write to another file to begin again", .path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The first game that differs.
        game: u64,
    },
    /// It has games that the input lacks.
    #[error("{}: was begun with other games: game {game} was done before and is not in the input; give the same games, \
    or remove the journal or write to another file to begin again", .path.display())]
    NoSuchGame {
        /// The file.
        path: PathBuf,
        /// The first of them.
        game: u64,
    },
}

/// How a setting differs, in words.
fn difference(setting: &str, there: &Value, here: &Value) -> String {
    let (was, now) = (in_words(there), in_words(here));
    match setting {
        "command" => "was begun by another command".to_owned(),
        "program" => format!("was begun by Damier {was}, this is {now}"),
        "inputs" => format!("was begun with other inputs ({was}, now {now})"),
        "bytes" => format!("was begun when the inputs had {was} bytes, now they have {now}"),
        "files" => {
            let differs = |name: &str| there.get(name) != here.get(name);
            let what = match (differs("weights"), differs("book-file")) {
                (true, true) => "other weights and another book",
                (true, false) => "other weights",
                _ => "another book",
            };
            format!("was begun with {what} of the same name")
        }
        "book" => "was begun with another choice of --no-book".to_owned(),
        "out" | "html" | "json" => format!("was begun with another choice of --{setting}"),
        _ => format!("was begun with another --{setting} ({was}, now {now})"),
    }
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) if text.is_empty() => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(in_words).collect();
            values.join(" and ")
        }
        other => other.to_string(),
    }
}
