//! The DXP session: games with another program over a socket, at either end of it and in either role.
//!
//! ```text
//! listener -> connections -> conversation <- messages <- reader <- socket
//!                              |      ^--- outcomes <- engine
//!                              '-> socket, report
//! ```
//!
//! * the listener hands over one connection at a time and tells the others that it is busy (`listener`); a program that plays no
//!   game gives way to one that asks for a game;
//! * a reader for each connection turns bytes into messages (`wire`);
//! * the conversation keeps the state of the game and decides what each message means in it (`conversation`);
//! * the engine searches on its own thread ([`crate::engine::Thread`]);
//! * the report tells a person or a program what happens (`report`).
//!
//! Whatever the other program says or does not say, a conversation ends, and the listener goes on.

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
use conversation::{Conversation, Parting};
use listener::{Listener, Place};
use report::{Notice, NoticeWriter};
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use wire::{Arrival, Wire};

/// How long a connection may take to be made.
const CONNECT_PATIENCE: Duration = Duration::from_secs(20);

/// What a session does.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The options.
    pub options: Options,
    /// The level of each search; an infinite one: the clock of the game decides.
    pub level: Level,
    /// A listening session ends with its first conversation.
    pub once: bool,
    /// One JSON object a line instead of sentences.
    pub json: bool,
}

/// Why a session failed.
#[derive(Debug, thiserror::Error)]
pub enum DxpError {
    /// The host has no address.
    #[error("no address for {host:.60}: {error}")]
    Host {
        /// As it was given.
        host: String,
        /// What the system says.
        error: io::Error,
    },
    /// It is not possible to listen there.
    #[error("cannot listen on {address}: {error} (--port chooses another port)")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// No connection can be made.
    #[error("cannot connect to {address}: {error} (does the other program listen there?)")]
    Connect {
        /// To where.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The conversation was broken off; why.
    #[error("{0}")]
    Broken(String),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The report could not be written.
    #[error("cannot write: {0}")]
    Output(io::Error),
}

/// Plays by DXP: as a server until the report can be written no more, as a client until the games are played.
///
/// # Errors
/// No connection could be made, a client's conversation broke off, or the report cannot be written.
pub fn run(engine: Engine, setting: &Setting, out: &mut dyn Write) -> Result<(), DxpError> {
    let ponder = engine.options().ponder;
    let route = Arc::new(Mutex::new(None));
    let engine = start(engine, Arc::clone(&route)).map_err(DxpError::Thread)?;
    let mut session = Session {
        setting,
        ponder,
        engine,
        route,
        place: Arc::new(Place::new(setting.options.idle)),
        notices: NoticeWriter::new(out, setting.json),
    };
    let addresses = addresses(&setting.options)?;
    if setting.options.server {
        session.serve(&addresses)
    } else {
        session.call(&addresses)
    }
}

/// Where the outcomes of searches go: to the conversation of the present connection, which knows its own by their numbers.
type Route = Arc<Mutex<Option<SyncSender<Arrival>>>>;

fn start(engine: Engine, route: Route) -> io::Result<Thread> {
    Thread::start(engine, move |job, event| {
        let arrival = match event {
            ThinkEvent::Report(_) => return,
            ThinkEvent::Done(outcome) => Arrival::Found(job, outcome),
            // Whatever happens, the game goes on: with the first legal move.
            ThinkEvent::Failed(_) => Arrival::Found(job, Box::default()),
        };
        let to = route.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // The conversation may be over.
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

struct Session<'a> {
    setting: &'a Setting,
    ponder: bool,
    engine: Thread,
    route: Route,
    place: Arc<Place>,
    notices: NoticeWriter<'a>,
}

impl Session<'_> {
    fn serve(&mut self, addresses: &[SocketAddr]) -> Result<(), DxpError> {
        let name = &self.setting.options.name;
        let start = |address| Listener::start(address, name.clone(), Arc::clone(&self.place));
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
        let connect = |address| TcpStream::connect_timeout(&address, CONNECT_PATIENCE);
        let (address, stream) = dxp::first_of(addresses, connect)
            .map_err(|(address, error)| DxpError::Connect { address, error })?;
        self.report(&Notice::Connected(address))?;
        self.converse(stream)
    }

    fn converse(&mut self, stream: TcpStream) -> Result<(), DxpError> {
        let (wire, inbox) = Wire::start(stream).map_err(DxpError::Thread)?;
        *self.route.lock().unwrap_or_else(PoisonError::into_inner) = Some(wire.arrivals());
        let thinking = Thinking {
            level: self.setting.level,
            ponder: self.ponder,
        };
        let conversation = Conversation::new(
            &self.setting.options,
            thinking,
            wire,
            &mut self.engine,
            &mut self.notices,
            &self.place,
        );
        match conversation.hold(&inbox).map_err(DxpError::Output)? {
            Parting::Agreed => Ok(()),
            Parting::Broken(why) => Err(DxpError::Broken(why)),
        }
    }

    fn report(&mut self, event: &Notice<'_>) -> Result<(), DxpError> {
        self.notices.write(event).map_err(DxpError::Output)
    }
}

/// How the engine is to think.
#[derive(Clone, Copy, Debug)]
struct Thinking {
    /// The level of each search; an infinite one: the clock of the game decides.
    level: Level,
    /// Also in the opponent's time.
    ponder: bool,
}
