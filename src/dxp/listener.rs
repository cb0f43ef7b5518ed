//! Listens, and admits one program at a time.

use crate::os::sockets::has_hung_up;
use crate::protocol::dxp::{Acceptance, ChatText, Framer, GameAcc, MAX_MESSAGE, Message, Name};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Programs that wait for the slot or for their refusal; of more the oldest without a request are disconnected.
const CROWD: usize = 64;
/// Maximum number of them; more wait to be heard, and are disconnected after a while.
const MAX_WAITING: usize = 4 * CROWD;
/// Time limit for the request of a refused program.
const REFUSAL: Duration = Duration::from_secs(3);
/// How long a program waits for the slot before it is refused: the previous program may be about to leave.
const GRACE: Duration = Duration::from_secs(1);
/// Maximum time that a program without a game keeps the slot while another requests one.
const MAX_IDLE: Duration = Duration::from_secs(10);
/// Interval between checks for a free slot.
const POLL: Duration = Duration::from_millis(10);
/// Interval between checks for a crowd while a refused program is heard.
const LOOK: Duration = Duration::from_millis(100);
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

    /// Whether a program without a game since `since` should release the slot to one that requests a game.
    pub fn should_release(&self, since: Instant) -> bool {
        self.asking.load(Ordering::SeqCst) > 0 && since.elapsed() >= self.max_idle
    }

    /// Takes the slot if it is free and no program with a request for a game waits for it.
    fn take(&self, asks: bool) -> bool {
        let comes_first = asks || self.asking.load(Ordering::SeqCst) == 0;
        comes_first && !self.is_taken.swap(true, Ordering::SeqCst)
    }

    /// Waits for the slot; false after a timeout, or without a request in a crowd.
    fn wait(&self, stream: &TcpStream, place: &Place) -> bool {
        let began = Instant::now();
        let mut asks = false;
        let is_taken = loop {
            if !asks && asks_for_game(stream) {
                asks = true;
                self.asking.fetch_add(1, Ordering::SeqCst);
            }
            if has_hung_up(stream) || !asks && place.is_crowded() {
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

/// Whether the first message of a program is a request for a game, and is whole. The message is not consumed.
fn asks_for_game(stream: &TcpStream) -> bool {
    let mut first = [0; 1 + MAX_MESSAGE];
    let peeked = stream
        .set_nonblocking(true)
        .and_then(|()| stream.peek(&mut first));
    let blocks = stream.set_nonblocking(false);
    let message = peeked.map_or(&[][..], |count| &first[..count]);
    blocks.is_ok() && message.starts_with(b"R") && message.contains(&0)
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
            queue: Arc::default(),
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

/// The programs without the slot.
#[derive(Debug, Default)]
struct Queue {
    /// Number of programs so far.
    arrived: AtomicUsize,
    /// Number of those that are there.
    waiting: AtomicUsize,
}

/// The place of a program in the queue, which it leaves at the end.
struct Place {
    queue: Arc<Queue>,
    number: usize,
}

impl Place {
    fn new(queue: &Arc<Queue>) -> Place {
        queue.waiting.fetch_add(1, Ordering::SeqCst);
        Place {
            queue: Arc::clone(queue),
            number: queue.arrived.fetch_add(1, Ordering::SeqCst),
        }
    }

    /// Whether more than a crowd is there, and that many came later.
    fn is_crowded(&self) -> bool {
        let later = self.queue.arrived.load(Ordering::SeqCst) - self.number;
        later > CROWD && self.queue.waiting.load(Ordering::SeqCst) > CROWD
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.queue.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

struct Admission {
    slot: Arc<ClientSlot>,
    queue: Arc<Queue>,
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
        while self.queue.waiting.load(Ordering::SeqCst) >= MAX_WAITING {
            if has_hung_up(&stream) || began.elapsed() >= GRACE {
                return;
            }
            thread::sleep(POLL);
        }
        let (place, name) = (Place::new(&self.queue), self.name.clone());
        let (slot, sender) = (Arc::clone(&self.slot), self.sender.clone());
        let wait = move || {
            if slot.wait(&stream, &place) {
                // The session may have ended.
                let _ = sender.send((stream, peer));
            } else if !has_hung_up(&stream) {
                log::info!("refused {peer}: another program is connected");
                if let Err(error) = refuse(stream, name, &place) {
                    log::debug!("{peer}, refused: {error}");
                }
            }
        };
        let spawned = thread::Builder::new()
            .name("dxp refusal".to_owned())
            .spawn(wait);
        if let Err(error) = spawned {
            log::warn!("{peer} is not heard: {error}");
        }
    }
}

/// Sends a chat that another game is in progress, and declines one request for a game.
fn refuse(mut stream: TcpStream, name: Name, place: &Place) -> io::Result<()> {
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
        stream.set_read_timeout(Some(left.min(LOOK)))?;
        let count = match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if place.is_crowded() {
                    break;
                }
                continue;
            }
            Err(error) => return Err(error),
        };
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
