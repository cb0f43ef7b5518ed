//! The state of a Hub session and the execution of each line.
//!
//! Between searches, lines are executed in order. During a search `ping`, `stop`, `ponder-hit` and `quit` take effect
//! at once; every other line is queued until after `done`, so a client need not wait before sending more. If only the
//! client can end the search (no limit, or pondering), a queued line also acts as `stop`; otherwise it would never be
//! executed.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::reader::{Line, Lines};
use super::words;
use super::writer::{Pipe, Writer};
use crate::engine::{Job, JobHandle, JobId, Options, SettingError, ThinkEvent, Thinker, Thread};
use crate::notation::text::excerpt;
use crate::protocol::hub::{Command, GoMode, Info, LevelArgs, ParseError, Reply, Seconds};
use crate::rules::{Game, Position};

/// Timeout at the end of a session, for the search to stop and for the client to read the remaining output.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Settings of a session.
#[derive(Clone, Debug, Default)]
pub struct HubSettings {
    /// Problems to report to the client, such as invalid lines of the options file: sent once, as errors, with the
    /// parameters.
    pub problems: Vec<String>,
    /// Refuse parameters for files, memory or cores.
    pub safe: bool,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The client sent `quit`.
    Quit,
    /// The input ended.
    EndOfInput,
    /// The output was closed.
    OutputClosed,
}

enum HubEvent {
    Line(Line),
    End(Exit),
    /// A job has ended or failed.
    Think(JobId, ThinkEvent),
}

/// Runs a session on two streams until the client ends it. On a pipe, lines are kept `line-gap` apart.
///
/// The reader and writer threads may outlive the call if the other side neither reads, writes nor closes.
///
/// # Errors
/// A thread could not be started.
pub fn run<T: Thinker + 'static>(
    engine: T,
    setting: HubSettings,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    pipe: Option<Pipe>,
) -> std::io::Result<Exit> {
    let (events, inbox) = channel();
    let broken = events.clone();
    let writer = Writer::start(output, pipe, move || {
        // The receiver is gone once the session has ended.
        let _ = broken.send(HubEvent::End(Exit::OutputClosed));
    })?;
    let options = engine.options().clone();
    let engine = start_engine(engine, events.clone(), writer.clone())?;
    start_reader(events, input, writer.clone())?;
    let mut session = HubSession {
        engine,
        options,
        other_game: None,
        setting,
        writer,
        game: Some(Game::new(Position::start())),
        level: LevelArgs::default(),
        level_unread: false,
        search: None,
        waiting: VecDeque::new(),
        stops_waiting: 0,
        last_done: None,
    };
    session.keep_gap();
    let exit = session.run_loop(&inbox);
    session.leave(&inbox, exit);
    Ok(exit)
}

fn start_reader(
    events: Sender<HubEvent>,
    input: impl Read + Send + 'static,
    writer: Writer,
) -> std::io::Result<()> {
    let read = move || {
        let mut lines = Lines::new(input);
        while writer.admit_line()
            && let Some(line) = lines.next()
        {
            let quit = line.0 == Ok(Command::Quit);
            let event = if quit {
                HubEvent::End(Exit::Quit)
            } else {
                HubEvent::Line(line)
            };
            if events.send(event).is_err() || quit {
                return;
            }
        }
        let _ = events.send(HubEvent::End(Exit::EndOfInput));
    };
    thread::Builder::new()
        .name("hub reader".to_owned())
        .spawn(read)
        .map(drop)
}

fn start_engine<T: Thinker + 'static>(
    engine: T,
    events: Sender<HubEvent>,
    writer: Writer,
) -> std::io::Result<Thread<T>> {
    Thread::start(engine, move |job, event| match event {
        ThinkEvent::Report(report) => writer.info(words::info(&report)),
        // The receiver is gone once the session has ended.
        event => _ = events.send(HubEvent::Think(job, event)),
    })
}

/// The answer to a `go`.
#[derive(Default)]
struct GoAnswer {
    infos: Vec<Info>,
    best: Option<String>,
    ponder: Option<String>,
}

/// A search whose `done` has not been sent yet.
struct RunningSearch {
    job: JobHandle,
    /// Whether the level sets any limit.
    limited: bool,
    /// A ponder search without `ponder-hit` or `stop` so far: `done` must wait for one of them.
    pondering: bool,
    stopped: bool,
    /// The outcome, once the search has ended.
    answer: Option<GoAnswer>,
}

impl RunningSearch {
    fn stop(&mut self) {
        self.job.stop();
        self.stopped = true;
        self.pondering = false;
    }

    fn ponder_hit(&mut self) {
        self.job.ponder_hit();
        self.pondering = false;
    }

    /// Whether only the client can end the search.
    fn is_endless(&self) -> bool {
        !self.stopped && (self.pondering || !self.limited)
    }

    /// The answer, if it may be sent now.
    fn take_answer(&mut self) -> Option<GoAnswer> {
        self.answer.take_if(|_| !self.pondering)
    }
}

struct HubSession<T: Thinker> {
    engine: Thread<T>,
    /// The options in force.
    options: Options,
    /// The game that the client has set, other than international draughts.
    other_game: Option<String>,
    setting: HubSettings,
    writer: Writer,
    /// The position to search; none after a `pos` that was invalid, until a valid one.
    game: Option<Game>,
    level: LevelArgs,
    /// Part of a `level` line was invalid: unless the rest or another line sets a limit, the next search moves at once
    /// instead of running for ever.
    level_unread: bool,
    search: Option<RunningSearch>,
    /// Lines received during the search, queued until it ends.
    waiting: VecDeque<Line>,
    /// Number of queued `stop` lines.
    stops_waiting: usize,
    last_done: Option<Instant>,
}

impl<T: Thinker + 'static> HubSession<T> {
    fn run_loop(&mut self, inbox: &Receiver<HubEvent>) -> Exit {
        for event in inbox {
            match event {
                HubEvent::End(exit) => return exit,
                HubEvent::Line(line) => self.handle_line(line),
                HubEvent::Think(job, event) => self.handle_event(job, event),
            }
            self.advance();
        }
        Exit::EndOfInput
    }

    /// Ends the session. Queued lines are executed first, and every search among them is stopped at once and answered,
    /// so that input sent in one piece with a final `quit` is answered in full.
    fn leave(&mut self, inbox: &Receiver<HubEvent>, exit: Exit) {
        let deadline = Instant::now() + CLOSE_TIMEOUT;
        if exit == Exit::OutputClosed {
            self.waiting.clear();
        }
        self.stops_waiting += 1;
        self.advance();
        while self.search.is_some() {
            match inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(HubEvent::Think(job, event)) => self.handle_event(job, event),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
            self.advance();
        }
        self.writer.close(CLOSE_TIMEOUT);
    }

    /// Handles a line of input.
    fn handle_line(&mut self, line: Line) {
        match &line.0 {
            Ok(Command::Ping) => {
                self.writer.send(Reply::Pong);
                self.writer.line_is_done();
            }
            Ok(Command::Empty | Command::Unknown(_)) => self.writer.line_is_done(),
            Ok(Command::Stop) => {
                self.stop();
                // `stop` also ends every search queued before it.
                if self
                    .waiting
                    .iter()
                    .any(|(line, _)| matches!(line, Ok(Command::Go(_))))
                {
                    self.stops_waiting += 1;
                    self.waiting.push_back(line);
                } else {
                    self.writer.line_is_done();
                }
            }
            _ => self.waiting.push_back(line),
        }
    }

    fn handle_event(&mut self, job: JobId, event: ThinkEvent) {
        let Some(search) = self.search.as_mut().filter(|search| search.job.id == job) else {
            return;
        };
        let answer = match (event, &self.game) {
            (ThinkEvent::Done(found), Some(game)) => GoAnswer {
                infos: found.lines.iter().map(words::info).collect(),
                best: found.best.map(|mv| mv.to_string()),
                ponder: words::ponder_move(game, &found).map(|mv| mv.to_string()),
            },
            (ThinkEvent::Failed(why), Some(game)) => {
                self.writer
                    .send(Reply::error(format!("the search failed: {why}")));
                // The session goes on.
                let moves = game.position().legal_moves();
                GoAnswer {
                    best: moves.first().map(ToString::to_string),
                    ..GoAnswer::default()
                }
            }
            _ => GoAnswer::default(),
        };
        search.answer = Some(answer);
        self.report_problems();
    }

    /// Reports problems found by the engine in the background. Call it between searches.
    fn report_problems(&self) {
        for problem in self.engine.with(T::problems).unwrap_or_default() {
            self.writer.send(Reply::error(problem));
        }
    }

    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.stop();
        }
    }

    /// Answers the search if possible, then executes queued lines as far as possible.
    fn advance(&mut self) {
        loop {
            if self.stops_waiting > 0 {
                self.stop();
            }
            if let Some(answer) = self.search.as_mut().and_then(RunningSearch::take_answer) {
                self.search = None;
                self.done(answer);
            }
            let Some(front) = self.waiting.front() else {
                return;
            };
            match (&mut self.search, front) {
                (None, _) => {
                    if let Some((line, at)) = self.waiting.pop_front() {
                        self.execute(line, at);
                        self.writer.line_is_done();
                    }
                }
                (Some(search), (Ok(Command::PonderHit), _)) => {
                    search.ponder_hit();
                    self.waiting.pop_front();
                    self.writer.line_is_done();
                }
                (Some(search), _) if !search.is_endless() => return,
                (Some(_), (Err(error), _)) => {
                    self.writer.send(Reply::error(error));
                    self.waiting.pop_front();
                    self.writer.line_is_done();
                }
                (Some(search), _) => search.stop(),
            }
        }
    }

    /// Executes a line between searches.
    fn execute(&mut self, line: Result<Command, ParseError>, at: Instant) {
        match line {
            Ok(Command::Hub) => self.send_identity(),
            // Each parameter takes effect when it is set.
            Ok(Command::Init) => self.writer.send(Reply::Ready),
            Ok(Command::NewGame) => self.engine.new_game(),
            Ok(Command::SetParam { name, value }) => {
                let result = self.set_param(&name, &value);
                self.report(result);
                self.report_problems();
                self.keep_gap();
            }
            Ok(Command::Pos { pos, moves }) => {
                let game = words::game(pos.as_deref(), &moves);
                let (game, result) = match game {
                    Ok(game) => (Some(game), Ok(())),
                    Err(why) => (None, Err(why)),
                };
                self.game = game;
                self.report(result);
                self.reset_level();
            }
            Ok(Command::Level(level, problem)) => {
                self.level.merge(level);
                if let Some(problem) = problem {
                    self.level_unread = true;
                    self.writer.send(Reply::error(format!("level: {problem}")));
                }
            }
            Ok(Command::Go(mode)) => self.go(mode, at),
            Ok(Command::Stop) => self.stops_waiting = self.stops_waiting.saturating_sub(1),
            Ok(_) => {}
            Err(error) => {
                match error.command {
                    "pos" => self.game = None,
                    "level" => self.level_unread = true,
                    _ => {}
                }
                self.report(Err(error.to_string()));
            }
        }
    }

    fn report(&self, result: Result<(), String>) {
        if let Err(why) = result {
            self.writer.send(Reply::error(why));
        }
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name == words::VARIANT {
            let is_other = value != words::NORMAL;
            self.other_game = is_other.then(|| excerpt(value));
            return self.check_game();
        }
        let spec = Options::specs().iter().find(|spec| spec.name == name);
        if self.setting.safe && spec.is_some_and(|spec| !spec.scope.safe) {
            return Err(format!(
                "{name} cannot be set in a session started with --safe"
            ));
        }
        let mut options = self.options.clone();
        match options.set(name, value) {
            Ok(()) => {}
            // An unknown search parameter is an error; an unknown Hub parameter is ignored, as the protocol requires.
            Err(SettingError::Unknown { .. }) if spec.is_none() => {
                log::debug!("no parameter {name}");
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        }
        let set = |engine: &mut T| {
            let result = engine
                .set_options(options)
                .map_err(|error| error.to_string());
            (result, engine.options().clone())
        };
        let (result, options) = self.engine.with(set).map_err(|ended| ended.to_string())?;
        self.options = options;
        result
    }

    /// # Errors
    /// The client has set another game.
    fn check_game(&self) -> Result<(), String> {
        match &self.other_game {
            Some(name) => Err(format!(
                "variant {name} is not known, only {normal}; no search until variant={normal} is set",
                normal = words::NORMAL
            )),
            None => Ok(()),
        }
    }

    fn keep_gap(&self) {
        let gap = Duration::from_micros(u64::from(self.options.line_gap));
        self.writer.set_gap(gap);
    }

    fn send_identity(&mut self) {
        self.writer.send(Reply::Id(words::id()));
        self.writer.send(Reply::Param(words::variant()));
        let params = Options::of_hub().map(|spec| words::param(spec, &self.options));
        params.for_each(|param| self.writer.send(Reply::Param(param)));
        for problem in self.setting.problems.drain(..) {
            self.writer.send(Reply::error(problem));
        }
        self.report_problems();
        self.writer.send(Reply::Wait);
    }

    fn go(&mut self, mode: GoMode, at: Instant) {
        if let Err(why) = self.check_game() {
            self.report(Err(why));
            return self.done(GoAnswer::default());
        }
        let mut level = self.level.clone();
        // No valid position, or no legal move: nothing to search.
        let playable = |game: &&Game| !game.position().legal_moves().is_empty();
        let Some(game) = self.game.as_ref().filter(playable) else {
            return self.done(GoAnswer::default());
        };
        if self.level_unread && mode != GoMode::Analyze && !level.is_limited() && !level.infinite {
            level.move_time = Seconds::new(0.0);
        }
        // If the client sent this before it got the last `done`, time counts from that `done`.
        let start = self.last_done.map_or(at, |done| done.max(at));
        let lines = match mode {
            GoMode::Analyze => self.options.multi_pv as usize,
            GoMode::Think | GoMode::Ponder => 1,
        };
        let job = Job::new(game.clone(), words::level(&level))
            .with_purpose(words::purpose(mode))
            .with_lines(lines)
            .at(words::strength(&level))
            .with_book();
        self.search = Some(RunningSearch {
            job: self.engine.run(job, start),
            limited: level.is_limited(),
            pondering: mode == GoMode::Ponder,
            stopped: false,
            answer: None,
        });
    }

    fn done(&mut self, answer: GoAnswer) {
        for info in answer.infos {
            self.writer.send(Reply::Info(info));
        }
        self.writer.send(Reply::Done {
            best: answer.best,
            ponder: answer.ponder,
        });
        self.last_done = Some(Instant::now());
        self.reset_level();
    }

    fn reset_level(&mut self) {
        self.level = LevelArgs::default();
        self.level_unread = false;
    }
}
