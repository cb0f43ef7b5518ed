//! A Hub engine for tests of the arena: it plays legal moves by chance, and misbehaves when told to.
//!
//! `double [FAULT [MOVE [COUNT]]]`: at its move number MOVE of a game (from 1), in game number COUNT of the process and
//! the later ones (1: the first), it commits FAULT. Parameters: `seed` (the moves), `score` (what it says of every
//! position).

use damier::notation::{hub_board, moves};
use damier::protocol::hub::{Command, Reply};
use damier::rules::{Game, Position};
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread;
use std::time::Duration;

struct Double {
    fault: String,
    at_move: u32,
    from_game: u32,
    moves_made: u32,
    games: u32,
    seed: u64,
    score: Option<f64>,
    deaf: bool,
    game: Game,
    level: String,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |index: usize| {
        let text = arguments.get(index);
        text.map_or(1, |text| text.parse().expect("a number"))
    };
    let mut double = Double {
        fault: arguments.get(1).cloned().unwrap_or_default(),
        at_move: number(2),
        from_game: number(3),
        moves_made: 0,
        games: 0,
        seed: 1,
        score: None,
        deaf: false,
        game: Game::new(Position::start()),
        level: String::new(),
    };
    double.at_start();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        double.obey(&line);
    }
    if double.deaf {
        hang();
    }
}

fn say(line: impl std::fmt::Display) {
    let mut out = io::stdout().lock();
    // The arena may have gone.
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn complain(words: &str) {
    // In two pieces: a reader of standard error must not take a piece for a line.
    let _ = write!(io::stderr(), "double: ");
    sleep(20);
    let _ = writeln!(io::stderr(), "{words}");
}

fn sleep(milliseconds: u64) {
    thread::sleep(Duration::from_millis(milliseconds));
}

fn hang() -> ! {
    loop {
        sleep(1000);
    }
}

impl Double {
    fn at_start(&mut self) {
        match self.fault.as_str() {
            "die-at-start" => {
                complain("no licence");
                exit(7);
            }
            "mute-at-start" => hang(),
            "ignore-quit" => self.deaf = true,
            "flood-stderr" => {
                thread::spawn(|| {
                    loop {
                        complain(&"noise ".repeat(50));
                    }
                });
            }
            // A descendant that keeps the pipes open.
            "fork" => {
                let child = std::process::Command::new("sleep").arg("3600").spawn();
                // Waited for only where it would end by itself.
                thread::spawn(move || child.expect("a child").wait());
            }
            _ => {}
        }
    }

    fn obey(&mut self, line: &str) {
        let Ok(command) = Command::parse(line.as_bytes()) else {
            return;
        };
        match command {
            Command::Hub => {
                say("id name=double version=1 author=\"The Damier authors\"");
                say("param name=seed value=1 type=int min=0 max=1000000000");
                say("param name=score value=0 type=real min=-100 max=100");
                say("wait");
            }
            Command::SetParam { name, value } if name == "seed" => match value.parse() {
                Ok(seed) => self.seed = seed,
                Err(_) => say(format!("error message=\"no seed: {value}\"")),
            },
            Command::SetParam { name, value } if name == "score" => {
                self.score = Some(value.parse().expect("a score"));
            }
            Command::Init => {
                say("noise while it gets ready");
                say("ready");
            }
            Command::NewGame => {
                self.moves_made = 0;
                self.games += 1;
            }
            Command::Ping => say(Reply::Pong),
            Command::Pos { pos, moves } => self.set(pos.as_deref(), &moves),
            Command::Level(..) => self.level = line.to_owned(),
            Command::Go(_) => self.go(),
            Command::Quit if !self.deaf => exit(0),
            _ => {}
        }
    }

    fn set(&mut self, pos: Option<&str>, texts: &[String]) {
        let start = pos.map_or_else(Position::start, |text| {
            hub_board::parse(text).expect("a position")
        });
        self.game = Game::new(start);
        for text in texts {
            let mv = moves::parse(self.game.position(), text).expect("a legal move");
            self.game.play(mv);
        }
    }

    /// The same move in the same position of the same game, whatever was played before.
    fn choose(&self) -> String {
        let legal = self.game.position().legal_moves();
        let key = format!("{:?}", self.game.position());
        let mut hash = self.seed ^ 0xcbf2_9ce4_8422_2325;
        for byte in key.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let index = (hash >> 33) as usize % legal.len();
        legal[index].to_string()
    }

    fn go(&mut self) {
        self.moves_made += 1;
        let best = self.choose();
        if self.moves_made == self.at_move && self.games >= self.from_game {
            self.misbehave(&best);
        }
        if let Some(score) = self.score {
            // As white sees it; the double plays both sides.
            let sign = match self.game.position().turn() {
                damier::board::Color::White => 1.0,
                damier::board::Color::Black => -1.0,
            };
            say(format!("info depth=7 score={:.2} nodes=123", score * sign));
        } else {
            say("info depth=3 mean-depth=3.0 score=0.10 nodes=100 time=0.001 nps=0.1 pv=1-2");
        }
        say(format!("done move={best}"));
    }

    fn misbehave(&mut self, best: &str) {
        match self.fault.as_str() {
            "crash" => {
                complain("out of cheese");
                exit(3);
            }
            "abort" => std::process::abort(),
            "hang" => hang(),
            "cheat" => say("done move=1-50"),
            "nonsense" => say("done move=hello"),
            "no-move" => say("done"),
            "late" => sleep(400),
            "very-late" => sleep(4_000_000),
            "babble" => loop {
                say("info string I am thinking about it");
            },
            "slow-babble" => loop {
                say("still thinking");
                sleep(2);
            },
            "long-line" => {
                let piece = "x".repeat(1 << 16);
                let mut out = io::stdout().lock();
                while out.write_all(piece.as_bytes()).is_ok() {}
                exit(0);
            }
            "close-stdout" => {
                close_stdout();
                hang();
            }
            // A second answer nobody asked for; it must not be taken for the next.
            "double-done" => say(format!("done move={best}")),
            "garbage" => {
                let mut out = io::stdout().lock();
                let _ = out.write_all(b"\xff\xfe\x00=\"\n=\n\"\ninfo depth=x\n\n");
                let _ = out.flush();
            }
            _ => {}
        }
    }
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "std closes no standard stream")]
fn close_stdout() {
    use std::os::fd::{FromRawFd, OwnedFd};
    // SAFETY: nothing is written to standard output after this.
    drop(unsafe { OwnedFd::from_raw_fd(1) });
}

#[cfg(not(unix))]
fn close_stdout() {
    exit(0);
}
