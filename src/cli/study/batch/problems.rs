//! What is wrong with a journal, in the words of the command line.

use super::journal::VERSION;
use crate::cli::{Failure, error};
use damier::os::journal::HeaderError;
use serde_json::Value;
use std::path::Path;

/// Why the journal of other work is not used.
pub(super) fn refused(journal: &Path, problem: HeaderError) -> Failure {
    let why = match problem {
        HeaderError::Foreign => {
            "exists and is no journal of this command; move it away, or give --out another name"
                .to_owned()
        }
        HeaderError::OtherVersion(there) => format!(
            "has version {there} of the journal, this program reads version {VERSION}; go on with the program that \
            began it, or remove the journal to begin again"
        ),
        HeaderError::OtherSetting { name, there, here } => format!(
            "{}; give the same, or remove the journal to begin again",
            difference(&name, &there, &here)
        ),
    };
    error(format!("{}: {why}", journal.display()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_difference_is_told_in_the_words_of_the_command_line() {
        for (setting, there, here, words) in [
            (
                "command",
                json!("mine"),
                json!("annotate"),
                "another command",
            ),
            (
                "inputs",
                json!(["a.pdn"]),
                json!(["b.pdn"]),
                "other inputs (a.pdn, now b.pdn)",
            ),
            (
                "bytes",
                json!([96334]),
                json!([323]),
                "had 96334 bytes, now they have 323",
            ),
            (
                "files",
                json!({"weights": 1, "book-file": 2}),
                json!({"weights": 1, "book-file": 3}),
                "with another book of the same name",
            ),
            (
                "book",
                json!(true),
                json!(false),
                "another choice of --no-book",
            ),
            (
                "json",
                json!(true),
                json!(false),
                "another choice of --json",
            ),
            (
                "param",
                json!("a=1"),
                Value::Null,
                "another --param (a=1, now none)",
            ),
        ] {
            let said = difference(setting, &there, &here);
            assert!(said.contains(words), "{said}");
        }
    }
}
