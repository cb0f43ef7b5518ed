//! Everything specific to an operating system or processor.

pub mod cpus;
pub mod files;
pub mod input;
pub mod journal;
pub mod map;
pub mod memory;
pub mod output;
pub mod process;
pub mod signals;
