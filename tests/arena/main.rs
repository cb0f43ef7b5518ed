//! Matches between engines.

mod doubles;
mod faults;
mod long;
mod matches;
mod reports;
mod resume;
