//! Moves of both sides, and how a game ends before its time.

use super::session::{PlaySession, SessionEnd};
use super::{PlayerKind, won_by};
use crate::board::Color;
use crate::engine::Thinker;
use crate::notation::moves::{self, MoveError};
use crate::notation::pdn::Outcome as GameOutcome;
use crate::rules::Status;
use std::io;
use std::time::Instant;

impl<T: Thinker + 'static> PlaySession<'_, T> {
    pub(super) fn human_move(&mut self, text: &str) -> io::Result<()> {
        let position = self.game.position();
        match moves::parse_typed(position, text) {
            Ok(mv) => {
                if self.check_clock()? {
                    return Ok(());
                }
                self.play_on();
                writeln!(self.out)?;
                self.play_move(mv)
            }
            Err(error @ MoveError::Ambiguous(_)) => {
                writeln!(
                    self.out,
                    "Which one? {error}. Name the captured squares too."
                )
            }
            Err(error) => writeln!(self.out, "Not possible: {error}."),
        }
    }

    /// Takes back to the last position where a human was to move; with no human in the game, one move.
    pub(super) fn back(&mut self) -> io::Result<()> {
        let players = self.setting.players;
        let has_human = self.setting.has_human();
        let first = self.game.start().turn();
        let is_humans = |plies: usize| {
            let turn = if plies.is_multiple_of(2) {
                first
            } else {
                !first
            };
            !has_human || players[turn.index()] == PlayerKind::Human
        };
        let plies = self.game.moves().len();
        let Some(target) = (0..plies).rev().find(|&earlier| is_humans(earlier)) else {
            return writeln!(self.out, "There is no move of yours to take back.");
        };
        for _ in target..plies {
            self.game.take_back();
        }
        if !has_human {
            self.setting.players = [PlayerKind::Human; 2];
            self.show_players()?;
        }
        self.plays_on = false;
        self.ended = None;
        self.is_unsaved = true;
        if let Some(clocks) = &mut self.clocks {
            clocks.restart(Instant::now());
        }
        self.show()
    }

    /// The computer makes this move. Where the other side was its own, the player gets that one.
    pub(super) fn go(&mut self) -> Result<(), SessionEnd> {
        if self.game.position().is_terminal() {
            return Ok(writeln!(self.out, "There is no legal move.")?);
        }
        self.play_on();
        let swaps = self.player_to_move() == PlayerKind::Human
            && self.setting.players.contains(&PlayerKind::Computer);
        if swaps {
            self.setting.players.reverse();
            self.show_players()?;
        }
        self.computer_move()
    }

    pub(super) fn resign(&mut self) -> io::Result<()> {
        let Some(side) = self.human_side() else {
            return writeln!(self.out, "You play neither side.");
        };
        match self.is_over() {
            true => self.show_result(),
            false => self.end(won_by(!side), format!("{side} resigns")),
        }
    }

    /// The side for which the player speaks: the one to move where both are the player's.
    fn human_side(&self) -> Option<Color> {
        let turn = self.game.position().turn();
        let mut sides = [turn, !turn].into_iter();
        sides.find(|side| self.setting.players[side.index()] == PlayerKind::Human)
    }

    fn is_over(&self) -> bool {
        let by_rules = match self.game.status() {
            Status::Playing => false,
            Status::WonBy(_) => true,
            Status::Drawn(_) => !self.plays_on,
        };
        by_rules || self.ended.is_some()
    }

    pub(super) fn offer_draw(&mut self) -> Result<(), SessionEnd> {
        if self.is_over() {
            return Ok(self.show_result()?);
        }
        let agreed = match self.setting.players {
            [PlayerKind::Computer, PlayerKind::Computer] => {
                return Ok(writeln!(self.out, "You play neither side.")?);
            }
            [PlayerKind::Human, PlayerKind::Human] => true,
            _ => self.computer_agrees_to_draw()?,
        };
        if self.is_over() {
            return Ok(());
        }
        match agreed {
            true => self.end(GameOutcome::Draw, "draw by agreement".to_owned())?,
            false => writeln!(self.out, "The computer plays on.")?,
        }
        Ok(())
    }
}
