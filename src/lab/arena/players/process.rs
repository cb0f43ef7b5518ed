//! An engine as a process at the end of pipes.
//!
//! Two threads belong to it: one reads its output, where that is wanted, line by line, into an inbox of bounded size, and wakes
//! the arena only for lines that matter to it; one drains its errors into a bounded buffer. Neither lets a process that writes without
//! end take memory: the inbox is full, the pipe fills up, and the process waits.

use crate::notation::text;
use crate::os::process as os;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line kept, in bytes; of a longer one the start is.
const MAX_LINE: usize = 1 << 16;
/// How many lines wait to be read before the process has to wait.
const MAX_WAITING: usize = 256;
/// How much of what the process writes to its errors is kept, in bytes: the end.
const MAX_ERRORS: usize = 4096;
/// Of this so many lines are shown, and so many characters of each.
const ERROR_LINES: usize = 12;
const ERROR_WIDTH: usize = 300;
/// How often to look whether a silent process has ended.
const LOOK: Duration = Duration::from_millis(50);
/// How long after its end the output of a process is still read, where something else holds the pipe open.
const AFTER_END: Duration = Duration::from_millis(200);
/// How long a process that was told to leave may take.
const GRACE: Duration = Duration::from_millis(500);

/// How to start a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it runs. A program named by a relative path is looked for there.
    pub dir: Option<PathBuf>,
}

impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command.join(" "))
    }
}

impl Launch {
    /// The program as the system is to find it: by name in the usual places, by a path from [`Launch::dir`].
    pub(super) fn program(&self) -> io::Result<PathBuf> {
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

/// What becomes of what a process writes to its output.
#[derive(Clone, Copy, Debug)]
pub enum Output {
    /// It can be read line by line; the function tells lines for which nobody need be woken.
    Lines(fn(&str) -> bool),
    /// Nobody wants it: it is thrown away.
    Nowhere,
}

/// A line of the process with the time it came in.
pub type Line = (String, Instant);

/// Why there is no line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The time is over.
    Silence,
    /// The process has ended, or has closed its output: what is known of it.
    Ended(String),
    /// The arena is to end.
    Stopped,
}

/// A running process. Dropping it ends it: it is told to by the end of its input, killed with its group when it does not
/// go, and reaped.
pub struct Process {
    child: Child,
    group: os::Group,
    /// How it ended, once it was waited for: its number may be somebody else's since.
    end: Option<String>,
    stdin: Option<ChildStdin>,
    shared: Arc<OutputBuffer>,
}

#[derive(Default)]
struct OutputBuffer {
    inbox: Mutex<Inbox>,
    /// A line that matters has come, or the output has ended.
    arrived: Condvar,
    /// The inbox has room again.
    room: Condvar,
}

#[derive(Default)]
struct Inbox {
    lines: VecDeque<Line>,
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
    /// Starts a process.
    ///
    /// # Errors
    /// The system cannot start it, or has no thread for its output.
    pub fn start(launch: &Launch, output: Output) -> io::Result<Process> {
        let mut command = Command::new(launch.program()?);
        command
            .args(launch.command.iter().skip(1))
            .stdin(Stdio::piped())
            .stdout(match output {
                Output::Lines(_) => Stdio::piped(),
                Output::Nowhere => Stdio::null(),
            })
            .stderr(Stdio::piped());
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        let (mut child, group) = os::spawn(&mut command)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let shared = Arc::new(OutputBuffer::default());
        // From here on, whatever fails, the drop of `process` ends the child.
        let process = Process {
            child,
            group,
            end: None,
            stdin,
            shared: Arc::clone(&shared),
        };
        if let Some(stdin) = &process.stdin {
            os::set_nonblocking(stdin)?;
        }
        let no_pipe = || io::Error::other("no pipe to the process");
        if let Output::Lines(is_minor) = output {
            let (stdout, reader) = (stdout.ok_or_else(no_pipe)?, Arc::clone(&shared));
            spawn("engine output", move || {
                read_lines(stdout, &reader, is_minor);
            })?;
        }
        let stderr = stderr.ok_or_else(no_pipe)?;
        spawn("engine errors", move || drain_errors(stderr, &shared))?;
        Ok(process)
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes to the process, waiting no longer than `patience` for it to read.
    ///
    /// # Errors
    /// It does not read, or has closed its input.
    pub fn write(&mut self, mut bytes: &[u8], patience: Duration) -> io::Result<()> {
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

    /// Closes its input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// The next line, waited for until `deadline`. `stop` is asked now and then.
    ///
    /// # Errors
    /// There is none.
    pub fn line(&mut self, deadline: Instant, stop: &dyn Fn() -> bool) -> Result<Line, ReadError> {
        let mut ended_at = None;
        loop {
            let now = Instant::now();
            {
                let mut inbox = self.shared.lock();
                if let Some(line) = inbox.lines.pop_front() {
                    self.shared.room.notify_one();
                    return Ok(line);
                }
                if inbox.ended {
                    drop(inbox);
                    return Err(ReadError::Ended(self.end_in_words()));
                }
                if now >= deadline {
                    return Err(ReadError::Silence);
                }
                let slice = LOOK.min(deadline - now);
                let idle = |inbox: &mut Inbox| !inbox.ended && inbox.lines.is_empty();
                // A minor line does not wake: it is found when a major one comes, or at the next look.
                inbox = self
                    .shared
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

    /// All lines that have come and were not taken.
    pub fn take_waiting(&mut self) -> Vec<String> {
        let mut inbox = self.shared.lock();
        let lines = inbox.lines.drain(..).map(|(line, _)| line).collect();
        self.shared.room.notify_one();
        lines
    }

    /// The end of what it has written to its errors, as lines for a report.
    pub fn errors(&self) -> Vec<String> {
        let bytes: Vec<u8> = self.shared.lock().errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let first = text.lines().count().saturating_sub(ERROR_LINES);
        let start = |line: &str| line.chars().take(ERROR_WIDTH).collect::<String>();
        let lines = text.lines().skip(first);
        lines
            .map(|line| format!("stderr: {}", text::for_terminal(&start(line))))
            .collect()
    }

    /// How it ended, if it has. What it had started, and what is still in its group, is killed then.
    pub fn ended(&mut self) -> Option<String> {
        let has_ended = self.end.is_some() || os::has_ended(&mut self.child);
        has_ended.then(|| self.end_in_words())
    }

    /// How it ended: exit status or signal, or that it lives and is mute.
    fn end_in_words(&mut self) -> String {
        if let Some(end) = &self.end {
            return end.clone();
        }
        // The output ends a moment before the process.
        let began = Instant::now();
        while !os::has_ended(&mut self.child) {
            if began.elapsed() >= AFTER_END {
                return "closed its output and goes on running".to_owned();
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.group.kill(&mut self.child);
        let end = match self.child.wait() {
            Ok(status) => format!("ended by itself ({status})"),
            Err(error) => format!("ended by itself ({error})"),
        };
        // Its last words may still be in the pipe.
        let began = Instant::now();
        while !self.shared.lock().errors_ended && began.elapsed() < AFTER_END {
            thread::sleep(Duration::from_millis(1));
        }
        self.end.insert(end).clone()
    }

    /// Ends it without a word.
    pub fn kill(mut self) {
        self.group.kill(&mut self.child);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stdin = None;
        {
            let mut inbox = self.shared.lock();
            inbox.abandoned = true;
            inbox.lines.clear();
        }
        self.shared.room.notify_all();
        if self.end.is_some() {
            return;
        }
        let began = Instant::now();
        let mut pause = Duration::from_micros(200);
        // Not `try_wait`: a child that is reaped has a number no more, and its group could not be killed.
        while !os::has_ended(&mut self.child) && began.elapsed() < GRACE {
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        self.group.kill(&mut self.child);
        let _ = self.child.wait();
    }
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // Not joined: a descendant that has left the group may hold the pipe open for ever. It costs the thread, no more.
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

fn read_lines(mut input: impl Read, shared: &OutputBuffer, is_minor: fn(&str) -> bool) {
    let mut chunk = vec![0; 1 << 14];
    let mut line: Vec<u8> = Vec::new();
    'read: loop {
        let count = read_some(&mut input, &mut chunk);
        let now = Instant::now();
        if count == 0 {
            break;
        }
        for piece in chunk[..count].split_inclusive(|&byte| byte == b'\n') {
            let room = MAX_LINE.saturating_sub(line.len());
            line.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                if !deliver(&line, now, shared, is_minor) {
                    break 'read;
                }
                line.clear();
            }
        }
    }
    if !line.is_empty() {
        deliver(&line, Instant::now(), shared, is_minor);
    }
    shared.lock().ended = true;
    shared.arrived.notify_all();
}

/// Puts a line in the inbox, when there is room; false when nobody wants it any more.
fn deliver(line: &[u8], at: Instant, shared: &OutputBuffer, is_minor: fn(&str) -> bool) -> bool {
    let text = String::from_utf8_lossy(line).trim_end().to_owned();
    let minor = is_minor(&text);
    let mut inbox = shared.lock();
    while inbox.lines.len() >= MAX_WAITING && !inbox.abandoned {
        shared.arrived.notify_all();
        inbox = shared
            .room
            .wait(inbox)
            .unwrap_or_else(PoisonError::into_inner);
    }
    if inbox.abandoned {
        return false;
    }
    inbox.lines.push_back((text, at));
    drop(inbox);
    if !minor {
        shared.arrived.notify_all();
    }
    true
}

fn drain_errors(mut input: impl Read, shared: &OutputBuffer) {
    let mut chunk = [0; 1024];
    loop {
        let count = read_some(&mut input, &mut chunk);
        let mut inbox = shared.lock();
        if count == 0 {
            inbox.errors_ended = true;
            return;
        }
        inbox.errors.extend(&chunk[..count]);
        let surplus = inbox.errors.len().saturating_sub(MAX_ERRORS);
        inbox.errors.drain(..surplus);
    }
}
