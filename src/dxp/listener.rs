//! Listens, and lets in one program at a time.

use crate::protocol::dxp::{Acceptance, ChatText, Framer, GameAcc, Message, Name};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Programs that are told at the same time that there is no place. More are just turned away.
const MOST_REFUSED: usize = 8;
/// How long one that is refused may take to ask for a game.
const REFUSAL: Duration = Duration::from_secs(3);
/// How long a program waits for a place before it is refused: the one before may be about to leave.
const GRACE: Duration = Duration::from_secs(1);
/// Between two looks for a place.
const LOOK: Duration = Duration::from_millis(10);
/// After an error, for example too many open files.
const RECOVERY: Duration = Duration::from_millis(200);

pub(super) struct Listener {
    address: SocketAddr,
    busy: Arc<AtomicBool>,
    connections: Receiver<(TcpStream, SocketAddr)>,
}

impl Listener {
    pub fn start(address: SocketAddr, name: Name) -> io::Result<Listener> {
        let socket = TcpListener::bind(address)?;
        let address = socket.local_addr()?;
        let busy = Arc::new(AtomicBool::new(false));
        let (sender, connections) = sync_channel(1);
        let door = Door {
            busy: Arc::clone(&busy),
            refused: Arc::new(AtomicUsize::new(0)),
            sender,
            name,
        };
        thread::Builder::new()
            .name("dxp listener".to_owned())
            .spawn(move || door.keep(&socket))?;
        Ok(Listener {
            address,
            busy,
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
        self.busy.store(false, Ordering::SeqCst);
    }
}

struct Door {
    busy: Arc<AtomicBool>,
    refused: Arc<AtomicUsize>,
    sender: SyncSender<(TcpStream, SocketAddr)>,
    name: Name,
}

impl Door {
    fn keep(&self, socket: &TcpListener) {
        loop {
            match socket.accept() {
                Ok((stream, peer)) if self.busy.swap(true, Ordering::SeqCst) => {
                    self.keep_waiting(stream, peer);
                }
                Ok(connection) => {
                    if self.sender.send(connection).is_err() {
                        return;
                    }
                }
                Err(error) => {
                    log::warn!("a connection that was not accepted: {error}");
                    thread::sleep(RECOVERY);
                }
            }
        }
    }

    /// Lets a program wait for a little, and then refuses it.
    fn keep_waiting(&self, stream: TcpStream, peer: SocketAddr) {
        if self.refused.fetch_add(1, Ordering::SeqCst) >= MOST_REFUSED {
            self.refused.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        let (refused, name) = (Arc::clone(&self.refused), self.name.clone());
        let (busy, sender) = (Arc::clone(&self.busy), self.sender.clone());
        let wait = move || {
            let end = Instant::now() + GRACE;
            let mut free = false;
            while !free && Instant::now() < end {
                thread::sleep(LOOK);
                free = !busy.swap(true, Ordering::SeqCst);
            }
            if free {
                // The session may be over.
                let _ = sender.send((stream, peer));
            } else {
                log::info!("{peer} is refused: a program is connected already");
                if let Err(error) = tell_busy(stream, name) {
                    log::debug!("{peer}, refused: {error}");
                }
            }
            refused.fetch_sub(1, Ordering::SeqCst);
        };
        let spawned = thread::Builder::new()
            .name("dxp refusal".to_owned())
            .spawn(wait);
        if spawned.is_err() {
            self.refused.fetch_sub(1, Ordering::SeqCst);
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
