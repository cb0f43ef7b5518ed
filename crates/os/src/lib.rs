#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! - [`files`]: opens, reads, locks and replaces files; [`input`]: reads a file or the standard input;
//! - [`folders`]: where data of a user are; [`journal`]: a log of JSON records with checksums; [`output`]: unread bytes
//!   of the standard output;
//! - [`map`]: memory maps; [`memory`], [`cpus`]: size of the memory, number of processors;
//! - [`process`]: child processes; [`signals`]: requests to end; [`sockets`]: ends that have closed;
//! - [`pool`]: ordered work on many threads; [`shard`]: a share of numbered work, for several processes and machines.

pub mod cpus;
pub mod files;
pub mod folders;
pub mod input;
pub mod journal;
pub mod map;
pub mod memory;
pub mod output;
pub mod pool;
pub mod process;
pub mod shard;
pub mod signals;
pub mod sockets;
