//! The engine searches on its own thread, and the player is heard meanwhile.

use super::command::{PlayCommand, read};
use super::session::{PlayEvent, PlaySession, SessionEnd};
use crate::engine::{Job, JobHandle, Level, Strength, ThinkEvent, Thinker};
use crate::eval::Score;
use crate::notation::moves;
use crate::search::Outcome;
use crate::terminal::words;
use std::io;
use std::time::Instant;

/// What a search is for, which decides what ends it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// The computer's move: ended by `stop`, and by what makes it pointless.
    Move,
    /// A hint or an analysis for the player: ended by any line.
    Advice,
}

/// What becomes of a search after a line.
enum Reaction {
    GoOn,
    /// The result is wanted now.
    Finish,
    /// The result is not wanted any more.
    Abandon,
}

/// A draw is agreed to by a side that is this much worse, in hundredths of a man, or from this ply on, when the opening
/// is over, by one that is not better than this.
const WORSE: i32 = -30;
const EVEN: i32 = 5;
const LATE: usize = 60;

impl<T: Thinker + 'static> PlaySession<'_, T> {
    /// Searches the position. None where the player has said something that makes the search pointless: it is executed
    /// next.
    fn think(&mut self, aim: Aim) -> Result<Option<Box<Outcome>>, SessionEnd> {
        let turn = self.game.position().turn();
        let (level, start) = match (&self.clocks, aim) {
            (Some(clocks), Aim::Move) => (clocks.level(turn), clocks.since),
            _ => (self.setting.level, Instant::now()),
        };
        self.search(level, start, aim)
    }

    fn search(
        &mut self,
        level: Level,
        start: Instant,
        aim: Aim,
    ) -> Result<Option<Box<Outcome>>, SessionEnd> {
        let job = Job::new(self.game.clone(), level);
        let job = match aim {
            Aim::Move => job.at(Strength::AsOptions).with_book(),
            Aim::Advice => job,
        };
        let job = self.engine.run(job, start);
        let found = self.follow(&job, aim);
        if found.is_err() {
            job.stop();
        }
        found
    }

    /// Waits for the end of a search; reads lines of the player meanwhile.
    fn follow(&mut self, job: &JobHandle, aim: Aim) -> Result<Option<Box<Outcome>>, SessionEnd> {
        let mut is_wanted = true;
        loop {
            // What is typed after a stop comes after the move.
            let is_reading = self.setting.reads_during_search() && !job.is_stopped();
            if is_reading && self.pending.is_empty() {
                self.ask_for_line();
            }
            match self.next_event()? {
                Some(PlayEvent::Think(id, event)) if id == job.id => match event {
                    ThinkEvent::Report(_) => {}
                    ThinkEvent::Done(outcome) => return Ok(is_wanted.then_some(outcome)),
                    ThinkEvent::Failed(why) => {
                        writeln!(self.out, "The search failed: {why}")?;
                        return Ok(is_wanted.then(Box::default));
                    }
                },
                Some(PlayEvent::Line(line)) => {
                    self.take_line(line)?;
                    match self.react(aim)? {
                        Reaction::GoOn => {}
                        Reaction::Finish => job.stop(),
                        Reaction::Abandon => {
                            is_wanted = false;
                            job.stop();
                        }
                    }
                }
                // Of a search before.
                Some(PlayEvent::Think(..)) | None => {}
            }
        }
    }

    /// Executes the line that waits, if that is possible during a search.
    fn react(&mut self, aim: Aim) -> io::Result<Reaction> {
        let Some(line) = self.pending.pop_front() else {
            return Ok(Reaction::GoOn);
        };
        let command = read(&line);
        if aim == Aim::Advice {
            if !matches!(command, PlayCommand::Nothing | PlayCommand::Stop) {
                self.pending.push_front(line);
            }
            return Ok(Reaction::Finish);
        }
        match command {
            PlayCommand::Nothing => return Ok(Reaction::GoOn),
            PlayCommand::Stop => return Ok(Reaction::Finish),
            PlayCommand::Move(_)
            | PlayCommand::Hint
            | PlayCommand::Go
            | PlayCommand::Draw
            | PlayCommand::Elo(Some(_)) => {
                writeln!(
                    self.out,
                    "The computer is thinking; stop has it move at once."
                )?;
            }
            PlayCommand::Quit
            | PlayCommand::Resign
            | PlayCommand::Back
            | PlayCommand::Swap
            | PlayCommand::Seat(..)
            | PlayCommand::SetClock(_)
            | PlayCommand::Fen(Some(_))
            | PlayCommand::Load(_)
            | PlayCommand::New => {
                self.pending.push_front(line);
                return Ok(Reaction::Abandon);
            }
            harmless => self.execute_harmless(harmless)?,
        }
        self.out.flush()?;
        Ok(Reaction::GoOn)
    }

    pub(super) fn computer_move(&mut self) -> Result<(), SessionEnd> {
        let Some(outcome) = self.think(Aim::Move)? else {
            return Ok(());
        };
        if self.check_clock()? {
            return Ok(());
        }
        let position = *self.game.position();
        let legal = position.legal_moves();
        let Some(mv) = outcome.best.or(legal.first().copied()) else {
            return Ok(());
        };
        let turn = position.turn();
        let report = &outcome.report;
        let text = moves::short(&position, mv);
        write!(self.out, "The computer ({turn}) plays {text}")?;
        if report.depth > 0 && legal.len() > 1 {
            let meaning = words::meaning(report.score, turn);
            let seconds = report.time.as_secs_f64();
            let depth = report.depth;
            write!(self.out, "   ({meaning}, depth {depth}, {seconds:.1} s)")?;
        }
        writeln!(self.out, "\n")?;
        Ok(self.play_move(mv)?)
    }

    pub(super) fn hint(&mut self) -> Result<(), SessionEnd> {
        if self.game.position().is_terminal() {
            return Ok(writeln!(self.out, "There is no legal move.")?);
        }
        let Some(outcome) = self.think(Aim::Advice)? else {
            return Ok(());
        };
        let position = self.game.position();
        let line = match (outcome.report.pv.as_slice(), outcome.best) {
            ([], Some(best)) => words::line(position, &[best]),
            (pv, _) => words::line(position, &pv[..pv.len().min(6)]),
        };
        let meaning = words::meaning(outcome.report.score, position.turn());
        Ok(writeln!(self.out, "I would play {line}   ({meaning})")?)
    }

    /// Whether the computer agrees to a draw, by a search of the position.
    pub(super) fn computer_agrees_to_draw(&mut self) -> Result<bool, SessionEnd> {
        let Some(outcome) = self.think(Aim::Advice)? else {
            return Ok(false);
        };
        // The player offers it at the player's turn.
        let own = -outcome.report.score;
        Ok(agrees_to_draw(own, self.game.moves().len()))
    }
}

fn agrees_to_draw(own: Score, plies: usize) -> bool {
    let own = own.centimen();
    own <= WORSE || plies >= LATE && own <= EVEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stands_worse_agrees_to_a_draw_and_who_stands_better_does_not() {
        for (score, plies, agreed) in [
            (-40, 10, true),
            (0, 10, false),
            (0, 80, true),
            (40, 80, false),
        ] {
            assert_eq!(
                agrees_to_draw(Score::new(score), plies),
                agreed,
                "{score} {plies}"
            );
        }
    }
}
