//! A connection with a time limit for writing, whose end reaches the other side.

use super::places::Place;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::{Sleep, sleep, timeout};

/// Time for the other side to read something of what was written.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for which the rest of a closed connection is read.
const LINGER: Duration = Duration::from_secs(5);

/// A connection. Dropped, it is read for a while: with unread data the system would reset it, and the other side would
/// lose the last message, which says why.
pub(super) struct Stream {
    tcp: Option<TcpStream>,
    place: Place,
    /// The end of the time limit, while a write waits.
    late: Option<Pin<Box<Sleep>>>,
    write_timeout: Duration,
}

impl Stream {
    /// The connection `tcp` with its place.
    pub fn new(tcp: TcpStream, place: Place) -> Stream {
        Stream {
            tcp: Some(tcp),
            place,
            late: None,
            write_timeout: WRITE_TIMEOUT,
        }
    }

    fn poll<T>(
        &mut self,
        cx: &mut Context<'_>,
        poll: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        match &mut self.tcp {
            Some(tcp) => poll(Pin::new(tcp), cx),
            None => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }

    fn poll_in_time(
        &mut self,
        cx: &mut Context<'_>,
        poll: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let written = self.poll(cx, poll);
        if written.is_ready() {
            self.late = None;
            return written;
        }
        let limit = self.write_timeout;
        let late = self.late.get_or_insert_with(|| Box::pin(sleep(limit)));
        late.as_mut()
            .poll(cx)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.get_mut().poll(cx, |tcp, cx| tcp.poll_read(cx, buffer))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut()
            .poll_in_time(cx, |tcp, cx| tcp.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut()
            .poll_in_time(cx, |tcp, cx| tcp.poll_write_vectored(cx, parts))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().poll(cx, |tcp, cx| tcp.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().poll(cx, |tcp, cx| tcp.poll_shutdown(cx))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let leave = self.place.places.linger();
        if let (Some(tcp), Some(leave), Ok(runtime)) =
            (self.tcp.take(), leave, Handle::try_current())
        {
            runtime.spawn(async move {
                // Whatever fails: the connection has ended.
                let _ = timeout(LINGER, linger(tcp)).await;
                drop(leave);
            });
        }
    }
}

/// Ends what is written, and reads until the other side has done so.
async fn linger(mut tcp: TcpStream) -> io::Result<()> {
    poll_fn(|cx| Pin::new(&mut tcp).poll_shutdown(cx)).await?;
    let mut rest = vec![0; 16 << 10];
    loop {
        tcp.readable().await?;
        match tcp.try_read(&mut rest) {
            Ok(0) => return Ok(()),
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
            Ok(_) | Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::places::Places;
    use std::io::{Read, Write};
    use tokio::net::TcpListener;

    /// A connection and its other side.
    async fn pair() -> (Stream, std::net::TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let other = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (tcp, address) = listener.accept().await.unwrap();
        let (place, _) = Places::new(None).admit(address.ip()).unwrap();
        (Stream::new(tcp, place), other)
    }

    fn runtime() -> tokio::runtime::Runtime {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(1).enable_all().build().unwrap()
    }

    #[test]
    fn one_that_never_reads_is_given_up() {
        runtime().block_on(async {
            let (mut stream, other) = pair().await;
            stream.write_timeout = Duration::from_millis(50);
            let bytes = vec![0; 1 << 20];
            let end = loop {
                let write = poll_fn(|cx| Pin::new(&mut stream).poll_write(cx, &bytes)).await;
                if let Err(error) = write {
                    break error;
                }
            };
            assert_eq!(end.kind(), io::ErrorKind::TimedOut);
            drop(other);
        });
    }

    #[test]
    fn the_last_words_arrive_though_not_all_was_read() {
        let runtime = runtime();
        let (mut stream, mut other) = runtime.block_on(pair());
        other.write_all(&[0; 1000]).unwrap();
        runtime.block_on(async {
            poll_fn(|cx| Pin::new(&mut stream).poll_write(cx, b"why"))
                .await
                .unwrap();
            drop(stream);
        });
        other.write_all(&[0; 1 << 20]).unwrap();
        let mut words = String::new();
        other.read_to_string(&mut words).unwrap();
        assert_eq!(words, "why");
    }
}
