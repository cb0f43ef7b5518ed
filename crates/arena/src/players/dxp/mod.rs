//! A player that speaks DXP. The arena is always the initiator, whichever side listens.
//!
//! DXP knows only one kind of level: minutes for the whole game. The arena keeps the time itself and announces no more
//! minutes than the clock has, so that the engine does not overstep. At any other level it announces the most that DXP
//! can express, and the user must set the engine's level in another way, for example by lines on its standard input.

mod stream;

use self::stream::{MessageStream, ReceiveError};
use crate::level::GameLevel;
use crate::players::process::{Launch, Process, ProcessOutput};
use crate::players::{Answer, Claim, EngineFault, Player, PlayerReply, Turn};
use damier_engine::search::Detections;
use damier_protocol::dxp::{
    self, Acceptance, BackAnswer, GameEnd, GameReq, Message, Minutes, MoveLimit, MoveMsg, Name,
    Reason, Seconds, Start,
};
use damier_rules::GameResult;
use damier_rules::board::Color;
use damier_rules::{Game, Move, Position};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine may take to connect or listen.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// How long it may take to accept a game: some clear large hash tables first.
const ACCEPT_TIMEOUT: Duration = Duration::from_secs(30);
/// How long it may take to confirm the end of a game.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval between checks whether an engine is there.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Interval between checks whether the match is over.
const STOP_INTERVAL: Duration = Duration::from_millis(100);
/// Pause between lines on the standard input: Moby Dam takes everything in one read as one line.
const LINE_GAP: Duration = Duration::from_millis(300);
/// How long an engine may take to read a line.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// Which side of the connection the arena is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DxpRole {
    /// The engine listens, the arena connects to it.
    #[default]
    Client,
    /// The arena listens, the engine connects to it.
    Server,
}

/// How to reach an engine over DXP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DxpSpec {
    /// Name in the log.
    pub name: String,
    /// How to start it; None if it is started elsewhere. `{port}` in any word, and in `stdin`, stands for the port.
    pub launch: Option<Launch>,
    /// The address to connect to, or to listen on.
    pub host: String,
    /// The port; 0 for a free one chosen at every start, so that several processes of an engine can play in parallel.
    pub port: u16,
    /// Who connects to whom.
    pub role: DxpRole,
    /// Lines for its standard input, written after the start.
    pub stdin: Vec<String>,
}

/// A player that speaks DXP.
pub struct DxpPlayer {
    spec: DxpSpec,
    stop: Arc<AtomicBool>,
    process: Option<Process>,
    stream: Option<MessageStream>,
    /// The last messages of the previous connection, for [`Player::transcript`].
    past: Vec<String>,
    /// Moves that both sides know of.
    known: usize,
    /// Whether the engine considers the game to be in progress.
    playing: bool,
}

impl DxpPlayer {
    /// A player with this description. Nothing is started yet. Once `stop` is set, no call waits any longer.
    pub fn new(spec: DxpSpec, stop: Arc<AtomicBool>) -> DxpPlayer {
        DxpPlayer {
            spec,
            stop,
            process: None,
            stream: None,
            past: Vec::new(),
            known: 0,
            playing: false,
        }
    }

    /// The process id, if it runs. For tests.
    #[doc(hidden)]
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// The connection; connects if there is none.
    fn connected(&mut self) -> Result<&mut MessageStream, EngineFault> {
        if self.stream.is_none() {
            let stream = match self.spec.role {
                DxpRole::Client => self.connect()?,
                DxpRole::Server => self.listen()?,
            };
            self.stream = Some(
                MessageStream::new(&self.spec.name, stream)
                    .map_err(|error| crash("connection", &error))?,
            );
        }
        self.stream()
    }

    fn stream(&mut self) -> Result<&mut MessageStream, EngineFault> {
        let none = || EngineFault::Crash("there is no connection".to_owned());
        self.stream.as_mut().ok_or_else(none)
    }

    /// Starts the engine (unless it is started elsewhere) and writes the lines to its standard input, which stays open:
    /// some engines poll it in a busy loop once it is closed.
    fn start(&mut self, port: u16) -> Result<(), EngineFault> {
        self.end_process();
        let Some(launch) = &self.spec.launch else {
            return Ok(());
        };
        let port = port.to_string();
        let fill = |text: &String| text.replace("{port}", &port);
        let launch = Launch {
            command: launch.command.iter().map(fill).collect(),
            dir: launch.dir.clone(),
        };
        let program = launch.command.first().map_or("", String::as_str);
        let process = Process::start(&self.spec.name, &launch, ProcessOutput::Nowhere);
        let process = self
            .process
            .insert(process.map_err(|error| crash(program, &error))?);
        for (index, line) in self.spec.stdin.iter().map(fill).enumerate() {
            if index > 0 {
                thread::sleep(LINE_GAP);
            }
            let line = format!("{line}\n");
            let written = process.write(&line, WRITE_TIMEOUT);
            written.map_err(|error| crash("its standard input", &error))?;
        }
        Ok(())
    }

    fn end_process(&mut self) {
        if let Some(process) = self.process.take() {
            process.kill();
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Starts the engine and connects to it, once it listens.
    fn connect(&mut self) -> Result<TcpStream, EngineFault> {
        let port = match self.spec.port {
            0 => free_port().map_err(|error| crash("a free port", &error))?,
            port => port,
        };
        self.start(port)?;
        let addresses = self.addresses(port)?;
        let connect = |address| TcpStream::connect_timeout(&address, START_TIMEOUT);
        let end = Instant::now() + START_TIMEOUT;
        loop {
            match dxp::first_of(&addresses, connect) {
                Ok((_, stream)) => return Ok(stream),
                // Without a process of our own, waiting for it to listen is pointless.
                Err((address, error)) if self.process.is_none() || Instant::now() >= end => {
                    return Err(crash(&format!("cannot connect to {address}"), &error));
                }
                Err(_) => self.wait_for_start()?,
            }
        }
    }

    /// Listens, starts the engine, and waits for it to connect.
    fn listen(&mut self) -> Result<TcpStream, EngineFault> {
        let addresses = self.addresses(self.spec.port)?;
        let failed = |address, error| crash(&format!("cannot listen on {address}"), &error);
        let (address, listener) = dxp::first_of(&addresses, TcpListener::bind)
            .map_err(|(address, error)| failed(address, error))?;
        let cannot = |error| failed(address, error);
        listener.set_nonblocking(true).map_err(cannot)?;
        let port = listener.local_addr().map_err(cannot)?.port();
        self.start(port)?;
        let end = Instant::now() + START_TIMEOUT;
        while Instant::now() < end {
            match listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).map_err(cannot)?;
                    return Ok(stream);
                }
                Err(_) => self.wait_for_start()?,
            }
        }
        Err(EngineFault::Silence(START_TIMEOUT))
    }

    /// Waits briefly for an engine that was started and is still running.
    fn wait_for_start(&mut self) -> Result<(), EngineFault> {
        if self.is_stopped() {
            return Err(EngineFault::interrupted());
        }
        if let Some(end) = self.process.as_mut().and_then(Process::ended) {
            return Err(EngineFault::Crash(end));
        }
        thread::sleep(POLL_INTERVAL);
        Ok(())
    }

    fn addresses(&self, port: u16) -> Result<Vec<SocketAddr>, EngineFault> {
        let host = self.spec.host.as_str();
        dxp::addresses(host, port).map_err(|error| crash(host, &error))
    }

    /// The next message that is not a chat.
    fn receive(&mut self, end: Instant, patience: Duration) -> Result<Message, EngineFault> {
        loop {
            if self.is_stopped() {
                return Err(EngineFault::interrupted());
            }
            let look = end.min(Instant::now() + STOP_INTERVAL);
            match self.stream()?.receive(look) {
                Ok(Message::Chat(_)) => {}
                Ok(message) => return Ok(message),
                Err(ReceiveError::Silence) if Instant::now() < end => {}
                Err(ReceiveError::Silence) => return Err(EngineFault::Silence(patience)),
                Err(ReceiveError::Babble(what)) => return Err(EngineFault::Babble(what)),
                Err(ReceiveError::Closed(what)) => {
                    // The process may end a moment after its connection.
                    thread::sleep(POLL_INTERVAL);
                    let end = self.process.as_mut().and_then(Process::ended);
                    return Err(EngineFault::Crash(end.unwrap_or(what)));
                }
            }
        }
    }

    fn send(&mut self, message: &Message) -> Result<(), EngineFault> {
        let sent = self.stream()?.send(message);
        sent.map_err(|error| {
            let end = self.process.as_mut().and_then(Process::ended);
            end.map_or_else(|| crash("connection", &error), EngineFault::Crash)
        })
    }

    /// Waits for a GAMEACC; messages of the previous game are ignored.
    fn await_acceptance(&mut self) -> Result<Acceptance, EngineFault> {
        let end = Instant::now() + ACCEPT_TIMEOUT;
        loop {
            match self.receive(end, ACCEPT_TIMEOUT)? {
                Message::GameAcc(answer) => return Ok(answer.code),
                Message::GameReq(_) => {
                    let what = "it asks for a game itself: it must be the follower";
                    return Err(EngineFault::Babble(what.to_owned()));
                }
                _ => {}
            }
        }
    }

    /// The opponent's move that the engine has not been sent yet, if there is one.
    fn unsent(&self, game: &Game) -> Result<Option<Move>, EngineFault> {
        match game.moves().get(self.known..) {
            Some([]) => Ok(None),
            Some(&[mv]) => Ok(Some(mv)),
            // DXP cannot send an engine its own moves, so a game must begin at the start position that the engine was
            // given.
            _ => Err(EngineFault::Babble(
                "DXP can send an engine one move of its opponent at a time, and none of its own"
                    .to_owned(),
            )),
        }
    }

    /// Waits for the engine's move or GAMEEND.
    fn await_answer(&mut self, turn: &Turn<'_>, asked: Instant) -> Result<Answer, EngineFault> {
        loop {
            match self.receive(asked + turn.patience, turn.patience)? {
                Message::Move(text) => {
                    let mv = text.legal(turn.game.position()).ok_or_else(|| {
                        let (from, to, captured) = (text.from, text.to, text.captured);
                        let mv = Move::new(from, to, captured);
                        EngineFault::Illegal(format!("{mv} in {}", fen(turn.game.position())))
                    })?;
                    self.known = turn.game.moves().len() + 1;
                    return Ok(Answer::Move(mv));
                }
                Message::GameEnd(end) => {
                    self.playing = false;
                    self.send(&answer_to_end())?;
                    return Ok(Answer::Claim(claim(end.reason)));
                }
                Message::BackReq(_) => self.send(&Message::BackAcc(BackAnswer::Refused))?,
                Message::GameReq(_) => {
                    return Err(EngineFault::Babble(
                        "it asks for a game in a game".to_owned(),
                    ));
                }
                Message::Chat(_) | Message::GameAcc(_) | Message::BackAcc(_) => {}
            }
        }
    }
}

impl Player for DxpPlayer {
    fn begin(
        &mut self,
        start: &Position,
        color: Color,
        level: GameLevel,
    ) -> Result<(), EngineFault> {
        if self.playing {
            // The opponent could not begin the game that this engine has accepted, and DXP cannot cancel a game.
            self.restart();
        }
        self.connected()?;
        let request = GameReq {
            name: Name::from_text("Damier arena"),
            follower: color,
            minutes: minutes(level),
            moves: MoveLimit::NONE,
            start: Start::from_position(start),
        };
        self.known = 0;
        self.playing = false;
        self.send(&Message::GameReq(request))?;
        let why = match self.await_acceptance()? {
            Acceptance::Accepted => {
                self.playing = true;
                return Ok(());
            }
            Acceptance::Version => "it speaks another version of DXP",
            Acceptance::NotThisGame => "it does not want to play this game",
            Acceptance::NoGames => "it does not want to play",
        };
        Err(EngineFault::Crash(why.to_owned()))
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<PlayerReply, EngineFault> {
        let asked = Instant::now();
        if let Some(mv) = self.unsent(turn.game)? {
            self.send(&Message::Move(MoveMsg::new(mv, Seconds::default())))?;
            self.known += 1;
        }
        let answer = self.await_answer(turn, asked)?;
        Ok(PlayerReply {
            answer,
            score: None,
            depth: None,
            nodes: None,
            detections: Detections::default(),
            elapsed: asked.elapsed(),
        })
    }

    /// Ends the game in place of the opponent's move, the only time when DXP allows it.
    fn finish(&mut self, _: &Game, result: GameResult) -> Result<(), EngineFault> {
        if !std::mem::take(&mut self.playing) {
            return Ok(());
        }
        let reason = match result {
            GameResult::Win => Reason::Loss,
            GameResult::Draw => Reason::Draw,
            GameResult::Loss => Reason::Win,
        };
        self.send(&Message::GameEnd(GameEnd {
            reason,
            stop: false,
        }))?;
        let end = Instant::now() + END_TIMEOUT;
        while !matches!(self.receive(end, END_TIMEOUT)?, Message::GameEnd(_)) {}
        Ok(())
    }

    fn restart(&mut self) {
        if self.stream.is_some() || self.process.is_some() {
            self.past = self.transcript();
        }
        self.stream = None;
        self.end_process();
        self.playing = false;
    }

    fn transcript(&self) -> Vec<String> {
        if self.stream.is_none() && self.process.is_none() {
            return self.past.clone();
        }
        let exchanged = self.stream.as_ref().map(MessageStream::transcript);
        let errors = self.process.as_ref().map(Process::errors);
        exchanged.into_iter().chain(errors).flatten().collect()
    }
}

impl Drop for DxpPlayer {
    fn drop(&mut self) {
        // A listening engine would wait for the next connection for ever.
        self.end_process();
    }
}

fn crash(what: &str, error: &std::io::Error) -> EngineFault {
    EngineFault::Crash(format!("{what}: {error}"))
}

fn fen(position: &Position) -> String {
    damier_rules::notation::fen::format(position)
}

/// Without the stop code, so that the engine plays the next game.
fn answer_to_end() -> Message {
    Message::GameEnd(GameEnd {
        reason: Reason::Unknown,
        stop: false,
    })
}

fn claim(reason: Reason) -> Claim {
    match reason {
        Reason::Unknown => Claim::Unknown,
        Reason::Loss => Claim::Loss,
        Reason::Draw => Claim::Draw,
        Reason::Win => Claim::Win,
    }
}

/// The minutes in the game request: never more than the clock has.
fn minutes(level: GameLevel) -> Minutes {
    match level {
        GameLevel::Clock { time, .. } => Minutes::at_most(time),
        GameLevel::MoveTime(_) | GameLevel::Nodes(_) | GameLevel::Depth(_) => Minutes::MAX,
    }
}

/// A port that is currently free.
fn free_port() -> std::io::Result<u16> {
    let listener = TcpListener::bind((IpAddr::from(Ipv4Addr::LOCALHOST), 0))?;
    listener.local_addr().map(|address| address.port())
}

#[cfg(test)]
mod tests;
