//! What commands say: errors, usage, progress, files and the log.

pub(super) mod errors;
pub(super) mod files;
pub(super) mod log_file;
pub(super) mod progress;
pub(super) mod usage;
