//! Files of games played for training.
//!
//! A file is a header and blocks of games ([`mod@format`], [`record`]); [`Reader`] gives the positions of many files
//! with their scores and results, [`Filter`] chooses among them, [`Shuffle`] mixes them in bounded memory:
//!
//! ```no_run
//! use damier_training::dataset::{Filter, Order, Reader, Shuffle, Stillness};
//! let files = ["games.dgr"];
//! let reader = Reader::open(&files, Order::Shuffled { seed: 1 })?;
//! let filter = Filter { stillness: Stillness::Quiet, ..Filter::default() };
//! let samples = reader.samples().filter(move |sample| filter.takes(sample));
//! for sample in Shuffle::new(samples, 1 << 20, 1) {
//!     let (position, score, result) = (sample.position, sample.score, sample.result);
//! }
//! # Ok::<(), damier_training::dataset::DatasetError>(())
//! ```
//!
//! A damaged block is skipped and named ([`Reader::damages`]); what stands before and after it is read.

mod blocks;
mod commands;
mod error;
mod filter;
pub mod format;
mod reader;
mod recipe;
pub mod record;
mod shuffle;
mod write;

pub use commands::merge::{Merged, merge};
pub use commands::show::{ShowOptions, show};
pub use commands::stat::{Statistics, statistics};
pub use commands::verify::{Verified, verify};
pub use error::{Damage, DatasetError};
pub use filter::{Filter, Stillness};
pub use format::Header;
pub use reader::{Order, Reader, Sample, Samples, StoredGames};
pub use recipe::Recipe;
pub use record::{End, GameRecord, Played};
pub use shuffle::Shuffle;
pub use write::{GAMES_IN_BLOCK, Writer};

pub(crate) use blocks::{BlockRef, scan};
