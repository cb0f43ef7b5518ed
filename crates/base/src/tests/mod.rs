//! A base as its users see it.

mod collections;
mod damage;
mod explore;
mod import;
mod search;

use super::*;
use damier_rules::notation::pdn::{Outcome, PdnError};
use damier_rules::notation::{moves, pdn};
use damier_rules::{Move, Position};
use rusqlite::Connection;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

const GAMES: &str = r#"
[Event "Nationale competitie"]
[Date "1973.05.01"]
[White "Sijbrands, T."]
[Black "Wiersma, H."]
[Result "2-0"]
1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 2-0

[Event "Brinta"]
[Date "1975.??.??"]
[White "Wiersma, H."]
[Black "Sijbrands, T."]
[Result "1-1"]
1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 1-1

[Event "Brinta"]
[Date "1980.02.03"]
[White "Raphaël"]
[Black "Sijbrands, T."]
[Result "0-2"]
1. 33-28 19-23 2. 28x19 14x23 0-2

[White "?"]
[Black "?"]
[FEN "W:WK46,47,48:BK5"]
1. 47-42 5-10 *
"#;

struct Scratch(TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A base with these games.
    fn base(&self, text: &str) -> Base {
        let mut base = Base::create(self.at("games.db")).unwrap();
        import(&mut base, text);
        base
    }
}

fn import(base: &mut Base, text: &str) -> Imported {
    base.import("text", text.as_bytes(), &ImportSettings::default(), &mut ())
        .unwrap()
}

fn found(base: &Base, search: &Search) -> Vec<i64> {
    let mut query = base.query(search).unwrap();
    query.hits().unwrap().map(|hit| hit.unwrap().game).collect()
}

fn line(text: &str) -> Vec<Move> {
    moves::parse_line(&Position::start(), text).unwrap()
}

fn after(text: &str) -> Position {
    line(text)
        .into_iter()
        .fold(Position::start(), |position, mv| position.play(mv))
}
