//! Writes replies as lines, with a minimum gap between them.
//!
//! py-draughts on Linux polls the file descriptor but reads through a buffer: if two lines arrive in one read, it sees
//! the second only when a third comes. A gap between lines avoids that on an idle machine. On a busy machine the client
//! may wake up too late, so where the system reports unread bytes, the next line waits (for a limited time) until the
//! last one was read, and no longer unless it is an info. Infos that arrive faster than the gap are merged: a newer one
//! replaces one not yet written. Only infos are ever dropped.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::words::is_same_rank;
use crate::protocol::hub::{Info, Reply};

/// Upper limit on the gap once the session is over.
const CLOSING_GAP: Duration = Duration::from_millis(5);

/// Number of infos that may be queued without a gap; beyond it a slow client gets only the newest.
const MAX_INFOS: usize = 1000;

/// Maximum number of queued lines: input not yet executed plus output not yet written.
const MAX_BACKLOG: usize = 10_000;

/// Maximum wait of a line for the client to read the one before. Short enough for a polling client, which gets all
/// lines at its second read.
const READ_WITHIN: Duration = Duration::from_millis(40);

/// Interval between checks whether the line was read.
const POLL: Duration = Duration::from_micros(100);

/// Returns the number of bytes that the client has not read yet, if known.
type Unread = dyn Fn() -> Option<usize> + Send;

/// A pipe, on which lines are kept apart.
pub struct Pipe {
    unread: Box<Unread>,
}

impl Pipe {
    /// A pipe with a function that returns its number of unread bytes, or None if unknown.
    pub fn new(unread: impl Fn() -> Option<usize> + Send + 'static) -> Self {
        Self {
            unread: Box::new(unread),
        }
    }

    /// Waits until the line written at `last` was read, up to a limit. `behind` is set when the client was too slow;
    /// then there is no wait until it has caught up.
    fn wait_for_reader(&self, last: Instant, behind: &mut bool) {
        while (self.unread)().is_some_and(|bytes| bytes > 0) {
            *behind |= last.elapsed() >= READ_WITHIN;
            if *behind {
                return;
            }
            thread::sleep(POLL);
        }
        *behind = false;
    }
}

impl std::fmt::Debug for Pipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pipe").finish_non_exhaustive()
    }
}

/// A handle to the writer thread. Sending never blocks.
#[derive(Clone)]
pub(super) struct Writer {
    shared: Arc<OutputQueue>,
}

struct OutputQueue {
    state: Mutex<WriterState>,
    changed: Condvar,
    /// Whether the gap applies.
    paced: bool,
}

struct WriterState {
    queue: VecDeque<Reply>,
    /// Input lines that have been read but not executed yet.
    lines: usize,
    gap: Duration,
    closing: bool,
    finished: bool,
}

impl Writer {
    /// Starts the thread. `on_broken` is called once, when the output can no longer be written.
    pub fn start(
        output: impl Write + Send + 'static,
        pipe: Option<Pipe>,
        on_broken: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<Self> {
        let state = WriterState {
            queue: VecDeque::new(),
            lines: 0,
            gap: Duration::ZERO,
            closing: false,
            finished: false,
        };
        let writer = Self {
            shared: Arc::new(OutputQueue {
                state: Mutex::new(state),
                changed: Condvar::new(),
                paced: pipe.is_some(),
            }),
        };
        let shared = Arc::clone(&writer.shared);
        thread::Builder::new()
            .name("hub writer".to_owned())
            .spawn(move || {
                let result = shared.write_all(output, pipe.as_ref());
                shared.finish();
                if let Err(error) = result {
                    log::warn!("output: {error}");
                    on_broken();
                }
            })?;
        Ok(writer)
    }

    /// Queues a reply. An info replaces the info before it if that is still queued; a pong overtakes infos.
    pub fn send(&self, reply: Reply) {
        let mut state = self.shared.lock();
        if state.finished {
            return;
        }
        let most_infos = if state.gap.is_zero() { MAX_INFOS } else { 1 };
        let queue = &mut state.queue;
        let is_info = |reply: &&Reply| matches!(reply, Reply::Info(_));
        let infos = queue.iter().rev().take_while(is_info).count();
        let begin = queue.len() - infos;
        let place = match &reply {
            Reply::Pong => begin,
            Reply::Info(new) => {
                // With several lines, an info replaces only one of the same rank.
                let same =
                    |reply: &Reply| matches!(reply, Reply::Info(old) if is_same_rank(old, new));
                let older: Vec<usize> = (begin..queue.len())
                    .filter(|&at| same(&queue[at]))
                    .collect();
                if let Some(&last) = older.last().filter(|_| older.len() >= most_infos) {
                    queue.remove(last);
                }
                queue.len()
            }
            _ => queue.len(),
        };
        queue.insert(place, reply);
        self.shared.changed.notify_all();
    }

    /// Like [`send`](Self::send), for an info from the search.
    pub fn info(&self, info: Info) {
        self.send(Reply::Info(info));
    }

    /// Waits until there is room for one more input line and its reply, so that a client that writes without reading
    /// fills its own pipe and not this process's memory. False once the output is closed.
    pub fn admit_line(&self) -> bool {
        let full = |state: &mut WriterState| {
            state.queue.len() + state.lines >= MAX_BACKLOG && !state.finished && !state.closing
        };
        let state = self.shared.changed.wait_while(self.shared.lock(), full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.lines += 1;
        !state.finished
    }

    /// Notes that an admitted line was executed.
    pub fn line_is_done(&self) {
        let mut state = self.shared.lock();
        state.lines = state.lines.saturating_sub(1);
        self.shared.changed.notify_all();
    }

    /// Changes the gap between lines, which applies only to a pipe; zero turns it off.
    pub fn set_gap(&self, gap: Duration) {
        if self.shared.paced {
            self.shared.lock().gap = gap;
        }
    }

    /// Waits until everything is written, but at most `timeout`: the client may have stopped reading.
    pub fn close(&self, timeout: Duration) {
        let mut state = self.shared.lock();
        state.closing = true;
        // Shorter gaps are better than lost answers.
        state.gap = state.gap.min(CLOSING_GAP);
        self.shared.changed.notify_all();
        let wait = self
            .shared
            .changed
            .wait_timeout_while(state, timeout, |state| !state.finished);
        drop(wait.unwrap_or_else(PoisonError::into_inner));
    }
}

impl OutputQueue {
    fn lock(&self) -> MutexGuard<'_, WriterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self) {
        let mut state = self.lock();
        state.finished = true;
        state.queue.clear();
        self.changed.notify_all();
    }

    fn write_all(&self, mut output: impl Write, pipe: Option<&Pipe>) -> std::io::Result<()> {
        let mut last: Option<Instant> = None;
        let mut behind = false;
        while let Some((gap, is_info)) = self.wait() {
            if let (Some(last), Some(pipe), false) = (last, pipe, gap.is_zero()) {
                if is_info || behind || (pipe.unread)().is_none() {
                    // Not on the condition variable: nothing can be written during the gap anyway, and a plain sleep
                    // is exact on Windows too.
                    thread::sleep(gap.saturating_sub(last.elapsed()));
                }
                pipe.wait_for_reader(last, &mut behind);
            }
            let Some(reply) = self.lock().queue.pop_front() else {
                continue;
            };
            self.changed.notify_all();
            let mut line = reply.to_string();
            log::debug!("-> {line}");
            line.push('\n');
            output.write_all(line.as_bytes())?;
            output.flush()?;
            last = Some(Instant::now());
        }
        Ok(())
    }

    /// Waits for something to write, and returns the gap to keep from the last line, and whether an info is next; None
    /// at the end.
    fn wait(&self) -> Option<(Duration, bool)> {
        let waiting = |state: &mut WriterState| state.queue.is_empty() && !state.closing;
        let state = self
            .changed
            .wait_while(self.lock(), waiting)
            .unwrap_or_else(PoisonError::into_inner);
        let next = state.queue.front()?;
        Some((state.gap, matches!(next, Reply::Info(_))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    struct Lines(Sender<(String, Instant)>);

    /// Counts the lines written.
    struct Counted(Arc<AtomicUsize>, Lines);

    impl Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.fetch_add(1, Ordering::SeqCst);
            self.1.write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let line = String::from_utf8(bytes.to_vec()).map_err(std::io::Error::other)?;
            self.0
                .send((line, Instant::now()))
                .map_err(std::io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn start(gap: Duration) -> (Writer, Receiver<(String, Instant)>) {
        let (sender, receiver) = channel();
        let writer =
            Writer::start(Lines(sender), Some(Pipe::new(|| None)), || {}).expect("a thread");
        writer.set_gap(gap);
        (writer, receiver)
    }

    fn info(depth: u32) -> Info {
        Info {
            depth: Some(depth),
            ..Info::default()
        }
    }

    #[test]
    fn lines_keep_their_distance() {
        let gap = Duration::from_millis(2);
        let (writer, lines) = start(gap);
        (0..10).for_each(|_| writer.send(Reply::Wait));
        writer.close(Duration::from_secs(10));
        let times: Vec<_> = lines.iter().map(|(_, time)| time).collect();
        assert_eq!(times.len(), 10);
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= gap));
    }

    #[test]
    fn a_line_after_one_that_was_read_is_written_at_once() {
        let (sender, lines) = channel();
        let pipe = Pipe::new(|| Some(0));
        let writer = Writer::start(Lines(sender), Some(pipe), || {}).expect("a thread");
        writer.set_gap(Duration::from_secs(3600));
        for _ in 0..3 {
            writer.send(Reply::Wait);
        }
        for _ in 0..3 {
            let line = lines.recv_timeout(Duration::from_secs(60));
            assert_eq!(line.expect("written").0, "wait\n");
        }
    }

    #[test]
    fn the_last_info_before_done_is_written() {
        let (writer, lines) = start(Duration::from_millis(5));
        for depth in 1..=100 {
            writer.info(info(depth));
        }
        writer.send(Reply::Pong);
        writer.send(Reply::Done {
            best: None,
            ponder: None,
        });
        writer.close(Duration::from_secs(10));
        let lines: Vec<_> = lines.iter().map(|(line, _)| line).collect();
        assert!(lines.len() <= 5, "{lines:?}");
        assert_eq!(lines[lines.len() - 2..], ["info depth=100\n", "done\n"]);
        assert_eq!(lines.iter().filter(|line| *line == "pong\n").count(), 1);
    }

    /// Accepts lines only once allowed.
    struct Held(Receiver<()>, Lines);

    impl Write for Held {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            // Nothing comes: it waits until the other end is dropped.
            let _ = self.0.recv();
            self.1.write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn input_waits_for_output_that_is_not_read() {
        let ((hold, held), (sender, lines)) = (channel(), channel());
        let writer = Writer::start(Held(held, Lines(sender)), None, || {}).expect("a thread");
        let admitted = Arc::new(AtomicUsize::new(0));
        let (client, count) = (writer.clone(), Arc::clone(&admitted));
        let total = 3 * MAX_BACKLOG;
        let asking = thread::spawn(move || {
            for _ in 0..total {
                assert!(client.admit_line());
                count.fetch_add(1, Ordering::SeqCst);
                client.send(Reply::Wait);
                client.line_is_done();
            }
        });
        while admitted.load(Ordering::SeqCst) < MAX_BACKLOG {
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(50));
        // One line is on its way to the output.
        assert!(admitted.load(Ordering::SeqCst) <= MAX_BACKLOG + 1);
        drop(hold);
        asking.join().expect("no panic");
        writer.close(Duration::from_secs(60));
        assert_eq!(lines.iter().count(), total);
    }

    #[test]
    fn waiting_infos_are_replaced_rank_by_rank() {
        let ((hold, held), (sender, lines)) = (channel(), channel());
        let pipe = Some(Pipe::new(|| None));
        let writer = Writer::start(Held(held, Lines(sender)), pipe, || {}).expect("a thread");
        writer.set_gap(Duration::from_micros(10));
        writer.send(Reply::Wait);
        for depth in 1..=9 {
            for rank in 1..=3 {
                let mut line = info(depth);
                line.extra = (rank > 1)
                    .then(|| ("multi-pv".into(), rank.to_string()))
                    .into_iter()
                    .collect();
                writer.info(line);
            }
        }
        drop(hold);
        writer.close(Duration::from_secs(60));
        let lines: Vec<String> = lines.iter().map(|(line, _)| line).skip(1).collect();
        let last = [
            "info depth=9\n",
            "info depth=9 multi-pv=2\n",
            "info depth=9 multi-pv=3\n",
        ];
        // The first may have been on its way already.
        assert_eq!(lines[lines.len() - 3..], last);
        assert!(lines.len() <= 4, "{lines:?}");
    }

    #[test]
    fn a_pong_overtakes_infos_only() {
        let (writer, lines) = start(Duration::from_millis(50));
        writer.send(Reply::Ready);
        // The thread is now in the gap, or about to be.
        assert_eq!(lines.recv().map(|(line, _)| line), Ok("ready\n".to_owned()));
        writer.send(Reply::Wait);
        writer.info(info(1));
        writer.send(Reply::Pong);
        writer.close(Duration::from_secs(10));
        let lines: Vec<_> = lines.iter().map(|(line, _)| line).collect();
        assert_eq!(lines, ["wait\n", "pong\n", "info depth=1\n"]);
    }

    #[test]
    fn without_a_gap_nothing_is_merged() {
        let (writer, lines) = start(Duration::ZERO);
        (0..500).for_each(|depth| writer.info(info(depth)));
        writer.close(Duration::from_secs(10));
        assert_eq!(lines.iter().count(), 500);
    }

    #[test]
    fn a_line_waits_until_the_last_one_is_read() {
        let unread = Arc::new(AtomicUsize::new(0));
        let (sender, lines) = channel();
        let (count, counted) = (Arc::clone(&unread), Arc::clone(&unread));
        let pipe = Pipe::new(move || Some(count.load(Ordering::SeqCst)));
        let writer =
            Writer::start(Counted(counted, Lines(sender)), Some(pipe), || {}).expect("a thread");
        writer.set_gap(Duration::from_micros(1));
        (0..20).for_each(|_| writer.send(Reply::Wait));
        for _ in 0..20 {
            lines.recv().expect("a line");
            thread::sleep(Duration::from_millis(3));
            assert_eq!(unread.swap(0, Ordering::SeqCst), 1);
        }
    }

    #[test]
    fn a_client_that_does_not_read_is_waited_for_once() {
        let (sender, lines) = channel();
        let writer =
            Writer::start(Lines(sender), Some(Pipe::new(|| Some(1))), || {}).expect("a thread");
        writer.set_gap(Duration::from_micros(1));
        let begun = Instant::now();
        (0..100).for_each(|_| writer.send(Reply::Wait));
        writer.close(Duration::from_secs(10));
        assert_eq!(lines.iter().count(), 100);
        assert!(begun.elapsed() >= READ_WITHIN && begun.elapsed() < 50 * READ_WITHIN);
    }

    #[test]
    fn a_client_that_is_gone_is_noticed() {
        let (sender, receiver) = channel();
        let (told, tell) = channel();
        let writer = Writer::start(Lines(sender), None, move || {
            told.send(()).expect("a listener")
        });
        let writer = writer.expect("a thread");
        drop(receiver);
        writer.send(Reply::Wait);
        assert_eq!(tell.recv_timeout(Duration::from_secs(10)), Ok(()));
        writer.close(Duration::from_secs(10));
        writer.send(Reply::Wait);
    }
}
