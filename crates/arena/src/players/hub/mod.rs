//! A player that speaks Hub.

mod params;

use self::params::ParamCheck;
use crate::level::GameLevel;
use crate::players::process::{Launch, OutputLine, Process, ProcessOutput, ReadError};
use crate::players::{Answer, EngineFault, Player, PlayerReply, Turn, printable};
use damier_engine::Level;
use damier_engine::search::Detections;
use damier_protocol::hub::{Command, GoMode, LevelArgs, Reply, Seconds};
use damier_rules::GameResult;
use damier_rules::board::Color;
use damier_rules::notation::moves::MoveError;
use damier_rules::notation::{hub_board, moves};
use damier_rules::{DrawClock, Game, Move, Position};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long an engine may take to answer `hub`.
const INTRODUCTION: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });
/// How long an engine may take for `init`, which loads its tables.
const READY: Duration = Duration::from_secs(60);
/// How long an engine may take to answer its first ping; without an answer it is never pinged again.
const FIRST_PONG: Duration = Duration::from_secs(1);
/// How long an engine may take for `new-game`: some clear a large hash table.
const NEW_GAME: Duration = Duration::from_secs(20);
/// How long an engine may take to read its input.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
/// More lines than any engine writes for a move; an engine that writes more without a `done` loses.
const MAX_LINES: usize = 100_000;
/// How many of the latest infos are searched for score, depth and nodes.
const INFOS: usize = 4;
/// Key of an info behind the line: inconsistencies that an MTD driver detected.
const DETECTIONS: &str = "detections";
/// Number of lines kept for the report.
const MAX_TRANSCRIPT: usize = 24;

/// A Hub engine: a process that is started for its first game and kept for the next.
pub struct HubPlayer {
    /// Name in the log.
    name: String,
    launch: Launch,
    params: Vec<(String, String)>,
    stop: Arc<AtomicBool>,
    process: Option<Process>,
    /// Whether the engine answers a ping.
    pings: bool,
    transcript: VecDeque<String>,
    /// The last commands sent: they stay in the transcript, however much the engine writes.
    asked: Vec<String>,
    /// The tail of the last process's standard error.
    last_errors: Vec<String>,
    /// Called at every start with warnings about the parameters.
    warn: Box<dyn FnMut(String) + Send>,
}

impl HubPlayer {
    /// A player that starts this process and sets these parameters. Once `stop` is set, no call waits any longer.
    /// `name` is for the log.
    pub fn new(
        name: String,
        launch: Launch,
        params: Vec<(String, String)>,
        stop: Arc<AtomicBool>,
    ) -> HubPlayer {
        HubPlayer {
            name,
            launch,
            params,
            stop,
            process: None,
            pings: false,
            transcript: VecDeque::new(),
            asked: Vec::new(),
            last_errors: Vec::new(),
            warn: Box::new(drop),
        }
    }

    /// Calls `warn` at every start for each parameter that the engine did not accept; the engine plays anyway.
    pub fn with_warnings(mut self, warn: impl FnMut(String) + Send + 'static) -> HubPlayer {
        self.warn = Box::new(warn);
        self
    }

    fn remember(&mut self, sign: char, line: &str) {
        if self.transcript.len() == MAX_TRANSCRIPT {
            self.transcript.pop_front();
        }
        let shown = format!("{sign} {}", printable(line));
        if sign == '>' {
            self.asked.push(shown.clone());
        }
        self.transcript.push_back(shown);
    }

    fn send(&mut self, commands: &[Command]) -> Result<(), EngineFault> {
        let mut text = String::with_capacity(256);
        self.asked.clear();
        for command in commands {
            let line = command.to_string();
            self.remember('>', &line);
            text.push_str(&line);
            text.push('\n');
        }
        let process = self.process.as_mut().ok_or_else(not_running)?;
        match process.write(&text, WRITE_TIMEOUT) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::TimedOut => {
                Err(EngineFault::Crash("it does not read its input".to_owned()))
            }
            // Its output tells how it ended.
            Err(_) => match self.reply(Instant::now() + Duration::from_secs(1)) {
                Err(fault @ EngineFault::Crash(_)) => Err(fault),
                _ => Err(EngineFault::Crash("it has closed its input".to_owned())),
            },
        }
    }

    /// The next line.
    fn line(&mut self, deadline: Instant) -> Result<OutputLine, EngineFault> {
        let began = Instant::now();
        let (stop, process) = (&self.stop, self.process.as_mut().ok_or_else(not_running)?);
        // Checked here too, because `Process::line` does not check it while lines are queued.
        if stop.load(Relaxed) {
            return Err(EngineFault::interrupted());
        }
        let (line, at) = match process.line(deadline, &|| stop.load(Relaxed)) {
            Ok(line) => line,
            Err(ReadError::Silence) => return Err(EngineFault::Silence(began.elapsed())),
            Err(ReadError::Ended(how)) => return Err(EngineFault::Crash(how)),
            Err(ReadError::Stopped) => return Err(EngineFault::interrupted()),
        };
        self.remember('<', &line);
        Ok((line, at))
    }

    /// The next line as a reply. Malformed and unknown lines are ignored.
    fn reply(&mut self, deadline: Instant) -> Result<Reply, EngineFault> {
        let (line, _) = self.line(deadline)?;
        Ok(Reply::parse(line.as_bytes()).unwrap_or(Reply::Empty))
    }

    /// Waits for a reply that is `wanted`; others are ignored.
    fn wait_for(
        &mut self,
        what: &str,
        patience: Duration,
        wanted: fn(&Reply) -> bool,
    ) -> Result<(), EngineFault> {
        self.read_to(what, patience, wanted, &mut |_| {})
    }

    /// Like [`HubPlayer::wait_for`]; `each` gets every other reply.
    fn read_to(
        &mut self,
        what: &str,
        patience: Duration,
        wanted: fn(&Reply) -> bool,
        each: &mut dyn FnMut(Reply),
    ) -> Result<(), EngineFault> {
        let began = Instant::now();
        for _ in 0..MAX_LINES {
            match self.reply(began + patience) {
                Ok(reply) if wanted(&reply) => return Ok(()),
                Ok(reply) => each(reply),
                Err(EngineFault::Silence(_)) => {
                    let seconds = patience.as_secs_f64();
                    return Err(EngineFault::Crash(format!(
                        "no {what} within {seconds} s of its start"
                    )));
                }
                Err(other) => return Err(other),
            }
        }
        Err(babble(MAX_LINES))
    }

    /// Starts the process and brings it to `ready`.
    fn start(&mut self) -> Result<(), EngineFault> {
        self.transcript.clear();
        self.last_errors.clear();
        let process = Process::start(&self.name, &self.launch, ProcessOutput::Lines(is_info))
            .map_err(|error| {
                let program = self.launch.command.first().map_or("", String::as_str);
                EngineFault::Crash(format!("{program} cannot be started: {error}"))
            })?;
        self.process = Some(process);
        self.send(&[Command::Hub])?;
        let mut check = ParamCheck::default();
        let is_wait = |reply: &Reply| matches!(reply, Reply::Wait);
        self.read_to("wait", INTRODUCTION, is_wait, &mut |reply| check.add(reply))?;
        let set = |(name, value): &(String, String)| Command::SetParam {
            name: name.clone(),
            value: value.clone(),
        };
        let mut commands: Vec<_> = self.params.iter().map(set).collect();
        commands.push(Command::Init);
        self.send(&commands)?;
        let is_ready = |reply: &Reply| matches!(reply, Reply::Ready);
        self.read_to("ready", READY, is_ready, &mut |reply| check.add(reply))?;
        let warnings = check.warnings(&self.params);
        warnings.into_iter().for_each(&mut self.warn);
        self.send(&[Command::Ping])?;
        let pong = self.wait_for("pong", FIRST_PONG, |reply| matches!(reply, Reply::Pong));
        self.pings = pong.is_ok();
        // An engine without ping does not answer; one that has ended cannot play.
        match pong {
            Err(EngineFault::Crash(why)) if !why.starts_with("no pong") => {
                Err(EngineFault::Crash(why))
            }
            _ => Ok(()),
        }
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        if !self.pings {
            return self.send(&[Command::NewGame]);
        }
        // The pong shows that the hash table is cleared, so that clearing it takes no time from the clock.
        self.send(&[Command::NewGame, Command::Ping])?;
        self.wait_for("pong after new-game", NEW_GAME, |reply| {
            matches!(reply, Reply::Pong)
        })
    }

    /// Reads up to `done`.
    fn answer(
        &mut self,
        position: &Position,
        asked: Instant,
        patience: Duration,
    ) -> Result<PlayerReply, EngineFault> {
        let deadline = asked + patience;
        // Infos are parsed only once `done` has come: most are not needed.
        let mut infos: VecDeque<String> = VecDeque::with_capacity(INFOS);
        for _ in 0..MAX_LINES {
            let (line, at) = match self.line(deadline) {
                Err(EngineFault::Silence(_)) => return Err(EngineFault::Silence(asked.elapsed())),
                other => other?,
            };
            if is_info(&line) {
                if infos.len() == INFOS {
                    infos.pop_front();
                }
                infos.push_back(line);
            } else if let Ok(Reply::Done { best, .. }) = Reply::parse(line.as_bytes()) {
                let none = || EngineFault::Illegal("done without a move".to_owned());
                let text = best.ok_or_else(none)?;
                let mv = moves::parse(position, &text).map_err(|error| illegal(&text, &error))?;
                return Ok(reply_with(mv, &infos, at.saturating_duration_since(asked)));
            }
            if Instant::now() >= deadline {
                return Err(EngineFault::Silence(asked.elapsed()));
            }
        }
        Err(babble(MAX_LINES))
    }
}

/// The move with the last reported score, depth and nodes, and the detections of the last info.
fn reply_with(mv: Move, infos: &VecDeque<String>, elapsed: Duration) -> PlayerReply {
    let mut reply = PlayerReply {
        answer: Answer::Move(mv),
        score: None,
        depth: None,
        nodes: None,
        detections: Detections::default(),
        elapsed,
    };
    let mut newest = true;
    for line in infos.iter().rev() {
        if let Ok(Reply::Info(info)) = Reply::parse(line.as_bytes()) {
            reply.score = reply.score.or(info.score);
            reply.depth = reply.depth.or(info.depth.map(f64::from));
            reply.nodes = reply.nodes.or(info.nodes);
            if std::mem::take(&mut newest) {
                let detections = info.extra.iter().find(|(name, _)| name == DETECTIONS);
                let detections = detections.and_then(|(_, value)| value.parse().ok());
                reply.detections = detections.unwrap_or_default();
            }
        }
        if reply.score.is_some() && reply.depth.is_some() && reply.nodes.is_some() {
            break;
        }
    }
    reply
}

fn is_info(line: &str) -> bool {
    line.starts_with("info ")
}

fn illegal(text: &str, error: &MoveError) -> EngineFault {
    let why = format!("{text:.40}: {error}");
    EngineFault::Illegal(printable(&why))
}

fn not_running() -> EngineFault {
    EngineFault::Crash("it is not running".to_owned())
}

fn babble(lines: usize) -> EngineFault {
    EngineFault::Babble(format!("{lines} lines without an answer"))
}

impl Player for HubPlayer {
    fn begin(&mut self, _: &Position, _: Color, _: GameLevel) -> Result<(), EngineFault> {
        if self.process.is_none() {
            self.start()?;
        }
        self.new_game()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<PlayerReply, EngineFault> {
        // Stale lines, such as a second `done`, do not answer this question.
        let stale = self.process.as_mut().map(Process::take_waiting);
        for line in stale.unwrap_or_default() {
            self.remember('<', &line);
        }
        let level = Command::Level(level_args(turn.level.for_move(turn.remaining)), None);
        let commands = [
            position_command(turn.game),
            level,
            Command::Go(GoMode::Think),
        ];
        let asked = Instant::now();
        self.send(&commands)?;
        self.answer(turn.game.position(), asked, turn.patience)
    }

    fn finish(&mut self, _: &Game, _: GameResult) -> Result<(), EngineFault> {
        // Hub has no command for the end of a game.
        Ok(())
    }

    fn restart(&mut self) {
        if let Some(process) = self.process.take() {
            self.last_errors = process.errors();
            process.kill();
        }
    }

    fn transcript(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self
            .asked
            .last()
            .is_some_and(|line| !self.transcript.contains(line))
        {
            lines.extend(self.asked.iter().cloned());
            lines.push("< ...".to_owned());
        }
        lines.extend(self.transcript.iter().cloned());
        let errors = self.process.as_ref().map(Process::errors);
        let errors = errors.unwrap_or_else(|| self.last_errors.clone());
        lines.extend(errors.iter().map(|line| printable(line)));
        lines
    }
}

impl Drop for HubPlayer {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            // An engine that is still thinking is stopped first. Whether it obeys or not, it is killed soon.
            let farewell = format!("{}\n{}\n", Command::Stop, Command::Quit);
            let _ = process.write(&farewell, Duration::ZERO);
        }
    }
}

/// The arguments that ask for a level.
fn level_args(level: Level) -> LevelArgs {
    let clock = level.clock.unwrap_or_default();
    LevelArgs {
        depth: level.depth,
        nodes: level.nodes,
        move_time: level.move_time.and_then(Seconds::new),
        moves: clock.moves,
        time: level.clock.and_then(|clock| Seconds::new(clock.time)),
        inc: Seconds::new(clock.increment).filter(|inc| inc.get() > 0.0),
        infinite: level.is_infinite(),
        ..LevelArgs::default()
    }
}

/// The game as sent to the engine: the position after the last irreversible move at which no draw counter was running,
/// and the moves since then.
fn position_command(game: &Game) -> Command {
    let mut position = *game.start();
    let mut clock = DrawClock::new(&position);
    let (mut from, mut first) = (position, 0);
    for (index, &mv) in game.moves().iter().enumerate() {
        let irreversible = mv.is_capture() || position.moves_man(mv);
        let next = position.play(mv);
        clock = clock.after(&position, mv, &next);
        position = next;
        // The counters of articles 6.3 and 6.4 continue over captures and moves of men.
        if irreversible && clock.class().is_none_or(|(_, plies)| plies == 0) {
            (from, first) = (position, index + 1);
        }
    }
    Command::Pos {
        pos: Some(hub_board::format(&from)),
        moves: game.moves()[first..]
            .iter()
            .map(ToString::to_string)
            .collect(),
    }
}

#[cfg(test)]
mod tests;
