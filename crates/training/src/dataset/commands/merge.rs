//! `damier dataset merge`: many files into one, in the order of the games' indices.

use crate::dataset::blocks::open;
use crate::dataset::format::MAGIC;
use crate::dataset::{Damage, DatasetError, GameRecord, Header, Order, Reader, Writer};
use damier_os::files::{self, AtomicFile};
use damier_os::shard::Shard;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// The outcome of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Games written.
    pub games: u64,
    /// Games missing between the first and the last one, or before the first.
    pub missing: u64,
    /// What could not be read.
    pub damages: Vec<Damage>,
}

/// Merges `files` into `out`: the games by their indices, in full blocks, so that all shards of a run give the very
/// file that the run would have given without shards. Damaged blocks are left out and reported. The result is written
/// beside and renamed when it is complete; an existing file of the same content is left as it is. `each` is called
/// after each game.
///
/// # Errors
/// A file cannot be read or written, the files do not fit together, a game is there twice, or there is another file at
/// `out`. Nothing is left behind then.
pub fn merge(
    files: &[impl AsRef<Path>],
    out: impl AsRef<Path>,
    each: impl FnMut(),
) -> Result<Merged, DatasetError> {
    let out = out.as_ref();
    let header = common_header(files)?;
    let io = |error| DatasetError::io(out, error);
    let inputs: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
    let begun = AtomicFile::begin(out, MAGIC, &inputs);
    let file = begun.map_err(|error| DatasetError::replace(out, error))?;
    let merged = write(files, &header, out, file.file(), each)?;
    if !fs::exists(out).map_err(io)? {
        file.commit().map_err(io)?;
    } else if !same(file.file(), out).map_err(io)? {
        let file = out.display().to_string();
        return Err(DatasetError::Exists { file });
    }
    Ok(merged)
}

/// The header of all files together.
fn common_header(files: &[impl AsRef<Path>]) -> Result<Header, DatasetError> {
    let mut common: Option<(String, Header)> = None;
    for file in files.iter().map(AsRef::as_ref) {
        let mut source = open(file)?;
        let (header, _) = Header::read(file, &mut source)?;
        match &common {
            None => common = Some((file.display().to_string(), header)),
            Some((other, first)) => {
                if let Some((name, there, here)) = first.recipe.difference(&header.recipe) {
                    return Err(DatasetError::Mixed {
                        file: file.display().to_string(),
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
    files: &[impl AsRef<Path>],
    header: &Header,
    name: &Path,
    file: &File,
    mut each: impl FnMut(),
) -> Result<Merged, DatasetError> {
    let io = |error| DatasetError::io(name, error);
    let readers: Vec<Reader> = files
        .iter()
        .map(|file| Reader::open(std::slice::from_ref(file), Order::Stored))
        .collect::<Result<_, _>>()?;
    let mut out = BufWriter::new(file);
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
    files: &[impl AsRef<Path>],
    game: u64,
    file: usize,
    last: Option<(u64, usize)>,
) -> Result<(), DatasetError> {
    let name = |file: usize| files[file].as_ref().display().to_string();
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
fn same(mut a: &File, b: &Path) -> io::Result<bool> {
    a.rewind()?;
    let b = files::open_regular(b)?;
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
