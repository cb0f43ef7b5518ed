//! Conversations with other programs and with people: Hub, DXP, browser, terminal.

#[path = "../common/mod.rs"]
mod common;
mod dxp;
mod dxp_faults;
mod dxp_peer;
mod dxp_player;
mod hub_client;
mod hub_faults;
mod hub_session;
mod hub_time;
mod levels;
mod options;
mod terminal;
mod web;
mod web_base;
mod web_client;
mod web_faults;
mod web_load;
