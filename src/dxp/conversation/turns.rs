//! Games begin, and moves go to and fro.

use super::{Conversation, Phase, Stop, Thought, broken};
use crate::board::Color;
use crate::dxp::play::Play;
use crate::dxp::report::{Moved, Notice};
use crate::engine::{Job, JobId, Purpose};
use crate::protocol::dxp::{Acceptance, GameAcc, GameReq, Message, MoveMsg, Name, Seconds, Start};
use crate::rules::{Move, Status};
use crate::search;
use std::time::Instant;

impl Conversation<'_, '_> {
    pub(super) fn ask(&mut self, mine: Color) -> Result<(), Stop> {
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

    pub(super) fn game_request(&mut self, request: GameReq, at: Instant) -> Result<(), Stop> {
        if self.options.initiator {
            self.accept(Acceptance::NotThisGame)?;
            return broken("both programs want to be the initiator");
        }
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Idle => {}
            // The next request is as good as a confirmation.
            Phase::Ending(play, conclusion) => self.finish(&play, &conclusion, false)?,
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
        self.engine.new_game();
        self.accept(Acceptance::Accepted)?;
        let mine = request.follower;
        // The clocks begin when the initiator can know that the game has.
        self.begin(&request, mine, &request.name, at.max(Instant::now()))
    }

    pub(super) fn game_answer(&mut self, answer: &GameAcc, at: Instant) -> Result<(), Stop> {
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
                self.engine.new_game();
                return self.begin(&request, !request.follower, &answer.name, at);
            }
            Acceptance::Version => "it knows another version of DXP",
            Acceptance::NotThisGame => "it does not want to play this game",
            Acceptance::NoGames => "it does not want to play",
        };
        broken(why)
    }

    pub(super) fn begin(
        &mut self,
        request: &GameReq,
        mine: Color,
        other: &Name,
        at: Instant,
    ) -> Result<(), Stop> {
        self.games += 1;
        self.chats = 0;
        let play = Play::new(request, self.games, mine, &self.options.name, other, at);
        self.notices.write(&Notice::Begins(&play))?;
        self.next_turn(Box::new(play))
    }

    pub(super) fn next_turn(&mut self, play: Box<Play>) -> Result<(), Stop> {
        if !play.is_mine() {
            let left = play.clocks.left(!play.mine);
            self.wait(left.map_or(self.options.idle, |left| left + self.options.patience));
            self.phase = Phase::Theirs(play);
            return Ok(());
        }
        if let Some(conclusion) = play.conclusion() {
            self.drop_thought();
            return self.end(play, conclusion);
        }
        if self.thought.is_none() {
            let job = Job::new(play.game.clone(), play.level(&self.thinking.level)).with_book();
            self.think(job, play.clocks.since(), None);
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

    /// Searches; the time of the move runs from `start`.
    fn think(&mut self, job: Job, start: Instant, expected: Option<Move>) {
        self.thought = Some(Thought {
            job: self.engine.run(job, start),
            expected,
            found: None,
        });
    }

    pub(super) fn drop_thought(&mut self) {
        if let Some(thought) = self.thought.take() {
            thought.job.stop();
        }
    }

    pub(super) fn found(&mut self, id: JobId, outcome: Box<search::Outcome>) -> Result<(), Stop> {
        let Some(thought) = self.thought.as_mut().filter(|thought| thought.job.id == id) else {
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
    pub(super) fn answer(&mut self, outcome: &search::Outcome) -> Result<(), Stop> {
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
        self.notices.write(&Notice::Moved(Moved {
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
    pub(super) fn ponder(&mut self, play: &Play, expected: Option<Move>) {
        let Some(reply) = expected.filter(|_| self.thinking.ponder) else {
            return;
        };
        if play.game.status() != Status::Playing || !play.game.position().is_legal(reply) {
            return;
        }
        let mut after = play.clone();
        after.make(reply);
        if after.conclusion().is_none() {
            let level = after.level(&self.thinking.level);
            let job = Job::new(after.game, level).with_purpose(Purpose::Ponder);
            self.think(job, Instant::now(), Some(reply));
        }
    }

    pub(super) fn move_heard(&mut self, text: &MoveMsg, at: Instant) -> Result<(), Stop> {
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
        self.notices.write(&Notice::Moved(Moved {
            play: &play,
            before: &before,
            mv,
            used,
            own: false,
        }))?;
        match &mut self.thought {
            Some(thought) if thought.expected == Some(mv) => {
                thought.expected = None;
                thought.job.ponder_hit();
            }
            _ => self.drop_thought(),
        }
        self.next_turn(play)
    }
}
