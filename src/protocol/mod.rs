//! The codecs of the wire protocols: text or bytes to types and back, for both sides of the wire.
//!
//! Nothing here plays, waits or does input and output: a codec is tested without a process.

pub mod dxp;
pub mod hub;
