//! Names as they are compared.

use rusqlite::Connection;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The form of [`folded`], which a base keeps beside its names.
const FORM: &str = "2";

/// A name without accents, strokes and capitals.
pub(crate) fn folded(name: &str) -> String {
    let plain = name.nfkd().filter(|&c| !is_combining_mark(c));
    let mut out = String::with_capacity(name.len());
    for letter in plain.flat_map(char::to_lowercase) {
        match letter {
            'ł' => out.push('l'),
            'ø' => out.push('o'),
            'đ' | 'ð' => out.push('d'),
            'ħ' => out.push('h'),
            'ı' => out.push('i'),
            'ŧ' => out.push('t'),
            'ς' => out.push('σ'),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'þ' => out.push_str("th"),
            _ => out.push(letter),
        }
    }
    out
}

/// Folds the names of a base anew that were folded by an earlier version.
pub(crate) fn refold(connection: &Connection) -> rusqlite::Result<()> {
    let there = "SELECT count(*) FROM meta WHERE name = 'names' AND value = ?1";
    if connection.query_row(there, [FORM], |row| row.get(0))? {
        return Ok(());
    }
    for table in ["players", "events"] {
        let all: Vec<(i64, String)> = connection
            .prepare(&format!("SELECT id, name FROM {table}"))?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let mut update =
            connection.prepare(&format!("UPDATE {table} SET folded = ?2 WHERE id = ?1"))?;
        for (id, name) in all {
            update.execute((id, folded(&name)))?;
        }
    }
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('names', ?1)", [FORM])?;
    Ok(())
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
        for (one, other) in [
            ("Łukasz Øst", "lukasz ost"),
            ("WEIß", "Weiss"),
            ("İLKER Işık", "ilker isik"),
            ("ΝΙΚΟΣ", "Νίκος"),
            ("Æbler Œuvre Þór Đorđe", "aebler oeuvre thor dorde"),
        ] {
            assert_eq!(folded(one), folded(other), "{one}");
        }
        assert_eq!(words(" Sijbrands,  Ton "), ["sijbrands", "ton"]);
        assert!(words(" , ").is_empty());
    }
}
