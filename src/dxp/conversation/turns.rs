//! Start of games, and moves in both directions.

use super::{Conversation, Interruption, PendingSearch, Phase, broken};
use crate::board::Color;
use crate::dxp::play::Play;
use crate::dxp::report::{Notice, PlayedMove};
use crate::engine::{Job, JobId, Purpose, Strength};
use crate::protocol::dxp::{Acceptance, GameAcc, GameReq, Message, MoveMsg, Name, Seconds, Start};
use crate::rules::{Move, Status};
use crate::search;
use std::time::Instant;

impl Conversation<'_, '_> {
    pub(super) fn ask(&mut self, mine: Color) -> Result<(), Interruption> {
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

    pub(super) fn game_request(
        &mut self,
        request: GameReq,
        at: Instant,
    ) -> Result<(), Interruption> {
        if self.options.initiator {
            self.accept(Acceptance::NotThisGame)?;
            return broken("both programs are initiators");
        }
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Idle => {}
            // A new request counts as confirmation.
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
        // The clocks start when the initiator can know that the game has begun.
        self.begin(&request, mine, &request.name, at.max(Instant::now()))
    }

    pub(super) fn game_answer(
        &mut self,
        answer: &GameAcc,
        at: Instant,
    ) -> Result<(), Interruption> {
        let request = match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Asked(request) => request,
            phase => {
                log::warn!("unexpected GAMEACC without a GAMEREQ");
                self.phase = phase;
                return Ok(());
            }
        };
        let why = match answer.code {
            Acceptance::Accepted => {
                self.engine.new_game();
                return self.begin(&request, !request.follower, &answer.name, at);
            }
            Acceptance::Version => "it supports another version of DXP",
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
    ) -> Result<(), Interruption> {
        self.games += 1;
        self.chats = 0;
        let play = Play::new(request, self.games, mine, &self.options.name, other, at);
        self.notices.write(&Notice::Begins(&play))?;
        self.next_turn(Box::new(play))
    }

    pub(super) fn next_turn(&mut self, play: Box<Play>) -> Result<(), Interruption> {
        if !play.is_mine() {
            let left = play.clocks.left(!play.mine);
            self.wait(left.map_or(self.options.idle, |left| left + self.options.patience));
            self.phase = Phase::Theirs(play);
            return Ok(());
        }
        if let Some(conclusion) = play.conclusion() {
            self.drop_pending();
            return self.end(play, conclusion);
        }
        if self.pending.is_none() {
            let job = Job::new(play.game.clone(), play.level(&self.thinking.level))
                .at(Strength::AsOptions)
                .with_book();
            self.think(job, play.clocks.since(), None);
        }
        self.phase = Phase::Ours(play);
        // The ponder search may have ended already.
        match self.pending.take_if(|pending| pending.found.is_some()) {
            Some(PendingSearch {
                found: Some(outcome),
                ..
            }) => self.answer(&outcome),
            _ => Ok(()),
        }
    }

    /// Starts a search; its time counts from `start`.
    fn think(&mut self, job: Job, start: Instant, expected: Option<Move>) {
        self.pending = Some(PendingSearch {
            job: self.engine.run(job, start),
            expected,
            found: None,
        });
    }

    pub(super) fn drop_pending(&mut self) {
        if let Some(pending) = self.pending.take() {
            pending.job.stop();
        }
    }

    pub(super) fn found(
        &mut self,
        id: JobId,
        outcome: Box<search::Outcome>,
    ) -> Result<(), Interruption> {
        let Some(pending) = self.pending.as_mut().filter(|pending| pending.job.id == id) else {
            return Ok(());
        };
        if pending.expected.is_some() {
            pending.found = Some(outcome);
            return Ok(());
        }
        self.pending = None;
        self.answer(&outcome)
    }

    /// Plays the move found by the search.
    pub(super) fn answer(&mut self, outcome: &search::Outcome) -> Result<(), Interruption> {
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
        play.last_report = Some(outcome.report.clone());
        self.notices.write(&Notice::PlayedMove(PlayedMove {
            play: &play,
            before: &before,
            mv,
            used,
            own: true,
        }))?;
        self.ponder(&play, outcome.ponder);
        self.next_turn(play)
    }

    /// Ponders, if enabled and if there is a move to ponder on.
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
            let job = Job::new(after.game, level)
                .at(Strength::AsOptions)
                .with_purpose(Purpose::Ponder);
            self.think(job, Instant::now(), Some(reply));
        }
    }

    pub(super) fn receive_move(&mut self, text: &MoveMsg, at: Instant) -> Result<(), Interruption> {
        let mut play = match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Theirs(play) => play,
            Phase::Ours(play) => {
                self.phase = Phase::Ours(play);
                self.chat("unexpected move: it is not your turn")?;
                return broken("it made a move out of turn");
            }
            phase => {
                // It crossed the end of the game, or is unrelated; no game is affected.
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
        self.notices.write(&Notice::PlayedMove(PlayedMove {
            play: &play,
            before: &before,
            mv,
            used,
            own: false,
        }))?;
        match &mut self.pending {
            Some(pending) if pending.expected == Some(mv) => {
                pending.expected = None;
                pending.job.ponder_hit();
            }
            _ => self.drop_pending(),
        }
        self.next_turn(play)
    }
}
