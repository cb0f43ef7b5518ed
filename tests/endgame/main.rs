//! Endgame tables, and play that they prove right or wrong.

mod commands;
#[path = "../common/mod.rs"]
mod common;
mod damage;
mod draw_rules;
mod endings;
mod exact;
mod tables;
