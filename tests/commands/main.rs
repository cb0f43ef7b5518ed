//! The commands for analysts, and what all commands have in common.

mod analyze;
mod annotate;
mod batch;
mod cli;
mod dialects;
mod encodings;
mod games;
mod help;
mod inputs;
mod install;
mod logs;
#[path = "../common/messages.rs"]
mod messages;
mod old_files;
mod picture;
mod positions;
mod problems;
mod program;
mod puzzles;
