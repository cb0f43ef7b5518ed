//! An engine that speaks DXP as a player of the arena, which is the initiator whoever listens.
//!
//! DXP knows one level, minutes for the whole game, and the arena keeps the time itself: an engine is told no more minutes
//! than its clock has, so that it does not overstep; for any other level it is told the most there are, and must be set to
//! its level by its user, for example through lines on its standard input.

mod stream;

use self::stream::{MessageStream, ReceiveError};
use crate::board::Color;
use crate::lab::GameResult;
use crate::lab::arena::level::Level;
use crate::lab::arena::players::process::{Launch, Output, Process};
use crate::lab::arena::players::{Answer, Claim, Fault, Player, PlayerReply, Turn};
use crate::protocol::dxp::{
    self, Acceptance, BackAnswer, GameEnd, GameReq, Message, Minutes, MoveLimit, MoveMsg, Name,
    Reason, Seconds, Start,
};
use crate::rules::{Game, Move, Position};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine may take to be there.
const START_PATIENCE: Duration = Duration::from_secs(20);
/// How long it may take to say whether it plays: some clear large tables first.
const ACCEPT_PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take to confirm the end of a game.
const END_PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks whether an engine is there.
const LOOK: Duration = Duration::from_millis(20);
/// Between two looks whether the match is over.
const STOP_LOOK: Duration = Duration::from_millis(100);
/// Between two lines on the standard input: Moby Dam takes what it reads at once for one line.
const LINE_GAP: Duration = Duration::from_millis(300);
/// How long an engine may take to read a line.
const READS_WITHIN: Duration = Duration::from_secs(5);

/// Which side of the connection the arena is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DxpRole {
    /// The engine listens, the arena connects to it.
    #[default]
    Client,
    /// The arena listens, the engine connects to it.
    Server,
}

/// What is to be known of an engine to play with it by DXP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DxpSpec {
    /// Its name in messages.
    pub name: String,
    /// How it is started; none when somebody else does that. In each of its words, and in `stdin`, `{port}` stands for the port.
    pub launch: Option<Launch>,
    /// The address to connect to, or to listen on.
    pub host: String,
    /// The port; 0 for one that is free, anew at every start, so that many of one engine can play side by side.
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
    wire: Option<MessageStream>,
    /// The last messages of the connection before, for [`Player::transcript`].
    past: Vec<String>,
    /// Moves of the game that both sides know.
    known: usize,
    /// Whether the engine takes the game for running.
    playing: bool,
}

impl DxpPlayer {
    /// A player by this description. Nothing is started yet. When `stop` is set it waits for nothing any more.
    pub fn new(spec: DxpSpec, stop: Arc<AtomicBool>) -> DxpPlayer {
        DxpPlayer {
            spec,
            stop,
            process: None,
            wire: None,
            past: Vec::new(),
            known: 0,
            playing: false,
        }
    }

    /// The number of the process that was started, while there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// The connection, made anew where there is none.
    fn connected(&mut self) -> Result<&mut MessageStream, Fault> {
        if self.wire.is_none() {
            let stream = match self.spec.role {
                DxpRole::Client => self.connect()?,
                DxpRole::Server => self.listen()?,
            };
            self.wire =
                Some(MessageStream::new(stream).map_err(|error| crash("connection", &error))?);
        }
        self.wire()
    }

    fn wire(&mut self) -> Result<&mut MessageStream, Fault> {
        let none = || Fault::Crash("there is no connection".to_owned());
        self.wire.as_mut().ok_or_else(none)
    }

    /// Starts the engine, unless somebody else does, and writes the lines to its standard input, which stays open: some
    /// engines poll it for ever once it has ended.
    fn start(&mut self, port: u16) -> Result<(), Fault> {
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
        let process = Process::start(&launch, Output::Nowhere);
        let process = self
            .process
            .insert(process.map_err(|error| crash(program, &error))?);
        for (index, line) in self.spec.stdin.iter().map(fill).enumerate() {
            if index > 0 {
                thread::sleep(LINE_GAP);
            }
            let line = format!("{line}\n");
            let written = process.write(line.as_bytes(), READS_WITHIN);
            written.map_err(|error| crash("its standard input", &error))?;
        }
        Ok(())
    }

    fn end_process(&mut self) {
        if let Some(process) = self.process.take() {
            process.kill();
        }
    }

    fn is_over(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Starts the engine and connects to it, once it listens.
    fn connect(&mut self) -> Result<TcpStream, Fault> {
        let port = match self.spec.port {
            0 => free_port().map_err(|error| crash("a free port", &error))?,
            port => port,
        };
        self.start(port)?;
        let addresses = self.addresses(port)?;
        let connect = |address| TcpStream::connect_timeout(&address, START_PATIENCE);
        let end = Instant::now() + START_PATIENCE;
        loop {
            match dxp::first_of(&addresses, connect) {
                Ok((_, stream)) => return Ok(stream),
                // Without a process of ours nothing is about to listen.
                Err((address, error)) if self.process.is_none() || Instant::now() >= end => {
                    return Err(crash(&format!("cannot connect to {address}"), &error));
                }
                Err(_) => self.wait_a_little()?,
            }
        }
    }

    /// Listens, starts the engine, and waits for it to connect.
    fn listen(&mut self) -> Result<TcpStream, Fault> {
        let addresses = self.addresses(self.spec.port)?;
        let failed = |address, error| crash(&format!("cannot listen on {address}"), &error);
        let (address, listener) = dxp::first_of(&addresses, TcpListener::bind)
            .map_err(|(address, error)| failed(address, error))?;
        let cannot = |error| failed(address, error);
        listener.set_nonblocking(true).map_err(cannot)?;
        let port = listener.local_addr().map_err(cannot)?.port();
        self.start(port)?;
        let end = Instant::now() + START_PATIENCE;
        while Instant::now() < end {
            match listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).map_err(cannot)?;
                    return Ok(stream);
                }
                Err(_) => self.wait_a_little()?,
            }
        }
        Err(Fault::Silence(START_PATIENCE))
    }

    /// Waits for an engine that was started and has not ended.
    fn wait_a_little(&mut self) -> Result<(), Fault> {
        if self.is_over() {
            return Err(Fault::interrupted());
        }
        if let Some(end) = self.process.as_mut().and_then(Process::ended) {
            return Err(Fault::Crash(end));
        }
        thread::sleep(LOOK);
        Ok(())
    }

    fn addresses(&self, port: u16) -> Result<Vec<SocketAddr>, Fault> {
        let host = self.spec.host.as_str();
        dxp::addresses(host, port).map_err(|error| crash(host, &error))
    }

    /// The next message that is no chat.
    fn receive(&mut self, end: Instant, patience: Duration) -> Result<Message, Fault> {
        loop {
            if self.is_over() {
                return Err(Fault::interrupted());
            }
            let look = end.min(Instant::now() + STOP_LOOK);
            match self.wire()?.receive(look) {
                Ok(Message::Chat(_)) => {}
                Ok(message) => return Ok(message),
                Err(ReceiveError::Silence) if Instant::now() < end => {}
                Err(ReceiveError::Silence) => return Err(Fault::Silence(patience)),
                Err(ReceiveError::Babble(what)) => return Err(Fault::Babble(what)),
                Err(ReceiveError::Closed(what)) => {
                    // The process may need a moment to end after its connection.
                    thread::sleep(LOOK);
                    let end = self.process.as_mut().and_then(Process::ended);
                    return Err(Fault::Crash(end.unwrap_or(what)));
                }
            }
        }
    }

    fn send(&mut self, message: &Message) -> Result<(), Fault> {
        let sent = self.wire()?.send(message);
        sent.map_err(|error| {
            let end = self.process.as_mut().and_then(Process::ended);
            end.map_or_else(|| crash("connection", &error), Fault::Crash)
        })
    }

    /// Waits for a GAMEACC; what belongs to the game before is passed over.
    fn await_acceptance(&mut self) -> Result<Acceptance, Fault> {
        let end = Instant::now() + ACCEPT_PATIENCE;
        loop {
            match self.receive(end, ACCEPT_PATIENCE)? {
                Message::GameAcc(answer) => return Ok(answer.code),
                Message::GameReq(_) => {
                    let what = "it asks for a game itself: it must be the follower";
                    return Err(Fault::Babble(what.to_owned()));
                }
                _ => {}
            }
        }
    }

    /// The move to tell before the engine can think, if there is one.
    fn untold(&self, game: &Game) -> Result<Option<Move>, Fault> {
        match game.moves().get(self.known..) {
            Some([]) => Ok(None),
            Some(&[mv]) => Ok(Some(mv)),
            // A game must begin where the players begin: DXP has no way to tell the engine a move of its own.
            _ => Err(Fault::Babble(
                "DXP can tell an engine one move of its opponent at a time, and none of its own"
                    .to_owned(),
            )),
        }
    }

    /// Waits for the engine's move, or its end of the game.
    fn await_answer(&mut self, turn: &Turn<'_>, asked: Instant) -> Result<Answer, Fault> {
        loop {
            match self.receive(asked + turn.patience, turn.patience)? {
                Message::Move(text) => {
                    let mv = text.legal(turn.game.position()).ok_or_else(|| {
                        let (from, to, captured) = (text.from, text.to, text.captured);
                        let mv = Move::new(from, to, captured);
                        Fault::Illegal(format!("{mv} in {}", fen(turn.game.position())))
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
                    return Err(Fault::Babble("it asks for a game in a game".to_owned()));
                }
                Message::Chat(_) | Message::GameAcc(_) | Message::BackAcc(_) => {}
            }
        }
    }
}

impl Player for DxpPlayer {
    fn begin(&mut self, start: &Position, color: Color, level: Level) -> Result<(), Fault> {
        if self.playing {
            // Its opponent could not begin the game that it accepted: DXP has no way to take that back.
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
            Acceptance::Version => "it knows another version of DXP",
            Acceptance::NotThisGame => "it does not want to play this game",
            Acceptance::NoGames => "it does not want to play",
        };
        Err(Fault::Crash(why.to_owned()))
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<PlayerReply, Fault> {
        let asked = Instant::now();
        if let Some(mv) = self.untold(turn.game)? {
            self.send(&Message::Move(MoveMsg::new(mv, Seconds::default())))?;
            self.known += 1;
        }
        let answer = self.await_answer(turn, asked)?;
        Ok(PlayerReply {
            answer,
            score: None,
            depth: None,
            nodes: None,
            elapsed: asked.elapsed(),
        })
    }

    /// Ends the game in the place of the opponent's move, which is the only time when DXP lets it be ended from here.
    fn finish(&mut self, _: &Game, result: GameResult) -> Result<(), Fault> {
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
        let end = Instant::now() + END_PATIENCE;
        while !matches!(self.receive(end, END_PATIENCE)?, Message::GameEnd(_)) {}
        Ok(())
    }

    fn restart(&mut self) {
        if self.wire.is_some() || self.process.is_some() {
            self.past = self.transcript();
        }
        self.wire = None;
        self.end_process();
        self.playing = false;
    }

    fn transcript(&self) -> Vec<String> {
        if self.wire.is_none() && self.process.is_none() {
            return self.past.clone();
        }
        let exchanged = self.wire.as_ref().map(MessageStream::transcript);
        let errors = self.process.as_ref().map(Process::errors);
        exchanged.into_iter().chain(errors).flatten().collect()
    }
}

impl Drop for DxpPlayer {
    fn drop(&mut self) {
        // An engine that listens would wait for the next connection.
        self.end_process();
    }
}

fn crash(what: &str, error: &std::io::Error) -> Fault {
    Fault::Crash(format!("{what}: {error}"))
}

fn fen(position: &Position) -> String {
    crate::notation::fen::format(position)
}

/// No stop code: the engine is to play on.
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

/// The minutes that an engine is told: never more than its clock has.
fn minutes(level: Level) -> Minutes {
    match level {
        Level::Clock { time, .. } => Minutes::at_most(time),
        Level::MoveTime(_) | Level::Nodes(_) | Level::Depth(_) => Minutes::MAX,
    }
}

/// A port that nobody listens on at this moment.
fn free_port() -> std::io::Result<u16> {
    let listener = TcpListener::bind((IpAddr::from(Ipv4Addr::LOCALHOST), 0))?;
    listener.local_addr().map(|address| address.port())
}

#[cfg(test)]
mod tests;
