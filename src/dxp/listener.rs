//! Listens, and lets in one program at a time.

use crate::protocol::dxp::{Acceptance, ChatText, Framer, GameAcc, Message, Name};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Programs that may wait for the place at the same time. More are just turned away.
const MOST_WAITING: usize = 64;
/// How long one that is refused may take to ask for a game.
const REFUSAL: Duration = Duration::from_secs(3);
/// How long a program waits for a place before it is refused: the one before may be about to leave.
const GRACE: Duration = Duration::from_secs(1);
/// The longest time without a game after which a program leaves the place to one that asks for a game.
const UNDISTURBED: Duration = Duration::from_secs(10);
/// Between two looks for a place.
const LOOK: Duration = Duration::from_millis(10);
/// After an error, for example too many open files.
const RECOVERY: Duration = Duration::from_millis(200);

/// The place of the one program that can play. Who asks for a game comes before who says nothing: a silent program keeps the
/// place only as long as nobody else wants it.
#[derive(Debug)]
pub(super) struct Place {
    is_taken: AtomicBool,
    /// Whether the program that has it plays no game.
    is_idle: AtomicBool,
    /// Programs that wait for it with a request for a game.
    asking: AtomicUsize,
    /// How long a program without a game may keep it while another one asks.
    undisturbed: Duration,
}

impl Place {
    /// `idle`: how long a program may be without a game where nobody else asks for one.
    pub fn new(idle: Duration) -> Place {
        Place {
            is_taken: AtomicBool::new(false),
            is_idle: AtomicBool::new(false),
            asking: AtomicUsize::new(0),
            undisturbed: UNDISTURBED.min(idle / 4),
        }
    }

    /// Whether the program that has the place plays no game.
    pub fn set_idle(&self, is_idle: bool) {
        self.is_idle.store(is_idle, Ordering::SeqCst);
    }

    /// Whether a program that has played no game since then has to give way to another one.
    pub fn is_wanted(&self, since: Instant) -> bool {
        self.asking.load(Ordering::SeqCst) > 0 && since.elapsed() >= self.undisturbed
    }

    /// Takes the place if it is free, and nobody who asks for a game wants it.
    fn take(&self, asks: bool) -> bool {
        let comes_first = asks || self.asking.load(Ordering::SeqCst) == 0;
        comes_first && !self.is_taken.swap(true, Ordering::SeqCst)
    }

    /// Waits until the place is taken for a program; false when that takes too long.
    fn wait(&self, stream: &TcpStream) -> bool {
        let began = Instant::now();
        let mut asks = false;
        let is_taken = loop {
            if !asks && asks_for_game(stream) {
                asks = true;
                self.asking.fetch_add(1, Ordering::SeqCst);
            }
            if self.take(asks) {
                break true;
            }
            // A program that plays no game will give way.
            let has_hope = asks && self.is_idle.load(Ordering::SeqCst);
            if began.elapsed() >= GRACE && !has_hope {
                break false;
            }
            thread::sleep(LOOK);
        };
        if asks {
            self.asking.fetch_sub(1, Ordering::SeqCst);
        }
        is_taken
    }
}

/// Whether the first message of a program, which is left unread, begins as a request for a game.
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
    place: Arc<Place>,
    connections: Receiver<(TcpStream, SocketAddr)>,
}

impl Listener {
    pub fn start(address: SocketAddr, name: Name, place: Arc<Place>) -> io::Result<Listener> {
        let socket = TcpListener::bind(address)?;
        let address = socket.local_addr()?;
        let (sender, connections) = sync_channel(1);
        let door = Door {
            place: Arc::clone(&place),
            waiting: Arc::new(AtomicUsize::new(0)),
            sender,
            name,
        };
        thread::Builder::new()
            .name("dxp listener".to_owned())
            .spawn(move || door.keep(&socket))?;
        Ok(Listener {
            address,
            place,
            connections,
        })
    }

    /// Where it listens, the port being a real one.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits for a program. Until [`Listener::free`] others are refused.
    pub fn next(&self) -> Option<(TcpStream, SocketAddr)> {
        self.connections.recv().ok()
    }

    /// The program has left.
    pub fn free(&self) {
        self.place.set_idle(false);
        self.place.is_taken.store(false, Ordering::SeqCst);
    }
}

struct Door {
    place: Arc<Place>,
    waiting: Arc<AtomicUsize>,
    sender: SyncSender<(TcpStream, SocketAddr)>,
    name: Name,
}

impl Door {
    fn keep(&self, socket: &TcpListener) {
        loop {
            match socket.accept() {
                Ok(connection) if self.place.take(false) => {
                    if self.sender.send(connection).is_err() {
                        return;
                    }
                }
                Ok((stream, peer)) => self.keep_waiting(stream, peer),
                Err(error) => {
                    log::warn!("a connection that was not accepted: {error}");
                    thread::sleep(RECOVERY);
                }
            }
        }
    }

    /// Lets a program wait for the place, and refuses it in the end.
    fn keep_waiting(&self, stream: TcpStream, peer: SocketAddr) {
        if self.waiting.fetch_add(1, Ordering::SeqCst) >= MOST_WAITING {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        let (waiting, name) = (Arc::clone(&self.waiting), self.name.clone());
        let (place, sender) = (Arc::clone(&self.place), self.sender.clone());
        let wait = move || {
            if place.wait(&stream) {
                // The session may be over.
                let _ = sender.send((stream, peer));
            } else {
                log::info!("{peer} is refused: a program is connected already");
                if let Err(error) = tell_busy(stream, name) {
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

/// Says that there is no place, and answers one request for a game in the words of the protocol.
fn tell_busy(mut stream: TcpStream, name: Name) -> io::Result<()> {
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
