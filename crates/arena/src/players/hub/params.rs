//! Checks whether an engine accepted its parameters.
//!
//! A Hub engine may silently ignore unknown parameters, so with a misspelt one an engine would play against an
//! identical one. Some engines accept more than they declare, so this is a warning and not an error.

use crate::players::printable;
use damier_protocol::hub::Reply;

/// Number of errors kept; a broken engine may write them endlessly.
const MAX_ERRORS: usize = 16;

/// An engine's replies about its parameters, from `hub` to `ready`.
#[derive(Debug, Default)]
pub(super) struct ParamCheck {
    declared: Vec<String>,
    errors: Vec<String>,
}

impl ParamCheck {
    /// Adds a reply of the engine.
    pub(super) fn add(&mut self, reply: Reply) {
        match reply {
            Reply::Param(param) => self.declared.push(param.name),
            // Damier accepts search parameters but does not declare them.
            Reply::Id(id) if id.name == "Damier" => self.declared.push("param".to_owned()),
            Reply::Error { message } if self.errors.len() < MAX_ERRORS => {
                self.errors.push(printable(&message));
            }
            _ => {}
        }
    }

    /// The warnings for an engine that was given these parameters.
    pub(super) fn warnings(&self, params: &[(String, String)]) -> Vec<String> {
        let names = || params.iter().map(|(name, _)| name.as_str());
        let is_declared = |name: &str| self.declared.iter().any(|declared| declared == name);
        let mut warnings: Vec<String> = names()
            .filter(|name| !is_declared(name))
            .map(
                |name| match self.errors.iter().find(|error| mentions(error, name)) {
                    Some(error) => {
                        format!("does not declare the parameter {name}, and answers: {error}")
                    }
                    None => format!("does not declare the parameter {name}, and may ignore it"),
                },
            )
            .collect();
        for error in &self.errors {
            let mut named = names().filter(|name| mentions(error, name));
            match (named.next(), params) {
                // Already reported.
                (Some(name), _) if !is_declared(name) => {}
                (Some(name), _) => {
                    warnings.push(format!("to the parameter {name} answers: {error}"))
                }
                (None, [(name, _)]) => {
                    warnings.push(format!("to the parameter {name} answers: {error}"))
                }
                (None, []) => warnings.push(format!("answers at its start: {error}")),
                (None, _) => {
                    let all = names().collect::<Vec<_>>().join(", ");
                    warnings.push(format!("to one of the parameters {all} answers: {error}"));
                }
            }
        }
        warnings
    }
}

/// Whether a text contains a name as a separate word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    text.split(|c| !is_part(c)).any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(lines: &[&str], params: &[(&str, &str)]) -> Vec<String> {
        let mut check = ParamCheck::default();
        for line in lines {
            check.add(Reply::parse(line.as_bytes()).expect("a reply"));
        }
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        check.warnings(&params.iter().map(owned).collect::<Vec<_>>())
    }

    #[test]
    fn what_an_engine_does_not_declare_or_refuses_is_told() {
        let tt = "param name=tt-size value=22 type=int min=16 max=30";
        let refused = "error message=\"tt-size is a number from 16 to 30, not abc\"";
        assert!(warnings(&[tt, "wait"], &[("tt-size", "20")]).is_empty());
        assert_eq!(
            warnings(&[tt], &[("serach", "pvs"), ("tt-size", "20")]),
            ["does not declare the parameter serach, and may ignore it"]
        );
        assert_eq!(
            warnings(&[tt, refused], &[("size", "1"), ("tt-size", "abc")]),
            [
                "does not declare the parameter size, and may ignore it",
                "to the parameter tt-size answers: tt-size is a number from 16 to 30, not abc"
            ]
        );
        assert_eq!(
            warnings(&["error message=\"no parameter x\""], &[("x", "1")]),
            ["does not declare the parameter x, and answers: no parameter x"]
        );
        let id = "id name=Damier version=1 author=x";
        assert!(warnings(&[id], &[("param", "lmr_base=70")]).is_empty());
        assert_eq!(warnings(&[], &[("param", "lmr_base=70")]).len(), 1);
        let vague = "error message=\"bad value\"";
        assert_eq!(
            warnings(&[tt, vague], &[("tt-size", "abc")]),
            ["to the parameter tt-size answers: bad value"]
        );
        assert_eq!(warnings(&[vague], &[]), ["answers at its start: bad value"]);
    }
}
