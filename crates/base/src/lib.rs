#![doc = include_str!("../README.md")]
//!
//! A [`Base`] is opened for reading, or created and opened for [`Base::import`]. A [`Search`] says which games are
//! wanted; [`Base::query`] gives an iterator of [`Hit`]s, [`Base::explore`] the moves played in a position. Tables and
//! columns are described in `docs/games-base.md`.

mod error;
mod explore;
mod file;
mod header;
mod import;
mod search;
mod stat;

pub use error::{BaseError, BaseErrorKind};
pub use explore::{Explored, ExploredMove};
pub use file::Base;
pub use file::collections::Collection;
pub use header::Header;
pub use import::{ImportSettings, Imported, Observer, Progress};
pub use search::{
    Day, DayError, Found, FoundGame, Hit, Hits, Material, MaterialError, Order, Query, ResultError,
    ResultWanted, Search, SearchError, Side,
};
pub use stat::{Content, Player, Tally};

#[cfg(test)]
mod tests;
