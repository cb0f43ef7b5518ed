//! The state of a conversation, and what each line means in it.
//!
//! Between searches lines are followed in their order. During a search `ping`, `stop`, `ponder-hit` and `quit` act at
//! once; every other line waits until after `done`, so that a client may send all it has to say without waiting. A
//! search that nothing but the client can end (no limit, or pondering) takes such a line for a `stop`: it could never be
//! reached otherwise.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::reader::{Line, Lines};
use super::words;
use super::writer::{Pipe, Writer};
use crate::engine::{Job, JobHandle, JobId, Options, SettingError, ThinkEvent, Thinker, Thread};
use crate::protocol::hub::{Command, GoMode, Info, LevelArgs, ParseError, Reply, Seconds};
use crate::rules::{Game, Position};

/// How long a search may take to end when the session does, and how long the client may take to read what is left.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a session depends on beside the client.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// Problems that the client should know of, such as lines of the file of options that could not be read: told once, as
    /// errors, with the parameters.
    pub problems: Vec<String>,
    /// Refuse the parameters by which a client could look for files or take the machine's memory and cores.
    pub safe: bool,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The client said `quit`.
    Quit,
    /// The input ended.
    EndOfInput,
    /// The output could be written no more.
    OutputClosed,
}

enum Event {
    Line(Line),
    End(Exit),
    /// A search has ended or died.
    Think(JobId, ThinkEvent),
}

/// Holds a conversation on the two streams until the client ends it. If the output is a pipe, the option `line-gap` is kept
/// between two lines.
///
/// The threads that read and write may outlive the call where the other side neither reads, writes nor closes.
///
/// # Errors
/// A thread could not be started.
pub fn run<T: Thinker + 'static>(
    engine: T,
    setting: Setting,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    pipe: Option<Pipe>,
) -> std::io::Result<Exit> {
    let (events, inbox) = channel();
    let broken = events.clone();
    let writer = Writer::start(output, pipe, move || {
        // Nobody listens once the session has ended.
        let _ = broken.send(Event::End(Exit::OutputClosed));
    })?;
    let options = engine.options().clone();
    let engine = start_engine(engine, events.clone(), writer.clone())?;
    start_reader(events, input, writer.clone())?;
    let mut session = Session {
        engine,
        options,
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
    let exit = session.converse(&inbox);
    session.leave(&inbox, exit);
    Ok(exit)
}

fn start_reader(
    events: Sender<Event>,
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
                Event::End(Exit::Quit)
            } else {
                Event::Line(line)
            };
            if events.send(event).is_err() || quit {
                return;
            }
        }
        let _ = events.send(Event::End(Exit::EndOfInput));
    };
    thread::Builder::new()
        .name("hub reader".to_owned())
        .spawn(read)
        .map(drop)
}

fn start_engine<T: Thinker + 'static>(
    engine: T,
    events: Sender<Event>,
    writer: Writer,
) -> std::io::Result<Thread<T>> {
    Thread::start(engine, move |job, event| match event {
        ThinkEvent::Report(report) => writer.info(words::info(&report)),
        // Nobody listens once the session has ended.
        event => _ = events.send(Event::Think(job, event)),
    })
}

/// What to answer a `go` with.
#[derive(Default)]
struct Answer {
    infos: Vec<Info>,
    best: Option<String>,
    ponder: Option<String>,
}

/// A search that has not been answered by `done`.
struct Search {
    job: JobHandle,
    /// Whether the level sets a limit.
    limited: bool,
    /// Neither `ponder-hit` nor `stop` has come yet: `done` has to wait for one of them.
    pondering: bool,
    stopped: bool,
    /// What the search came to.
    answer: Option<Answer>,
}

impl Search {
    fn stop(&mut self) {
        self.job.stop();
        self.stopped = true;
        self.pondering = false;
    }

    fn ponder_hit(&mut self) {
        self.job.ponder_hit();
        self.pondering = false;
    }

    /// Whether only the client can end it.
    fn is_endless(&self) -> bool {
        !self.stopped && (self.pondering || !self.limited)
    }

    /// The answer, if it may be given.
    fn take_answer(&mut self) -> Option<Answer> {
        self.answer.take_if(|_| !self.pondering)
    }
}

struct Session<T: Thinker> {
    engine: Thread<T>,
    /// Those in force.
    options: Options,
    setting: Setting,
    writer: Writer,
    /// The position to search; none from a `pos` that could not be set up until one that could.
    game: Option<Game>,
    level: LevelArgs,
    /// A `level` line could not be read: without another, the next move is played at once rather than never.
    level_unread: bool,
    search: Option<Search>,
    /// What came during the search and has to wait for its end.
    waiting: VecDeque<Line>,
    /// How many of them are `stop`.
    stops_waiting: usize,
    last_done: Option<Instant>,
}

impl<T: Thinker + 'static> Session<T> {
    fn converse(&mut self, inbox: &Receiver<Event>) -> Exit {
        for event in inbox {
            match event {
                Event::End(exit) => return exit,
                Event::Line(line) => self.hear(line),
                Event::Think(job, event) => self.searched(job, event),
            }
            self.advance();
        }
        Exit::EndOfInput
    }

    /// Ends what still runs. Lines that wait are followed first, each search among them stopped at once and answered: what
    /// was asked in one piece, end included, is answered in full.
    fn leave(&mut self, inbox: &Receiver<Event>, exit: Exit) {
        let deadline = Instant::now() + PATIENCE;
        if exit == Exit::OutputClosed {
            self.waiting.clear();
        }
        self.stops_waiting += 1;
        self.advance();
        while self.search.is_some() {
            match inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Think(job, event)) => self.searched(job, event),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
            self.advance();
        }
        self.writer.close(PATIENCE);
    }

    /// A line has come in.
    fn hear(&mut self, line: Line) {
        match &line.0 {
            Ok(Command::Ping) => {
                self.writer.send(Reply::Pong);
                self.writer.line_is_followed();
            }
            Ok(Command::Empty | Command::Unknown(_)) => self.writer.line_is_followed(),
            Ok(Command::Stop) => {
                self.stop();
                // All that was asked before it ends with it, searches that still wait included.
                if self
                    .waiting
                    .iter()
                    .any(|(line, _)| matches!(line, Ok(Command::Go(_))))
                {
                    self.stops_waiting += 1;
                    self.waiting.push_back(line);
                } else {
                    self.writer.line_is_followed();
                }
            }
            _ => self.waiting.push_back(line),
        }
    }

    fn searched(&mut self, job: JobId, event: ThinkEvent) {
        let Some(search) = self.search.as_mut().filter(|search| search.job.id == job) else {
            return;
        };
        let answer = match (event, &self.game) {
            (ThinkEvent::Done(found), Some(game)) => Answer {
                infos: found.lines.iter().map(words::info).collect(),
                best: found.best.map(|mv| mv.to_string()),
                ponder: words::ponder_move(game, &found).map(|mv| mv.to_string()),
            },
            (ThinkEvent::Failed(why), Some(game)) => {
                self.writer
                    .send(Reply::error(format!("the search died: {why}")));
                // The game goes on.
                let moves = game.position().legal_moves();
                Answer {
                    best: moves.first().map(ToString::to_string),
                    ..Answer::default()
                }
            }
            _ => Answer::default(),
        };
        search.answer = Some(answer);
        self.report_problems();
    }

    /// Tells what the engine has found wrong in the background. No search runs.
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

    /// Answers the search if that can be done, and follows the lines that wait as far as they can be followed.
    fn advance(&mut self) {
        loop {
            if self.stops_waiting > 0 {
                self.stop();
            }
            if let Some(answer) = self.search.as_mut().and_then(Search::take_answer) {
                self.search = None;
                self.done(answer);
            }
            let Some(front) = self.waiting.front() else {
                return;
            };
            match (&mut self.search, front) {
                (None, _) => {
                    if let Some((line, at)) = self.waiting.pop_front() {
                        self.follow(line, at);
                        self.writer.line_is_followed();
                    }
                }
                (Some(search), (Ok(Command::PonderHit), _)) => {
                    search.ponder_hit();
                    self.waiting.pop_front();
                    self.writer.line_is_followed();
                }
                (Some(search), _) if !search.is_endless() => return,
                (Some(_), (Err(error), _)) => {
                    self.writer.send(Reply::error(error));
                    self.waiting.pop_front();
                    self.writer.line_is_followed();
                }
                (Some(search), _) => search.stop(),
            }
        }
    }

    /// Follows a line between searches.
    fn follow(&mut self, line: Result<Command, ParseError>, at: Instant) {
        match line {
            Ok(Command::Hub) => self.introduce(),
            // Every parameter counts from when it is set.
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
            Ok(Command::Level(level)) => self.level.merge(level),
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
        let spec = Options::specs().iter().find(|spec| spec.name == name);
        if self.setting.safe && spec.is_some_and(|spec| !spec.scope.safe) {
            return Err(format!(
                "{name} cannot be set in a session started with --safe"
            ));
        }
        let mut options = self.options.clone();
        match options.set(name, value) {
            Ok(()) => {}
            // An unknown search parameter is an error; an unknown parameter of Hub is passed over, as the protocol wants it.
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

    fn keep_gap(&self) {
        let gap = Duration::from_micros(u64::from(self.options.line_gap));
        self.writer.set_gap(gap);
    }

    fn introduce(&mut self) {
        self.writer.send(Reply::Id(words::id()));
        let params = Options::of_hub().map(|spec| words::param(spec, &self.options));
        params.for_each(|param| self.writer.send(Reply::Param(param)));
        for problem in self.setting.problems.drain(..) {
            self.writer.send(Reply::error(problem));
        }
        self.report_problems();
        self.writer.send(Reply::Wait);
    }

    fn go(&mut self, mode: GoMode, at: Instant) {
        let mut level = self.level.clone();
        // No position, or one without a legal move: there is nothing to search.
        let playable = |game: &&Game| !game.position().legal_moves().is_empty();
        let Some(game) = self.game.as_ref().filter(playable) else {
            return self.done(Answer::default());
        };
        if self.level_unread && mode != GoMode::Analyze && !level.is_limited() && !level.infinite {
            level.move_time = Seconds::new(0.0);
        }
        // A client that asks before it is answered does not mean that the clock should run already.
        let start = self.last_done.map_or(at, |done| done.max(at));
        let lines = match mode {
            GoMode::Analyze => self.options.multi_pv as usize,
            GoMode::Think | GoMode::Ponder => 1,
        };
        let job = Job::new(game.clone(), words::level(&level))
            .with_purpose(words::purpose(mode))
            .with_lines(lines)
            .with_book();
        self.search = Some(Search {
            job: self.engine.run(job, start),
            limited: level.is_limited(),
            pondering: mode == GoMode::Ponder,
            stopped: false,
            answer: None,
        });
    }

    fn done(&mut self, answer: Answer) {
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
