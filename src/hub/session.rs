//! The state of a conversation, and what each line means in it.
//!
//! Between searches lines are followed in their order. During a search `ping`, `stop`, `ponder-hit` and `quit` act at
//! once; every other line waits until after `done`, so that a client may send all it has to say without waiting. A
//! search that nothing but the client can end (no limit, or pondering) takes such a line for a `stop`: it could never be
//! reached otherwise.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::player::{Outcome, Player, Request};
use super::reader::{Line, Lines};
use super::writer::Writer;
use crate::protocol::hub::{Command, GoMode, LevelArgs, ParseError, Reply, Seconds};
use crate::search::Control;

/// Stack of the thread that searches, in bytes.
const STACK: usize = 16 << 20;

/// How long a search may take to end when the session does, and how long the client may take to read what is left.
const PATIENCE: Duration = Duration::from_secs(1);

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

enum Event<P> {
    Line(Line),
    End(Exit),
    Done(P, Outcome),
}

struct Job<P> {
    player: P,
    request: Request,
    control: Arc<Control>,
}

/// Holds a conversation on the two streams until the client ends it. If the output is a pipe, the player's
/// [`line_gap`](Player::line_gap) is kept between two lines.
///
/// The threads that read and write may outlive the call where the other side neither reads, writes nor closes.
///
/// # Errors
/// A thread could not be started.
pub fn run<P: Player>(
    player: P,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    pipe: bool,
) -> std::io::Result<Exit> {
    let (events, inbox) = channel();
    let broken = events.clone();
    let writer = Writer::start(output, Duration::ZERO, move || {
        // Nobody listens once the session has ended.
        let _ = broken.send(Event::End(Exit::OutputClosed));
    })?;
    let jobs = start_searcher(events.clone(), writer.clone())?;
    start_reader(events, input)?;
    let mut session = Session {
        player: Some(player),
        pipe,
        writer,
        jobs,
        level: LevelArgs::default(),
        level_unread: false,
        position_valid: true,
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

fn start_reader<P: Player>(
    events: Sender<Event<P>>,
    input: impl Read + Send + 'static,
) -> std::io::Result<()> {
    let read = move || {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next() {
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

fn start_searcher<P: Player>(
    events: Sender<Event<P>>,
    writer: Writer,
) -> std::io::Result<Sender<Job<P>>> {
    let (jobs, inbox) = channel::<Job<P>>();
    let search = move || {
        for Job {
            mut player,
            request,
            control,
        } in inbox
        {
            let outcome = player.think(&request, &control, &mut |info| writer.info(info));
            if events.send(Event::Done(player, outcome)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new()
        .name("hub search".to_owned())
        .stack_size(STACK)
        .spawn(search)?;
    Ok(jobs)
}

/// A search that has not been answered by `done`.
struct Search {
    control: Arc<Control>,
    /// Whether the level sets a limit.
    limited: bool,
    /// Neither `ponder-hit` nor `stop` has come yet: `done` has to wait for one of them.
    pondering: bool,
    stopped: bool,
    /// What the search came to.
    outcome: Option<Outcome>,
}

impl Search {
    fn stop(&mut self) {
        self.control.stop();
        self.stopped = true;
        self.pondering = false;
    }

    fn ponder_hit(&mut self) {
        self.control.ponder_hit();
        self.pondering = false;
    }

    /// Whether only the client can end it.
    fn is_endless(&self) -> bool {
        !self.stopped && (self.pondering || !self.limited)
    }

    /// The outcome, if it may be told. That there is no move needs no answer of the opponent.
    fn answer(&mut self) -> Option<Outcome> {
        let held = |outcome: &mut Outcome| !self.pondering || outcome.best.is_none();
        self.outcome.take_if(held)
    }
}

struct Session<P> {
    /// Nothing while a search has it.
    player: Option<P>,
    pipe: bool,
    writer: Writer,
    jobs: Sender<Job<P>>,
    level: LevelArgs,
    /// A `level` line could not be read: without another, the next move is played at once rather than never.
    level_unread: bool,
    /// False from a `pos` that could not be set up until one that could.
    position_valid: bool,
    search: Option<Search>,
    /// What came during the search and has to wait for its end.
    waiting: VecDeque<Line>,
    /// How many of them are `stop`.
    stops_waiting: usize,
    last_done: Option<Instant>,
}

impl<P: Player> Session<P> {
    fn converse(&mut self, inbox: &Receiver<Event<P>>) -> Exit {
        for event in inbox {
            match event {
                Event::End(exit) => return exit,
                Event::Line(line) => self.hear(line),
                Event::Done(player, outcome) => self.searched(player, outcome),
            }
            self.advance();
        }
        Exit::EndOfInput
    }

    /// Ends what still runs. Lines that wait are followed first, each search among them stopped at once and answered: what
    /// was asked in one piece, end included, is answered in full.
    fn leave(&mut self, inbox: &Receiver<Event<P>>, exit: Exit) {
        let deadline = Instant::now() + PATIENCE;
        if exit == Exit::OutputClosed {
            self.waiting.clear();
        }
        self.stops_waiting += 1;
        self.advance();
        while self.search.is_some() {
            match inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Done(player, outcome)) => self.searched(player, outcome),
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
            Ok(Command::Ping) => self.writer.send(Reply::Pong),
            Ok(Command::Empty | Command::Unknown(_)) => {}
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
                }
            }
            _ => self.waiting.push_back(line),
        }
    }

    fn searched(&mut self, player: P, outcome: Outcome) {
        self.player = Some(player);
        if let Some(search) = &mut self.search {
            search.outcome = Some(outcome);
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
            if let Some(outcome) = self.search.as_mut().and_then(Search::answer) {
                self.search = None;
                self.done(outcome);
            }
            let Some(front) = self.waiting.front() else {
                return;
            };
            match (&mut self.search, front) {
                (None, _) => {
                    if let Some((line, at)) = self.waiting.pop_front() {
                        self.follow(line, at);
                    }
                }
                (Some(search), (Ok(Command::PonderHit), _)) => {
                    search.ponder_hit();
                    self.waiting.pop_front();
                }
                (Some(search), _) if !search.is_endless() => return,
                (Some(_), (Err(error), _)) => {
                    self.writer.send(Reply::error(error));
                    self.waiting.pop_front();
                }
                (Some(search), _) => search.stop(),
            }
        }
    }

    /// Follows a line between searches.
    fn follow(&mut self, line: Result<Command, ParseError>, at: Instant) {
        let Some(player) = &mut self.player else {
            return;
        };
        let report = |result: Result<(), String>| {
            if let Err(why) = result {
                self.writer.send(Reply::error(why));
            }
        };
        match line {
            Ok(Command::Hub) => self.introduce(),
            Ok(Command::Init) => {
                report(player.init());
                self.writer.send(Reply::Ready);
            }
            Ok(Command::NewGame) => report(player.new_game()),
            Ok(Command::SetParam { name, value }) => {
                report(player.set_param(&name, &value));
                self.keep_gap();
            }
            Ok(Command::Pos { pos, moves }) => {
                let result = player.set_position(pos.as_deref(), &moves);
                self.position_valid = result.is_ok();
                report(result);
                self.reset_level();
            }
            Ok(Command::Level(level)) => self.level.merge(level),
            Ok(Command::Go(mode)) => self.go(mode, at),
            Ok(Command::Stop) => self.stops_waiting = self.stops_waiting.saturating_sub(1),
            Ok(_) => {}
            Err(error) => {
                match error.command {
                    "pos" => self.position_valid = false,
                    "level" => self.level_unread = true,
                    _ => {}
                }
                report(Err(error.to_string()));
            }
        }
    }

    fn keep_gap(&self) {
        if let (Some(player), true) = (&self.player, self.pipe) {
            self.writer.set_gap(player.line_gap());
        }
    }

    fn introduce(&self) {
        let Some(player) = &self.player else { return };
        self.writer.send(Reply::Id(player.id()));
        player
            .params()
            .into_iter()
            .for_each(|param| self.writer.send(Reply::Param(param)));
        self.writer.send(Reply::Wait);
    }

    fn go(&mut self, mode: GoMode, at: Instant) {
        let mut level = self.level.clone();
        if !self.position_valid {
            return self.done(Outcome::default());
        }
        if self.level_unread && mode != GoMode::Analyze && !level.is_limited() && !level.infinite {
            level.move_time = Seconds::new(0.0);
        }
        let Some(player) = self.player.take() else {
            return;
        };
        // A client that asks before it is answered does not mean that the clock should run already.
        let start = self.last_done.map_or(at, |done| done.max(at));
        let pondering = mode == GoMode::Ponder;
        let control = Arc::new(if pondering {
            Control::pondering(start)
        } else {
            Control::since(start)
        });
        let limited = level.is_limited();
        let job = Job {
            player,
            request: Request { mode, level },
            control: Arc::clone(&control),
        };
        if self.jobs.send(job).is_err() {
            log::error!("the searcher has ended");
        }
        self.search = Some(Search {
            control,
            limited,
            pondering,
            stopped: false,
            outcome: None,
        });
    }

    fn done(&mut self, outcome: Outcome) {
        if let Some(info) = outcome.info {
            self.writer.send(Reply::Info(info));
        }
        self.writer.send(Reply::Done {
            best: outcome.best,
            ponder: outcome.ponder,
        });
        self.last_done = Some(Instant::now());
        self.reset_level();
    }

    fn reset_level(&mut self) {
        self.level = LevelArgs::default();
        self.level_unread = false;
    }
}
