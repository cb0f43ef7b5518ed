//! A connection that waits for one message at a time.

use crate::players::printable;
use damier_protocol::dxp::{Framer, Message};
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Number of messages kept for a report.
const MAX_TRANSCRIPT: usize = 30;
/// An engine that accepts no message for this long is considered gone.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Why no message came.
pub(super) enum ReceiveError {
    /// Timeout.
    Silence,
    /// The bytes are not a message.
    Babble(String),
    /// The connection has ended.
    Closed(String),
}

pub(super) struct MessageStream {
    /// The name of the engine in the log.
    name: String,
    stream: TcpStream,
    framer: Framer,
    /// Bytes that were read and not yet parsed.
    unread: VecDeque<u8>,
    transcript: VecDeque<String>,
}

impl MessageStream {
    pub fn new(name: &str, stream: TcpStream) -> std::io::Result<MessageStream> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        Ok(MessageStream {
            name: name.to_owned(),
            stream,
            framer: Framer::new(),
            unread: VecDeque::new(),
            transcript: VecDeque::new(),
        })
    }

    pub fn send(&mut self, message: &Message) -> std::io::Result<()> {
        let bytes = message.encode();
        self.note('>', &bytes[..bytes.len() - 1]);
        self.stream.write_all(&bytes)
    }

    /// The next message, if it comes before `end`.
    pub fn receive(&mut self, end: Instant) -> Result<Message, ReceiveError> {
        loop {
            if let Some(message) = self.next_message() {
                return message;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ReceiveError::Silence);
            }
            self.read(left)?;
        }
    }

    fn next_message(&mut self) -> Option<Result<Message, ReceiveError>> {
        let mut input = &*self.unread.make_contiguous();
        let before = input.len();
        let frame = self.framer.next(&mut input);
        let taken = before - input.len();
        self.unread.drain(..taken);
        Some(match frame? {
            Err(error) => Err(ReceiveError::Babble(error.to_string())),
            Ok(bytes) => {
                self.note('<', &bytes);
                Message::parse(&bytes).map_err(|error| ReceiveError::Babble(error.to_string()))
            }
        })
    }

    fn read(&mut self, patience: Duration) -> Result<(), ReceiveError> {
        let closed =
            |what: &dyn std::fmt::Display| ReceiveError::Closed(format!("connection: {what}"));
        // A timeout of zero would mean no timeout.
        let timeout = patience.max(Duration::from_millis(1));
        self.stream
            .set_read_timeout(Some(timeout))
            .map_err(|error| closed(&error))?;
        let mut buffer = [0; 1024];
        match self.stream.read(&mut buffer) {
            Ok(0) if self.framer.is_inside() => Err(closed(&"closed in the middle of a message")),
            Ok(0) => Err(closed(&"closed by the engine")),
            Ok(count) => {
                self.unread.extend(&buffer[..count]);
                Ok(())
            }
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(()),
                _ => Err(closed(&error)),
            },
        }
    }

    fn note(&mut self, direction: char, bytes: &[u8]) {
        if self.transcript.len() == MAX_TRANSCRIPT {
            self.transcript.pop_front();
        }
        let shown = printable(&String::from_utf8_lossy(bytes));
        log::debug!("{} {direction} {shown}", self.name);
        self.transcript.push_back(format!("{direction} {shown}"));
    }

    pub fn transcript(&self) -> Vec<String> {
        self.transcript.iter().cloned().collect()
    }
}
