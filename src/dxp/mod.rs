//! The DXP session: games with another program over a socket, at either end of it and in either role.
//!
//! ```text
//! listener -> connections -> conversation <- messages <- reader <- socket
//!                              |      ^--- outcomes <- searcher
//!                              '-> socket, report
//! ```
//!
//! * the listener hands over one connection at a time and tells the others that it is busy (`listener`);
//! * a reader for each connection turns bytes into messages (`wire`);
//! * the conversation keeps the state of the game and decides what each message means in it (`conversation`);
//! * the searcher has the engine (`searcher`);
//! * the report tells a person or a program what happens (`report`).
//!
//! Whatever the other program says or does not say, a conversation ends, and the listener goes on.

mod clocks;
mod conversation;
mod listener;
mod options;
mod play;
mod report;
mod searcher;
mod wire;

pub use options::Options;

use crate::engine::Engine;
use crate::protocol::dxp;
use crate::search::Limits;
use conversation::{Conversation, Parting};
use listener::Listener;
use report::{Event, Report};
use searcher::Searcher;
use std::fmt;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use wire::Wire;

/// How long a connection may take to be made.
const CONNECT_PATIENCE: Duration = Duration::from_secs(20);

/// What a session does.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The options.
    pub options: Options,
    /// Limits of each search; none at all: the clock of the game decides.
    pub limits: Limits,
    /// A listening session ends with its first conversation.
    pub once: bool,
    /// One JSON object a line instead of sentences.
    pub json: bool,
}

/// Why a session ended in failure.
#[derive(Debug)]
pub enum DxpError {
    /// The host has no address.
    Host {
        /// As it was given.
        host: String,
        /// What the system says.
        error: io::Error,
    },
    /// It cannot be listened there.
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// It cannot be connected.
    Connect {
        /// To where.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The conversation came to a bad end; why.
    Broken(String),
    /// A thread could not be started.
    Thread(io::Error),
    /// The report could not be written.
    Output(io::Error),
}

impl fmt::Display for DxpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DxpError::Host { host, error } => write!(f, "no address for {host:.60}: {error}"),
            DxpError::Listen { address, error } => write!(
                f,
                "cannot listen on {address}: {error} (--port chooses another port)"
            ),
            DxpError::Connect { address, error } => write!(
                f,
                "cannot connect to {address}: {error} (does the other program listen there?)"
            ),
            DxpError::Broken(why) => f.write_str(why),
            DxpError::Thread(error) => write!(f, "cannot start a thread: {error}"),
            DxpError::Output(error) => write!(f, "cannot write: {error}"),
        }
    }
}

impl std::error::Error for DxpError {}

/// Plays by DXP: as a server until the report can be written no more, as a client until the games are played.
///
/// # Errors
/// No connection could be made, a client's conversation broke off, or the report cannot be written.
pub fn run(engine: Engine, setting: &Setting, out: &mut dyn Write) -> Result<(), DxpError> {
    let ponder = engine.options().ponder;
    let searcher = Searcher::start(engine).map_err(DxpError::Thread)?;
    let mut session = Session {
        setting,
        ponder,
        searcher,
        report: Report::new(out, setting.json),
    };
    let addresses = addresses(&setting.options)?;
    if setting.options.server {
        session.serve(&addresses)
    } else {
        session.call(&addresses)
    }
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
    searcher: Searcher,
    report: Report<'a>,
}

impl Session<'_> {
    fn serve(&mut self, addresses: &[SocketAddr]) -> Result<(), DxpError> {
        let start = |address| Listener::start(address, self.setting.options.name.clone());
        let (address, listener) = dxp::first_of(addresses, start)
            .map_err(|(address, error)| DxpError::Listen { address, error })?;
        self.tell(&Event::Listening(listener.address()))?;
        loop {
            let Some((stream, peer)) = listener.next() else {
                let error = io::Error::other("the listener has ended");
                return Err(DxpError::Listen { address, error });
            };
            self.tell(&Event::Connected(peer))?;
            let result = self.converse(stream);
            listener.free();
            match result {
                Ok(()) if self.setting.once => return Ok(()),
                Err(error @ DxpError::Output(_)) => return Err(error),
                Err(error) if self.setting.once => return Err(error),
                Ok(()) => self.tell(&Event::Left)?,
                Err(error) => self.tell(&Event::Parted(error.to_string()))?,
            }
        }
    }

    fn call(&mut self, addresses: &[SocketAddr]) -> Result<(), DxpError> {
        let connect = |address| TcpStream::connect_timeout(&address, CONNECT_PATIENCE);
        let (address, stream) = dxp::first_of(addresses, connect)
            .map_err(|(address, error)| DxpError::Connect { address, error })?;
        self.tell(&Event::Connected(address))?;
        self.converse(stream)
    }

    fn converse(&mut self, stream: TcpStream) -> Result<(), DxpError> {
        let (wire, inbox) = Wire::start(stream).map_err(DxpError::Thread)?;
        let conversation = Conversation::new(
            &self.setting.options,
            self.thinking(),
            wire,
            &self.searcher,
            &mut self.report,
        );
        match conversation.hold(&inbox).map_err(DxpError::Output)? {
            Parting::Agreed => Ok(()),
            Parting::Broken(why) => Err(DxpError::Broken(why)),
        }
    }

    fn thinking(&self) -> Thinking {
        Thinking {
            limits: self.setting.limits,
            ponder: self.ponder,
        }
    }

    fn tell(&mut self, event: &Event<'_>) -> Result<(), DxpError> {
        self.report.tell(event).map_err(DxpError::Output)
    }
}

/// How the engine is to think.
#[derive(Clone, Copy, Debug)]
struct Thinking {
    /// Limits of each search, in the place of the clock.
    limits: Limits,
    /// Also in the opponent's time.
    ponder: bool,
}
