//! Checks the solutions of a suite: every root move is searched by itself, much deeper than a search that must find it.

use super::{LabError, SuiteEntry};
use damier_engine::eval::Score;
use damier_engine::search::Control;
use damier_engine::{Engine, Job, Level, Purpose};
use damier_rules::{Game, Move, Position, Status};
use std::cmp::Reverse;

/// How many other moves are searched as deep as the solution: the strongest by a tenth of the nodes.
const RIVALS: usize = 3;

/// The scores of all moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Every legal move with its score for the side to move, best first.
    pub values: Vec<(Move, Score)>,
    /// Nodes searched in all.
    pub nodes: u64,
}

impl Proof {
    /// The lowest score among `moves`, and the highest among the others (none if there is no other).
    pub fn against_others(&self, moves: &[Move]) -> (Score, Option<Score>) {
        let lowest = self.among(moves).min();
        (
            lowest.unwrap_or(-Score::INFINITE),
            self.besides(moves).max(),
        )
    }

    /// The highest score among `moves`, and the highest among the others (none if there is no other).
    pub fn avoiding(&self, moves: &[Move]) -> (Score, Option<Score>) {
        let highest = self.among(moves).max();
        (
            highest.unwrap_or(-Score::INFINITE),
            self.besides(moves).max(),
        )
    }

    fn among(&self, moves: &[Move]) -> impl Iterator<Item = Score> {
        let named = self.values.iter().filter(|(mv, _)| moves.contains(mv));
        named.map(|&(_, score)| score)
    }

    fn besides(&self, moves: &[Move]) -> impl Iterator<Item = Score> {
        let others = self.values.iter().filter(|(mv, _)| !moves.contains(mv));
        others.map(|&(_, score)| score)
    }
}

/// Searches every legal move of an entry's position by itself: with `nodes / 10` each, then with `nodes` for each move
/// that the entry names and for the strongest others.
pub fn prove(engine: &mut Engine, entry: &SuiteEntry, nodes: u64) -> Proof {
    engine.new_game();
    let position = entry.position;
    let mut proof = Proof {
        values: Vec::new(),
        nodes: 0,
    };
    for mv in position.legal_moves() {
        let score = proof.value(engine, &position, mv, nodes / 10);
        proof.values.push((mv, score));
    }
    proof.values.sort_by_key(|&(_, score)| Reverse(score));
    let mut rivals = 0;
    for index in 0..proof.values.len() {
        let mv = proof.values[index].0;
        let is_named = entry.solution.moves().contains(&mv);
        rivals += usize::from(!is_named);
        if is_named || rivals <= RIVALS {
            proof.values[index].1 = proof.value(engine, &position, mv, nodes);
        }
    }
    proof.values.sort_by_key(|&(_, score)| Reverse(score));
    proof
}

impl Proof {
    fn value(&mut self, engine: &mut Engine, position: &Position, mv: Move, nodes: u64) -> Score {
        let mut game = Game::new(*position);
        game.play(mv);
        match game.status() {
            Status::WonBy(_) => return Score::win_in(1),
            Status::Drawn(_) => return Score::DRAW,
            Status::Playing => {}
        }
        let job = Job::new(game, Level::nodes(nodes.max(1))).with_purpose(Purpose::Measure);
        let outcome = engine.run(&job, &Control::new(), &mut ());
        self.nodes += outcome.stats.nodes;
        -outcome.report.score
    }
}

/// Checks every entry and calls `each` after each.
///
/// # Errors
/// There is no memory for the table, or `each` fails.
pub fn prove_all(
    entries: &[SuiteEntry],
    nodes: u64,
    table_size: u32,
    mut each: impl FnMut(&SuiteEntry, &Proof) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let mut engine = Engine::new(damier_engine::Options {
        tt_size: table_size,
        ..Default::default()
    })?;
    for entry in entries {
        let proof = prove(&mut engine, entry, nodes);
        each(entry, &proof)?;
    }
    Ok(())
}
