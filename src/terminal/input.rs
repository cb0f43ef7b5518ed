//! Lines from an input that may hold anything.

use std::io::{self, BufRead};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

/// Interval between checks for an interrupt.
pub(super) const LOOK: Duration = Duration::from_millis(50);

/// Longest line that is kept, in bytes; of a longer one the rest is read and dropped.
const LONGEST: usize = 1 << 16;

/// Reads lines on a thread of its own, so that a session can hear something else while it waits for one. A line is read
/// only when it is asked for.
pub(super) struct LineReader {
    ask: Sender<()>,
}

impl LineReader {
    /// Starts the thread; `deliver` gets the lines there, and `None` at the end of the input.
    pub fn start(
        mut input: impl BufRead + Send + 'static,
        mut deliver: impl FnMut(io::Result<Option<String>>) + Send + 'static,
    ) -> io::Result<LineReader> {
        let (ask, asked) = channel();
        thread::Builder::new()
            .name("input".to_owned())
            .spawn(move || asked.iter().for_each(|()| deliver(read_line(&mut input))))?;
        Ok(LineReader { ask })
    }

    /// Asks for one more line.
    pub fn ask(&self) {
        // The thread ends only with this reader.
        let _ = self.ask.send(());
    }
}

/// The next line without its end, or `None` at the end of the input. What is not UTF-8 becomes `U+FFFD`.
///
/// # Errors
/// The input cannot be read.
pub fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(any.then(|| text_of(&line)));
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&part[..part.len().min(LONGEST - line.len())]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(text_of(&line)));
        }
    }
}

fn text_of(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_start_matches('\u{feff}')
        .trim_end_matches('\r')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_any_bytes_and_bounds_them() {
        let long = vec![b'x'; 3 * LONGEST];
        let mut bytes = b"\xef\xbb\xbfone\r\n\n\xff\xfe\n".to_vec();
        bytes.extend(long);
        bytes.extend(b"\nlast");
        let mut input = bytes.as_slice();
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next().as_deref(), Some("one"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("\u{fffd}\u{fffd}"));
        assert_eq!(next().map(|line| line.len()), Some(LONGEST));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }
}
