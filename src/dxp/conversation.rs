//! What is said on one connection, and what it means.

use super::play::{Outcome, Play, Verdict};
use super::report::{Event, Moved, Report, Tally};
use super::searcher::{Job, Searcher};
use super::wire::{Arrival, Wire};
use super::{Options, Thinking};
use crate::board::Color;
use crate::protocol::dxp::{
    Acceptance, BackAnswer, BackReq, ChatText, GameAcc, GameEnd, GameReq, Message, MoveMsg, Name,
    ParseError, Problem, Reason, Seconds, Start,
};
use crate::rules::{Game, Move, Status};
use crate::search::{self, Control};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Most chats in a game, or before the first one: more is a flood.
const MOST_CHATS: u32 = 200;
/// The longest time to wait that can be added to any other.
const LONGEST: Duration = Duration::from_secs(1 << 24);

/// How a conversation ended.
#[derive(Debug)]
pub(super) enum Parting {
    /// The games are played, or the other program has said that it stops.
    Agreed,
    /// Otherwise; why.
    Broken(String),
}

/// Why to stop listening.
enum Stop {
    Part(Parting),
    Output(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Output(error)
    }
}

fn broken<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Part(Parting::Broken(why.into())))
}

/// Where a conversation stands.
enum Phase {
    /// Between games: the other program may ask for one.
    Idle,
    /// A game was asked for.
    Asked(Box<GameReq>),
    /// This side is to move, and searches.
    Ours(Box<Play>),
    /// The other side is to move.
    Theirs(Box<Play>),
    /// The game was ended from here, and the other side should confirm it.
    Ending(Box<Play>, Verdict),
}

/// A search that has not been used.
struct Thought {
    id: u64,
    control: Arc<Control>,
    /// The move of the opponent that it is for, while that is not played.
    expected: Option<Move>,
    /// What it found, before it was wanted.
    found: Option<Box<search::Outcome>>,
}

pub(super) struct Conversation<'a, 'out> {
    options: &'a Options,
    thinking: Thinking,
    wire: Wire,
    searcher: &'a Searcher,
    report: &'a mut Report<'out>,
    phase: Phase,
    /// When the other program must have said something.
    deadline: Instant,
    thought: Option<Thought>,
    /// Searches begun.
    searches: u64,
    /// Games begun.
    games: u32,
    tally: Tally,
    chats: u32,
}

impl<'a, 'out> Conversation<'a, 'out> {
    pub fn new(
        options: &'a Options,
        thinking: Thinking,
        wire: Wire,
        searcher: &'a Searcher,
        report: &'a mut Report<'out>,
    ) -> Self {
        Conversation {
            options,
            thinking,
            wire,
            searcher,
            report,
            phase: Phase::Idle,
            deadline: Instant::now() + options.idle,
            thought: None,
            searches: 0,
            games: 0,
            tally: Tally::default(),
            chats: 0,
        }
    }

    /// Plays until it is over.
    ///
    /// # Errors
    /// The report cannot be written.
    pub fn hold(mut self, inbox: &Receiver<Arrival>) -> io::Result<Parting> {
        let stop = match self.converse(inbox) {
            Ok(never) => match never {},
            Err(stop) => stop,
        };
        self.drop_thought();
        let result = match stop {
            Stop::Output(error) => Err(error),
            Stop::Part(parting) => self.leave(parting),
        };
        self.wire.close(inbox);
        result
    }

    fn converse(&mut self, inbox: &Receiver<Arrival>) -> Result<std::convert::Infallible, Stop> {
        if self.options.initiator {
            self.ask(self.options.color)?;
        }
        loop {
            let waiting = self.deadline.saturating_duration_since(Instant::now());
            let arrival = match self.phase {
                // The search ends by itself.
                Phase::Ours(_) => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                _ => inbox.recv_timeout(waiting),
            };
            match arrival {
                Ok(Arrival::Message(message, at)) => self.heard(message, at)?,
                Ok(Arrival::Found(id, outcome)) => self.found(id, outcome)?,
                Ok(Arrival::End(why)) => return broken(why),
                Err(_) => return self.silence(),
            }
        }
    }

    /// Says what becomes of an unfinished game.
    fn leave(&mut self, parting: Parting) -> io::Result<Parting> {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            // The result stands, confirmed or not; and after the last game there is nothing to complain of.
            Phase::Ending(play, verdict) => {
                self.tell_end(&play, &verdict)?;
                let last = self.is_last();
                Ok(if last { Parting::Agreed } else { parting })
            }
            Phase::Ours(play) | Phase::Theirs(play) => {
                let why = match &parting {
                    Parting::Broken(why) => why.clone(),
                    Parting::Agreed => "the other program has left".to_owned(),
                };
                let verdict = match play.verdict().filter(|v| v.outcome != Outcome::Unknown) {
                    Some(by_rules) => by_rules,
                    None => Verdict {
                        outcome: Outcome::Unknown,
                        why: format!("broken off: {why}"),
                    },
                };
                self.tell_end(&play, &verdict)?;
                Ok(parting)
            }
            Phase::Idle | Phase::Asked(_) => Ok(parting),
        }
    }

    fn silence(&mut self) -> Result<std::convert::Infallible, Stop> {
        let why = match &self.phase {
            Phase::Idle => "it asked for no game in time",
            Phase::Asked(_) => "it did not answer the request for a game in time",
            Phase::Ending(..) => "it did not confirm the end of the game in time",
            Phase::Ours(_) | Phase::Theirs(_) => "no move came in time",
        };
        self.chat(why)?;
        broken(why)
    }

    fn heard(&mut self, message: Result<Message, ParseError>, at: Instant) -> Result<(), Stop> {
        match message {
            Ok(Message::GameReq(request)) => self.game_request(request, at),
            Ok(Message::GameAcc(answer)) => self.game_answer(&answer, at),
            Ok(Message::Move(mv)) => self.move_heard(&mv, at),
            Ok(Message::GameEnd(end)) => self.game_end(end),
            Ok(Message::Chat(text)) => self.chat_heard(&text),
            Ok(Message::BackReq(wish)) => self.back_request(wish, at),
            // Nothing is ever asked for that could be answered so.
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

    fn send(&mut self, message: &Message) -> Result<(), Stop> {
        match self.wire.send(message) {
            Ok(()) => Ok(()),
            Err(error) => broken(format!("it takes no messages any more: {error}")),
        }
    }

    fn chat(&mut self, text: &str) -> Result<(), Stop> {
        self.send(&Message::Chat(ChatText::from_text(text)))
    }

    fn accept(&mut self, code: Acceptance) -> Result<(), Stop> {
        let name = self.options.name.clone();
        self.send(&Message::GameAcc(GameAcc { name, code }))
    }

    fn wait(&mut self, time: Duration) {
        self.deadline = Instant::now() + time.min(LONGEST);
    }

    // The beginning of games.

    fn ask(&mut self, mine: Color) -> Result<(), Stop> {
        let request = GameReq {
            name: self.options.name.clone(),
            follower: !mine,
            minutes: self.options.minutes,
            moves: self.options.moves,
            start: Start::from_position(&self.options.start),
        };
        self.send(&Message::GameReq(request.clone()))?;
        self.wait(self.options.patience);
        self.phase = Phase::Asked(Box::new(request));
        Ok(())
    }

    fn game_request(&mut self, request: GameReq, at: Instant) -> Result<(), Stop> {
        if self.options.initiator {
            self.accept(Acceptance::NotThisGame)?;
            return broken("both programs want to be the initiator");
        }
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Idle => {}
            // The next request is as good as a confirmation.
            Phase::Ending(play, verdict) => self.finish(&play, &verdict, false)?,
            phase => {
                self.phase = phase;
                self.chat("a game is being played already")?;
                return self.accept(Acceptance::NotThisGame);
            }
        }
        if request.start.position().is_terminal() {
            self.chat("there is no legal move in this position")?;
            return self.accept(Acceptance::NotThisGame);
        }
        self.searcher.new_game();
        self.accept(Acceptance::Accepted)?;
        let mine = request.follower;
        // The clocks begin when the initiator can know that the game has.
        self.begin(&request, mine, &request.name, at.max(Instant::now()))
    }

    fn game_answer(&mut self, answer: &GameAcc, at: Instant) -> Result<(), Stop> {
        let request = match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Asked(request) => request,
            phase => {
                log::warn!("an answer to a request for a game that was not made");
                self.phase = phase;
                return Ok(());
            }
        };
        let why = match answer.code {
            Acceptance::Accepted => {
                self.searcher.new_game();
                return self.begin(&request, !request.follower, &answer.name, at);
            }
            Acceptance::Version => "it knows another version of DXP",
            Acceptance::NotThisGame => "it does not want to play this game",
            Acceptance::NoGames => "it does not want to play",
        };
        broken(why)
    }

    fn begin(
        &mut self,
        request: &GameReq,
        mine: Color,
        other: &Name,
        at: Instant,
    ) -> Result<(), Stop> {
        self.games += 1;
        self.chats = 0;
        let play = Play::new(request, self.games, mine, &self.options.name, other, at);
        self.report.tell(&Event::Begins(&play))?;
        self.next_turn(Box::new(play))
    }

    // Turns.

    fn next_turn(&mut self, play: Box<Play>) -> Result<(), Stop> {
        if !play.is_mine() {
            let left = play.clocks.left(!play.mine);
            self.wait(left.map_or(self.options.idle, |left| left + self.options.patience));
            self.phase = Phase::Theirs(play);
            return Ok(());
        }
        if let Some(verdict) = play.verdict() {
            self.drop_thought();
            return self.end(play, verdict);
        }
        if self.thought.is_none() {
            let control = Control::since(play.clocks.since());
            self.think(
                play.game.clone(),
                play.limits(&self.thinking.limits),
                control,
                None,
            );
        }
        self.phase = Phase::Ours(play);
        // A search in the opponent's time may have come to its end already.
        match self.thought.take_if(|thought| thought.found.is_some()) {
            Some(Thought {
                found: Some(outcome),
                ..
            }) => self.answer(&outcome),
            _ => Ok(()),
        }
    }

    fn think(
        &mut self,
        game: Game,
        limits: search::Limits,
        control: Control,
        expected: Option<Move>,
    ) {
        self.searches += 1;
        let control = Arc::new(control);
        self.searcher.think(Job {
            id: self.searches,
            game,
            limits,
            control: Arc::clone(&control),
            to: self.wire.arrivals(),
        });
        self.thought = Some(Thought {
            id: self.searches,
            control,
            expected,
            found: None,
        });
    }

    fn drop_thought(&mut self) {
        if let Some(thought) = self.thought.take() {
            thought.control.stop();
        }
    }

    fn found(&mut self, id: u64, outcome: Box<search::Outcome>) -> Result<(), Stop> {
        let Some(thought) = self.thought.as_mut().filter(|thought| thought.id == id) else {
            return Ok(());
        };
        if thought.expected.is_some() {
            thought.found = Some(outcome);
            return Ok(());
        }
        self.thought = None;
        self.answer(&outcome)
    }

    /// Plays the move that was found.
    fn answer(&mut self, outcome: &search::Outcome) -> Result<(), Stop> {
        let Phase::Ours(mut play) = std::mem::replace(&mut self.phase, Phase::Idle) else {
            return Ok(());
        };
        let before = *play.game.position();
        let best = outcome
            .best
            .or_else(|| before.legal_moves().first().copied());
        let Some(mv) = best else {
            return broken("there is no move to play");
        };
        let used = play.clocks.press(play.mine, Instant::now());
        let sent = self.send(&Message::Move(MoveMsg::new(mv, Seconds::nearest(used))));
        if let Err(stop) = sent {
            self.phase = Phase::Ours(play);
            return Err(stop);
        }
        play.make(mv);
        play.thought = Some(outcome.report.clone());
        self.report.tell(&Event::Moved(Moved {
            play: &play,
            before: &before,
            mv,
            used,
            own: true,
        }))?;
        self.ponder(&play, outcome.ponder);
        self.next_turn(play)
    }

    /// Searches in the opponent's time, if that is wanted and there is something to search.
    fn ponder(&mut self, play: &Play, expected: Option<Move>) {
        let Some(reply) = expected.filter(|_| self.thinking.ponder) else {
            return;
        };
        if play.game.status() != Status::Playing || !play.game.position().is_legal(reply) {
            return;
        }
        let mut after = play.clone();
        after.make(reply);
        if after.verdict().is_none() {
            let limits = after.limits(&self.thinking.limits);
            let control = Control::pondering(Instant::now());
            self.think(after.game, limits, control, Some(reply));
        }
    }

    fn move_heard(&mut self, text: &MoveMsg, at: Instant) -> Result<(), Stop> {
        let mut play = match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Theirs(play) => play,
            Phase::Ours(play) => {
                self.phase = Phase::Ours(play);
                self.chat("a move that is not expected: it is not your turn")?;
                return broken("it made a move out of turn");
            }
            phase => {
                // It was under way when the game ended, or comes out of the blue: no game suffers.
                log::warn!("a move outside a game");
                self.phase = phase;
                return Ok(());
            }
        };
        let before = *play.game.position();
        let Some(mv) = text.legal(&before) else {
            let mv = Move::new(text.from, text.to, text.captured);
            let why = format!("illegal move {mv}");
            self.phase = Phase::Theirs(play);
            self.chat(&why)?;
            return broken(why);
        };
        let used = play.clocks.press(!play.mine, at);
        play.make(mv);
        self.report.tell(&Event::Moved(Moved {
            play: &play,
            before: &before,
            mv,
            used,
            own: false,
        }))?;
        match &mut self.thought {
            Some(thought) if thought.expected == Some(mv) => {
                thought.expected = None;
                thought.control.ponder_hit();
            }
            _ => self.drop_thought(),
        }
        self.next_turn(play)
    }

    // The end of games.

    /// Ends the game in the place of a move.
    fn end(&mut self, play: Box<Play>, verdict: Verdict) -> Result<(), Stop> {
        let reason = Play::reason(verdict.outcome);
        self.phase = Phase::Ending(play, verdict);
        self.wait(self.options.patience);
        let stop = self.wants_to_stop();
        self.send(&Message::GameEnd(GameEnd { reason, stop }))
    }

    fn game_end(&mut self, end: GameEnd) -> Result<(), Stop> {
        self.drop_thought();
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Ending(play, verdict) => self.finish(&play, &verdict, end.stop),
            // At this side's turn it is against the protocol, but the game is over all the same.
            Phase::Ours(play) | Phase::Theirs(play) => {
                let verdict = play.ended_by_other(end.reason);
                let answer = GameEnd {
                    reason: Reason::Unknown,
                    stop: end.stop || self.wants_to_stop(),
                };
                let sent = self.send(&Message::GameEnd(answer));
                // The result stands, whether the answer arrives or not.
                self.finish(&play, &verdict, end.stop)?;
                sent
            }
            Phase::Asked(_) => broken("it does not want to play"),
            Phase::Idle if end.stop => Err(Stop::Part(Parting::Agreed)),
            Phase::Idle => Ok(()),
        }
    }

    /// The game is over on both sides.
    fn finish(&mut self, play: &Play, verdict: &Verdict, stop: bool) -> Result<(), Stop> {
        self.tell_end(play, verdict)?;
        if stop || self.is_last() {
            return Err(Stop::Part(Parting::Agreed));
        }
        if self.options.initiator {
            return self.ask(!play.mine);
        }
        self.wait(self.options.idle);
        Ok(())
    }

    fn tell_end(&mut self, play: &Play, verdict: &Verdict) -> io::Result<()> {
        self.tally.count(verdict.outcome);
        self.report.tell(&Event::Ended(play, verdict, self.tally))
    }

    /// Whether the present game is the last one with this program.
    fn is_last(&self) -> bool {
        match (self.options.games, self.options.initiator) {
            (0, initiator) => initiator,
            (games, _) => self.games >= games,
        }
    }

    /// Whether to ask the other program to stop altogether. An initiator just asks for no other game: programs that are
    /// told to stop end themselves.
    fn wants_to_stop(&self) -> bool {
        self.is_last() && !self.options.initiator
    }

    // The rest.

    fn chat_heard(&mut self, text: &ChatText) -> Result<(), Stop> {
        self.chats += 1;
        if self.chats > MOST_CHATS {
            return broken("it chats too much");
        }
        self.report.tell(&Event::Chat(text.as_str()))?;
        // Questions only, and never with a question: two programs could talk for ever.
        if !text.as_str().trim_end().ends_with('?') {
            return Ok(());
        }
        let thought = match &self.phase {
            Phase::Ours(play) | Phase::Theirs(play) => play.thought.as_ref(),
            _ => None,
        };
        let answer = match thought.filter(|report| report.depth > 0) {
            Some(report) => {
                let men = f64::from(report.score.centimen()) / 100.0;
                format!(
                    "I made my last move at {men:+.2} men, depth {}.",
                    report.depth
                )
            }
            None => "I only play draughts; ask me about my last move.".to_owned(),
        };
        self.chat(&answer)
    }

    fn back_request(&mut self, wish: BackReq, at: Instant) -> Result<(), Stop> {
        let mut play = match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Ours(play) | Phase::Theirs(play) if self.options.take_back => play,
            phase => {
                self.phase = phase;
                return self.send(&Message::BackAcc(BackAnswer::Refused));
            }
        };
        let plies = wish.plies(play.game.start().turn());
        let Some(plies) = plies.filter(|&plies| plies <= play.game.moves().len()) else {
            self.phase = if play.is_mine() {
                Phase::Ours(play)
            } else {
                Phase::Theirs(play)
            };
            self.chat("there is no such move to go back to")?;
            return self.send(&Message::BackAcc(BackAnswer::Refused));
        };
        self.drop_thought();
        play.take_back(plies);
        play.clocks.forgive(at);
        self.send(&Message::BackAcc(BackAnswer::Accepted))?;
        self.report.tell(&Event::TakenBack(&play))?;
        self.next_turn(play)
    }
}
