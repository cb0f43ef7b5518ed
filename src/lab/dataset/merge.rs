//! `damier dataset merge`: many files into one, in the order of the games' indices.

use super::blocks::open;
use super::{Damage, DatasetError, GameRecord, Header, Order, Reader, Shard, Writer};
use crate::os;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

/// What a merge came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Games written.
    pub games: u64,
    /// Games missing between the first and the last one, or before the first.
    pub missing: u64,
    /// What could not be read.
    pub damages: Vec<Damage>,
}

/// Merges `files` into `out`: the games by their indices, in full blocks, so that all shards of a run give the very file
/// that the run would have given without shards. What is damaged is left out and told. The result is written beside and
/// renamed when it is whole; a file of the same content that is there already is taken for it. `each` is told each game.
///
/// # Errors
/// A file cannot be read or written, the files do not fit together, a game is there twice, or there is another file at
/// `out`. Nothing is left behind then.
pub fn merge(
    files: &[impl AsRef<str>],
    out: &str,
    each: impl FnMut(),
) -> Result<Merged, DatasetError> {
    let header = common_header(files)?;
    let partial = format!("{out}.partial");
    let io = |error| DatasetError::io(out, error);
    let beside = open_partial(files, &partial)?;
    let merged = write(files, &header, &partial, beside, each).and_then(|merged| {
        if fs::exists(out).map_err(io)? {
            if !same(out, &partial).map_err(io)? {
                let file = out.to_owned();
                return Err(DatasetError::Exists { file });
            }
            fs::remove_file(&partial).map_err(io)?;
        } else {
            fs::rename(&partial, out).map_err(io)?;
        }
        Ok(merged)
    });
    if merged.is_err() {
        // What is half written is of no use to anyone.
        let _ = fs::remove_file(&partial);
    }
    merged
}

/// The file beside the result, for this process alone; what a run that was killed left in it is thrown away. Never one of
/// the files to read, a link, or a file that no program of ours began: they would be emptied.
pub(crate) fn open_partial(files: &[impl AsRef<str>], partial: &str) -> Result<File, DatasetError> {
    let io = |error| DatasetError::io(partial, error);
    let exists = || {
        let file = partial.to_owned();
        DatasetError::Exists { file }
    };
    let place = |name: &str| fs::canonicalize(name).ok();
    let is_input = |file: &str| place(file).is_some_and(|file| Some(file) == place(partial));
    let is_else = |there: fs::Metadata| !there.is_file() || has_other_names(&there);
    let is_else = fs::symlink_metadata(partial).is_ok_and(is_else);
    if is_else || files.iter().map(AsRef::as_ref).any(is_input) {
        return Err(exists());
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(partial).map_err(io)?;
    // Another merge may have put the file in its place, between opening and locking.
    let is_there = || fs::metadata(partial).is_ok_and(|there| is_same_file(&there, &file));
    if !os::lock(&file).map_err(io)? || !is_there() {
        return Err(io(io::Error::other("another process writes to it")));
    }
    if !is_ours(&mut file).map_err(io)? {
        return Err(exists());
    }
    file.set_len(0).map_err(io)?;
    file.rewind().map_err(io)?;
    Ok(file)
}

/// Whether a file is empty or begins as all files of this program do.
fn is_ours(file: &mut File) -> io::Result<bool> {
    const NAME: &[u8] = b"DAMIER";
    let mut begin = Vec::new();
    let length = Read::by_ref(file)
        .take(NAME.len() as u64)
        .read_to_end(&mut begin)?;
    Ok(begin.eq_ignore_ascii_case(&NAME[..length]))
}

/// Whether what is in a file is some other file's, too.
#[cfg(unix)]
fn has_other_names(there: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(there) > 1
}
#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn is_same_file(there: &fs::Metadata, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |data: &fs::Metadata| (data.dev(), data.ino());
    file.metadata().is_ok_and(|here| id(&here) == id(there))
}
#[cfg(not(unix))]
fn is_same_file(_: &fs::Metadata, _: &File) -> bool {
    true
}

/// The header of all files together.
fn common_header(files: &[impl AsRef<str>]) -> Result<Header, DatasetError> {
    let mut common: Option<(String, Header)> = None;
    for file in files.iter().map(AsRef::as_ref) {
        let mut source = open(file)?;
        let (header, _) = Header::read(file, &mut source)?;
        match &common {
            None => common = Some((file.to_owned(), header)),
            Some((other, first)) => {
                if let Some((name, there, here)) = first.difference(&header) {
                    return Err(DatasetError::Mixed {
                        file: file.to_owned(),
                        other: other.clone(),
                        name,
                        there,
                        here,
                    });
                }
            }
        }
    }
    let missing = || DatasetError::Missing {
        wanted: "file to merge".to_owned(),
    };
    let (_, header) = common.ok_or_else(missing)?;
    Ok(Header {
        shard: Shard::WHOLE,
        ..header
    })
}

fn write(
    files: &[impl AsRef<str>],
    header: &Header,
    partial: &str,
    beside: File,
    mut each: impl FnMut(),
) -> Result<Merged, DatasetError> {
    let io = |error| DatasetError::io(partial, error);
    let readers: Vec<Reader> = files
        .iter()
        .map(|file| Reader::open(std::slice::from_ref(file), Order::Stored))
        .collect::<Result<_, _>>()?;
    let mut out = BufWriter::new(beside);
    out.write_all(&header.to_bytes()).map_err(io)?;
    let mut writer = Writer::new(out);
    let mut merged = Merged::default();
    let mut sources: Vec<_> = readers.iter().map(Reader::games).collect();
    // The next game of each file; the heap holds their indices.
    let mut next: Vec<Option<GameRecord>> = sources.iter_mut().map(Iterator::next).collect();
    let mut heap: BinaryHeap<_> = next
        .iter()
        .enumerate()
        .filter_map(|(file, game)| game.as_ref().map(|game| Reverse((game.index, file))))
        .collect();
    let mut last: Option<(u64, usize)> = None;
    while let Some(Reverse((index, file))) = heap.pop() {
        check(files, index, file, last)?;
        merged.missing += index - last.map_or(0, |(last, _)| last + 1);
        last = Some((index, file));
        if let Some(game) = next[file].take() {
            writer.add(&game).map_err(io)?;
            merged.games += 1;
            each();
        }
        next[file] = sources[file].next();
        if let Some(game) = &next[file] {
            heap.push(Reverse((game.index, file)));
        }
    }
    writer.flush().map_err(io)?;
    writer.get_mut().get_ref().sync_all().map_err(io)?;
    merged.damages = readers.iter().flat_map(Reader::damages).collect();
    Ok(merged)
}

fn check(
    files: &[impl AsRef<str>],
    game: u64,
    file: usize,
    last: Option<(u64, usize)>,
) -> Result<(), DatasetError> {
    let name = |file: usize| files[file].as_ref().to_owned();
    match last {
        Some((last, other)) if last == game => Err(DatasetError::Twice {
            file: name(other),
            other: name(file),
            game,
        }),
        Some((last, _)) if last > game => Err(DatasetError::Unordered {
            file: name(file),
            game,
        }),
        _ => Ok(()),
    }
}

/// Whether two files hold the same bytes.
fn same(a: &str, b: &str) -> io::Result<bool> {
    let (a, b) = (File::open(a)?, File::open(b)?);
    if a.metadata()?.len() != b.metadata()?.len() {
        return Ok(false);
    }
    let (mut a, mut b) = (BufReader::new(a).bytes(), BufReader::new(b).bytes());
    loop {
        match (a.next().transpose()?, b.next().transpose()?) {
            (None, None) => return Ok(true),
            (x, y) if x != y => return Ok(false),
            _ => {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn two_merges_do_not_write_one_file() {
        let name = format!("damier-merge-{}.partial", std::process::id());
        let path = std::env::temp_dir().join(name);
        let path = path.to_str().unwrap();
        let none: [&str; 0] = [];
        fs::write(path, "the user's").unwrap();
        let error = open_partial(&none, path).unwrap_err();
        assert!(matches!(error, DatasetError::Exists { .. }), "{error}");
        assert_eq!(fs::read(path).unwrap(), b"the user's");
        fs::write(path, "DamierGR, left by a kill").unwrap();
        let link = format!("{path}.link");
        std::os::unix::fs::symlink(path, &link).unwrap();
        assert!(open_partial(&none, &link).is_err());
        fs::remove_file(link).unwrap();
        let first = open_partial(&none, path).unwrap();
        assert_eq!(first.metadata().unwrap().len(), 0);
        let error = open_partial(&none, path).unwrap_err();
        assert!(error.to_string().contains("another process"), "{error}");
        drop(first);
        assert!(open_partial(&none, path).is_ok());
        fs::remove_file(path).unwrap();
    }
}
