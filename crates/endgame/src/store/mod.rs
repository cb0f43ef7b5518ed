//! Slices as files, read where they lie, and unpacked in memory.

mod convert;
mod file;
mod old;
mod packed;
mod statistics;
mod table;

pub use convert::convert;
pub use file::{Contents, StoreError};
pub(crate) use file::{
    DISTANCES, TableHeader, check_writable, checksum, claim, complete, encode, is_stored, is_there,
    kinds, path, path_of, read, read_header, split, write, write_whole,
};
pub(crate) use packed::{Bytes, PackedTable, State};
pub use statistics::Statistics;
pub(crate) use table::EndgameTable;
