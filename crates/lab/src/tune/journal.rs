//! What was played so far, from which an interrupted run goes on.
//!
//! JSON, one object a line: the settings of the run, then for each batch the results of its pairs and the values after
//! it. The values are written for the reader: they follow from the results, and a file in which they do not is refused.

use super::error::TuneError;
use damier_os::files;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Version of the file.
const VERSION: u32 = 1;
/// A file is never longer, in bytes.
const LONGEST: u64 = 1 << 30;

#[derive(Serialize, Deserialize)]
struct Head {
    #[serde(rename = "damier-tune")]
    version: u32,
    settings: Value,
}

impl Head {
    fn new(settings: &Value) -> Head {
        Head {
            version: VERSION,
            settings: settings.clone(),
        }
    }
}

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
    file: File,
    path: PathBuf,
    length: u64,
}

impl Journal {
    /// Opens or begins a file, and gives what is in it. A last line that was cut off is dropped.
    pub fn open(path: &Path, settings: &Value) -> Result<(Journal, Vec<Batch>), TuneError> {
        let fail = |error| TuneError::file(path, error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let opened = files::open_locked(path, &mut options).map_err(fail)?;
        let file = opened.ok_or_else(|| TuneError::Busy(path.display().to_string()))?;
        let mut journal = Journal {
            length: file.metadata().map_err(fail)?.len(),
            file,
            path: path.to_owned(),
        };
        journal.check_length(0)?;
        let mut text = Vec::new();
        (&journal.file).read_to_end(&mut text).map_err(fail)?;
        // What follows the last end of a line was cut off.
        let whole = text.iter().rposition(|&byte| byte == b'\n');
        let whole = whole.map_or(0, |end| end + 1);
        let is_head_cut =
            whole == 0 && b"{\"damier-tune\"".starts_with(text.get(..14).unwrap_or(&text));
        if whole == 0 && !text.is_empty() && !is_head_cut {
            return Err(journal.damaged(1));
        }
        let batches = journal.read(&text[..whole], settings)?;
        journal.file.set_len(whole as u64).map_err(fail)?;
        journal.file.seek(SeekFrom::End(0)).map_err(fail)?;
        journal.length = whole as u64;
        if whole == 0 {
            journal.line(&Head::new(settings))?;
        }
        Ok((journal, batches))
    }

    fn read(&self, text: &[u8], settings: &Value) -> Result<Vec<Batch>, TuneError> {
        let mut lines = text.split_inclusive(|&byte| byte == b'\n');
        let Some(head) = lines.next() else {
            return Ok(Vec::new());
        };
        // Compared as text: a number that is read is not always the one that was written.
        let own = text_of(&Head::new(settings));
        match serde_json::from_slice::<Head>(head) {
            Err(_) => return Err(self.damaged(1)),
            Ok(_) if head != own => {
                return Err(TuneError::OtherRun(self.path.display().to_string()));
            }
            Ok(_) => {}
        }
        let batch =
            |(index, line)| serde_json::from_slice(line).map_err(|_| self.damaged(index + 2));
        lines.enumerate().map(batch).collect()
    }

    /// Adds a batch.
    pub fn add(&mut self, batch: &Batch) -> Result<(), TuneError> {
        self.line(batch)
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), TuneError> {
        let text = text_of(line);
        self.check_length(text.len() as u64)?;
        let fail = |error| TuneError::file(&self.path, error);
        self.file.write_all(&text).map_err(fail)?;
        self.length += text.len() as u64;
        self.file.sync_data().map_err(fail)
    }

    fn check_length(&self, more: u64) -> Result<(), TuneError> {
        match self.length + more > LONGEST {
            true => Err(TuneError::Long(self.path.display().to_string())),
            false => Ok(()),
        }
    }

    /// The error of a line, counted from 1, that is not one of this run.
    pub fn damaged(&self, line: usize) -> TuneError {
        TuneError::Damaged {
            file: self.path.display().to_string(),
            line,
        }
    }
}

/// A line as it stands in the file.
fn text_of(line: &impl Serialize) -> Vec<u8> {
    let mut text =
        serde_json::to_vec(line).unwrap_or_else(|error| unreachable!("numbers and texts: {error}"));
    text.push(b'\n');
    text
}
