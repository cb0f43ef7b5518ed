//! The conversation on one connection: its state and the handling of each message.
//!
//! - `turns`: start of games, moves, thinking.
//! - `endings`: end of games, take-backs, chat.

mod endings;
mod turns;

use super::Options;
use super::listener::ClientSlot;
use super::play::{Conclusion, OwnResult, Play};
use super::report::{NoticeWriter, ResultCounts};
use super::wire::{Arrival, Wire};
use crate::engine::{JobHandle, Level, Thread};
use crate::protocol::dxp::{Acceptance, ChatText, GameAcc, GameReq, Message, ParseError, Problem};
use crate::rules::Move;
use crate::search;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Maximum number of chats in a game, or before the first; more end the conversation.
const MAX_CHATS: u32 = 200;
/// Interval between checks for a connection.
const POLL: Duration = Duration::from_millis(100);
/// The maximum timeout; safe to add to any instant.
const MAX_TIMEOUT: Duration = Duration::from_secs(1 << 24);

/// Settings of the searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchSettings {
    /// The level of each search; if infinite, the game's clock decides.
    pub level: Level,
    /// Whether to ponder.
    pub ponder: bool,
}

/// How a conversation ended.
#[derive(Debug)]
pub(super) enum ConversationEnd {
    /// All games were played, or the other program sent the stop code.
    Agreed,
    /// Aborted, for this reason.
    Broken(String),
}

/// Why the loop over messages ends.
enum Interruption {
    Part(ConversationEnd),
    Output(io::Error),
}

impl From<io::Error> for Interruption {
    fn from(error: io::Error) -> Interruption {
        Interruption::Output(error)
    }
}

fn broken<T>(why: impl Into<String>) -> Result<T, Interruption> {
    Err(Interruption::Part(ConversationEnd::Broken(why.into())))
}

/// State of the conversation.
enum Phase {
    /// Between games: the other program may request one.
    Idle,
    /// This side has requested a game.
    Asked(Box<GameReq>),
    /// This side is to move and is searching.
    Ours(Box<Play>),
    /// The other side is to move.
    Theirs(Box<Play>),
    /// This side has ended the game and waits for confirmation.
    Ending(Box<Play>, Conclusion),
}

/// A search whose result has not been played yet.
struct PendingSearch {
    job: JobHandle,
    /// When pondering: the opponent's move that it expects, until that is played.
    expected: Option<Move>,
    /// The outcome of a ponder search that ended before the move was needed.
    found: Option<Box<search::Outcome>>,
}

pub(super) struct Conversation<'a, 'out> {
    options: &'a Options,
    thinking: SearchSettings,
    wire: Wire,
    engine: &'a mut Thread,
    notices: &'a mut NoticeWriter<'out>,
    phase: Phase,
    /// Deadline for the next message.
    deadline: Instant,
    slot: &'a ClientSlot,
    /// Time at which the last game ended.
    idle_since: Instant,
    pending: Option<PendingSearch>,
    /// Number of games begun.
    games: u32,
    results: ResultCounts,
    chats: u32,
    /// The connection has ended.
    ended: bool,
}

impl<'a, 'out> Conversation<'a, 'out> {
    pub fn new(
        options: &'a Options,
        thinking: SearchSettings,
        wire: Wire,
        engine: &'a mut Thread,
        notices: &'a mut NoticeWriter<'out>,
        slot: &'a ClientSlot,
    ) -> Self {
        let now = Instant::now();
        Conversation {
            options,
            thinking,
            wire,
            engine,
            notices,
            phase: Phase::Idle,
            deadline: now + options.idle,
            slot,
            idle_since: now,
            pending: None,
            games: 0,
            results: ResultCounts::default(),
            chats: 0,
            ended: false,
        }
    }

    /// Runs the conversation to its end.
    ///
    /// # Errors
    /// The report cannot be written.
    pub fn run(mut self, inbox: &Receiver<Arrival>) -> io::Result<ConversationEnd> {
        let stop = match self.converse(inbox) {
            Ok(never) => match never {},
            Err(stop) => stop,
        };
        self.drop_pending();
        let result = match stop {
            Interruption::Output(error) => Err(error),
            Interruption::Part(end) => self.leave(end),
        };
        self.wire.close(inbox, self.ended);
        result
    }

    fn converse(
        &mut self,
        inbox: &Receiver<Arrival>,
    ) -> Result<std::convert::Infallible, Interruption> {
        if self.options.initiator {
            self.ask(self.options.color)?;
        }
        loop {
            self.slot.set_idle(matches!(self.phase, Phase::Idle));
            match self.arrival(inbox) {
                Err(RecvTimeoutError::Timeout) if Instant::now() < self.deadline => {}
                Ok(Arrival::Message(message, at)) => {
                    if let Ok(message) = &message {
                        self.wire.note_received(message);
                    }
                    self.handle(message, at)?;
                }
                Ok(Arrival::Found(id, outcome)) => self.found(id, outcome)?,
                Ok(Arrival::End(why)) => return self.connection_ended(why),
                Err(_) => return self.timed_out(),
            }
            if matches!(self.phase, Phase::Idle) && self.slot.should_release(self.idle_since) {
                return self.release_slot();
            }
        }
    }

    /// Waits for the next event; between games only briefly, to check whether another program waits.
    fn arrival(&self, inbox: &Receiver<Arrival>) -> Result<Arrival, RecvTimeoutError> {
        // The deadline is fixed: messages that do not advance the game do not extend it.
        let waiting = self.deadline.checked_duration_since(Instant::now());
        match (&self.phase, waiting) {
            // The search has its own limit.
            (Phase::Ours(_), _) => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            (Phase::Idle, Some(waiting)) => inbox.recv_timeout(waiting.min(POLL)),
            (_, Some(waiting)) => inbox.recv_timeout(waiting),
            (_, None) => Err(RecvTimeoutError::Timeout),
        }
    }

    /// Ends the connection, which releases the slot to a waiting program.
    fn release_slot(&mut self) -> Result<std::convert::Infallible, Interruption> {
        let why = "it asked for no game while another program did";
        self.chat(why)?;
        broken(why)
    }

    fn connection_ended(&mut self, why: String) -> Result<std::convert::Infallible, Interruption> {
        self.ended = true;
        match self.phase {
            // After a game, closing the connection is a normal end.
            Phase::Idle if self.games > 0 => Err(Interruption::Part(ConversationEnd::Agreed)),
            _ => broken(why),
        }
    }

    /// Reports the result of a game that ends with the conversation.
    fn leave(&mut self, end: ConversationEnd) -> io::Result<ConversationEnd> {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            // The result counts without confirmation; after the last game a missing one is no error.
            Phase::Ending(play, conclusion) => {
                self.report_end(&play, &conclusion)?;
                let last = self.is_last();
                Ok(if last { ConversationEnd::Agreed } else { end })
            }
            Phase::Ours(play) | Phase::Theirs(play) => {
                let why = match &end {
                    ConversationEnd::Broken(why) => why.clone(),
                    ConversationEnd::Agreed => "the other program has left".to_owned(),
                };
                let conclusion = match play.conclusion().filter(|v| v.result != OwnResult::Unknown)
                {
                    Some(by_rules) => by_rules,
                    None => Conclusion {
                        result: OwnResult::Unknown,
                        why: format!("broken off: {why}"),
                    },
                };
                self.report_end(&play, &conclusion)?;
                Ok(end)
            }
            Phase::Idle | Phase::Asked(_) => Ok(end),
        }
    }

    fn timed_out(&mut self) -> Result<std::convert::Infallible, Interruption> {
        let why = match &self.phase {
            Phase::Idle => "it asked for no game in time",
            Phase::Asked(_) => "it did not answer the request for a game in time",
            Phase::Ending(..) => "it did not confirm the end of the game in time",
            Phase::Ours(_) | Phase::Theirs(_) => "no move came in time",
        };
        self.chat(why)?;
        broken(why)
    }

    fn handle(
        &mut self,
        message: Result<Message, ParseError>,
        at: Instant,
    ) -> Result<(), Interruption> {
        match message {
            Ok(Message::GameReq(request)) => self.game_request(request, at),
            Ok(Message::GameAcc(answer)) => self.game_answer(&answer, at),
            Ok(Message::Move(mv)) => self.receive_move(&mv, at),
            Ok(Message::GameEnd(end)) => self.game_end(end, at),
            Ok(Message::Chat(text)) => self.receive_chat(&text),
            Ok(Message::BackReq(wish)) => self.back_request(wish, at),
            // This side never sends a BACKREQ, so there is nothing to answer.
            Ok(Message::BackAcc(_)) => Ok(()),
            Err(ParseError {
                problem: Problem::Version(_),
                ..
            }) => self.accept(Acceptance::Version),
            Err(error) => {
                let why = format!("not understood: {error}");
                self.chat(&why)?;
                broken(why)
            }
        }
    }

    fn send(&mut self, message: &Message) -> Result<(), Interruption> {
        match self.wire.send(message) {
            Ok(()) => Ok(()),
            Err(error) => broken(format!("cannot send to it: {error}")),
        }
    }

    fn chat(&mut self, text: &str) -> Result<(), Interruption> {
        self.send(&Message::Chat(ChatText::from_text(text)))
    }

    fn accept(&mut self, code: Acceptance) -> Result<(), Interruption> {
        let name = self.options.name.clone();
        self.send(&Message::GameAcc(GameAcc { name, code }))
    }

    fn wait(&mut self, time: Duration) {
        self.deadline = Instant::now() + time.min(MAX_TIMEOUT);
    }
}
