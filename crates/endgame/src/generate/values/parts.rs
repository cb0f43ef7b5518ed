//! The files of a slice being built: the solved sections of a level, or of a part of it. A part belongs to the process
//! that holds the lock of its file; the system releases it when the process ends, however it ends.

use super::kings::Kings;
use super::men::Sections;
use super::solver::KEPT;
use crate::Slice;
use crate::store::StoreError;
use damier_os::files::{self, AtomicFile, ReplaceError};
use damier_os::map::{self, Map};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const MAGIC: &[u8; 8] = b"DAMIEREP";
/// Magic, men and kings of both sides, CRC-32 of the sections.
const HEADER: usize = 16;
/// Positions of a part, of both slices: some seconds of a core.
const POSITIONS: usize = 1 << 26;

/// The parts of a slice in a folder.
pub(super) struct Parts {
    pub slice: Slice,
    dir: PathBuf,
    /// Bytes of a section.
    pub section: usize,
    /// Sections of a part.
    sections: usize,
    /// Number of sections by level.
    levels: Vec<usize>,
    /// By level and part; empty until the part is read.
    maps: Vec<Vec<OnceLock<Map>>>,
}

/// Level and number of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub level: usize,
    pub number: usize,
}

/// A part that this process may write.
pub(super) struct Claim(AtomicFile, PathBuf);

impl Parts {
    pub fn new(dir: &Path, slice: Slice, sections: &Sections, kings: &Kings) -> Parts {
        let bytes = |side| KEPT * kings.rows(side) * kings.bytes(side);
        let part = (POSITIONS / (2 * kings.rows(0) * kings.rows(1))).max(1);
        let levels: Vec<usize> = (0..sections.levels())
            .map(|level| sections.count(level))
            .collect();
        let maps = levels
            .iter()
            .map(|count| (0..count.div_ceil(part)).map(|_| OnceLock::new()).collect());
        Parts {
            slice,
            dir: dir.join(format!("{slice}.parts")),
            section: bytes(0) + bytes(1),
            sections: part,
            maps: maps.collect(),
            levels,
        }
    }

    /// All parts, lower levels first.
    pub fn all(&self) -> impl Iterator<Item = Part> + '_ {
        let levels = self.maps.iter().enumerate();
        levels.flat_map(|(level, parts)| (0..parts.len()).map(move |number| Part { level, number }))
    }

    /// The sections of a part.
    pub fn sections(&self, part: Part) -> Range<usize> {
        let first = part.number * self.sections;
        first..(first + self.sections).min(self.levels[part.level])
    }

    fn path(&self, part: Part) -> PathBuf {
        self.dir.join(format!("{}-{}", part.level, part.number))
    }

    /// Whether a part is there.
    pub fn is_done(&self, part: Part) -> bool {
        self.maps[part.level][part.number].get().is_some() || self.path(part).is_file()
    }

    /// Claims a part. None if another process has it.
    pub fn claim(&self, part: Part) -> Result<Option<Claim>, StoreError> {
        let path = self.path(part);
        let failed = |error| StoreError::io(&path, error);
        fs::create_dir_all(&self.dir).map_err(failed)?;
        match AtomicFile::begin(&path, MAGIC, &[] as &[&Path]) {
            // It may have been finished since it was looked for.
            Ok(_) if path.is_file() => Ok(None),
            Ok(file) => Ok(Some(Claim(file, path))),
            Err(ReplaceError::Busy) => Ok(None),
            Err(ReplaceError::Io(error)) => Err(failed(error)),
            Err(other) => Err(failed(io::Error::other(other))),
        }
    }

    /// The bytes of a part without its sections.
    pub fn blank(&self, part: Part) -> Vec<u8> {
        vec![0; HEADER + self.sections(part).len() * self.section]
    }

    /// The sections in the bytes of a part.
    pub fn sections_of<'b>(&self, bytes: &'b mut [u8]) -> std::slice::ChunksMut<'b, u8> {
        bytes[HEADER..].chunks_mut(self.section)
    }

    fn header(&self, sections: &[u8]) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        let slice = self.slice;
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&[
            slice.men,
            slice.kings,
            slice.enemy_men,
            slice.enemy_kings,
        ]);
        header[12..].copy_from_slice(&crc32fast::hash(sections).to_le_bytes());
        header
    }

    /// Writes a part that was claimed.
    pub fn write(&self, claim: Claim, mut bytes: Vec<u8>) -> Result<(), StoreError> {
        let header = self.header(&bytes[HEADER..]);
        bytes[..HEADER].copy_from_slice(&header);
        let Claim(file, path) = claim;
        file.complete(&bytes)
            .map_err(|error| StoreError::io(&path, error))
    }

    /// Reads the parts of a level.
    pub fn open(&self, level: usize) -> Result<(), StoreError> {
        for (number, map) in self.maps[level].iter().enumerate() {
            if map.get().is_none() {
                let part = Part { level, number };
                let _ = map.set(self.read(part)?);
            }
        }
        Ok(())
    }

    fn read(&self, part: Part) -> Result<Map, StoreError> {
        let path = self.path(part);
        let failed = |error| StoreError::io(&path, error);
        let file = files::open_regular(&path).map_err(failed)?;
        let map = map::read_only(&file).map_err(failed)?;
        let length = HEADER + self.sections(part).len() * self.section;
        let is_sound = |bytes: &[u8]| {
            bytes.len() == length && bytes[..HEADER] == self.header(&bytes[HEADER..])
        };
        match is_sound(map.as_slice()) {
            true => Ok(map),
            false => Err(StoreError::Damaged(path)),
        }
    }

    /// Lets go of the parts of a level.
    pub fn close(&mut self, level: usize) {
        self.maps[level].iter_mut().for_each(|map| _ = map.take());
    }

    /// A section of an open level, and what is behind it in the file.
    #[inline(always)]
    pub fn bytes(&self, level: usize, at: usize) -> &[u8] {
        let (number, within) = (at / self.sections, at % self.sections);
        let map = self.maps[level][number]
            .get()
            .map_or(&[][..], Map::as_slice);
        map.get(HEADER + within * self.section..)
            .unwrap_or_default()
    }

    /// Unmaps the files, since Windows removes no file that is mapped, and removes them; what cannot be removed stays.
    pub fn remove(&mut self) {
        (0..self.maps.len()).for_each(|level| self.close(level));
        let _ = fs::remove_dir_all(&self.dir);
    }
}
