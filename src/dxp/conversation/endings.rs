//! Ends of games, take-backs and chat.

use super::{Conversation, ConversationEnd, Interruption, MAX_CHATS, Phase, broken};
use crate::dxp::play::{Conclusion, Play};
use crate::dxp::report::Notice;
use crate::protocol::dxp::{BackAnswer, BackReq, ChatText, GameEnd, Message, Reason};
use std::io;
use std::time::Instant;

impl Conversation<'_, '_> {
    /// Ends the game instead of making a move.
    pub(super) fn end(
        &mut self,
        play: Box<Play>,
        conclusion: Conclusion,
    ) -> Result<(), Interruption> {
        let reason = Play::reason(conclusion.result);
        self.phase = Phase::Ending(play, conclusion);
        self.wait(self.options.patience);
        let stop = self.sends_stop_code();
        self.send(&Message::GameEnd(GameEnd { reason, stop }))
    }

    pub(super) fn game_end(&mut self, end: GameEnd, at: Instant) -> Result<(), Interruption> {
        self.drop_pending();
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Ending(play, conclusion) => self.finish(&play, &conclusion, end.stop),
            // At this side's turn the message violates the protocol, but the game is over anyway.
            Phase::Ours(play) | Phase::Theirs(play) => {
                let conclusion = play.ended_by_other(end.reason, at);
                let answer = GameEnd {
                    reason: Reason::Unknown,
                    stop: end.stop || self.sends_stop_code(),
                };
                let sent = self.send(&Message::GameEnd(answer));
                // The result counts even if the answer does not arrive.
                self.finish(&play, &conclusion, end.stop)?;
                sent
            }
            Phase::Asked(_) | Phase::Idle if end.stop => {
                Err(Interruption::Part(ConversationEnd::Agreed))
            }
            // A redundant GAMEEND.
            phase @ (Phase::Asked(_) | Phase::Idle) => {
                self.phase = phase;
                Ok(())
            }
        }
    }

    /// Finishes a game that is over for both sides.
    pub(super) fn finish(
        &mut self,
        play: &Play,
        conclusion: &Conclusion,
        stop: bool,
    ) -> Result<(), Interruption> {
        self.report_end(play, conclusion)?;
        if stop || self.is_last() {
            return Err(Interruption::Part(ConversationEnd::Agreed));
        }
        if self.options.initiator {
            return self.ask(!play.mine);
        }
        self.idle_since = Instant::now();
        self.wait(self.options.idle);
        Ok(())
    }

    pub(super) fn report_end(&mut self, play: &Play, conclusion: &Conclusion) -> io::Result<()> {
        self.results.count(conclusion.result);
        self.notices
            .write(&Notice::Ended(play, conclusion, self.results))
    }

    /// Whether the current game is the last with this program.
    pub(super) fn is_last(&self) -> bool {
        match (self.options.games, self.options.initiator) {
            (0, initiator) => initiator,
            (games, _) => self.games >= games,
        }
    }

    /// Whether to send the stop code. An initiator sends none, because programs that receive it exit.
    pub(super) fn sends_stop_code(&self) -> bool {
        self.is_last() && !self.options.initiator
    }

    pub(super) fn receive_chat(&mut self, text: &ChatText) -> Result<(), Interruption> {
        self.chats += 1;
        if self.chats > MAX_CHATS {
            return broken("it chats too much");
        }
        self.notices.write(&Notice::Chat(text.as_str()))?;
        // Answers only questions, and never with a question: two programs could chat for ever.
        if !text.as_str().trim_end().ends_with('?') {
            return Ok(());
        }
        let last_report = match &self.phase {
            Phase::Ours(play) | Phase::Theirs(play) => play.last_report.as_ref(),
            _ => None,
        };
        let answer = match last_report.filter(|report| report.depth > 0) {
            Some(report) => {
                let men = report.score.men();
                format!(
                    "I made my last move at {men:+.2} men, depth {}.",
                    report.depth
                )
            }
            None => "I only play draughts; ask me about my last move.".to_owned(),
        };
        self.chat(&answer)
    }

    pub(super) fn back_request(&mut self, wish: BackReq, at: Instant) -> Result<(), Interruption> {
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
        self.drop_pending();
        play.take_back(plies);
        play.clocks.restart_turn(at);
        self.send(&Message::BackAcc(BackAnswer::Accepted))?;
        self.notices.write(&Notice::TakenBack(&play))?;
        self.next_turn(play)
    }
}
