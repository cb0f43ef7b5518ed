//! The binary as it plays DXP, and a program to play with it, byte by byte.
use damier::protocol::dxp::{Message, MoveMsg, Seconds};
use damier::rules::{Game, Move, Position};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing in these tests takes this long, even on a busy machine.
pub const LONG: Duration = Duration::from_secs(60);
pub const NAME: &str = "Test                            ";

/// The binary, with what it prints.
pub struct Damier {
    child: Child,
    /// What it prints.
    pub lines: Receiver<String>,
}

impl Damier {
    /// `damier dxp` with a small table and few nodes a move, and these arguments.
    pub fn start(arguments: &[&str]) -> Damier {
        Damier::with(&["--nodes", "300"], arguments)
    }

    pub fn with(limits: &[&str], arguments: &[&str]) -> Damier {
        let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
            .args(["dxp", "--tt-size", "16", "--bb-size", "0"])
            .args(["--name", "Damier"])
            .args(limits)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        let output = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Damier { child, lines }
    }

    /// A server on a free port, and that port.
    pub fn serve(arguments: &[&str]) -> (Damier, u16) {
        let damier = Damier::start(&[&["--port", "0"], arguments].concat());
        let port = damier.port();
        (damier, port)
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn port(&self) -> u16 {
        let line = self.line();
        let (_, port) = line.rsplit_once(':').expect("an address");
        assert!(line.starts_with("listening on 127.0.0.1:"), "{line}");
        port.parse().expect("a port")
    }

    pub fn line(&self) -> String {
        self.lines.recv_timeout(LONG).expect("a line")
    }

    /// Reads on to a line that contains a text.
    pub fn line_with(&self, text: &str) -> String {
        let mut lines = std::iter::repeat_with(|| self.line());
        lines.find(|line| line.contains(text)).expect("endless")
    }

    /// Exit code and what was written on the standard error.
    pub fn wait(mut self) -> (Option<i32>, String) {
        let end = Instant::now() + LONG;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < end, "it does not end");
            thread::sleep(Duration::from_millis(5));
        };
        let mut errors = String::new();
        let mut stderr = self.child.stderr.take().expect("piped");
        stderr.read_to_string(&mut errors).expect("UTF-8");
        (status.code(), errors)
    }
}

impl Drop for Damier {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The other program.
pub struct Peer {
    pub stream: TcpStream,
}

impl Peer {
    pub fn connect(port: u16) -> Peer {
        Peer::over(TcpStream::connect(("127.0.0.1", port)).expect("a listener"))
    }

    pub fn over(stream: TcpStream) -> Peer {
        stream.set_read_timeout(Some(LONG)).expect("a socket");
        Peer { stream }
    }

    pub fn say(&mut self, text: &str) {
        self.raw(&[text.as_bytes(), b"\0"].concat());
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("a listener");
    }

    /// The next message, without its NUL; None at the end.
    pub fn hear(&mut self) -> Option<String> {
        let (mut text, mut byte) = (Vec::new(), [0]);
        loop {
            match self.stream.read(&mut byte) {
                Ok(1) if byte[0] == 0 => return Some(String::from_utf8(text).expect("ASCII")),
                Ok(1) => text.push(byte[0]),
                Ok(_) => return None,
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("{error} after {text:?}"),
            }
        }
    }

    pub fn hears(&mut self, text: &str) {
        assert_eq!(self.hear().as_deref(), Some(text));
    }

    /// Asks for a game from the start position or another one, and has it accepted.
    pub fn asks(&mut self, follower: char, minutes: &str, start: &str) {
        self.say(&format!("R01{NAME}{follower}{minutes}000{start}"));
        self.hears("ADamier                          0");
    }

    pub fn hears_move(&mut self, game: &mut Game) -> Move {
        let text = self.hear().expect("a move");
        let Ok(Message::Move(mv)) = Message::parse(text.as_bytes()) else {
            panic!("no move: {text}")
        };
        let mv = mv.legal(game.position()).expect("a legal move");
        game.play(mv);
        mv
    }

    pub fn plays(&mut self, game: &mut Game, mv: Move) {
        let message = Message::Move(MoveMsg::new(mv, Seconds::default()));
        self.raw(&message.encode());
        game.play(mv);
    }

    /// Plays any move after which nothing can be captured, or just any.
    pub fn plays_safely(&mut self, game: &mut Game) {
        let mv = safe(game.position());
        self.plays(game, mv);
    }

    /// Whether the other side ends the connection; what it says until then.
    pub fn parting(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.hear()).collect()
    }
}

pub fn safe(position: &Position) -> Move {
    let moves = position.legal_moves();
    let quiet = moves.iter().find(|&&mv| !position.play(mv).must_capture());
    *quiet.or(moves.first()).expect("a move")
}
