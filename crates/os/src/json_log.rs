//! A file of JSON lines that survives any interruption.
//!
//! Each line is the CRC-32 of its rest in eight hexadecimal digits, a space, and a JSON object. Lines are only added, each
//! in one piece. A line that was cut off does not fit its checksum.

use super::files;
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
/// The same of the first line, so that little is read of a file of another kind.
const MAX_FIRST_LINE: u64 = 1 << 24;

/// Where a line is in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineSpan {
    offset: u64,
    length: u64,
}

/// A line as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Where it is.
    pub span: LineSpan,
    /// With checksum and newline, as far as they are there.
    bytes: &'a [u8],
    /// Its JSON, if its checksum fits.
    json: Option<&'a [u8]>,
}

impl Line<'_> {
    /// Whether its checksum fits.
    pub fn is_sound(&self) -> bool {
        self.json.is_some()
    }

    /// What it says, if it is sound and says that.
    pub fn parse<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(self.json?).ok()
    }

    /// Whether it is the beginning of the line of this object, without its end: the writer was killed.
    ///
    /// # Errors
    /// The object cannot be written as JSON.
    pub fn is_cut_off(&self, object: &impl Serialize) -> io::Result<bool> {
        let whole = line_of(object)?;
        Ok(self.bytes.len() < whole.len() && whole.as_bytes().starts_with(self.bytes))
    }
}

/// An open file, locked against other processes.
#[derive(Debug)]
pub struct JsonLog {
    path: PathBuf,
    file: File,
    /// Where the next line is written: the end of the last sound line; of the file, until it is read.
    end: u64,
    damaged: bool,
    synced: Instant,
}

impl JsonLog {
    /// Opens or creates a file. None: another process has it.
    pub fn open(path: &Path) -> io::Result<Option<JsonLog>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let Some(file) = files::open_locked(path, &mut options)? else {
            return Ok(None);
        };
        Ok(Some(JsonLog {
            path: path.to_owned(),
            end: file.metadata()?.len(),
            damaged: false,
            file,
            synced: Instant::now(),
        }))
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
    /// What `fail` makes of a file that cannot be read, or what `each` says.
    pub fn read<E>(
        &mut self,
        fail: impl Fn(io::Error) -> E,
        mut each: impl FnMut(Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.file.seek(SeekFrom::Start(0)).map_err(&fail)?;
        self.end = 0;
        self.damaged = false;
        let mut unsound = false;
        let mut reader = BufReader::new(&self.file);
        let (mut bytes, mut offset) = (Vec::new(), 0);
        for number in 1.. {
            bytes.clear();
            let limit = longest(offset);
            let read = (&mut reader).take(limit).read_until(b'\n', &mut bytes);
            let length = read.map_err(&fail)? as u64;
            if length == 0 {
                break;
            }
            let json = checked(&bytes);
            let span = LineSpan { offset, length };
            each(Line {
                number,
                span,
                bytes: &bytes,
                json,
            })?;
            offset += length;
            match json {
                Some(_) => {
                    self.end = offset;
                    self.damaged |= unsound;
                }
                None => unsound = true,
            }
        }
        Ok(())
    }

    /// Drops what follows the last sound line that was read or written.
    pub fn truncate(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)
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
        Ok(checked(&line).and_then(|json| serde_json::from_slice(json).ok()))
    }

    /// Adds a line. It is synced if it is the first, or if the last sync was a second ago; else with a later line, or by
    /// [`sync`](JsonLog::sync).
    ///
    /// # Errors
    /// The file cannot be written, or the line would be longer than [`read`](JsonLog::read) takes.
    pub fn append(&mut self, object: &impl Serialize) -> io::Result<LineSpan> {
        let line = line_of(object)?;
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

/// Upper limit on the length of a line that begins there.
fn longest(offset: u64) -> u64 {
    match offset {
        0 => MAX_FIRST_LINE,
        _ => MAX_LINE,
    }
}

/// The line of an object.
fn line_of(object: &impl Serialize) -> io::Result<String> {
    let json = serde_json::to_string(object)?;
    Ok(format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes())))
}

/// The JSON of a line whose checksum fits.
fn checked(line: &[u8]) -> Option<&[u8]> {
    let (sum, json) = line.strip_suffix(b"\n")?.split_at_checked(9)?;
    let sum = std::str::from_utf8(sum.strip_suffix(b" ")?).ok()?;
    let sum = u32::from_str_radix(sum, 16).ok()?;
    (crc32fast::hash(json) == sum).then_some(json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn place() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        (folder, path)
    }

    fn opened(path: &Path) -> JsonLog {
        JsonLog::open(path).unwrap().expect("nobody else has it")
    }

    /// The numbers of the lines, and what the sound ones say.
    fn lines(log: &mut JsonLog) -> Vec<(u64, Option<Value>)> {
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
        let whole = line_of(&object).unwrap();
        let is_cut_off = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let mut cut_off = None;
            let read = opened(&path).read(io::Error::from, |line| {
                cut_off.get_or_insert(line.is_cut_off(&object)?);
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
        let other = line_of(&json!({"kind": 1, "settings": {"a": 1}})).unwrap();
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
        assert!(JsonLog::open(&path).unwrap().is_none());
        log.remove().unwrap();
        assert!(!path.exists());
        drop(opened(&path));
    }
}
