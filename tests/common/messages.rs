//! What messages say: the facts in them, whatever the phrase.

/// There is one line, and it names each of these: a file, an option, a value.
#[track_caller]
pub fn one_line(said: impl ToString, names: &[&str]) {
    let said = said.to_string();
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    for name in names {
        assert!(said.contains(name), "{name} is not named: {said}");
    }
}
