//! Splits a stream of bytes into messages.

use super::MAX_MESSAGE;

/// Splits a stream of bytes into messages. Never buffers more than one message.
#[derive(Debug)]
pub struct Framer {
    kept: Vec<u8>,
    /// The message was too long and has been reported; skip the rest of it.
    skipping: bool,
}

/// More than 127 characters without a terminating NUL.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {MAX_MESSAGE} characters without an end")]
pub struct TooLong;

impl Framer {
    /// An empty buffer.
    pub fn new() -> Framer {
        Framer {
            kept: Vec::with_capacity(MAX_MESSAGE),
            skipping: false,
        }
    }

    /// Consumes `input` up to the end of a message and returns the message without its NUL; `None` when `input` is used
    /// up. Empty messages are skipped.
    ///
    /// # Errors
    /// The message is too long. The next call resumes after it.
    pub fn next(&mut self, input: &mut &[u8]) -> Option<Result<Vec<u8>, TooLong>> {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            match byte {
                0 if self.skipping => self.skipping = false,
                0 if self.kept.is_empty() => {}
                0 => return Some(Ok(std::mem::take(&mut self.kept))),
                _ if self.skipping => {}
                _ if self.kept.len() == MAX_MESSAGE => {
                    self.kept.clear();
                    self.skipping = true;
                    return Some(Err(TooLong));
                }
                _ => self.kept.push(byte),
            }
        }
        None
    }

    /// Whether the stream is in the middle of a message.
    pub fn is_inside(&self) -> bool {
        self.skipping || !self.kept.is_empty()
    }
}

impl Default for Framer {
    fn default() -> Framer {
        Framer::new()
    }
}
