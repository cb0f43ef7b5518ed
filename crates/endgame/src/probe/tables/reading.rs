//! Reading for searches that have no time to wait for a disk.

use super::Tables;
use crate::Slice;
use std::sync::mpsc::{self, Sender};
use std::sync::{OnceLock, Weak};
use std::thread;

/// A table to open, or a group of its blocks to read.
type Request = (Slice, Option<usize>);

/// Requests to a thread that is started with the first one. It ends with the tables.
#[derive(Default)]
pub(super) struct Requests(OnceLock<Sender<Request>>);

impl Requests {
    /// Asks for a table, or a group of its blocks.
    pub fn add(&self, tables: &Weak<Tables>, slice: Slice, group: Option<usize>) {
        let sender = self.0.get_or_init(|| {
            let (sender, receiver) = mpsc::channel::<Request>();
            let tables = Weak::clone(tables);
            let work = move || {
                for (slice, group) in receiver {
                    let Some(tables) = tables.upgrade() else {
                        return;
                    };
                    tables.answer(slice, group);
                }
            };
            let thread = thread::Builder::new().name("endgame-tables".to_owned());
            if let Err(error) = thread.spawn(work) {
                log::warn!("endgame tables on disk are not used: {error}");
            }
            sender
        });
        // Without the thread nobody listens.
        let _ = sender.send((slice, group));
    }
}
