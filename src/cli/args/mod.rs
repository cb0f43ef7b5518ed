//! The arguments that commands share.

pub(super) mod config;
pub(super) mod engine_args;
pub(super) mod shared_args;
