//! An engine as a child process with pipes.
//!
//! It has two threads: one reads standard output line by line into a bounded inbox and wakes the arena only for lines
//! that matter to it; one drains standard error into a bounded buffer. A process that writes endlessly uses no more
//! memory: once the inbox is full, the pipe fills up and the process blocks.
//!
//! All lines in both directions are logged at level debug when they are read or written.

use damier_os::process as os;
use damier_rules::notation::text;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum length of a line in bytes; longer lines are cut.
const MAX_LINE: usize = 1 << 16;
/// Number of unread lines at which the process has to wait.
const MAX_WAITING: usize = 256;
/// How much of standard error is kept: this many bytes at its end.
const MAX_ERRORS: usize = 4096;
/// How many of these lines are shown, and how many characters of each.
const ERROR_LINES: usize = 12;
const ERROR_WIDTH: usize = 300;
/// How often to check whether a silent process has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long output is still read after the process has ended, if something else holds the pipe open.
const AFTER_END: Duration = Duration::from_millis(200);
/// How long a process may take to exit after its input was closed.
const GRACE: Duration = Duration::from_millis(500);

/// How to start a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Working directory, in which a relative program path is resolved.
    pub dir: Option<PathBuf>,
}

impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command.join(" "))
    }
}

impl Launch {
    /// The program to start: a plain name is searched in PATH, a relative path is resolved in [`Launch::dir`].
    fn program(&self) -> io::Result<PathBuf> {
        let name = self.command.first().map_or("", String::as_str);
        if name.is_empty() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "no command"));
        }
        let path = Path::new(name);
        let is_path = path.components().count() > 1 || name.starts_with('.');
        match &self.dir {
            Some(dir) if is_path && path.is_relative() => Ok(std::path::absolute(dir)?.join(path)),
            _ if is_path => std::path::absolute(path),
            _ => Ok(path.to_owned()),
        }
    }
}

/// What to do with the output of a process.
#[derive(Clone, Copy, Debug)]
pub enum ProcessOutput {
    /// Read it line by line; lines for which the function returns true do not wake the arena.
    Lines(fn(&str) -> bool),
    /// Discard it.
    Nowhere,
}

/// A line of the process with its arrival time.
pub type OutputLine = (String, Instant);

/// Why there is no line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// Timeout.
    Silence,
    /// The process has ended or closed its output; what is known about it.
    Ended(String),
    /// The match is to end.
    Stopped,
}

/// A running process. Dropping it closes its input, kills it with its group if it does not end, and reaps it.
pub struct Process {
    /// The name of the engine in the log.
    name: Arc<str>,
    child: Child,
    group: os::Group,
    /// Exit status, once it was reaped; after that its process id may be reused.
    end: Option<String>,
    stdin: Option<ChildStdin>,
    output: Arc<OutputBuffer>,
}

#[derive(Default)]
struct OutputBuffer {
    inbox: Mutex<Inbox>,
    /// Signals that a line that matters has come, or that the output has ended.
    arrived: Condvar,
    /// Signals that the inbox has room again.
    room: Condvar,
}

#[derive(Default)]
struct Inbox {
    lines: VecDeque<OutputLine>,
    ended: bool,
    abandoned: bool,
    errors: VecDeque<u8>,
    errors_ended: bool,
}

impl OutputBuffer {
    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Process {
    /// Starts a process; `name` is for the log.
    ///
    /// # Errors
    /// The system cannot start it, or cannot start a thread for its output.
    pub fn start(name: &str, launch: &Launch, output: ProcessOutput) -> io::Result<Process> {
        log::debug!("{name} starts: {launch}");
        let mut command = Command::new(launch.program()?);
        command
            .args(launch.command.iter().skip(1))
            .stdin(Stdio::piped())
            .stdout(match output {
                ProcessOutput::Lines(_) => Stdio::piped(),
                ProcessOutput::Nowhere => Stdio::null(),
            })
            .stderr(Stdio::piped());
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        let (mut child, group) = os::spawn(&mut command)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let buffer = Arc::new(OutputBuffer::default());
        // If anything fails from here on, dropping `process` ends the child.
        let process = Process {
            name: name.into(),
            child,
            group,
            end: None,
            stdin,
            output: Arc::clone(&buffer),
        };
        if let Some(stdin) = &process.stdin {
            os::set_nonblocking(stdin)?;
        }
        let no_pipe = || io::Error::other("no pipe to the process");
        if let ProcessOutput::Lines(is_minor) = output {
            let stdout = stdout.ok_or_else(no_pipe)?;
            let reader = LineReader {
                name: Arc::clone(&process.name),
                buffer: Arc::clone(&buffer),
                is_minor,
            };
            spawn("engine output", move || reader.read_all(stdout))?;
        }
        let stderr = stderr.ok_or_else(no_pipe)?;
        let name = Arc::clone(&process.name);
        spawn("engine errors", move || {
            drain_errors(stderr, &name, &buffer)
        })?;
        Ok(process)
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes to the process; waits at most `patience` for it to read.
    ///
    /// # Errors
    /// It does not read, or has closed its input.
    pub fn write(&mut self, text: &str, patience: Duration) -> io::Result<()> {
        text.lines()
            .for_each(|line| log::debug!("{} > {line}", self.name));
        let mut bytes = text.as_bytes();
        let began = Instant::now();
        let Some(stdin) = &mut self.stdin else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        while !bytes.is_empty() {
            match stdin.write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if began.elapsed() >= patience {
                        return Err(ErrorKind::TimedOut.into());
                    }
                    thread::sleep(Duration::from_millis(1));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next line; waits for it until `deadline` or until `stop` returns true.
    ///
    /// # Errors
    /// There is none.
    pub fn line(
        &mut self,
        deadline: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Result<OutputLine, ReadError> {
        let mut ended_at = None;
        loop {
            let now = Instant::now();
            {
                let mut inbox = self.output.lock();
                if let Some(line) = inbox.lines.pop_front() {
                    self.output.room.notify_one();
                    return Ok(line);
                }
                if inbox.ended {
                    drop(inbox);
                    return Err(ReadError::Ended(self.end_in_words()));
                }
                if now >= deadline {
                    return Err(ReadError::Silence);
                }
                let slice = POLL_INTERVAL.min(deadline - now);
                let idle = |inbox: &mut Inbox| !inbox.ended && inbox.lines.is_empty();
                // A minor line does not wake this thread: it is found with the next line, or at the next check.
                inbox = self
                    .output
                    .arrived
                    .wait_timeout_while(inbox, slice, |inbox| idle(inbox))
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
                if !idle(&mut inbox) {
                    continue;
                }
            }
            if stop() {
                return Err(ReadError::Stopped);
            }
            if self.end.is_some() || os::has_ended(&mut self.child) {
                let since = *ended_at.get_or_insert_with(Instant::now);
                if since.elapsed() >= AFTER_END {
                    return Err(ReadError::Ended(self.end_in_words()));
                }
            }
        }
    }

    /// All lines that have arrived and were not read.
    pub fn take_waiting(&mut self) -> Vec<String> {
        let mut inbox = self.output.lock();
        let lines = inbox.lines.drain(..).map(|(line, _)| line).collect();
        self.output.room.notify_one();
        lines
    }

    /// The tail of its standard error, as lines for a report.
    pub fn errors(&self) -> Vec<String> {
        let bytes: Vec<u8> = self.output.lock().errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let first = text.lines().count().saturating_sub(ERROR_LINES);
        let start = |line: &str| line.chars().take(ERROR_WIDTH).collect::<String>();
        let lines = text.lines().skip(first);
        lines
            .map(|line| format!("stderr: {}", text::for_terminal(&start(line))))
            .collect()
    }

    /// Exit status, if it has ended. The rest of its process group is then killed.
    pub fn ended(&mut self) -> Option<String> {
        let has_ended = self.end.is_some() || os::has_ended(&mut self.child);
        has_ended.then(|| self.end_in_words())
    }

    /// How it ended: exit status or signal, or that it closed its output.
    fn end_in_words(&mut self) -> String {
        if let Some(end) = &self.end {
            return end.clone();
        }
        // The output closes a moment before the process ends.
        let began = Instant::now();
        while !os::has_ended(&mut self.child) {
            if began.elapsed() >= AFTER_END {
                return "closed its output but is still running".to_owned();
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.group.kill(&mut self.child);
        let end = match self.child.wait() {
            Ok(status) => format!("ended by itself ({status})"),
            Err(error) => format!("ended by itself ({error})"),
        };
        // Its last lines may still be in the pipe.
        let began = Instant::now();
        while !self.output.lock().errors_ended && began.elapsed() < AFTER_END {
            thread::sleep(Duration::from_millis(1));
        }
        self.end.insert(end).clone()
    }

    /// Kills its process group.
    pub fn kill(mut self) {
        self.group.kill(&mut self.child);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stdin = None;
        {
            let mut inbox = self.output.lock();
            inbox.abandoned = true;
            inbox.lines.clear();
        }
        self.output.room.notify_all();
        if self.end.is_some() {
            return;
        }
        let began = Instant::now();
        let mut pause = Duration::from_micros(200);
        // Not `try_wait`: once the child is reaped, its group can no longer be killed.
        while !os::has_ended(&mut self.child) && began.elapsed() < GRACE {
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        self.group.kill(&mut self.child);
        let _ = self.child.wait();
    }
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // Not joined: a descendant that has left the group may hold the pipe open for ever. This leaks only a thread.
    let builder = thread::Builder::new().name(name.to_owned());
    builder.stack_size(256 << 10).spawn(body).map(drop)
}

fn read_some(input: &mut impl Read, buffer: &mut [u8]) -> usize {
    loop {
        match input.read(buffer) {
            Ok(count) => return count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return 0,
        }
    }
}

/// Reads `input` to its end. Calls `on_chunk` with what each read returned, and `on_line` with each whole line (cut
/// after [`MAX_LINE`] bytes) and the time at which its end arrived; stops when `on_line` returns false.
fn read_lines(
    mut input: impl Read,
    mut on_chunk: impl FnMut(&[u8]),
    mut on_line: impl FnMut(&[u8], Instant) -> bool,
) {
    let mut chunk = vec![0; 1 << 14];
    let mut line: Vec<u8> = Vec::new();
    loop {
        let count = read_some(&mut input, &mut chunk);
        let now = Instant::now();
        if count == 0 {
            break;
        }
        on_chunk(&chunk[..count]);
        for piece in chunk[..count].split_inclusive(|&byte| byte == b'\n') {
            let room = MAX_LINE.saturating_sub(line.len());
            line.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                if !on_line(&line, now) {
                    return;
                }
                line.clear();
            }
        }
    }
    if !line.is_empty() {
        on_line(&line, Instant::now());
    }
}

/// Reads the lines of a process on a thread of its own.
struct LineReader {
    name: Arc<str>,
    buffer: Arc<OutputBuffer>,
    is_minor: fn(&str) -> bool,
}

impl LineReader {
    fn read_all(&self, input: impl Read) {
        read_lines(input, |_| {}, |line, at| self.deliver(line, at));
        self.buffer.lock().ended = true;
        self.buffer.arrived.notify_all();
    }

    /// Puts a line into the inbox, waiting for room; false if the process was abandoned.
    fn deliver(&self, line: &[u8], at: Instant) -> bool {
        let text = String::from_utf8_lossy(line).trim_end().to_owned();
        log::debug!("{} < {text}", self.name);
        let is_minor = (self.is_minor)(&text);
        let mut inbox = self.buffer.lock();
        while inbox.lines.len() >= MAX_WAITING && !inbox.abandoned {
            self.buffer.arrived.notify_all();
            inbox = self
                .buffer
                .room
                .wait(inbox)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if inbox.abandoned {
            return false;
        }
        inbox.lines.push_back((text, at));
        drop(inbox);
        if !is_minor {
            self.buffer.arrived.notify_all();
        }
        true
    }
}

/// Keeps the tail of standard error and logs its lines. A line may arrive in pieces: it is logged when it is whole.
fn drain_errors(input: impl Read, name: &str, buffer: &OutputBuffer) {
    let keep = |chunk: &[u8]| {
        let mut inbox = buffer.lock();
        inbox.errors.extend(chunk);
        let surplus = inbox.errors.len().saturating_sub(MAX_ERRORS);
        inbox.errors.drain(..surplus);
    };
    read_lines(input, keep, |line, _| {
        let text = String::from_utf8_lossy(line);
        log::debug!("{name} stderr: {}", text.trim_end());
        true
    });
    buffer.lock().errors_ended = true;
}
