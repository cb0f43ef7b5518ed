//! A scripted player, and a client to talk to it.

use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::super::*;
use crate::protocol::hub::{GoMode, Id, Info, Param, ParamKind};
use crate::search::Control;

/// Nothing in these tests takes this long.
pub(super) const LONG: Duration = Duration::from_secs(10);

/// Between two lines.
pub(super) const GAP: Duration = Duration::from_micros(500);

/// Searches a depth each millisecond, a report each tenth of one; a move `bad` is illegal, after `end` there is none.
pub(super) struct Scripted {
    pub(super) gap: Duration,
    /// What it was told.
    pub(super) heard: Arc<Mutex<Vec<String>>>,
    pub(super) over: bool,
    /// Ends every search at once.
    pub(super) hasty: bool,
}

impl Default for Scripted {
    fn default() -> Self {
        Self {
            gap: GAP,
            heard: Arc::default(),
            over: false,
            hasty: false,
        }
    }
}

impl Scripted {
    pub(super) fn note(&self, what: String) {
        self.heard.lock().expect("no panic").push(what);
    }
}

impl Player for Scripted {
    fn id(&self) -> Id {
        Id {
            name: "Scripted".into(),
            version: "1".into(),
            author: "a b".into(),
            country: String::new(),
        }
    }

    fn params(&self) -> Vec<Param> {
        let int = |name: &str, value: u128, max| Param {
            name: name.into(),
            value: value.to_string(),
            kind: ParamKind::Int { min: 0, max },
        };
        vec![
            int("threads", 1, 64),
            int("line-gap", self.gap.as_micros(), 5000),
        ]
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.note(format!("{name}={value}"));
        match (name, value.parse()) {
            ("threads" | "line-gap", Err(_)) => Err(format!("{name} is no number")),
            ("line-gap", Ok(micros)) => {
                self.gap = Duration::from_micros(micros);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn line_gap(&self) -> Duration {
        self.gap
    }

    fn init(&mut self) -> Result<(), String> {
        self.note("init".into());
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), String> {
        self.note("new-game".into());
        Ok(())
    }

    fn set_position(&mut self, pos: Option<&str>, moves: &[String]) -> Result<(), String> {
        self.note(format!("pos {}", moves.join(" ")));
        if pos.is_some_and(|pos| pos.len() != 51) {
            return Err("bad position".into());
        }
        self.over = moves.iter().any(|text| text == "end");
        if moves.iter().any(|text| text == "bad") {
            Err("bad is illegal".into())
        } else {
            Ok(())
        }
    }

    fn think(
        &mut self,
        request: &Request,
        control: &Control,
        info: &mut dyn FnMut(Info),
    ) -> Outcome {
        self.note(format!("go {} {}", request.mode, request.level));
        if self.over {
            return Outcome::default();
        }
        let mut tenths = 0;
        let begun = Instant::now();
        loop {
            let now = Info {
                depth: Some(tenths / 10 + 1),
                score: Some(0.25),
                ..Info::default()
            };
            let hit = request.mode != GoMode::Ponder || !control.is_pondering();
            let time = request
                .level
                .move_time
                .filter(|_| hit)
                .is_some_and(|time| begun.elapsed() >= time.or_zero());
            let depth = request
                .level
                .depth
                .is_some_and(|depth| now.depth >= Some(depth));
            if time || depth || self.hasty || control.is_stopped() {
                return Outcome {
                    info: Some(now),
                    best: Some("32-28".into()),
                    ponder: None,
                };
            }
            info(now);
            thread::sleep(Duration::from_micros(100));
            tenths += 1;
        }
    }
}

/// The other end of a session.
pub(super) struct Client {
    pub(super) input: Option<PipeWriter>,
    pub(super) lines: Receiver<(String, Instant)>,
    pub(super) session: JoinHandle<Exit>,
    pub(super) heard: Arc<Mutex<Vec<String>>>,
}

impl Client {
    pub(super) fn new(player: Scripted) -> Self {
        let heard = Arc::clone(&player.heard);
        let (far_input, input) = pipe().expect("a pipe");
        let (output, far_output) = pipe().expect("a pipe");
        let session =
            thread::spawn(move || run(player, far_input, far_output, true).expect("threads"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send((line, Instant::now())).is_err() {
                    return;
                }
            }
        });
        Self {
            input: Some(input),
            lines,
            session,
            heard,
        }
    }

    pub(super) fn send(&mut self, text: &str) -> Instant {
        let input = self.input.as_mut().expect("open");
        input
            .write_all(format!("{text}\n").as_bytes())
            .expect("a session that reads");
        Instant::now()
    }

    pub(super) fn line(&self) -> (String, Instant) {
        self.lines.recv_timeout(LONG).expect("a line")
    }

    /// The next line that is no info.
    pub(super) fn answer(&self) -> String {
        loop {
            let (line, _) = self.line();
            if !line.starts_with("info") {
                return line;
            }
        }
    }

    pub(super) fn answers(&self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.answer()).collect()
    }

    /// Nothing but infos comes for a while.
    pub(super) fn is_silent(&self) -> bool {
        let end = Instant::now() + Duration::from_millis(60);
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

    /// Says goodbye and gives all that was told to the player, and all lines left but infos.
    pub(super) fn quit(mut self) -> (Vec<String>, Vec<String>) {
        self.send("quit");
        assert_eq!(self.session.join().expect("no panic"), Exit::Quit);
        let rest = self
            .lines
            .iter()
            .map(|(line, _)| line)
            .filter(|line| !line.starts_with("info"))
            .collect();
        (self.heard.lock().expect("no panic").clone(), rest)
    }
}
