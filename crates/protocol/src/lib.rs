//! Codecs of the wire protocols: text or bytes to types and back, for both sides of a connection.
//!
//! No I/O here, so that a codec can be tested without a process.

pub mod dxp;
pub mod hub;
