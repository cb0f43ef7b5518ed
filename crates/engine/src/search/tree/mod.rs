//! The tree below the root: alpha-beta on a window ([`node`]), what it leaves out or extends ([`pruning`]), and the
//! search for a quiet position ([`quiescence`]); [`together`] and [`path`] are what several threads do at the same
//! node. Each thread goes through it with a [`Worker`].

mod endgame;
mod frame;
mod node;
mod path;
mod position;
mod pruning;
mod quiescence;
mod root;
mod together;
mod worker;

pub(super) use endgame::stage_of;
pub(super) use position::Node;
pub(super) use root::SearchRoot;
pub(super) use worker::{SearchContext, Worker};
