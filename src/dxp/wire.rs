//! One connection: a reading thread and a writer.

use crate::protocol::dxp::{Framer, Message, ParseError};
use crate::search::Outcome;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of queued messages; beyond it nothing is read until the session has caught up.
const WAITING: usize = 64;
/// Time limit for sending a message.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause between two messages without an answer in between: pydraughts treats everything from one read as one message.
const GAP: Duration = Duration::from_millis(50);
/// Time limit for the last messages to reach the other side.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// An event for the conversation.
pub(super) enum Arrival {
    /// A message (or an error in one), and when it arrived.
    Message(Result<Message, ParseError>, Instant),
    /// The connection has ended, for this reason.
    End(String),
    /// A search has ended: its job id and outcome.
    Found(u64, Box<Outcome>),
}

/// The writing end of a connection.
pub(super) struct Wire {
    stream: TcpStream,
    arrivals: SyncSender<Arrival>,
    /// The last message and when it was sent; none if it has been answered.
    last: Option<(Message, Instant)>,
}

impl Wire {
    /// Starts the reading thread.
    pub fn start(stream: TcpStream) -> io::Result<(Wire, Receiver<Arrival>)> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let (arrivals, inbox) = sync_channel(WAITING);
        let (input, to) = (stream.try_clone()?, arrivals.clone());
        thread::Builder::new()
            .name("dxp reader".to_owned())
            .spawn(move || {
                let end = read(input, &to);
                // The receiver may be gone.
                let _ = to.send(Arrival::End(end));
            })?;
        let wire = Wire {
            stream,
            arrivals,
            last: None,
        };
        Ok((wire, inbox))
    }

    /// Sets where search outcomes go.
    pub fn arrivals(&self) -> SyncSender<Arrival> {
        self.arrivals.clone()
    }

    /// Notes an incoming message: an answer to the last message shows that it was read. Other messages may have been
    /// sent before.
    pub fn note_received(&mut self, message: &Message) {
        use Message::{GameAcc, GameReq, Move};
        let last = self.last.as_ref().map(|(last, _)| last);
        let is_answer = matches!(
            (last, message),
            (Some(GameReq(_)), GameAcc(_)) | (Some(GameAcc(_) | Move(_)), Move(_))
        );
        if is_answer {
            self.last = None;
        }
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Message) -> io::Result<()> {
        if let Some((_, sent)) = self.last {
            thread::sleep(GAP.saturating_sub(sent.elapsed()));
        }
        let bytes = message.encode();
        log::debug!("-> {}", shown(&bytes));
        let result = self.stream.write_all(&bytes);
        self.last = Some((message.clone(), Instant::now()));
        result
    }

    /// Closes the connection such that the last messages still arrive. `ended`: an [`Arrival::End`] has come.
    pub fn close(self, inbox: &Receiver<Arrival>, ended: bool) {
        // Shutting down may fail if the connection has already ended.
        if ended {
            let _ = self.stream.shutdown(Shutdown::Both);
            return;
        }
        let _ = self.stream.shutdown(Shutdown::Write);
        let end = Instant::now() + CLOSE_TIMEOUT;
        // Unread input would make the system discard what was written.
        while let Ok(arrival) = inbox.recv_timeout(end.saturating_duration_since(Instant::now())) {
            if matches!(arrival, Arrival::End(_)) || Instant::now() >= end {
                break;
            }
        }
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Forwards messages until the connection ends; returns why it did.
fn read(mut input: TcpStream, to: &SyncSender<Arrival>) -> String {
    let mut framer = Framer::new();
    let mut buffer = [0; 1024];
    loop {
        let count = match input.read(&mut buffer) {
            Ok(0) if framer.is_inside() => {
                return "it closed the connection within a message".to_owned();
            }
            Ok(0) => return "it closed the connection".to_owned(),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return format!("connection error: {error}"),
        };
        let at = Instant::now();
        let mut piece = &buffer[..count];
        while let Some(frame) = framer.next(&mut piece) {
            let bytes = match frame {
                Ok(bytes) => bytes,
                Err(error) => return format!("it sent {error}"),
            };
            log::debug!("<- {}", shown(&bytes));
            let message = Message::parse(&bytes);
            if to.send(Arrival::Message(message, at)).is_err() {
                return String::new();
            }
        }
    }
}

fn shown(bytes: &[u8]) -> String {
    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    text.escape_ascii().to_string()
}
