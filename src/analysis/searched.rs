//! A search for the analysis of many positions.

use super::{Stop, meaning};
use crate::engine::{Engine, Job, Level, Purpose};
use crate::eval::{Score, Wdl};
use crate::rules::{Game, Move, Status};
use crate::search::Report;

/// What a search found.
pub(super) struct Searched {
    /// The best line; empty where the game is over.
    pub line: Vec<Move>,
    /// For the side to move.
    pub score: Score,
    /// What it means for the side to move.
    pub wdl: Wdl,
}

impl Searched {
    /// Expected points of the side to move.
    pub fn points(&self) -> f64 {
        self.wdl.expected()
    }
}

/// Searches the position that a game has come to, with so many nodes and without some of its moves. None where it was
/// stopped.
pub(super) fn search(
    engine: &mut Engine,
    game: &Game,
    without: &[Move],
    nodes: u64,
    observer: &mut dyn FnMut(&Report),
    stop: &Stop,
) -> Option<Searched> {
    if stop.is_asked() {
        return None;
    }
    if let Some(wdl) = meaning::of_status(game) {
        let score = match game.status() {
            Status::WonBy(color) if color == game.position().turn() => Score::win_in(0),
            Status::WonBy(_) => Score::loss_in(0),
            _ => Score::DRAW,
        };
        return Some(Searched {
            line: Vec::new(),
            score,
            wdl,
        });
    }
    let mut job = Job::new(game.clone(), Level::nodes(nodes)).with_purpose(Purpose::Analyse);
    job.excluded = without.to_vec();
    let control = stop.control();
    let outcome = engine.run(&job, &control, &mut |report: &Report| observer(report));
    if stop.is_asked() {
        return None;
    }
    let score = outcome.report.score;
    let mut line = outcome.report.pv;
    if line.is_empty() {
        line.extend(outcome.best);
    }
    Some(Searched {
        line,
        score,
        wdl: engine.wdl(score, game.position()),
    })
}
