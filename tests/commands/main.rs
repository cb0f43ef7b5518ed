//! The commands for analysts, and what all commands have in common.

mod annotate;
mod batch;
mod cli;
mod encodings;
mod games;
mod inputs;
mod install;
#[path = "../common/messages.rs"]
mod messages;
mod old_files;
mod picture;
mod positions;
mod problems;
mod puzzles;
