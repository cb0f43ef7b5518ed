//! A file of lines, each with a checksum, that survives any interruption: the journal of work that can be resumed.
//!
//! Lines are only added, each in one piece. A line that was cut off does not fit its checksum.

use super::files;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
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

/// The form of all lines of a file. The checksum is the CRC-32 of the text, in eight hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Checksum, space, text.
    SumFirst,
    /// Text, space, checksum.
    SumLast,
    /// Only the text.
    Plain,
}

impl Form {
    /// The line of a text.
    fn line(self, text: &str) -> String {
        let sum = crc32fast::hash(text.as_bytes());
        match self {
            Form::SumFirst => format!("{sum:08x} {text}\n"),
            Form::SumLast => format!("{text} {sum:08x}\n"),
            Form::Plain => format!("{text}\n"),
        }
    }

    /// The text of a line whose checksum fits.
    fn text(self, line: &[u8]) -> Option<&[u8]> {
        let line = line.strip_suffix(b"\n")?;
        let (text, sum) = match self {
            Form::SumFirst => {
                let (sum, text) = line.split_at_checked(9)?;
                (text, sum.strip_suffix(b" ")?)
            }
            Form::SumLast => {
                let (text, sum) = line.split_at_checked(line.len().checked_sub(9)?)?;
                (text, sum.strip_prefix(b" ")?)
            }
            Form::Plain => return Some(line),
        };
        let sum = u32::from_str_radix(std::str::from_utf8(sum).ok()?, 16).ok()?;
        (crc32fast::hash(text) == sum).then_some(text)
    }
}

/// Where a line is in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineSpan {
    offset: u64,
    length: u64,
}

/// A line as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Line number, from 1.
    pub number: u64,
    /// Where it is.
    pub span: LineSpan,
    /// With checksum and newline, as far as they are there.
    pub bytes: &'a [u8],
    form: Form,
    /// Text, if its checksum fits.
    text: Option<&'a [u8]>,
}

impl Line<'_> {
    /// Whether its checksum fits.
    pub fn is_sound(&self) -> bool {
        self.text.is_some()
    }

    /// Whether it has an end: the writer was not killed in it.
    pub fn is_whole(&self) -> bool {
        self.bytes.ends_with(b"\n")
    }

    /// Text, if it is sound.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(self.text?).ok()
    }

    /// The object that is its text as JSON, if it is sound and such an object.
    pub fn parse<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(self.text?).ok()
    }

    /// Whether it is the beginning of the line of this text, without its end: the writer was killed.
    pub fn is_beginning_of(&self, text: &str) -> bool {
        let whole = self.form.line(text);
        self.bytes.len() < whole.len() && whole.as_bytes().starts_with(self.bytes)
    }
}

/// The first line of a journal: the kind of work, the version of the file and the settings of the work.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The kind, a field of its own whose value is the version.
    pub kind: &'static str,
    /// The version.
    pub version: u64,
    /// The settings, an object. One that is missing, null or false counts as off.
    pub settings: &'a Value,
    /// Settings that say the most where they differ: these are compared first.
    pub first: &'static [&'static str],
    /// Settings that journals of earlier versions lack; the last to be compared.
    pub later: &'static [&'static str],
}

/// Why a journal is not that of the work.
#[derive(Clone, PartialEq, Debug)]
pub enum HeaderError {
    /// The first line is no header of this kind.
    Foreign,
    /// Another version.
    OtherVersion(u64),
    /// Another value of a setting.
    OtherSetting {
        /// The setting.
        name: String,
        /// Value in the journal.
        there: Value,
        /// Value in the work.
        here: Value,
    },
}

impl Header<'_> {
    /// The header as a line of text.
    pub fn text(&self) -> String {
        json!({ self.kind: self.version, "settings": self.settings }).to_string()
    }

    /// The version in the first line of a journal of this kind.
    pub fn version_of(&self, line: &Line<'_>) -> Option<u64> {
        line.parse::<Value>()?.get(self.kind)?.as_u64()
    }

    /// Compares the first line of a journal with it. A line that was cut off fits: the journal begins anew.
    ///
    /// # Errors
    /// The journal is not that of this work.
    pub fn check(&self, line: &Line<'_>) -> Result<(), HeaderError> {
        if line.is_beginning_of(&self.text()) {
            return Ok(());
        }
        let version = self.version_of(line).ok_or(HeaderError::Foreign)?;
        if version != self.version {
            return Err(HeaderError::OtherVersion(version));
        }
        let header: Value = line.parse().unwrap_or_default();
        let there = header.get("settings").and_then(Value::as_object);
        let here = self.settings.as_object();
        let all = there.into_iter().chain(here).flat_map(|all| all.keys());
        let mut names: Vec<&String> = all.collect();
        let is_later = |name: &str| self.later.contains(&name);
        let place = |name: &str| self.first.iter().position(|first| *first == name);
        names.sort_by_key(|name| (place(name).unwrap_or(usize::MAX), is_later(name), *name));
        for name in names {
            let value = |all: Option<&Map<String, Value>>| {
                let found = all.and_then(|all| all.get(name)).cloned();
                found
                    .filter(|value| *value != Value::Bool(false))
                    .unwrap_or_default()
            };
            let (there, here) = (value(there), value(here));
            if there != here && !(there.is_null() && is_later(name)) {
                let name = name.clone();
                return Err(HeaderError::OtherSetting { name, there, here });
            }
        }
        Ok(())
    }
}

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
    /// Opens or creates a file. None: another process has it.
    pub fn open(path: &Path, form: Form) -> io::Result<Option<Journal>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let Some(file) = files::open_locked(path, &mut options)? else {
            return Ok(None);
        };
        Ok(Some(Journal {
            form,
            path: path.to_owned(),
            end: file.metadata()?.len(),
            damaged: false,
            file,
            synced: Instant::now(),
        }))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        (folder, path)
    }

    fn opened(path: &Path) -> Journal {
        Journal::open(path, Form::SumFirst)
            .unwrap()
            .expect("nobody else has it")
    }

    /// The numbers of the lines, and what the sound ones say.
    fn lines(log: &mut Journal) -> Vec<(u64, Option<Value>)> {
        let mut lines = Vec::new();
        log.read(io::Error::from, |line| {
            lines.push((line.number, line.parse()));
            Ok(())
        })
        .unwrap();
        lines
    }

    /// Three lines, {"n":1} to {"n":3}.
    fn three(path: &Path) -> Vec<u8> {
        let mut log = opened(path);
        assert!(log.is_empty());
        for n in 1..=3 {
            log.append(&json!({ "n": n })).unwrap();
        }
        drop(log);
        fs::read(path).unwrap()
    }

    #[test]
    fn a_line_that_was_not_read_is_not_written_over() {
        let (_folder, path) = place();
        let bytes = three(&path);
        let mut log = opened(&path);
        assert!(!log.is_empty());
        log.append(&json!({"n": 4})).unwrap();
        assert!(fs::read(&path).unwrap().starts_with(&bytes));
        assert_eq!(lines(&mut log)[3], (4, Some(json!({"n": 4}))));
    }

    #[test]
    fn a_damaged_line_costs_only_itself_and_what_follows_the_last_sound_one_is_dropped() {
        let (_folder, path) = place();
        let whole = three(&path);
        let length = whole.len() / 3;
        for tail in [
            &b""[..],
            b"\0\0\0\0",
            b"00000000 {}\n",
            b"\xff\xfe\r\n",
            b"0",
        ] {
            let mut bytes = [&whole, tail].concat();
            bytes[length + 12] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let mut log = opened(&path);
            let read = lines(&mut log);
            assert_eq!(read[0], (1, Some(json!({"n": 1}))));
            assert_eq!(read[1], (2, None));
            assert_eq!(read[2], (3, Some(json!({"n": 3}))));
            assert!(log.is_damaged());
            log.truncate().unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes[..whole.len()]);
        }
    }

    #[test]
    fn every_form_gives_its_text_back() {
        for form in [Form::SumFirst, Form::SumLast, Form::Plain] {
            let mut line = form.line("a text 1").into_bytes();
            assert_eq!(form.text(&line), Some(&b"a text 1"[..]), "{form:?}");
            assert_eq!(form.text(&line[..line.len() - 1]), None, "{form:?}");
            line[4] ^= 1;
            assert_eq!(form.text(&line).is_some(), form == Form::Plain, "{form:?}");
        }
        assert_eq!(Form::SumLast.line("round 1"), "round 1 7e760b18\n");
        assert_eq!(Form::SumLast.text(b"short\n"), None);
    }

    #[test]
    fn a_line_that_was_cut_off_is_no_damage() {
        let (_folder, path) = place();
        let whole = three(&path);
        for length in 1..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut log = opened(&path);
            lines(&mut log);
            assert!(!log.is_damaged(), "{length}");
        }
    }

    #[test]
    fn only_the_beginning_of_the_same_line_was_cut_off() {
        let (_folder, path) = place();
        let object = json!({"kind": 1, "settings": {}});
        let whole = Form::SumFirst.line(&object.to_string());
        let is_cut_off = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let mut cut_off = None;
            let read = opened(&path).read(io::Error::from, |line| {
                cut_off.get_or_insert(line.is_beginning_of(&object.to_string()));
                Ok(())
            });
            read.map(|()| cut_off).unwrap()
        };
        assert_eq!(is_cut_off(b""), None);
        for length in 1..whole.len() {
            assert_eq!(
                is_cut_off(&whole.as_bytes()[..length]),
                Some(true),
                "{length}"
            );
        }
        let other = Form::SumFirst.line(&json!({"kind": 1, "settings": {"a": 1}}).to_string());
        let another = &other.as_bytes()[..other.len() - 1];
        for foreign in [
            whole.as_bytes(),
            another,
            b"42",
            b"12345678 {",
            b"notes",
            b"\n",
        ] {
            assert_eq!(is_cut_off(foreign), Some(false), "{foreign:?}");
        }
    }

    // On Windows nobody else can write to an open journal.
    #[cfg(not(windows))]
    #[test]
    fn a_line_that_has_changed_is_not_read_again() {
        let (_folder, path) = place();
        let mut log = opened(&path);
        let span = log.append(&json!({"n": 1})).unwrap();
        assert_eq!(log.get(span).unwrap(), Some(json!({"n": 1})));
        assert_eq!(log.get::<u64>(span).unwrap(), None);
        let mut bytes = fs::read(&path).unwrap();
        bytes[12] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(log.get::<Value>(span).unwrap(), None);
    }

    #[test]
    fn a_first_line_is_of_limited_length() {
        let (_folder, path) = place();
        let text = "x".repeat(MAX_FIRST_LINE as usize);
        let error = opened(&path).append(&text).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"");
        let mut log = opened(&path);
        log.append(&"first").unwrap();
        log.append(&text).unwrap();
        assert_eq!(lines(&mut log).len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn one_process_at_a_time_has_the_file_until_it_is_gone() {
        let (_folder, path) = place();
        let log = opened(&path);
        assert!(Journal::open(&path, Form::SumFirst).unwrap().is_none());
        log.remove().unwrap();
        assert!(!path.exists());
        drop(opened(&path));
    }
}
