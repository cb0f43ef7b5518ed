//! A Hub client for tests: at the other end of the binary, or of a session in this process.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use damier::hub;
use damier::protocol::hub::{Info, Reply};

/// Nothing in these tests takes this long, even on a busy machine.
pub const LONG: Duration = Duration::from_secs(60);

/// One side of a conversation.
pub struct Client {
    input: Option<Box<dyn Write + Send>>,
    lines: Receiver<(String, Instant)>,
    child: Option<Child>,
    errors: Receiver<Vec<u8>>,
}

/// What came between two answers.
pub struct Answer {
    /// All infos, as lines.
    pub infos: Vec<String>,
    /// The line that is no info.
    pub line: String,
    /// When it came.
    pub at: Instant,
}

impl Answer {
    /// The last info, read.
    pub fn last_info(&self) -> Info {
        info(self.infos.last().expect("an info before done"))
    }

    /// The move of a `done`.
    pub fn best(&self) -> String {
        match Reply::parse(self.line.as_bytes()) {
            Ok(Reply::Done {
                best: Some(best), ..
            }) => best,
            other => panic!("{} is {other:?}", self.line),
        }
    }
}

/// Reads an info line, which must be full and in the form clients match: what it says must be what we would write.
pub fn info(line: &str) -> Info {
    let Ok(Reply::Info(info)) = Reply::parse(line.as_bytes()) else {
        panic!("no info: {line}")
    };
    assert_eq!(Reply::Info(info.clone()).to_string(), line);
    let keys: Vec<_> = line
        .split('=')
        .filter_map(|part| part.rsplit(' ').next())
        .collect();
    assert_eq!(
        keys[..8],
        [
            "depth",
            "mean-depth",
            "score",
            "nodes",
            "time",
            "nps",
            "pv",
            "wdl"
        ],
        "{line}"
    );
    let shares = info.extra[0].1.split('/');
    let shares: Vec<u32> = shares.map(|share| share.parse().expect(line)).collect();
    assert_eq!((shares.len(), shares.iter().sum()), (3, 1_000), "{line}");
    info
}

impl Client {
    /// Starts the binary with these arguments.
    pub fn process(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
            .args(arguments)
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("piped"));
        let mut stderr = child.stderr.take().expect("piped");
        let (sender, errors) = channel();
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            let _ = sender.send(text);
        });
        let input = input.map(|input| Box::new(input) as Box<dyn Write + Send>);
        Self {
            input,
            lines: lines(output),
            child: Some(child),
            errors,
        }
    }

    /// Starts a session in this process.
    pub fn session(engine: damier::engine::Engine) -> Self {
        let (far_input, input) = std::io::pipe().expect("a pipe");
        let (output, far_output) = std::io::pipe().expect("a pipe");
        thread::spawn(move || {
            let pipe = Some(hub::Pipe::new(|| None));
            hub::run(
                engine,
                hub::HubSettings::default(),
                far_input,
                far_output,
                pipe,
            )
        });
        Self {
            input: Some(Box::new(input)),
            lines: lines(output),
            child: None,
            errors: channel().1,
        }
    }

    /// Says something; returns when it was said.
    pub fn send(&mut self, text: impl AsRef<[u8]>) -> Instant {
        let bytes = [text.as_ref(), b"\n"].concat();
        let now = Instant::now();
        self.input
            .as_mut()
            .expect("open")
            .write_all(&bytes)
            .expect("an engine that listens");
        now
    }

    /// The next line that is no info, with the infos before it.
    pub fn answer(&self) -> Answer {
        let mut infos = Vec::new();
        loop {
            let (line, at) = self.lines.recv_timeout(LONG).expect("a line");
            if !line.starts_with("info") {
                return Answer { infos, line, at };
            }
            infos.push(line);
        }
    }

    /// Says something and waits for one answer.
    pub fn ask(&mut self, text: impl AsRef<[u8]>) -> Answer {
        self.send(text);
        self.answer()
    }

    /// Says something and gives all answers up to the `pong` that shows it was all heard.
    pub fn ask_all(&mut self, text: impl AsRef<[u8]>) -> Vec<String> {
        self.send(text);
        self.send("ping");
        let answers = std::iter::repeat_with(|| self.answer().line);
        answers.take_while(|line| line != "pong").collect()
    }

    /// Whether nothing comes for so long but infos.
    pub fn is_silent(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            match self
                .lines
                .recv_timeout(end.saturating_duration_since(Instant::now()))
            {
                Ok((line, _)) if line.starts_with("info") => {}
                Ok(_) => return false,
                Err(_) => return true,
            }
        }
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process. Gives what it wrote on its standard error, and the lines not yet read.
    pub fn wait(mut self) -> (ExitStatus, String, Vec<String>) {
        let mut child = self.child.take().expect("a process");
        let end = Instant::now() + LONG;
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < end, "the engine does not end");
            thread::sleep(Duration::from_millis(1));
        };
        let errors = self.errors.recv().expect("standard error");
        let rest = self.lines.iter().map(|(line, _)| line).collect();
        (status, String::from_utf8_lossy(&errors).into_owned(), rest)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn lines(output: impl Read + Send + 'static) -> Receiver<(String, Instant)> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send((line, Instant::now())).is_err() {
                return;
            }
        }
    });
    receiver
}

/// White to move must take 23 with 28.
pub fn forced() -> String {
    board('W', "w28 w48 b23 b2")
}

/// The binary at the start of a conversation, without its book: it searches.
pub fn engine() -> Client {
    Client::process(&["hub", "--set", "book=false"])
}

/// A position from a list of `w32 W5 b7` and so on.
pub fn board(turn: char, pieces: &str) -> String {
    let mut squares = vec!['e'; 50];
    for piece in pieces.split(' ') {
        let (letter, number) = piece.split_at(1);
        squares[number.parse::<usize>().expect("a square") - 1] =
            letter.chars().next().expect("a letter");
    }
    std::iter::once(turn).chain(squares).collect()
}
