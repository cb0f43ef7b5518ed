//! The commands that play, each over a protocol of its own: Hub, DXP, the terminal, the browser.

pub(super) mod dxp;
pub(super) mod hub;
pub(super) mod play;
mod qr;
pub(super) mod serve;
