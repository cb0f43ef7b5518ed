//! Everything specific to an operating system or processor.

pub(crate) mod cpus;
pub mod files;
pub mod input;
pub(crate) mod json_log;
pub(crate) mod map;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod process;
pub mod signals;
