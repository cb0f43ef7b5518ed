//! What is particular to an operating system or a processor, in this folder only.

pub mod files;
pub(crate) mod map;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod process;
pub mod signals;
