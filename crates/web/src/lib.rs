#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! ```text
//! browser -> http -> places, stream       connections and their limits
//!              -> guard, assets           who may connect; the page
//!              '-> connection             one WebSocket for each page
//!                    |-> answers          rules, PDN, endgame tables, book: answered at once
//!                    |-> base             the base of games, on a thread of its own
//!                    '-> pool             clients share the engines; the scheduler assigns searches to them
//!                          '-> mailbox -> events -> connection    results
//! ```
//!
//! The page keeps the game; the server stores no state of it. `messages` has the types of the JSON.

mod answers;
mod assets;
mod base;
mod connection;
mod events;
mod http;
mod messages;
mod pdn;
mod pool;
mod rules;
mod state;
mod watch;

pub use pool::PoolError;

use base::BaseThread;
use damier_base::BaseError;
use damier_book::{Book, BookError};
use damier_endgame::Tables;
use damier_engine::Options;
use http::guard::Guard;
use http::places::Places;
use pool::Pool;
use state::{AppState, LARGE_REQUESTS, MAX_PAGES};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch as signal};

/// Number of threads for connections, and of threads for blocking work.
const WORKERS: usize = 2;
/// Bytes that the system keeps of what a connection has not read, and connections that wait to be accepted.
const SEND_BUFFER: u32 = 256 << 10;
const BACKLOG: u32 = 1024;

/// Settings of a server.
pub struct ServerSettings {
    /// The address or name to listen on.
    pub host: String,
    /// Host names of a proxy that forwards requests to this server.
    pub forwarded: Vec<String>,
    /// The port; 0 for any.
    pub port: u16,
    /// Options of the engines.
    pub options: Options,
    /// Number of searches that run at once.
    pub engines: usize,
    /// Maximum time of a search.
    pub longest: Duration,
    /// Maximum number of connections of an address. None: 64, and as many as there may be for this machine.
    pub per_address: Option<usize>,
    /// PDN file of a match to watch.
    pub watch: Option<PathBuf>,
    /// A base of games to search, and to add games to when asked.
    pub base: Option<PathBuf>,
}

/// Why a server cannot be started.
#[derive(Debug, Error)]
pub enum WebError {
    /// Not an address.
    #[error(
        "{0}: no such address ({1}); give an address of this machine, or 0.0.0.0 for all of them"
    )]
    Host(String, io::Error),
    /// The port is in use.
    #[error(
        "port {0} is in use, perhaps by Damier: open http://127.0.0.1:{0}/, or give another port; 0 chooses a free one"
    )]
    InUse(u16),
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The engines cannot be started.
    #[error("{0}")]
    Engine(#[from] PoolError),
    /// The book cannot be read.
    #[error("{0}")]
    Book(#[from] BookError),
    /// The base of games cannot be read.
    #[error("{0}")]
    Base(#[from] BaseError),
    /// No random numbers for a token.
    #[error("no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    /// The address cannot be read, or a thread cannot be created.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A listening server; [`Server::serve`] handles its connections.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    state: Arc<AppState>,
    places: Arc<Places>,
    url: String,
}

impl Server {
    /// Starts the engines and listens.
    ///
    /// # Errors
    /// The server cannot listen on the address, or the engines cannot be started with these options.
    pub fn open(setting: ServerSettings) -> Result<Server, WebError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(WORKERS)
            .max_blocking_threads(WORKERS)
            .thread_name("web")
            .enable_all()
            .build()?;
        let listener = {
            let _entered = runtime.enter();
            listen(&setting.host, setting.port)?
        };
        let address = listener.local_addr()?;
        let guard = Guard::new(address, &setting.host, &setting.forwarded)?;
        let pool = Pool::start(&setting.options, setting.engines, setting.longest)?;
        let watch = setting.watch.clone().map(watch::Watch::new);
        let url = url(address, guard.token(), watch.is_some());
        let state = AppState {
            guard,
            pool,
            table_pieces: setting.options.bb_size as u8,
            book: Some(Book::named(&setting.options.book_file)?),
            watch,
            base: setting.base.map(BaseThread::start).transpose()?,
            pages: Arc::new(Semaphore::new(MAX_PAGES)),
            memory: Arc::new(Semaphore::new(LARGE_REQUESTS)),
            stops: signal::Sender::new(false),
        };
        log::info!("serving on {address}");
        Ok(Server {
            runtime,
            listener,
            state: Arc::new(state),
            places: Places::new(setting.per_address),
            url,
        })
    }

    /// The address for a browser.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether other machines can connect, with the token in the address.
    pub fn is_shared(&self) -> bool {
        self.state.guard.token().is_some()
    }

    /// The endgame tables of the engines.
    pub fn tables(&self) -> &Arc<Tables> {
        self.state.pool.tables()
    }

    /// Serves until it is `asked_to_end`, such as by Ctrl-C, which is called several times a second; then closes the
    /// pages.
    pub fn serve(self, asked_to_end: impl FnMut() -> bool) {
        let state = Arc::clone(&self.state);
        let serving = http::serve(self.listener, self.state, self.places, asked_to_end);
        self.runtime.block_on(async {
            serving.await;
            state.close_pages().await;
        });
        // Pages reconnect when the server is back.
        self.runtime.shutdown_background();
    }
}

fn listen(host: &str, port: u16) -> Result<TcpListener, WebError> {
    let plain = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    let found = (plain, port).to_socket_addrs();
    let mut found = found.map_err(|error| WebError::Host(host.to_owned(), error))?;
    let address = found
        .next()
        .ok_or_else(|| WebError::Host(host.to_owned(), io::ErrorKind::NotFound.into()))?;
    bind(address).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => WebError::InUse(port),
        _ => WebError::Listen(address, error),
    })
}

/// A listener whose connections have a buffer of fixed size: the system would give megabytes to each that does not
/// read.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address.is_ipv4() {
        true => TcpSocket::new_v4()?,
        false => TcpSocket::new_v6()?,
    };
    // On Windows it would let others listen on the same port.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The address for a browser. The URL fragment, with the token, is never sent to a server.
fn url(address: SocketAddr, token: Option<&str>, watches: bool) -> String {
    let mut shown = address;
    if address.ip().is_unspecified() {
        shown.set_ip(outside().unwrap_or(address.ip()));
    }
    let token = token.map(|token| format!("token={token}"));
    let parts: Vec<String> = token
        .into_iter()
        .chain(watches.then(|| "match".to_owned()))
        .collect();
    match parts.is_empty() {
        true => format!("http://{shown}/"),
        false => format!("http://{shown}/#{}", parts.join("&")),
    }
}

/// The address of this machine in its network: the source address of a UDP socket, to which no packet is sent.
fn outside() -> Option<std::net::IpAddr> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip())
}
