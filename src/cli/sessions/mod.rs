//! The commands that play, each over a protocol of its own: Hub, DXP, the terminal, the browser.

mod dxp;
mod hub;
mod play;
mod qr;
pub(super) mod serve;

use super::command::Entry;

/// In the order of the help.
pub(super) const COMMANDS: &[Entry] = &[
    Entry::of::<hub::HubArgs>(),
    Entry::of::<dxp::DxpArgs>(),
    Entry::of::<play::PlayArgs>(),
    Entry::of::<serve::ServeArgs>(),
];
