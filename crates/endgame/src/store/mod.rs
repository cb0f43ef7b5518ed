//! Slices as files, and unpacked in memory.

mod file;
mod statistics;
mod table;

pub use file::StoreError;
#[cfg(test)]
pub(crate) use file::encode;
pub(crate) use file::{
    TableHeader, check, check_writable, checked, checksum, is_stored, path, read, read_header,
    split, write, write_whole,
};
pub use statistics::Statistics;
pub use table::EndgameTable;
