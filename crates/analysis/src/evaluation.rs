//! The search of a position for analysis, and what it finds.

use super::{Stop, meaning};
use damier_endgame::Verdict;
use damier_engine::eval::{Score, Wdl};
use damier_engine::search::{Report, Stopped};
use damier_engine::{Engine, Job, Level, Purpose};
use damier_rules::{Game, Move};

/// What is known of a position, for its side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The score.
    pub score: Score,
    /// What it means, or what the endgame tables or the rules say.
    pub wdl: Wdl,
    /// The line both sides are expected to play; empty where the game is over.
    pub line: Vec<Move>,
    /// Depth of the search in plies; 0 without one.
    pub depth: u32,
    /// Nodes of the search; 0 without one.
    pub nodes: u64,
    /// The verdict of the endgame tables, where it settles the result.
    pub table: Option<Verdict>,
}

impl Evaluation {
    /// Expected points of the side to move.
    pub fn points(&self) -> f64 {
        self.wdl.expected()
    }

    /// By the rules, if the game is over.
    pub(crate) fn of_end(game: &Game) -> Option<Evaluation> {
        let wdl = meaning::of_status(game)?;
        let score = match wdl == Wdl::DRAW {
            true => Score::DRAW,
            // By the side that has moved.
            false => Score::loss_in(0),
        };
        Some(Evaluation {
            score,
            wdl,
            line: Vec::new(),
            depth: 0,
            nodes: 0,
            table: None,
        })
    }

    /// What is known of the position before a move that is expected to be played there. A proven result is a ply
    /// farther away.
    pub(crate) fn one_ply_earlier(&self, mv: Move) -> Evaluation {
        let mut line = vec![mv];
        line.extend(&self.line);
        Evaluation {
            score: (-self.score).to_root(1),
            wdl: self.wdl.swapped(),
            line,
            depth: self.depth + 1,
            nodes: self.nodes,
            table: self.table.map(|verdict| verdict.before()),
        }
    }
}

/// A look at the position that a game has come to.
pub(crate) struct Look<'a> {
    game: &'a Game,
    level: Level,
    excluded: Vec<Move>,
}

impl<'a> Look<'a> {
    /// A search to this level.
    pub fn at(game: &'a Game, level: Level) -> Look<'a> {
        Look {
            game,
            level,
            excluded: Vec::new(),
        }
    }

    /// Leaves some of the moves out.
    pub fn without(self, moves: &[Move]) -> Look<'a> {
        Look {
            excluded: moves.to_vec(),
            ..self
        }
    }

    /// Searches the position.
    pub fn run(self, engine: &mut Engine, stop: &Stop) -> Result<Evaluation, Stopped> {
        self.run_observed(engine, stop, &mut |_| {})
    }

    /// Searches the position; `observer` gets the report of each iteration.
    pub fn run_observed(
        self,
        engine: &mut Engine,
        stop: &Stop,
        observer: &mut dyn FnMut(&Report),
    ) -> Result<Evaluation, Stopped> {
        if stop.is_asked() {
            return Err(Stopped);
        }
        if let Some(over) = Evaluation::of_end(self.game) {
            return Ok(over);
        }
        let mut job = Job::new(self.game.clone(), self.level).with_purpose(Purpose::Analyse);
        job.excluded = self.excluded;
        let control = stop.control();
        let outcome = engine.run(&job, &control, &mut |report: &Report| observer(report));
        if stop.is_asked() {
            return Err(Stopped);
        }
        let report = outcome.report;
        let mut line = report.pv;
        if line.is_empty() {
            line.extend(outcome.best);
        }
        Ok(Evaluation {
            score: report.score,
            wdl: engine.wdl(report.score, self.game.position()),
            line,
            depth: report.depth,
            nodes: report.nodes,
            table: None,
        })
    }
}

/// Searches a move from the position behind it; what is found is for the side that plays it.
pub(crate) fn behind(
    engine: &mut Engine,
    game: &Game,
    mv: Move,
    level: Level,
    stop: &Stop,
) -> Result<Evaluation, Stopped> {
    let mut after = game.clone();
    after.play(mv);
    let reply = Look::at(&after, level).run(engine, stop)?;
    Ok(reply.one_ply_earlier(mv))
}
