//! Names as they are compared.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A name without accents and capitals.
pub(crate) fn folded(name: &str) -> String {
    let plain = name.nfkd().filter(|&c| !is_combining_mark(c));
    plain.flat_map(char::to_lowercase).collect()
}

/// The words that are looked for in folded names.
pub(crate) fn words(text: &str) -> Vec<String> {
    let folded = folded(text);
    let words = folded.split(|c: char| c.is_whitespace() || c == ',');
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_capitals_do_not_count() {
        assert_eq!(folded("Dībmanis, Raphaël"), "dibmanis, raphael");
        assert_eq!(folded("ЧИЖОВ"), "чижов");
        assert_eq!(words(" Sijbrands,  Ton "), ["sijbrands", "ton"]);
        assert!(words(" , ").is_empty());
    }
}
