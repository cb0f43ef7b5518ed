//! Listens, and admits one program at a time.

use crate::os::sockets::has_hung_up;
use crate::protocol::dxp::{Acceptance, ChatText, Framer, GameAcc, Message, Name};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of programs waiting for the slot; more wait to be heard, and are disconnected after a while.
const MAX_WAITING: usize = 64;
/// Time limit for the request of a refused program.
const REFUSAL: Duration = Duration::from_secs(3);
/// How long a program waits for the slot before it is refused: the previous program may be about to leave.
const GRACE: Duration = Duration::from_secs(1);
/// Maximum time that a program without a game keeps the slot while another requests one.
const MAX_IDLE: Duration = Duration::from_secs(10);
/// Interval between checks for a free slot.
const POLL: Duration = Duration::from_millis(10);
/// Pause after an error, for example too many open files.
const RECOVERY: Duration = Duration::from_millis(200);

/// The slot of the one connected program. A request for a game has priority over an idle program, which keeps the slot
/// only while no other program waits.
#[derive(Debug)]
pub(super) struct ClientSlot {
    is_taken: AtomicBool,
    /// Whether the program in the slot is between games.
    is_idle: AtomicBool,
    /// Number of waiting programs that have requested a game.
    asking: AtomicUsize,
    /// How long a program without a game may keep the slot while another requests one.
    max_idle: Duration,
}

impl ClientSlot {
    /// `idle`: how long a program may stay connected without a game if no other requests one.
    pub fn new(idle: Duration) -> ClientSlot {
        ClientSlot {
            is_taken: AtomicBool::new(false),
            is_idle: AtomicBool::new(false),
            asking: AtomicUsize::new(0),
            max_idle: MAX_IDLE.min(idle / 4),
        }
    }

    /// Sets whether the program in the slot is between games.
    pub fn set_idle(&self, is_idle: bool) {
        self.is_idle.store(is_idle, Ordering::SeqCst);
    }

    /// Whether a program without a game since `since` must yield the slot.
    pub fn must_yield(&self, since: Instant) -> bool {
        self.asking.load(Ordering::SeqCst) > 0 && since.elapsed() >= self.max_idle
    }

    /// Takes the slot if it is free and no program with a request for a game waits for it.
    fn take(&self, asks: bool) -> bool {
        let comes_first = asks || self.asking.load(Ordering::SeqCst) == 0;
        comes_first && !self.is_taken.swap(true, Ordering::SeqCst)
    }

    /// Waits for the slot; false after a timeout.
    fn wait(&self, stream: &TcpStream) -> bool {
        let began = Instant::now();
        let mut asks = false;
        let is_taken = loop {
            if !asks && asks_for_game(stream) {
                asks = true;
                self.asking.fetch_add(1, Ordering::SeqCst);
            }
            if has_hung_up(stream) {
                break false;
            }
            if self.take(asks) {
                break true;
            }
            // A program without a game yields soon.
            let has_hope = asks && self.is_idle.load(Ordering::SeqCst);
            if began.elapsed() >= GRACE && !has_hope {
                break false;
            }
            thread::sleep(POLL);
        };
        if asks {
            self.asking.fetch_sub(1, Ordering::SeqCst);
        }
        is_taken
    }
}

/// Whether the first message of a program is a request for a game. The message is not consumed.
fn asks_for_game(stream: &TcpStream) -> bool {
    let mut first = [0];
    let peeked = stream
        .set_nonblocking(true)
        .and_then(|()| stream.peek(&mut first));
    let blocks = stream.set_nonblocking(false);
    matches!(peeked, Ok(1)) && blocks.is_ok() && first[0] == b'R'
}

pub(super) struct Listener {
    address: SocketAddr,
    slot: Arc<ClientSlot>,
    connections: Receiver<(TcpStream, SocketAddr)>,
}

impl Listener {
    pub fn start(address: SocketAddr, name: Name, slot: Arc<ClientSlot>) -> io::Result<Listener> {
        let socket = TcpListener::bind(address)?;
        let address = socket.local_addr()?;
        let (sender, connections) = sync_channel(1);
        let admission = Admission {
            slot: Arc::clone(&slot),
            waiting: Arc::new(AtomicUsize::new(0)),
            sender,
            name,
        };
        thread::Builder::new()
            .name("dxp listener".to_owned())
            .spawn(move || admission.keep(&socket))?;
        Ok(Listener {
            address,
            slot,
            connections,
        })
    }

    /// The address it listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits for a program. Others are refused until [`Listener::free`].
    pub fn next(&self) -> Option<(TcpStream, SocketAddr)> {
        self.connections.recv().ok()
    }

    /// Frees the slot: the program has left.
    pub fn free(&self) {
        self.slot.set_idle(false);
        self.slot.is_taken.store(false, Ordering::SeqCst);
    }
}

struct Admission {
    slot: Arc<ClientSlot>,
    waiting: Arc<AtomicUsize>,
    sender: SyncSender<(TcpStream, SocketAddr)>,
    name: Name,
}

impl Admission {
    fn keep(&self, socket: &TcpListener) {
        loop {
            match socket.accept() {
                Ok(connection) if self.slot.take(false) => {
                    if self.sender.send(connection).is_err() {
                        return;
                    }
                }
                Ok((stream, peer)) => self.keep_waiting(stream, peer),
                Err(error) => {
                    log::warn!("accept failed: {error}");
                    thread::sleep(RECOVERY);
                }
            }
        }
    }

    /// Lets a program wait for the slot, and refuses it after a while.
    fn keep_waiting(&self, stream: TcpStream, peer: SocketAddr) {
        let began = Instant::now();
        // Programs that have gone leave soon. No others come in the meantime.
        while self.waiting.load(Ordering::SeqCst) >= MAX_WAITING {
            if has_hung_up(&stream) || began.elapsed() >= GRACE {
                return;
            }
            thread::sleep(POLL);
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let (waiting, name) = (Arc::clone(&self.waiting), self.name.clone());
        let (slot, sender) = (Arc::clone(&self.slot), self.sender.clone());
        let wait = move || {
            if slot.wait(&stream) {
                // The session may have ended.
                let _ = sender.send((stream, peer));
            } else if !has_hung_up(&stream) {
                log::info!("refused {peer}: another program is connected");
                if let Err(error) = refuse(stream, name) {
                    log::debug!("{peer}, refused: {error}");
                }
            }
            waiting.fetch_sub(1, Ordering::SeqCst);
        };
        let spawned = thread::Builder::new()
            .name("dxp refusal".to_owned())
            .spawn(wait);
        if spawned.is_err() {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Sends a chat that another game is in progress, and declines one request for a game.
fn refuse(mut stream: TcpStream, name: Name) -> io::Result<()> {
    let chat = ChatText::from_text("a game with another program is going on here; try again later");
    stream.set_write_timeout(Some(REFUSAL))?;
    stream.write_all(&Message::Chat(chat).encode())?;
    let end = Instant::now() + REFUSAL;
    let mut framer = Framer::new();
    let mut buffer = [0; 256];
    'asked: loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        stream.set_read_timeout(Some(left))?;
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        let mut piece = &buffer[..count];
        while let Some(frame) = framer.next(&mut piece) {
            if frame.is_ok_and(|bytes| bytes.first() == Some(&b'R')) {
                let code = Acceptance::NoGames;
                stream.write_all(&Message::GameAcc(GameAcc { name, code }).encode())?;
                break 'asked;
            }
        }
    }
    stream.shutdown(Shutdown::Both)
}
