//! The codecs of the wire protocols: text or bytes to types and back, for both sides of a connection.
//!
//! No input or output here: a codec is tested without a process.

pub mod dxp;
pub mod hub;
