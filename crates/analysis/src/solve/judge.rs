//! Asks the engine and the endgame tables whether moves reach the goal.

use super::{Goal, MISSED, Problem, Status, WON};
use crate::evaluation::Look;
use crate::{Evaluation, Stop, meaning};
use damier_endgame::Value;
use damier_engine::eval::{Score, Wdl};
use damier_engine::search::Stopped;
use damier_engine::{Engine, Level};
use damier_rules::{Game, Move, Position, Status as GameStatus};

/// What is not clear is searched once more with so many times the nodes.
const AGAIN: u64 = 4;
/// Most moves of a line that are kept.
const LINE: usize = 20;

/// What is known of a move or a position, for the side that solves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Judged {
    pub status: Status,
    pub score: Score,
    pub is_proven: bool,
    /// The line expected; begins with the move, where one is judged.
    pub line: Vec<Move>,
}

/// Judges the moves of one problem.
pub(super) struct Judge<'a> {
    engine: &'a mut Engine,
    /// Nodes of a search.
    limit: u64,
    pub problem: &'a Problem,
    stop: &'a Stop,
    /// Whether the endgame tables know the first position.
    from_tables: bool,
    /// Searches so far.
    pub searches: usize,
    pub nodes: u64,
}

impl<'a> Judge<'a> {
    /// A judge who searches so many nodes.
    pub fn new(
        engine: &'a mut Engine,
        limit: u64,
        problem: &'a Problem,
        stop: &'a Stop,
    ) -> Judge<'a> {
        let mut judge = Judge {
            engine,
            limit,
            problem,
            stop,
            from_tables: false,
            searches: 0,
            nodes: 0,
        };
        judge.from_tables = meaning::settled(judge.engine, &Game::new(problem.start)).is_some();
        judge
    }

    /// Whether the side that solves is to move.
    pub fn solves(&self, position: &Position) -> bool {
        position.turn() == self.problem.side
    }

    fn status(&self, wdl: Wdl) -> Status {
        let chance = match self.problem.goal {
            Goal::Win => wdl.win,
            Goal::Draw => 1.0 - wdl.loss,
        };
        match chance {
            _ if chance >= WON => Status::Reached,
            _ if chance < MISSED => Status::Missed,
            _ => Status::Unclear,
        }
    }

    /// A certain result, for the side that solves.
    fn certain(&self, value: Value, score: Score, line: Vec<Move>) -> Judged {
        Judged {
            status: self.status(meaning::of_value(value)),
            score,
            is_proven: true,
            line,
        }
    }

    /// Judges a position, with the moves of `without` left out.
    pub fn position(&mut self, game: &Game, without: &[Move]) -> Result<Judged, Stopped> {
        let judged = self.search(game, without, self.limit)?;
        match judged.status {
            Status::Unclear => self.search(game, without, self.limit.saturating_mul(AGAIN)),
            _ => Ok(judged),
        }
    }

    fn search(&mut self, game: &Game, without: &[Move], nodes: u64) -> Result<Judged, Stopped> {
        if self.stop.is_asked() {
            return Err(Stopped);
        }
        let mine = self.solves(game.position());
        match game.status() {
            GameStatus::Playing => {}
            GameStatus::Drawn(_) => {
                return Ok(self.certain(Value::Draw, Score::DRAW, Vec::new()));
            }
            GameStatus::WonBy(color) if color == self.problem.side => {
                return Ok(self.certain(Value::Win, Score::win_in(0), Vec::new()));
            }
            GameStatus::WonBy(_) => {
                return Ok(self.certain(Value::Loss, Score::loss_in(0), Vec::new()));
            }
        }
        if without.is_empty()
            && let Some(advice) = meaning::settled(self.engine, game)
        {
            let (value, score) = (advice.ruled.value, meaning::score_of(advice.ruled));
            let (value, score) = match mine {
                true => (value, score),
                false => (value.opposite(), -score),
            };
            let line = advice.best().take(1).collect();
            return Ok(self.certain(value, score, line));
        }
        self.searches += 1;
        let look = Look::at(game, Level::nodes(nodes)).without(without);
        let Evaluation {
            score,
            wdl,
            mut line,
            nodes,
            ..
        } = look.run(self.engine, self.stop)?;
        self.nodes += nodes;
        let (score, wdl) = if mine {
            (score, wdl)
        } else {
            (-score, wdl.swapped())
        };
        line.truncate(LINE);
        Ok(Judged {
            status: self.status(wdl),
            score,
            is_proven: !score.is_eval(),
            line,
        })
    }

    /// Judges a move of the side that solves from the position behind it.
    pub fn move_of(&mut self, game: &Game, mv: Move) -> Result<Judged, Stopped> {
        let mut after = game.clone();
        after.play(mv);
        let mut judged = self.position(&after, &[])?;
        judged.line.insert(0, mv);
        judged.score = judged.score.to_root(1);
        Ok(judged)
    }

    /// The moves of the side that solves, other than `known`, that reach the goal or may, the best first, at most
    /// `most` of them.
    pub fn others(
        &mut self,
        game: &Game,
        known: &[Move],
        most: usize,
    ) -> Result<Vec<Judged>, Stopped> {
        let legal = game.position().legal_moves();
        let mut found = Vec::new();
        if let Some(advice) = meaning::settled(self.engine, game) {
            for verdict in &advice.moves {
                let score = meaning::score_of(verdict.ruled);
                let judged = self.certain(verdict.ruled.value, score, vec![verdict.mv]);
                if judged.status == Status::Reached && !known.contains(&verdict.mv) {
                    found.push(judged);
                }
            }
            found.sort_by_key(|judged| std::cmp::Reverse(judged.score));
            found.truncate(most);
            return Ok(found);
        }
        let mut without = known.to_vec();
        while found.len() < most && without.len() < legal.len() {
            let judged = self.position(game, &without)?;
            let Some(&mv) = judged.line.first() else {
                break;
            };
            if judged.status == Status::Missed {
                break;
            }
            without.push(mv);
            found.push(judged);
        }
        Ok(found)
    }

    /// Whether the solution is over here: nothing can be captured, and the result is plain without a search; or the
    /// endgame tables, which did not know the first position, know this one.
    pub fn is_plain(&self, game: &Game) -> bool {
        let position = game.position();
        if !self.solves(position) || game.status() != GameStatus::Playing {
            return game.status() != GameStatus::Playing;
        }
        if position.can_capture(position.turn()) || position.can_capture(!position.turn()) {
            return false;
        }
        let score = self.engine.evaluate(position);
        let by_tables = !self.from_tables && meaning::settled(self.engine, game).is_some();
        by_tables || self.status(self.engine.wdl(score, position)) == Status::Reached
    }
}
