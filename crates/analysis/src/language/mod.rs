//! The languages of pages and captions: one file each, `CODE.txt`, with lines of a key and its text.

use std::fmt;
use std::str::FromStr;

/// A language that pages of annotated games and captions are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Dutch.
    Dutch,
    /// French.
    French,
    /// German.
    German,
    /// Russian.
    Russian,
}

/// The text is the code of no language here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected en, nl, fr, de or ru")]
pub struct LanguageError;

impl Language {
    /// All languages.
    pub const ALL: [Language; 5] = [
        Language::English,
        Language::Dutch,
        Language::French,
        Language::German,
        Language::Russian,
    ];

    /// The code by ISO 639.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Dutch => "nl",
            Language::French => "fr",
            Language::German => "de",
            Language::Russian => "ru",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Language::English => include_str!("en.txt"),
            Language::Dutch => include_str!("nl.txt"),
            Language::French => include_str!("fr.txt"),
            Language::German => include_str!("de.txt"),
            Language::Russian => include_str!("ru.txt"),
        }
    }

    /// The keys with their texts.
    fn entries(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let lines = self.file().lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| line.split_once(" = "))
    }

    /// The text of a key; English where the language lacks it.
    pub(crate) fn text(self, key: &str) -> &'static str {
        let find = |language: Language| language.entries().find(|(known, _)| *known == key);
        let found = find(self).or_else(|| find(Language::English));
        found.map_or("", |(_, text)| text)
    }

    /// The text of a key with values in the place of their names in braces.
    pub fn filled(self, key: &str, values: &[(&str, &str)]) -> String {
        let mut rest = self.text(key);
        let mut out = String::new();
        while let Some((before, (name, after))) = rest
            .split_once('{')
            .and_then(|(before, inner)| Some((before, inner.split_once('}')?)))
        {
            let value = values.iter().find(|(known, _)| *known == name);
            out.push_str(before);
            out.push_str(value.map_or("", |(_, value)| value));
            rest = after;
        }
        out + rest
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Language, LanguageError> {
        let found = Language::ALL
            .into_iter()
            .find(|language| language.code() == text);
        found.ok_or(LanguageError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const SOURCES: [&str; 4] = [
        include_str!("../annotate/page/mod.rs"),
        include_str!("../annotate/page/view.rs"),
        include_str!("../diagram/mod.rs"),
        include_str!("../diagram/sheet.rs"),
    ];

    /// The names in braces, sorted.
    fn names(text: &str) -> Vec<&str> {
        let parts = text.split('{').skip(1);
        let mut names: Vec<&str> = parts.filter_map(|part| part.split('}').next()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn no_key_is_missing_unused_or_given_twice() {
        let english: BTreeMap<_, _> = Language::English.entries().collect();
        for key in english.keys() {
            let quoted = format!("\"{key}\"");
            assert!(
                SOURCES.iter().any(|source| source.contains(&quoted)),
                "{key} is not used"
            );
        }
        for language in Language::ALL {
            let texts: BTreeMap<_, _> = language.entries().collect();
            assert_eq!(texts.len(), language.entries().count(), "{language}: twice");
            assert!(texts.keys().eq(english.keys()), "{language}: keys");
            for (key, text) in texts {
                assert!(!text.trim().is_empty(), "{language}: {key}");
                assert_eq!(names(text), names(english[key]), "{language}: {key}");
            }
            assert_eq!(language.code().parse(), Ok(language));
        }
        assert_eq!("xx".parse::<Language>(), Err(LanguageError));
        assert_eq!(Language::Dutch.text("no such key"), "");
    }

    #[test]
    fn values_are_text_and_no_names() {
        let filled = Language::French.filled("better", &[("played", "{move}"), ("move", "a")]);
        assert_eq!(filled, "{move}, mieux a");
    }
}
