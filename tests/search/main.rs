//! The search and what it plays from: evaluation, book, suites.

mod bench;
mod book;
mod book_cli;
mod book_play;
mod evaluation;
mod lines;
mod searches;
mod suite;
mod threads;
