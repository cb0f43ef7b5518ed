//! The transposition table: what gives way in small ones, what it answers, and how many positions are the same.

use super::{Engines, Search, nodes_ratio};
use crate::LabError;
use crate::experiment::variants::{self, Variant};
use crate::experiment::{Grid, Plan};
use damier_engine::search::{Control, Depth, SearchCounts};
use damier_engine::{Job, Level, Purpose};
use damier_rules::{Game, Position};
use std::collections::HashMap;

/// Deepest tree of all moves, and of the quick form.
const DEEPEST: Depth = 8;
const DEEPEST_QUICK: Depth = 6;
/// Positions from which there are more different ones at some depth are left out.
const MOST_POSITIONS: usize = 2_000_000;

/// Nodes by size of the table and by what gives way. The searches are those of [`variants::replacement`].
pub(in crate::experiment) fn policies(searches: &[Vec<Search>], first: &[Search]) -> Grid {
    let columns = variants::POLICIES.len();
    let rows = searches.chunks(columns).zip(variants::SMALL_SIZES);
    let rows = rows.map(|(row, size)| {
        let cells = row.iter().map(|own| nodes_ratio(own, first));
        [format!("2^{size}")].into_iter().chain(cells).collect()
    });
    let arguments: Vec<String> = variants::POLICIES
        .iter()
        .map(|(name, changes)| format!("{name} `{}`", Variant::new(*name, changes).arguments()))
        .filter(|text| !text.ends_with("``"))
        .collect();
    let columns = variants::POLICIES.iter().map(|(name, _)| *name);
    Grid {
        title: format!(
            "Nodes in small tables by what decides which entry gives way, as ratios to the first line above. \
             Arguments: `--tt-size N`, and for {}.",
            arguments.join("; ")
        ),
        columns: ["entries"].into_iter().chain(columns).collect(),
        rows: rows.collect(),
    }
}

/// What became of the nodes above the horizon, by depth of the search.
pub(in crate::experiment) fn answers(
    plan: &Plan,
    positions: &[Position],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Grid, LabError> {
    let counted = Variant::new("counted", &[("param", "tally=true")]).options(&plan.engine)?;
    let mut engine = Engines::default().engine(&counted)?;
    let depths = 1..=plan.depth;
    let mut sums = vec![(0, SearchCounts::default()); plan.depth as usize];
    for (index, position) in positions.iter().enumerate() {
        for (depth, (nodes, sum)) in depths.clone().zip(&mut sums) {
            engine.new_game();
            let job =
                Job::new(Game::new(*position), Level::depth(depth)).with_purpose(Purpose::Measure);
            let stats = engine.run(&job, &Control::new(), &mut ()).stats;
            *nodes += stats.nodes;
            sum.add(&stats.tally);
        }
        progress(index + 1)?;
    }
    let rows = depths.zip(&sums).map(|(depth, (nodes, tally))| {
        let share =
            |count: u64, of: u64| format!("{:.1} %", 100.0 * count as f64 / of.max(1) as f64);
        let pruned = tally.asked - tally.answered - tally.expanded;
        let cut_offs = tally.answered + pruned + tally.failed_high;
        vec![
            depth.to_string(),
            nodes.to_string(),
            tally.asked.to_string(),
            share(tally.answered, tally.asked),
            share(pruned, tally.asked),
            share(tally.failed_high, tally.asked),
            share(tally.expanded - tally.failed_high, tally.asked),
            share(tally.answered, cut_offs),
            tally.expanded.to_string(),
            tally.distinct.to_string(),
            format!(
                "{:.2}",
                tally.expanded as f64 / tally.distinct.max(1) as f64
            ),
        ]
    });
    Ok(Grid {
        title: format!(
            "{} positions, each with an empty table: all nodes to a depth, those above the horizon, and the shares of \
             these that the table answers, that are pruned, of which a move fails high, and of which all moves are \
             searched; the table's share of the cut-offs, which are the first three; how often moves of a position \
             are searched, and of how many different positions.",
            positions.len()
        ),
        columns: vec![
            "depth",
            "nodes",
            "above the horizon",
            "table",
            "pruned",
            "fail high",
            "all moves",
            "cut-offs by the table",
            "searched",
            "distinct",
            "searched / distinct",
        ],
        rows: rows.collect(),
    })
}

/// Positions at the end of all lines of some moves, and how many of them are different, in geometric means.
pub(in crate::experiment) fn transpositions(
    plan: &Plan,
    positions: &[Position],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Grid, LabError> {
    let deepest = plan.depth.min(match plan.quick {
        true => DEEPEST_QUICK,
        false => DEEPEST,
    });
    let mut logs = vec![(0.0, 0.0); deepest as usize];
    let mut taken = 0;
    for (index, position) in positions.iter().enumerate() {
        if let Some(counts) = by_depth(*position, deepest) {
            taken += 1;
            for (sum, (lines, distinct)) in logs.iter_mut().zip(counts) {
                sum.0 += (lines.max(1) as f64).ln();
                sum.1 += (distinct.max(1) as f64).ln();
            }
        }
        progress(index + 1)?;
    }
    let rows = (1..).zip(&logs).map(|(depth, (lines, distinct))| {
        let [lines, distinct] =
            [lines, distinct].map(|sum: &f64| (sum / taken.max(1) as f64).exp());
        let ratio = format!("{:.2}", lines / distinct);
        vec![
            u32::to_string(&depth),
            format!("{lines:.0}"),
            format!("{distinct:.0}"),
            ratio,
        ]
    });
    Ok(Grid {
        title: format!(
            "All moves of {taken} positions, geometric means: lines of so many plies, and different positions at \
             their ends."
        ),
        columns: vec!["depth", "lines", "distinct positions", "lines / distinct"],
        rows: rows.collect(),
    })
}

/// Lines and different positions at each depth; none where there are too many.
fn by_depth(position: Position, deepest: Depth) -> Option<Vec<(u64, usize)>> {
    let mut found = Vec::new();
    let mut here = HashMap::from([(position.key().0, (position, 1))]);
    for _ in 0..deepest {
        let mut next: HashMap<u64, (Position, u64)> = HashMap::new();
        for (position, lines) in here.into_values() {
            for mv in position.legal_moves() {
                let child = position.play(mv);
                next.entry(child.key().0).or_insert((child, 0)).1 += lines;
            }
            if next.len() > MOST_POSITIONS {
                return None;
            }
        }
        found.push((next.values().map(|(_, lines)| lines).sum(), next.len()));
        here = next;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::notation::fen;
    use damier_rules::perft;

    #[test]
    fn lines_are_those_of_perft_and_transpositions_are_merged() {
        let counts = by_depth(Position::start(), 4).unwrap();
        for (depth, &(lines, distinct)) in (1..).zip(&counts) {
            assert_eq!(lines, perft::perft(&Position::start(), depth));
            assert!(distinct as u64 <= lines);
        }
        // A king against a king that cannot reach each other: moves in either order, and back.
        let position = fen::parse("W:WK46,50:BK5,1").unwrap();
        let counts = by_depth(position, 3).unwrap();
        assert!((counts[2].1 as u64) < counts[2].0, "{counts:?}");
    }
}
