//! What the player sees of the game.

use super::PlayerKind;
use super::session::PlaySession;
use crate::board::Color;
use crate::engine::Thinker;
use crate::notation::moves;
use crate::rules::Status;
use crate::terminal::{board, words};
use std::io;
use std::time::Instant;

impl<T: Thinker + 'static> PlaySession<'_, T> {
    /// The board with the last move marked, the clocks, and the result if there is one.
    pub(super) fn show(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let last = self.game.moves().last().copied();
        let board = board::draw(position, self.bottom, last, self.setting.style);
        writeln!(self.out, "{board}")?;
        if self.clocks.is_some() {
            self.show_clocks()?;
        }
        self.show_result()
    }

    pub(super) fn show_clocks(&mut self) -> io::Result<()> {
        let turn = self.game.position().turn();
        match self.clocks {
            Some(clocks) => {
                let times = clocks.text(turn, Instant::now());
                writeln!(self.out, "Clocks: {times}.")
            }
            None => writeln!(self.out, "There is no clock; clock 5+3 sets one."),
        }
    }

    pub(super) fn show_result(&mut self) -> io::Result<()> {
        const PLAY_ON: &str =
            "You may play on: type a move or go; or back, save FILE, new, quit.\n";
        if let Some(ended) = &self.ended {
            writeln!(self.out, "The game is over: {}.", ended.why)?;
            return writeln!(self.out, "{PLAY_ON}");
        }
        let Some(verdict) = words::verdict(&self.game) else {
            return Ok(());
        };
        match self.game.status() {
            Status::Drawn(_) if self.plays_on => Ok(()),
            Status::Drawn(_) => {
                writeln!(self.out, "The game is a {verdict}.")?;
                writeln!(self.out, "{PLAY_ON}")
            }
            _ => {
                writeln!(self.out, "The game is over, {verdict}.")?;
                writeln!(self.out, "Type back, save FILE, new or quit.\n")
            }
        }
    }

    pub(super) fn show_players(&mut self) -> io::Result<()> {
        let name = |player| match player {
            PlayerKind::Human => "human",
            PlayerKind::Computer => "computer",
        };
        let [white, black] = self.setting.players.map(name);
        writeln!(self.out, "White: {white}, black: {black}.")
    }

    pub(super) fn list_moves(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let texts: Vec<String> = position
            .legal_moves()
            .iter()
            .map(|&mv| moves::short(position, mv))
            .collect();
        if texts.is_empty() {
            return writeln!(self.out, "There is no legal move.");
        }
        for row in texts.chunks(10) {
            writeln!(self.out, "  {}", row.join("  "))?;
        }
        if position.must_capture() {
            writeln!(
                self.out,
                "A capture is compulsory, and the most pieces must be taken."
            )?;
        }
        Ok(())
    }

    pub(super) fn list_game(&mut self) -> io::Result<()> {
        let mut position = *self.game.start();
        let mut number = 0;
        let mut out = String::new();
        for &mv in self.game.moves() {
            if position.turn() == Color::White || number == 0 {
                number += 1;
                let dots = if position.turn() == Color::White {
                    "."
                } else {
                    "..."
                };
                out.push_str(&format!("{number}{dots} "));
            }
            out.push_str(&moves::short(&position, mv));
            out.push(' ');
            position = position.play(mv);
        }
        writeln!(self.out, "{}", out.trim_end())
    }
}
