//! The session of the browser: a page with a board, and a socket behind it that other front ends can use too.
//!
//! ```text
//! browser -> server -> guard, assets      HTTP: the page
//!              '-> connection             a socket for each page
//!                    |-> answers          rules, PDN, endgame tables, book: at once
//!                    '-> pool             engines for all pages: who searches when
//!                          '-> mailbox -> connection    what was found
//! ```
//!
//! The page keeps the game; the server keeps nothing of it. `messages` has what is said, docs/web.md describes it.

mod answers;
mod assets;
mod connection;
mod guard;
mod hall;
mod messages;
mod pdn;
mod pool;
mod rules;
mod server;
mod watch;
mod words;

pub use pool::PoolError;

use damier_book::{Book, BookError};
use damier_engine::Options;
use guard::Guard;
use hall::Hall;
use pool::Pool;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Threads that serve pages, and that read files for them.
const WORKERS: usize = 2;
/// The value of `book-file` for the book inside the program.
const EMBEDDED: &str = "embedded";

/// What a server does.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// The address or name to listen on.
    pub host: String,
    /// Names of this server at a proxy that forwards requests to it.
    pub forwarded: Vec<String>,
    /// The port; 0 for any.
    pub port: u16,
    /// The engines' options.
    pub options: Options,
    /// Searches that run at once.
    pub engines: usize,
    /// Longest time of a search.
    pub longest: Duration,
    /// The games of a match to watch.
    pub watch: Option<PathBuf>,
    /// Whether the user wants an end (Ctrl-C).
    pub asked_to_end: fn() -> bool,
}

/// Why nothing is served.
#[derive(Debug, Error)]
pub enum WebError {
    /// The address is none.
    #[error(
        "{0}: no such address ({1}); the address of this machine, or 0.0.0.0 for all that it has"
    )]
    Host(String, io::Error),
    /// The address is taken.
    #[error(
        "port {0} is in use, perhaps by Damier: open http://127.0.0.1:{0}/, or give another port, 0 for any that is \
        free"
    )]
    InUse(u16),
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// There is no engine.
    #[error("{0}")]
    Engine(#[from] PoolError),
    /// There is no book.
    #[error("{0}")]
    Book(#[from] BookError),
    /// The system has nothing to make a token from.
    #[error("no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    /// The address cannot be told, or the system has no threads.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A server that listens, and serves as soon as it is told to.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    guard: Guard,
    hall: Arc<Hall>,
    url: String,
    asked_to_end: fn() -> bool,
}

impl Server {
    /// Listens.
    ///
    /// # Errors
    /// The address cannot be listened on, or there is no engine with these options.
    pub fn open(setting: &ServerSettings) -> Result<Server, WebError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(WORKERS)
            .max_blocking_threads(WORKERS)
            .thread_name("web")
            .enable_all()
            .build()?;
        let listener = runtime.block_on(listen(&setting.host, setting.port))?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address, &setting.host, &setting.forwarded)?;
        let pool = Pool::start(&setting.options, setting.engines, setting.longest)?;
        let watch = setting.watch.clone().map(watch::Watch::new);
        let url = url(address, guard.token(), watch.is_some());
        let table_pieces = setting.options.bb_size as u8;
        let hall = Hall::new(pool, table_pieces, book(&setting.options)?, watch);
        log::info!("serving on {address}");
        Ok(Server {
            runtime,
            listener,
            guard,
            hall: Arc::new(hall),
            url,
            asked_to_end: setting.asked_to_end,
        })
    }

    /// The address for a browser.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Serves until the user wants an end.
    pub fn serve(self) {
        let serving = server::serve(self.listener, self.guard, self.hall, self.asked_to_end);
        self.runtime.block_on(serving);
        // Pages are left as they are: they ask again when the server is back.
        self.runtime.shutdown_background();
    }
}

async fn listen(host: &str, port: u16) -> Result<TcpListener, WebError> {
    let plain = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    let found = (plain, port).to_socket_addrs();
    let mut found = found.map_err(|error| WebError::Host(host.to_owned(), error))?;
    let address = found
        .next()
        .ok_or_else(|| WebError::Host(host.to_owned(), io::ErrorKind::NotFound.into()))?;
    TcpListener::bind(address)
        .await
        .map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => WebError::InUse(port),
            _ => WebError::Listen(address, error),
        })
}

/// The book that moves are shown from.
fn book(options: &Options) -> Result<Option<Book>, BookError> {
    match options.book_file.to_str() {
        Some(EMBEDDED) => Ok(Some(Book::embedded())),
        _ => Book::open(&options.book_file).map(Some),
    }
}

/// The address for a browser. What stands behind a `#`, browsers send to nobody.
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

/// The address by which others see this machine: the one from which it would send. Nothing is sent.
fn outside() -> Option<std::net::IpAddr> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip())
}
