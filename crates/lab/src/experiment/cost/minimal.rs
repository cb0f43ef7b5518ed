//! Minimax, alpha-beta and the least tree that alpha-beta can search, by depth.
//!
//! Without pruning, extensions, tables and quiescence, so that all search the same tree and evaluate its leaves as they
//! are. In a tree in which every position has b moves, minimax visits b^d leaves, and alpha-beta with the best move
//! always first b^⌈d/2⌉ + b^⌊d/2⌋ - 1 (Knuth and Moore, 1975); b is taken from the leaves that there are.

use super::Engines;
use crate::LabError;
use crate::experiment::{Grid, Plan};
use damier_engine::search::params::{Params, TableUse};
use damier_engine::search::{Control, Depth, Driver, MAX_DEPTH};
use damier_engine::{Engine, Job, Level, Options, Purpose};
use damier_rules::{Game, Position, perft};

/// Deepest tree: minimax takes minutes beyond.
const DEEPEST: Depth = 6;
/// Positions with more leaves than this at the deepest tree are left out.
const MOST_LEAVES: u64 = 20_000_000;

/// Plain alpha-beta over the whole tree, with a node for each leaf.
fn options(base: &Options, ordering: bool) -> Options {
    Options {
        search: Driver::Pvs,
        bb_size: 0,
        params: Params {
            scout: false,
            aspiration_min_depth: MAX_DEPTH + 1,
            table: TableUse::Off,
            ordering,
            capture_plies: 0,
            offer_plies: 0,
            sound_offer_plies: 0,
            threats: false,
            tally: true,
            ..Params::full_width()
        },
        ..base.clone()
    }
}

/// What the trees of each depth come to, in geometric means over the positions.
pub(in crate::experiment) fn grid(plan: &Plan, positions: &[Position]) -> Result<Grid, LabError> {
    let deepest = plan.depth.min(DEEPEST);
    let mut makers = Engines::default();
    let mut unsorted = makers.engine(&options(&plan.engine, false))?;
    let mut sorted = makers.engine(&options(&plan.engine, true))?;
    let fits = |position: &&Position| {
        // Counted a ply less deep first, which is cheap.
        let before = perft::perft(position, deepest as u32 - 1);
        before <= MOST_LEAVES / 10 && perft::perft(position, deepest as u32) <= MOST_LEAVES
    };
    let taken: Vec<&Position> = positions.iter().filter(fits).collect();
    let mut rows = Vec::new();
    for depth in 1..=deepest {
        let mut logs = [0.0; 4];
        for position in &taken {
            let leaves = perft::perft(position, depth as u32).max(1) as f64;
            let counts = [
                leaves,
                least(leaves, depth),
                visited(&mut unsorted, position, depth),
                visited(&mut sorted, position, depth),
            ];
            logs.iter_mut()
                .zip(counts)
                .for_each(|(sum, count)| *sum += count.ln());
        }
        let means = logs.map(|sum: f64| (sum / taken.len().max(1) as f64).exp());
        let mut row = vec![depth.to_string()];
        row.extend(means.map(|mean| format!("{mean:.0}")));
        row.push(format!("{:.2}", means[2] / means[1]));
        row.push(format!("{:.2}", means[3] / means[1]));
        rows.push(row);
    }
    Ok(Grid {
        title: format!(
            "Leaves without pruning, extensions, tables and quiescence, {} positions, geometric means: those of \
             minimax, the least of alpha-beta, and those of alpha-beta with and without sorted moves, also as a \
             multiple of that least.",
            taken.len()
        ),
        columns: vec![
            "depth",
            "minimax",
            "least",
            "alpha-beta, unsorted",
            "alpha-beta, sorted",
            "unsorted / least",
            "sorted / least",
        ],
        rows,
    })
}

/// The leaves of alpha-beta with the best move always first, in a uniform tree with so many leaves.
fn least(leaves: f64, depth: Depth) -> f64 {
    let up = f64::from((depth + 1) / 2) / f64::from(depth);
    let down = f64::from(depth / 2) / f64::from(depth);
    leaves.powf(up) + leaves.powf(down) - 1.0
}

/// The leaves of the last iteration.
fn visited(engine: &mut Engine, position: &Position, depth: Depth) -> f64 {
    let mut to = |depth| {
        engine.new_game();
        let level = Level::depth(depth);
        let job = Job::new(Game::new(*position), level).with_purpose(Purpose::Measure);
        let stats = engine.run(&job, &Control::new(), &mut ()).stats;
        // All nodes but the root, one for each pass, and those of which moves are searched.
        stats.nodes - stats.passes - stats.tally.asked
    };
    // Those of the iterations before are in other trees.
    let before = if depth > 1 { to(depth - 1) } else { 0 };
    (to(depth) - before).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_tree_is_that_of_knuth_and_moore() {
        // Three moves each: 3^2 + 3^1 - 1 of 3^3 leaves, 3^2 + 3^2 - 1 of 3^4.
        assert!((least(27.0, 3) - 11.0).abs() < 1e-9);
        assert!((least(81.0, 4) - 17.0).abs() < 1e-9);
        assert!((least(9.0, 1) - 9.0).abs() < 1e-9);
    }

    /// With one ply all moves are leaves. No order of the moves has fewer leaves than the least tree where every
    /// position has as many moves, nor more than minimax.
    #[test]
    fn leaves_are_counted_as_leaves() {
        let mut engines = Engines::default();
        for ordering in [false, true] {
            let options = options(&Options::default(), ordering);
            let mut engine = engines.engine(&options).expect("an engine");
            let start = Position::start();
            assert_eq!(visited(&mut engine, &start, 1), 9.0);
            for depth in 2..=5 {
                let all = perft::perft(&start, depth as u32) as f64;
                let found = visited(&mut engine, &start, depth);
                assert!(
                    least(all, depth) * 0.7 < found && found < all,
                    "{found} of {all}"
                );
            }
        }
    }
}
