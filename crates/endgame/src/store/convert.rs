//! Rewrites tables of earlier versions, which packed slices whole.

use super::StoreError;
use super::file::{self, TableFlaw, TableHeader};
use super::old::unpack;
use crate::Slice;
use crate::index::{Frame, Layout};
use crate::pack::{Kind, ordered, pack_slice};
use damier_os::files;
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

/// A file, and its bytes where it is a part of one.
type Table = (PathBuf, Option<Vec<u8>>);

/// Most bytes of a file: more than any slice needs.
pub(super) const LONGEST: u64 = 1 << 32;

/// Writes the tables of a folder, or those of a file made by `damier endgame embed`, into a folder in the present
/// format, which may be the same folder; `report` gets each slice once it is written, or why it is not: its file is
/// foreign or damaged, or cannot be read or written. Tables in the present format are checked and copied. Returns the
/// number of tables written.
///
/// # Errors
/// The folders cannot be read or written, or a file that holds several tables is none.
pub fn convert(
    old: &Path,
    new: &Path,
    report: impl Fn(Result<Slice, StoreError>) + Sync,
) -> Result<usize, StoreError> {
    let tables = tables(old)?;
    if tables.is_empty() {
        return Err(StoreError::Empty(old.to_owned()));
    }
    fs::create_dir_all(new).map_err(|error| StoreError::io(new, error))?;
    file::check_writable(new)?;
    let each = |table: &Table| {
        let (path, held) = table;
        let read = || files::read_at_most(path, LONGEST).map_err(|e| StoreError::io(path, e));
        let bytes = held.clone().map_or_else(read, Ok);
        let written = bytes.and_then(|bytes| rewrite(path, &bytes, new));
        let is_written = written.is_ok();
        report(written);
        is_written
    };
    Ok(tables.par_iter().filter(|table| each(table)).count())
}

/// The files of a folder, or the parts of a file with their bytes.
fn tables(old: &Path) -> Result<Vec<Table>, StoreError> {
    if old.is_dir() {
        let slices = (2..=crate::MAX_PIECES).flat_map(Slice::of_pieces);
        let both = [Kind::Values, Kind::Distances];
        let paths = slices.flat_map(|slice| both.map(|kind| file::path_of(old, slice, kind)));
        let mut paths: Vec<PathBuf> = paths.collect();
        paths.dedup();
        let paths = paths.into_iter();
        return Ok(paths
            .filter(|path| file::is_there(path))
            .map(|path| (path, None))
            .collect());
    }
    let bytes = files::read_at_most(old, LONGEST).map_err(|error| StoreError::io(old, error))?;
    let (mut rest, mut parts) = (&bytes[..], Vec::new());
    while !rest.is_empty() {
        let (_, _, after) = any(rest).map_err(|flaw| flaw.at(old))?;
        let part = &rest[..rest.len() - after.len()];
        parts.push((old.to_owned(), Some(part.to_vec())));
        rest = after;
    }
    Ok(parts)
}

/// The first slice in `bytes`, of either version.
fn any(bytes: &[u8]) -> Result<(TableHeader, &[u8], &[u8]), TableFlaw> {
    match file::split(bytes) {
        Err(TableFlaw::Old) => file::split_version(bytes, file::OLD),
        found => found,
    }
}

/// Header and codes of a slice of an earlier version; the codes of positions with a capture mean nothing.
pub(super) fn unpacked(
    path: &Path,
    slice: Slice,
    bytes: &[u8],
) -> Result<(TableHeader, Vec<u8>), StoreError> {
    let (header, packed, rest) =
        file::split_version(bytes, file::OLD).map_err(|flaw| flaw.at(path))?;
    let is_sound = crc32fast::hash(packed) == file::checksum_of_codes(bytes);
    match header.slice == slice && rest.is_empty() && is_sound {
        true => Ok((header, unpack(&Layout::new(slice), header.kind, packed))),
        false => Err(TableFlaw::Damaged.at(path)),
    }
}

fn rewrite(path: &Path, bytes: &[u8], new: &Path) -> Result<Slice, StoreError> {
    let damaged = || TableFlaw::Damaged.at(path);
    let (header, packed, rest) = any(bytes).map_err(|flaw| flaw.at(path))?;
    let slice = header.slice;
    if !rest.is_empty() {
        return Err(damaged());
    }
    if file::split(bytes).is_ok() {
        file::checked(path, slice, bytes)?;
        file::write(new, &header, packed)?;
        return Ok(slice);
    }
    let (_, codes) = unpacked(path, slice, bytes)?;
    let frame = Frame::new(slice);
    let code = |slot: usize| {
        let position = frame.placement(slot as u64).position(slice.pieces())?;
        (!position.must_capture()).then_some(codes[slot])
    };
    let (order, packed) = pack_slice(header.kind, slice, |order| ordered(slice, order, &code));
    file::write(new, &TableHeader { order, ..header }, &packed)?;
    Ok(slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tables, View};
    use std::sync::Mutex;

    /// Tables of an earlier version: 1k-1k, 2k-1k and 1k-2k.
    static OLD: &[u8] = include_bytes!("../../tables/old.dgt");

    /// Whether the tables of 1k-1k, 2k-1k and 1k-2k have the verdicts of those in the program.
    fn agree_with_those_in_the_program(tables: &Tables) -> bool {
        let built_in = Tables::open(None).unwrap();
        ["1k-1k", "2k-1k", "1k-2k"].iter().all(|name| {
            let slice: Slice = name.parse().unwrap();
            let frame = Frame::new(slice);
            let all = (0..frame.layout.slots)
                .filter_map(|slot| frame.placement(slot).position(slice.pieces()));
            let mut all = all.filter(|position| !position.must_capture());
            all.all(|position| {
                let verdict = |tables| View::new(tables, 3).quiet(&position);
                verdict(tables) == verdict(&built_in) && verdict(tables).is_some()
            })
        })
    }

    #[test]
    fn tables_of_an_earlier_version_are_used_and_rewritten() {
        let dir = tempfile::tempdir().unwrap();
        let (mut rest, mut paths) = (OLD, Vec::new());
        while let Ok((header, _, after)) = any(rest) {
            let path = file::path(dir.path(), header.slice);
            fs::write(&path, &rest[..rest.len() - after.len()]).unwrap();
            paths.push(path);
            rest = after;
        }
        assert_eq!((rest.len(), paths.len()), (0, 3));
        let opened = Tables::open(Some(dir.path())).unwrap();
        assert!(opened.check(3).is_ok() && opened.problems().is_empty());
        assert!(paths.iter().all(|path| path.is_file()));
        assert!(agree_with_those_in_the_program(&opened));
        assert_eq!(opened.statistics().unwrap().len(), 41);
        // Beside, in place, from one file, and again.
        let (other, file) = (dir.path().join("new"), dir.path().join("all.dgt"));
        fs::write(&file, OLD).unwrap();
        for (from, to) in [
            (dir.path(), &*other),
            (&file, dir.path()),
            (dir.path(), dir.path()),
        ] {
            assert_eq!(convert(from, to, |_| ()).unwrap(), 3);
            let tables = Tables::open(Some(to)).unwrap();
            assert!(tables.check(3).is_ok() && tables.problems().is_empty());
            assert!(agree_with_those_in_the_program(&tables));
        }
        // One that is damaged does not hinder the others.
        let mut bad = OLD.to_vec();
        bad[80] ^= 1;
        fs::write(&file, bad).unwrap();
        fs::write(&paths[1], "no table").unwrap();
        for from in [&file, dir.path()] {
            let failed = Mutex::new(0);
            let written = convert(from, &other, |table| {
                *failed.lock().unwrap() += u32::from(table.is_err());
            });
            assert_eq!((written.unwrap(), *failed.lock().unwrap()), (2, 1));
        }
        // Nor does a folder of its name.
        fs::remove_file(&paths[1]).unwrap();
        fs::create_dir(&paths[1]).unwrap();
        let failed = Mutex::new(0);
        let written = convert(dir.path(), &other, |table| {
            *failed.lock().unwrap() += u32::from(table.is_err());
        });
        assert_eq!((written.unwrap(), *failed.lock().unwrap()), (2, 1));
        fs::write(&file, &OLD[..90]).unwrap();
        assert!(matches!(
            convert(&file, dir.path(), |_| ()),
            Err(StoreError::Damaged(_))
        ));
        let empty = tempfile::tempdir().unwrap();
        let converted = convert(empty.path(), dir.path(), |_| ());
        assert!(matches!(converted, Err(StoreError::Empty(_))));
    }
}
