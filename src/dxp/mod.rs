//! The DXP session: games with another program over a socket, as server or client, as initiator or follower.
//!
//! ```text
//! listener -> connections -> conversation <- messages <- reader <- socket
//!                              |      ^--- outcomes <- engine
//!                              '-> socket, report
//! ```
//!
//! * the listener accepts one connection at a time and refuses others (`listener`); a program without a game yields to
//!   one that requests a game;
//! * a reader for each connection turns bytes into messages (`wire`);
//! * the conversation keeps the state of the game and handles each message (`conversation`);
//! * the engine searches on its own thread ([`crate::engine::Thread`]);
//! * the report writes events as text or JSON (`report`).
//!
//! Invalid input or silence of the other program ends only its conversation.

mod clocks;
mod conversation;
mod listener;
mod options;
mod play;
mod report;
mod wire;

pub use options::{Options, Scope};

use crate::engine::{Engine, Level, ThinkEvent, Thread};
use crate::protocol::dxp;
use conversation::{Conversation, ConversationEnd, SearchSettings};
use listener::{ClientSlot, Listener};
use report::{Notice, NoticeWriter};
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use wire::{Arrival, Wire};

/// Timeout for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// Settings of a session.
#[derive(Clone, Debug)]
pub struct DxpSettings {
    /// The options.
    pub options: Options,
    /// The level of each search; if infinite, the game's clock decides.
    pub level: Level,
    /// End a listening session after its first conversation.
    pub once: bool,
    /// Print one JSON object per line instead of sentences.
    pub json: bool,
}

/// Why a session failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum DxpError {
    /// The host name cannot be resolved.
    #[error("no address for {host:.60}: {error}")]
    Host { host: String, error: io::Error },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error} (--port chooses another port)")]
    Listen {
        address: SocketAddr,
        error: io::Error,
    },
    /// The connection failed.
    #[error("cannot connect to {address}: {error} (does the other program listen there?)")]
    Connect {
        address: SocketAddr,
        error: io::Error,
    },
    /// The conversation was aborted, for this reason.
    #[error("{0}")]
    Broken(String),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The report could not be written.
    #[error("cannot write: {0}")]
    Output(io::Error),
}

/// Plays by DXP: as a server until the report can no longer be written, as a client until its games are played.
///
/// # Errors
/// No connection could be made, a client's conversation was aborted, or the report cannot be written.
pub fn run(engine: Engine, setting: &DxpSettings, out: &mut dyn Write) -> Result<(), DxpError> {
    let ponder = engine.options().ponder;
    let route = Arc::new(Mutex::new(None));
    let engine = start(engine, Arc::clone(&route)).map_err(DxpError::Thread)?;
    let mut session = DxpSession {
        setting,
        ponder,
        engine,
        route,
        slot: Arc::new(ClientSlot::new(setting.options.idle)),
        notices: NoticeWriter::new(out, setting.json),
    };
    let addresses = addresses(&setting.options)?;
    if setting.options.server {
        session.serve(&addresses)
    } else {
        session.call(&addresses)
    }
}

/// The channel for search outcomes: to the current conversation, which recognises its own by their job ids.
type Route = Arc<Mutex<Option<SyncSender<Arrival>>>>;

fn start(engine: Engine, route: Route) -> io::Result<Thread> {
    Thread::start(engine, move |job, event| {
        let arrival = match event {
            ThinkEvent::Report(_) => return,
            ThinkEvent::Done(outcome) => Arrival::Found(job, outcome),
            // If the search failed, play on with the first legal move.
            ThinkEvent::Failed(_) => Arrival::Found(job, Box::default()),
        };
        let to = route.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // The conversation may have ended.
        let _ = to.map(|to| to.send(arrival));
    })
}

fn addresses(options: &Options) -> Result<Vec<SocketAddr>, DxpError> {
    let host = options.host.as_str();
    dxp::addresses(host, options.port).map_err(|error| DxpError::Host {
        host: host.to_owned(),
        error,
    })
}

struct DxpSession<'a> {
    setting: &'a DxpSettings,
    ponder: bool,
    engine: Thread,
    route: Route,
    slot: Arc<ClientSlot>,
    notices: NoticeWriter<'a>,
}

impl DxpSession<'_> {
    fn serve(&mut self, addresses: &[SocketAddr]) -> Result<(), DxpError> {
        let name = &self.setting.options.name;
        let start = |address| Listener::start(address, name.clone(), Arc::clone(&self.slot));
        let (address, listener) = dxp::first_of(addresses, start)
            .map_err(|(address, error)| DxpError::Listen { address, error })?;
        self.report(&Notice::Listening(listener.address()))?;
        loop {
            let Some((stream, peer)) = listener.next() else {
                let error = io::Error::other("the listener has ended");
                return Err(DxpError::Listen { address, error });
            };
            self.report(&Notice::Connected(peer))?;
            let result = self.converse(stream);
            listener.free();
            match result {
                Ok(()) if self.setting.once => return Ok(()),
                Err(error @ DxpError::Output(_)) => return Err(error),
                Err(error) if self.setting.once => return Err(error),
                Ok(()) => self.report(&Notice::Left)?,
                Err(error) => self.report(&Notice::Parted(error.to_string()))?,
            }
        }
    }

    fn call(&mut self, addresses: &[SocketAddr]) -> Result<(), DxpError> {
        let connect = |address| TcpStream::connect_timeout(&address, CONNECT_TIMEOUT);
        let (address, stream) = dxp::first_of(addresses, connect)
            .map_err(|(address, error)| DxpError::Connect { address, error })?;
        self.report(&Notice::Connected(address))?;
        self.converse(stream)
    }

    fn converse(&mut self, stream: TcpStream) -> Result<(), DxpError> {
        let (wire, inbox) = Wire::start(stream).map_err(DxpError::Thread)?;
        *self.route.lock().unwrap_or_else(PoisonError::into_inner) = Some(wire.arrivals());
        let thinking = SearchSettings {
            level: self.setting.level,
            ponder: self.ponder,
        };
        let conversation = Conversation::new(
            &self.setting.options,
            thinking,
            wire,
            &mut self.engine,
            &mut self.notices,
            &self.slot,
        );
        match conversation.run(&inbox).map_err(DxpError::Output)? {
            ConversationEnd::Agreed => Ok(()),
            ConversationEnd::Broken(why) => Err(DxpError::Broken(why)),
        }
    }

    fn report(&mut self, event: &Notice<'_>) -> Result<(), DxpError> {
        self.notices.write(event).map_err(DxpError::Output)
    }
}
