//! Endings whose value the endgame tables know: how often the move of each depth spoils it, a search without tables.

use super::super::cost::Engines;
use super::super::findings::share;
use super::super::{Grid, Plan};
use super::by_depth;
use crate::LabError;
use damier_endgame::{Slice, Tables, Value};
use damier_engine::rng::Rng;
use damier_engine::{EngineError, Options};
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{Move, Position, Setup};
use std::path::PathBuf;

/// Pieces of an ending, both sides together.
const PIECES: u8 = 4;
/// Endings of the full and of the quick form.
const ENDINGS: (usize, usize) = (1_000, 40);
/// Seed of the endings.
const SEED: u64 = 1;

/// Endings that are searched.
pub(in crate::experiment) fn count(plan: &Plan) -> usize {
    match plan.quick {
        true => ENDINGS.1,
        false => ENDINGS.0,
    }
}

/// An ending without a capture, in which a move can be wrong, with its moves and their values.
struct Ending {
    position: Position,
    moves: Vec<(Move, Value)>,
}

impl Ending {
    fn new(position: Position, tables: &Tables) -> Option<Ending> {
        if position.must_capture() {
            return None;
        }
        let value = |mv| tables.probe(&position.play(mv), PIECES);
        let moves = position.legal_moves().into_iter();
        let moves = moves.map(|mv| Some((mv, value(mv)?.value.opposite())));
        let moves: Vec<(Move, Value)> = moves.collect::<Option<_>>()?;
        let (_, first) = moves.first()?;
        let has_choice = moves.iter().any(|(_, value)| value != first);
        has_choice.then_some(Ending { position, moves })
    }

    /// Whether a move has a worse value than the best one.
    fn is_spoiled_by(&self, mv: Move) -> bool {
        let best = self.moves.iter().map(|(_, value)| value).max();
        let own = self.moves.iter().find(|(known, _)| *known == mv);
        own.map(|(_, value)| value) < best
    }
}

/// How often the move of each depth spoils an ending, by the evaluations with these names and weights.
pub(super) fn run(
    plan: &Plan,
    evaluations: &[(&'static str, PathBuf)],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Grid, LabError> {
    let tables = Tables::open(None).map_err(EngineError::from)?;
    let mut makers = Engines::default();
    let mut engines = Vec::new();
    for (_, weights) in evaluations {
        engines.push(makers.engine(&Options {
            weights: weights.clone(),
            bb_size: 0,
            ..plan.engine.clone()
        })?);
    }
    let mut spoiled = vec![vec![0; evaluations.len()]; plan.depth as usize + 1];
    let endings = random_endings(&tables, count(plan));
    for (index, ending) in endings.iter().enumerate() {
        for (at, engine) in engines.iter_mut().enumerate() {
            let mut last = None;
            for (depth, found) in by_depth(engine, ending.position, plan.depth)
                .into_iter()
                .enumerate()
                .skip(1)
            {
                last = found.map(|(mv, _)| mv).or(last);
                spoiled[depth][at] += usize::from(last.is_some_and(|mv| ending.is_spoiled_by(mv)));
            }
        }
        progress(index + 1)?;
    }
    let rows = spoiled.iter().enumerate().skip(1).map(|(depth, counts)| {
        let shares = counts.iter().map(|&some| share(some, endings.len()));
        [depth.to_string()].into_iter().chain(shares).collect()
    });
    let names = evaluations.iter().map(|(name, _)| *name);
    Ok(Grid {
        title: format!(
            "{} random endings of {PIECES} pieces with a right and a wrong move: how often the move of a search to \
             this depth, without endgame tables, turns a win into a draw or a loss, or a draw into a loss, as the \
             tables have it, with 95 % intervals.",
            endings.len()
        ),
        columns: ["depth"].into_iter().chain(names).collect(),
        rows: rows.collect(),
    })
}

/// The first endings drawn by lot.
fn random_endings(tables: &Tables, count: usize) -> Vec<Ending> {
    let slices = Slice::of_pieces(PIECES);
    let mut rng = Rng::new(SEED);
    let endings = std::iter::repeat_with(|| {
        let position = random_position(*rng.pick(&slices)?, &mut rng)?;
        Ending::new(position, tables)
    });
    endings.flatten().take(count).collect()
}

/// Pieces of a slice on squares drawn by lot; none where two are on one square or a man is on its last row.
fn random_position(slice: Slice, rng: &mut Rng) -> Option<Position> {
    let mut place = |count: u8| -> Bitboard {
        let numbers = (0..count).map(|_| rng.within(1, 50) as u8);
        numbers.filter_map(Square::new).collect()
    };
    let setup = Setup {
        men: [slice.men, slice.enemy_men].map(&mut place),
        kings: [slice.kings, slice.enemy_kings].map(&mut place),
        ..Setup::empty(Color::White)
    };
    let position = Position::try_from(setup).ok()?;
    (position.occupied().len() == u32::from(PIECES)).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_spoils_an_ending_if_its_value_is_worse() {
        let tables = Tables::open(None).expect("the built-in tables");
        for ending in random_endings(&tables, 20) {
            let spoiling = ending
                .moves
                .iter()
                .filter(|(mv, _)| ending.is_spoiled_by(*mv));
            let spoiling = spoiling.count();
            assert!(0 < spoiling && spoiling < ending.moves.len());
            assert!(!ending.position.must_capture());
        }
    }
}
