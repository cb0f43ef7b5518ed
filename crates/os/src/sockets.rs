//! Sockets.

use std::net::TcpStream;

/// Whether the other end says no more, whatever of its bytes is not read yet. False where that is not known.
#[cfg(target_os = "linux")]
pub fn has_hung_up(stream: &TcpStream) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let gone = PollFlags::RDHUP | PollFlags::HUP | PollFlags::ERR;
    let mut polled = [PollFd::new(stream, PollFlags::RDHUP)];
    let found = poll(&mut polled, Some(&Timespec::default()));
    found.is_ok() && polled[0].revents().intersects(gone)
}
/// Whether the other end says no more. False where that is not known, as where some of its bytes are not read yet.
#[cfg(not(target_os = "linux"))]
pub fn has_hung_up(stream: &TcpStream) -> bool {
    let peeked = stream
        .set_nonblocking(true)
        .and_then(|()| stream.peek(&mut [0]));
    stream.set_nonblocking(false).is_ok() && matches!(peeked, Ok(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;
    use std::time::{Duration, Instant};

    #[test]
    fn an_end_that_has_closed_is_known() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut other = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        if cfg!(target_os = "linux") {
            other.write_all(b"unread").unwrap();
        }
        assert!(!has_hung_up(&stream));
        drop(other);
        let began = Instant::now();
        while !has_hung_up(&stream) {
            assert!(began.elapsed() < Duration::from_secs(60));
        }
    }
}
