//! What was played so far, from which an interrupted run goes on.
//!
//! A [`damier_os::journal`] of JSON: the settings of the run, then for each batch the results of its pairs and the
//! values after it. The values are written for the reader: they follow from the results, and a file in which they do
//! not is refused. Files of version 0.1.0 have no checksums; they are continued without them.

use super::error::TuneError;
use damier_os::journal::{self, Form, Header, HeaderError, OpenError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Version of the file.
const VERSION: u64 = 1;

/// A line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Batch {
    /// Games won less games lost by the first side of each pair.
    pub results: Vec<i32>,
    /// The values after it.
    pub values: Vec<f64>,
}

/// The file, locked against other runs.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    journal: journal::Journal,
}

impl Journal {
    /// Opens or begins a file, and gives what is in it. A last line that was cut off is dropped.
    pub fn open(path: &Path, settings: &Value) -> Result<(Journal, Vec<Batch>), TuneError> {
        let fail = |error| not_opened(path, error);
        let mut journal = journal::Journal::open(path, Form::SumFirst).map_err(fail)?;
        let plain = journal.plain_if_begun_with(b'{');
        plain.map_err(|error| TuneError::file(path, error))?;
        let header = Header {
            kind: "damier-tune",
            version: VERSION,
            settings,
            first: &[],
            later: &[],
        };
        let mut batches = Vec::new();
        journal.resume(&header, fail, |line| {
            if line.is_whole() {
                let batch = line.parse::<Batch>();
                batches.push(batch.ok_or_else(|| damaged(path, line.number))?);
            }
            Ok(())
        })?;
        let path = path.to_owned();
        Ok((Journal { path, journal }, batches))
    }

    /// Adds a batch.
    pub fn add(&mut self, batch: &Batch) -> Result<(), TuneError> {
        let added = self.journal.append(batch);
        added
            .and_then(|_| self.journal.sync())
            .map_err(|error| TuneError::file(&self.path, error))
    }

    /// The error of a damaged line, counted from 1.
    pub fn damaged(&self, line: u64) -> TuneError {
        damaged(&self.path, line)
    }
}

fn not_opened(path: &Path, error: OpenError) -> TuneError {
    let file = || path.display().to_string();
    match error {
        OpenError::Io(error) => TuneError::file(path, error),
        OpenError::Busy => TuneError::Busy(file()),
        OpenError::Header(HeaderError::Foreign) => damaged(path, 1),
        OpenError::Header(_) => TuneError::OtherRun(file()),
    }
}

fn damaged(path: &Path, line: u64) -> TuneError {
    TuneError::Damaged {
        file: path.display().to_string(),
        line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Written by version 0.1.0.
    const OLD: &str = r#"{"damier-tune":1,"settings":{"batch":4,"games":40,"rate":0.01,"window":"0.3,0.9"}}
{"results":[0,0,0,0],"values":[30.0]}
{"results":[-2,0,0,0],"values":[29.92765858233689]}
"#;

    #[test]
    fn a_file_without_checksums_is_continued() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old");
        let settings: Value =
            serde_json::from_str(r#"{"batch":4,"games":40,"rate":0.01,"window":"0.3,0.9"}"#)
                .expect("settings");
        let head = OLD.find('\n').expect("a line");
        for length in 1..=OLD.len() {
            fs::write(&path, &OLD[..length]).expect("written");
            let (mut journal, batches) = Journal::open(&path, &settings)
                .unwrap_or_else(|error| panic!("cut at {length}: {error}"));
            let whole = OLD[..length].lines().count() - usize::from(!OLD[..length].ends_with('\n'));
            assert_eq!(batches.len(), whole.saturating_sub(1), "cut at {length}");
            let batch = Batch {
                results: vec![1],
                values: vec![31.5],
            };
            journal.add(&batch).expect("written");
            drop(journal);
            let text = fs::read_to_string(&path).expect("a file");
            assert!(text.starts_with(&OLD[..=head]), "cut at {length}: {text}");
            assert!(
                text.ends_with("\n{\"results\":[1],\"values\":[31.5]}\n"),
                "{text}"
            );
            let (_, again) = Journal::open(&path, &settings).expect("sound");
            assert_eq!(again.last(), Some(&batch));
        }
    }
}
