//! A search for the analysis of many positions.

use super::Stop;
use damier_engine::eval::{Score, Wdl};
use damier_engine::search::{Report, Stopped};
use damier_engine::{Engine, Job, Level, Purpose};
use damier_rules::{Game, Move, Status};

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

/// Searches the position that a game has come to, with so many nodes and without some of its moves.
pub(super) fn search(
    engine: &mut Engine,
    game: &Game,
    without: &[Move],
    nodes: u64,
    observer: &mut dyn FnMut(&Report),
    stop: &Stop,
) -> Result<Searched, Stopped> {
    if stop.is_asked() {
        return Err(Stopped);
    }
    let over = |score, wdl| {
        Ok(Searched {
            line: Vec::new(),
            score,
            wdl,
        })
    };
    match game.status() {
        Status::Playing => {}
        Status::Drawn(_) => return over(Score::DRAW, Wdl::DRAW),
        // By the side that has moved.
        Status::WonBy(_) => return over(Score::loss_in(0), Wdl::LOSS),
    }
    let mut job = Job::new(game.clone(), Level::nodes(nodes)).with_purpose(Purpose::Analyse);
    job.excluded = without.to_vec();
    let control = stop.control();
    let outcome = engine.run(&job, &control, &mut |report: &Report| observer(report));
    if stop.is_asked() {
        return Err(Stopped);
    }
    let score = outcome.report.score;
    let mut line = outcome.report.pv;
    if line.is_empty() {
        line.extend(outcome.best);
    }
    Ok(Searched {
        line,
        score,
        wdl: engine.wdl(score, game.position()),
    })
}
