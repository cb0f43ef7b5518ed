//! Journals put together: shares of a round, or books that were built apart.

use super::build::decide;
use super::journal::{self, Contents, JournalRecord, scan};
use super::{BookBuildError, BookJournal, Searched, Work};
use damier_book::Code;
use damier_rules::Move;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Searches in the first journal before the merge.
    pub had: u64,
    /// Searches added in the order of a run.
    pub added: u64,
    /// Searches added out of that order: the journal differs from that of a single run.
    pub out_of_order: u64,
    /// Positions in the journal after the merge.
    pub positions: u64,
}

/// Searches that the first journal lacks.
type Spare = BTreeMap<Work, Vec<Searched>>;

/// Adds to the first journal the searches that it lacks; those out of order only with `any_order`.
///
/// # Errors
/// A journal cannot be read or belongs to another book, the first one cannot be written, or searches are missing.
pub fn merge(into: &Path, others: &[PathBuf], any_order: bool) -> Result<Merged, BookBuildError> {
    let (journal, mut contents) = BookJournal::open(into, &journal::read(into)?.settings)?;
    let mut output = MergedJournal { journal };
    let (mut spare, mut asked, mut engine) = (Spare::new(), Vec::new(), String::new());
    for other in others {
        let there = gather(other, &mut spare, &mut asked)?;
        if let Some((name, there, wanted)) = there.settings.difference(&contents.settings) {
            let file = other.clone();
            return Err(BookBuildError::Settings {
                file,
                name,
                there,
                wanted,
            });
        }
        engine = there.engine;
    }
    let mut merged = Merged {
        had: contents.searches,
        ..Merged::default()
    };
    if contents.engine.is_empty() && !engine.is_empty() {
        output.write(&mut contents, JournalRecord::Engine(engine))?;
    }
    let missing = rounds(&mut contents, &mut spare, &mut output)?;
    merged.added = contents.searches - merged.had;
    let rest = left(&contents, spare);
    if !rest.is_empty() {
        if !any_order || contents.open_size > 0 {
            let file = into.to_owned();
            return Err(BookBuildError::Missing { file, missing });
        }
        merged.out_of_order = rest.len() as u64;
        output.write(&mut contents, JournalRecord::Round(merged.out_of_order))?;
        for searched in rest {
            output.write(&mut contents, JournalRecord::Search(searched))?;
        }
    }
    for (code, mv) in asked {
        if !contents.was_asked(code, mv) {
            output.write(&mut contents, JournalRecord::Ask(code, mv))?;
        }
    }
    output.journal.sync()?;
    merged.positions = contents.positions();
    Ok(merged)
}

struct MergedJournal {
    journal: BookJournal,
}

impl MergedJournal {
    fn write(
        &mut self,
        contents: &mut Contents,
        record: JournalRecord,
    ) -> Result<(), BookBuildError> {
        self.journal.write(&record)?;
        contents
            .take(record)
            .map_err(|what| BookBuildError::Import {
                file: self.journal.path().to_owned(),
                what: what.to_owned(),
            })
    }
}

/// Reads the searches and the requested moves of a journal.
fn gather(
    path: &Path,
    spare: &mut Spare,
    asked: &mut Vec<(Code, Move)>,
) -> Result<Contents, BookBuildError> {
    let file = journal::open_regular(path)?;
    let contents = scan(path, &file, |record| match record {
        JournalRecord::Search(searched) => {
            let known = spare.entry(searched.work.clone()).or_default();
            known.push(searched.clone());
        }
        JournalRecord::Ask(code, mv) => asked.push((*code, *mv)),
        JournalRecord::Engine(_) | JournalRecord::Round(_) => {}
    })?;
    Ok(contents)
}

/// Appends rounds as a run would while all their searches are there. Returns the number missing from the next one.
fn rounds(
    contents: &mut Contents,
    spare: &mut Spare,
    output: &mut MergedJournal,
) -> Result<u64, BookBuildError> {
    loop {
        let list = decide(contents);
        let open = contents.open.len();
        let wanted = list.get(open..).unwrap_or_default();
        let usable = |searched: &Searched| !contents.graph.has_any(searched);
        let found: Vec<Searched> = wanted
            .iter()
            .filter_map(|work| spare.get(work)?.iter().find(|one| usable(one)).cloned())
            .collect();
        if wanted.is_empty() || found.len() < wanted.len() {
            return Ok((wanted.len() - found.len()) as u64);
        }
        if contents.open_size == 0 {
            output.write(contents, JournalRecord::Round(list.len() as u64))?;
        }
        for searched in found {
            output.write(contents, JournalRecord::Search(searched))?;
        }
    }
}

/// The distinct searches with a move that has no score yet.
fn left(contents: &Contents, spare: Spare) -> Vec<Searched> {
    let is_open = |searched: &Searched| contents.open.iter().any(|open| open.work == searched.work);
    let mut seen = HashSet::new();
    let all = spare.into_values().flatten();
    all.filter(|searched| !is_open(searched) && !contents.graph.has_all(searched))
        .filter(|searched| {
            let moves = searched
                .lines
                .iter()
                .map(|line| (searched.work.code, line.mv));
            moves.filter(|one| seen.insert(*one)).count() > 0
        })
        .collect()
}
