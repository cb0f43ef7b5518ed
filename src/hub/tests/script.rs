//! A scripted engine, and a client to talk to it.

use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::super::*;
use crate::engine::{EngineError, Job, Level, Options, Purpose, Thinker};
use crate::eval::Score;
use crate::rules::Position;
use crate::search::{Control, Observer, Outcome, Report};

/// Longer than anything in these tests takes.
pub(super) const LONG: Duration = Duration::from_secs(60);

/// The gap between two lines.
pub(super) const GAP: Duration = Duration::from_micros(500);

/// A position in which the side to move has no piece.
pub(super) const OVER: &str = "Weeeeeeeeeeeeeeeeeeebeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/// Searches one depth per millisecond, reports every tenth of one, and always plays 32-28.
#[derive(Default)]
pub(super) struct Scripted {
    pub(super) options: Options,
    /// What it was asked to do.
    pub(super) heard: Arc<Mutex<Vec<String>>>,
    /// Ends every search at once.
    pub(super) hasty: bool,
    /// Panics in every search.
    pub(super) mortal: bool,
}

impl Scripted {
    fn note(&self, what: String) {
        self.heard.lock().expect("no panic").push(what);
    }
}

fn describe(level: &Level) -> String {
    let depth = level.depth.map(|depth| format!(" depth={depth}"));
    let nodes = level.nodes.map(|nodes| format!(" nodes={nodes}"));
    let time = level.move_time.map(|time| format!(" move-time={time}"));
    [depth, nodes, time].into_iter().flatten().collect()
}

impl Thinker for Scripted {
    fn new_game(&mut self) {
        self.note("new-game".into());
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn set_options(&mut self, options: Options) -> Result<(), EngineError> {
        self.note(format!("threads={}", options.threads));
        self.options = options;
        Ok(())
    }

    fn run(&mut self, job: &Job, control: &Control, observer: &mut dyn Observer) -> Outcome {
        let moves: Vec<String> = job.game.moves().iter().map(ToString::to_string).collect();
        self.note(format!(
            "{:?} {}{}",
            job.purpose,
            moves.join(" "),
            describe(&job.level)
        ));
        assert!(!self.mortal, "a scripted death");
        let best = Position::start()
            .legal_moves()
            .into_iter()
            .find(|mv| mv.to_string() == "32-28");
        let begun = Instant::now();
        for tenths in 0.. {
            let report = Report {
                rank: 1,
                depth: tenths / 10 + 1,
                score: Score::new(25),
                ..Report::default()
            };
            let hit = job.purpose != Purpose::Ponder || !control.is_pondering();
            let limits = job.level.limits();
            let time = limits
                .move_time
                .filter(|_| hit)
                .is_some_and(|time| begun.elapsed() >= time);
            let depth = limits
                .depth
                .is_some_and(|depth| report.depth >= depth.unsigned_abs());
            if time || depth || self.hasty || control.is_stopped() {
                return Outcome {
                    best,
                    lines: vec![report.clone()],
                    report,
                    ..Outcome::default()
                };
            }
            observer.report(&report);
            thread::sleep(Duration::from_micros(100));
        }
        unreachable!("it goes on until it returns")
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
    pub(super) fn new(engine: Scripted) -> Self {
        Self::with_setting(engine, HubSettings::default())
    }

    pub(super) fn with_setting(engine: Scripted, setting: HubSettings) -> Self {
        let heard = Arc::clone(&engine.heard);
        let (far_input, input) = pipe().expect("a pipe");
        let (output, far_output) = pipe().expect("a pipe");
        let session = thread::spawn(move || {
            run(
                engine,
                setting,
                far_input,
                far_output,
                Some(Pipe::new(|| None)),
            )
            .expect("threads")
        });
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

    /// The next line that is not an info.
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

    /// Nothing but infos arrives for a while.
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

    /// Quits; returns what the engine was asked to do, and all remaining lines but infos.
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
