//! Bytes to lines of bounded length.

use std::io::{ErrorKind, Read};
use std::time::Instant;

use crate::protocol::hub::{Command, MAX_LINE, ParseError};

/// Bytes per read.
const CHUNK: usize = 1 << 16;

/// Bytes of a line that are logged.
const LOGGED: usize = 2000;

/// Bytes kept of a line over the limit: enough for its command.
const KEPT: usize = 64;

/// A line with the time it arrived.
pub(super) type Line = (Result<Command, ParseError>, Instant);

/// Splits a stream of any bytes into lines. A line over the limit is reported as too long and dropped.
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    buffer: Vec<u8>,
    /// Bytes of `buffer` already returned.
    taken: usize,
    /// Bytes of `buffer` already searched for an end of line.
    scanned: usize,
    /// Start of a line over the limit, whose rest was dropped.
    start: Option<Vec<u8>>,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R) -> Self {
        Self::with_limit(input, MAX_LINE)
    }

    fn with_limit(input: R, limit: usize) -> Self {
        Self {
            input,
            limit,
            buffer: Vec::new(),
            taken: 0,
            scanned: 0,
            start: None,
        }
    }

    /// The next line, parsed, or None at the end of the stream. A last line need not end in a newline.
    pub fn next(&mut self) -> Option<Line> {
        loop {
            if let Some(length) = self.buffer[self.scanned..]
                .iter()
                .position(|&byte| byte == b'\n')
            {
                return Some(self.take(self.scanned + length, 1));
            }
            self.scanned = self.buffer.len();
            if self.scanned - self.taken > self.limit {
                let line = &self.buffer[self.taken..];
                self.start
                    .get_or_insert_with(|| line[..line.len().min(KEPT)].to_vec());
                self.taken = self.scanned;
            }
            if !self.fill() {
                let rest = self.start.is_some() || self.taken < self.buffer.len();
                return rest.then(|| self.take(self.buffer.len(), 0));
            }
        }
    }

    /// Returns the line that ends at `end`, and skips the line ending.
    fn take(&mut self, end: usize, skip: usize) -> Line {
        let line = &self.buffer[self.taken..end];
        let too_long = self
            .start
            .take()
            .or_else(|| (line.len() > self.limit).then(|| line[..KEPT.min(line.len())].to_vec()));
        let shown = too_long.as_deref().unwrap_or(line);
        log::debug!(
            "<- {}",
            String::from_utf8_lossy(&shown[..shown.len().min(LOGGED)]).trim_end()
        );
        let command = match &too_long {
            Some(start) => Command::parse_start(start, self.limit),
            None => Command::parse(line),
        };
        self.taken = end + skip;
        self.scanned = self.taken;
        (command, Instant::now())
    }

    /// Reads more; false at the end of the stream or on a read error.
    fn fill(&mut self) -> bool {
        self.buffer.drain(..self.taken);
        self.scanned -= self.taken;
        self.taken = 0;
        let old = self.buffer.len();
        self.buffer.resize(old + CHUNK, 0);
        let read = loop {
            match self.input.read(&mut self.buffer[old..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        let count = read.unwrap_or_else(|error| {
            log::warn!("input: {error}");
            0
        });
        self.buffer.truncate(old + count);
        count > 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::protocol::hub::Problem;

    /// Gives its bytes in pieces of the sizes named, over and over.
    struct Pieces<'a>(&'a [u8], std::iter::Cycle<std::slice::Iter<'a, usize>>);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let size = self
                .1
                .next()
                .copied()
                .unwrap_or(1)
                .min(self.0.len())
                .min(buffer.len());
            buffer[..size].copy_from_slice(&self.0[..size]);
            self.0 = &self.0[size..];
            Ok(size)
        }
    }

    fn all(bytes: &[u8], sizes: &[usize], limit: usize) -> Vec<Result<Command, ParseError>> {
        let mut lines = Lines::with_limit(Pieces(bytes, sizes.iter().cycle()), limit);
        std::iter::from_fn(|| lines.next())
            .map(|(command, _)| command)
            .collect()
    }

    #[test]
    fn lines_end_with_a_newline_or_the_stream() {
        let expected = [
            Ok(Command::Hub),
            Ok(Command::Empty),
            Ok(Command::Init),
            Ok(Command::Quit),
        ];
        for size in 1..20 {
            assert_eq!(all(b"hub\r\n\ninit\nquit", &[size], 100), expected);
        }
        assert_eq!(all(b"", &[1], 100), []);
        assert_eq!(all(b"\n", &[1], 100), [Ok(Command::Empty)]);
    }

    #[test]
    fn a_line_over_the_limit_is_one_error() {
        let long = format!("level depth=3{}", " ".repeat(1000));
        let bytes = [
            long.as_bytes(),
            b"\nping\n",
            &[b'y'; 1000],
            b"\n",
            long.as_bytes(),
        ]
        .concat();
        for size in [1, 7, 99, 100, 101, 5000] {
            let lines = all(&bytes, &[size], 100);
            let error = Err(ParseError {
                command: "level",
                problem: Problem::TooLong { limit: 100 },
            });
            let ignored = Ok(Command::Unknown(format!("{}...", "y".repeat(32))));
            assert_eq!(lines, [error.clone(), Ok(Command::Ping), ignored, error]);
        }
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(
            bytes in prop::collection::vec(prop::sample::select(b"\nhub =\"\xff".to_vec()), 0..200),
            sizes in prop::collection::vec(1usize..20, 1..5),
        ) {
            let mut expected: Vec<_> = bytes.split(|&byte| byte == b'\n').collect();
            if expected.last().is_some_and(|line| line.is_empty()) {
                expected.pop();
            }
            let expected: Vec<_> = expected.into_iter().map(Command::parse).collect();
            prop_assert_eq!(all(&bytes, &sizes, 1000), expected);
        }
    }
}
