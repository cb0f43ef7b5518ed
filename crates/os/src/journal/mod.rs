//! A file of lines, each with a checksum, that survives any interruption: the journal of work that can be resumed.
//!
//! Lines are only added, each in one piece. A line that was cut off does not fit its checksum.

mod header;
mod line;
#[cfg(test)]
mod tests;

pub use header::{Header, HeaderError, OpenError};
pub use line::{Form, Line, LineSpan};

use crate::files;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between two syncs while lines are added.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// Upper limit on the length of a line, in bytes.
const MAX_LINE: u64 = 1 << 30;
/// Maximum bytes of the first line: a foreign file is not read far.
const MAX_FIRST_LINE: u64 = 1 << 24;

/// An open file, locked against other processes.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    form: Form,
    /// Where the next line is written: the end of the last sound line; of the file, until it is read.
    end: u64,
    damaged: bool,
    synced: Instant,
}

impl Journal {
    /// Opens or creates a file.
    ///
    /// # Errors
    /// The file cannot be read or written, or another process has it open.
    pub fn open(path: &Path, form: Form) -> Result<Journal, OpenError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = files::open_locked(path, &mut options)?.ok_or(OpenError::Busy)?;
        Ok(Journal {
            form,
            path: path.to_owned(),
            end: file.metadata()?.len(),
            damaged: false,
            file,
            synced: Instant::now(),
        })
    }

    /// Reads the journal of a piece of work, of which `each` gets the lines behind the header; drops what was cut off,
    /// and begins a journal that has no line.
    ///
    /// # Errors
    /// `fail(error)` if the file cannot be read or written or has another header, or the error of `each`.
    pub fn resume<E>(
        &mut self,
        header: &Header<'_>,
        fail: impl Fn(OpenError) -> E,
        mut each: impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let fail_io = |error| fail(OpenError::Io(error));
        self.read(fail_io, |line| match line.number {
            1 => header
                .check(&line)
                .map_err(|error| fail(OpenError::Header(error))),
            _ => each(line),
        })?;
        self.begin(&header.text()).map_err(fail_io)
    }

    /// Reads and writes lines without checksums if the file begins with this byte.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn plain_if_begun_with(&mut self, byte: u8) -> io::Result<()> {
        let mut first = [0];
        self.file.seek(SeekFrom::Start(0))?;
        if self.file.read(&mut first)? == 1 && first[0] == byte {
            self.form = Form::Plain;
        }
        Ok(())
    }

    /// Whether it has nothing: no byte after opening, no sound line after reading.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Whether a line that is not sound was read before a sound one: it was not cut off, but has changed.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Reads all lines from the beginning, until `each` refuses one. The next line is written after the last sound one.
    ///
    /// # Errors
    /// `fail(error)` if the file cannot be read, or the error of `each`.
    pub fn read<E>(
        &mut self,
        fail: impl Fn(io::Error) -> E,
        mut each: impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.file.seek(SeekFrom::Start(0)).map_err(&fail)?;
        self.end = 0;
        self.damaged = false;
        let mut unsound = false;
        let (end, damaged) = (&mut self.end, &mut self.damaged);
        read(&self.file, self.form, fail, |line| {
            each(line)?;
            match line.is_sound() {
                true => {
                    *end = line.span.offset + line.span.length;
                    *damaged |= unsound;
                }
                false => unsound = true,
            }
            Ok(())
        })
    }

    /// Drops what follows the last sound line that was read or written.
    fn truncate(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)
    }

    /// Drops what follows the last sound line; a journal without a line gets this first one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(&mut self, first: &str) -> io::Result<()> {
        self.truncate()?;
        if self.is_empty() {
            self.append_text(first)?;
        }
        Ok(())
    }

    /// Drops all lines.
    pub fn clear(&mut self) -> io::Result<()> {
        self.end = 0;
        self.truncate()
    }

    /// Reads a line again. None if it is not sound, or says something else.
    pub fn get<T: DeserializeOwned>(&mut self, span: LineSpan) -> io::Result<Option<T>> {
        let mut line = vec![0; span.length as usize];
        self.file.seek(SeekFrom::Start(span.offset))?;
        self.file.read_exact(&mut line)?;
        let text = self.form.text(&line);
        Ok(text.and_then(|text| serde_json::from_slice(text).ok()))
    }

    /// Adds the line of an object as JSON, as [`append_text`](Journal::append_text) does.
    ///
    /// # Errors
    /// As [`Journal::append_text`].
    pub fn append(&mut self, object: &impl Serialize) -> io::Result<LineSpan> {
        self.append_text(&serde_json::to_string(object)?)
    }

    /// Adds a line. It is synced if it is the first, or if the last sync was a second ago; else with a later line, or
    /// by [`sync`](Journal::sync).
    ///
    /// # Errors
    /// The file cannot be written, or the line would be longer than [`read`](Journal::read) takes.
    pub fn append_text(&mut self, text: &str) -> io::Result<LineSpan> {
        let line = self.form.line(text);
        if line.len() as u64 > longest(self.end) {
            let message = format!("a line of {} bytes is too long", line.len());
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // An incomplete line is useless; removing it frees space on a full disk.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        let span = LineSpan {
            offset: self.end,
            length: line.len() as u64,
        };
        self.end += span.length;
        if span.offset == 0 || self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(span)
    }

    /// Has the system write everything to the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data()
    }

    /// Removes the file, which stays locked until it is gone: no other process begins with it in between.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

/// Reads all lines of a file from where it is, until `each` refuses one.
///
/// # Errors
/// `fail(error)` if the file cannot be read, or the error of `each`.
pub fn read<E>(
    file: &File,
    form: Form,
    fail: impl Fn(io::Error) -> E,
    mut each: impl FnMut(Line<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut reader = BufReader::new(file);
    let (mut bytes, mut offset) = (Vec::new(), 0);
    for number in 1.. {
        bytes.clear();
        let limit = longest(offset);
        let read = (&mut reader).take(limit).read_until(b'\n', &mut bytes);
        let length = read.map_err(&fail)? as u64;
        if length == 0 {
            break;
        }
        each(Line {
            number,
            span: LineSpan { offset, length },
            bytes: &bytes,
            form,
            text: form.text(&bytes),
        })?;
        offset += length;
    }
    Ok(())
}

/// Upper limit on the length of a line that begins there.
fn longest(offset: u64) -> u64 {
    match offset {
        0 => MAX_FIRST_LINE,
        _ => MAX_LINE,
    }
}
