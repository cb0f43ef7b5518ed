#![doc = include_str!("../README.md")]
//!
//! A [`Base`] is opened for reading, or created and opened for [`Base::import`]. A [`Search`] says which games are
//! wanted; [`Base::query`] gives an iterator of [`Hit`]s, [`Base::explore`] the moves played in a position. Tables and
//! columns are described in `docs/games-base.md`.

mod base;
mod check;
mod day;
mod error;
mod explore;
mod header;
mod import;
mod material;
mod names;
mod packed;
mod query;
mod read;
mod search;
mod stat;
mod write;

pub use base::Base;
pub use day::{Day, DayError};
pub use error::{BaseError, BaseErrorKind};
pub use explore::{Explored, ExploredMove};
pub use header::Header;
pub use import::{ImportSettings, Imported, Observer, Progress};
pub use material::{Material, MaterialError, Side};
pub use query::{Hit, Hits, Query};
pub use search::{Order, ResultWanted, Search, SearchError};
pub use stat::{Content, Player, Tally};

#[cfg(test)]
mod tests;
