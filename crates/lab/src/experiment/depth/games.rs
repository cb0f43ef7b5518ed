//! Matches of depth d against depth d - 1, as Thompson played them with Belle, and what the share of changed moves
//! predicts for depths that are not played.

use super::super::matches::{Contender, MatchScore, Matches, elo, score};
use super::super::{Grid, MatchConditions, Plan, Variant};
use crate::LabError;
use damier_arena::level::GameLevel;
use damier_engine::search::Depth;

/// The first depth that plays against the one before.
const FIRST: Depth = 3;
/// How much deeper than the positions the games are searched in the full form, and how much less deep in the quick one.
const DEEPER: Depth = 2;
const QUICK: Depth = 3;

/// The depths that are played.
fn depths(plan: &Plan) -> std::ops::RangeInclusive<Depth> {
    let last = match plan.quick {
        true => plan.depth - QUICK,
        false => plan.depth + DEEPER,
    };
    FIRST..=plan.match_depth.unwrap_or(last)
}

fn conditions(plan: &Plan) -> MatchConditions {
    MatchConditions {
        level: GameLevel::Depth(FIRST),
        ..plan.matches.clone()
    }
}

/// Games of all matches.
pub(in crate::experiment) fn count(plan: &Plan) -> Result<usize, LabError> {
    Ok(depths(plan).count() * conditions(plan).games()? as usize)
}

/// The matches; `changed` is the share of positions whose best move changes at a depth.
pub(super) fn run(
    plan: &Plan,
    changed: &[(usize, f64)],
    progress: &mut dyn FnMut(usize) -> Result<(), LabError>,
) -> Result<Grid, LabError> {
    let conditions = conditions(plan);
    let games = conditions.games()? as usize;
    let matches = Matches::new(&conditions, &plan.engine)?;
    let contender = |depth| {
        let variant = Variant::new(format!("depth {depth}"), &[]);
        Contender::new(variant, GameLevel::Depth(depth))
    };
    let mut scores: Vec<(Depth, MatchScore)> = Vec::new();
    for (index, depth) in depths(plan).enumerate() {
        let mut told = |done| progress(index * games + done);
        let players = [&contender(depth), &contender(depth - 1)];
        scores.push((depth, matches.play(players, &mut told)?));
    }
    let share = |depth: Depth| {
        let found = changed.iter().find(|(at, _)| *at == depth as usize);
        found.map(|&(_, share)| share)
    };
    let known = scores.iter().filter_map(|(depth, found)| {
        let elo = found.tally.elo().filter(|elo| elo.value.is_finite())?;
        Some((share(*depth)?, elo.value))
    });
    let factor = proportion(&known.collect::<Vec<_>>());
    let predicted = |depth| {
        let elo = factor
            .zip(share(depth))
            .map(|(factor, share)| factor * share);
        elo.map_or_else(String::new, |elo| format!("{elo:+.0}"))
    };
    let percent =
        |depth| share(depth).map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share));
    let last = depths(plan).last().unwrap_or(FIRST);
    let beyond = changed.iter().map(|&(depth, _)| depth as Depth);
    let beyond = beyond.filter(|&depth| depth > last).map(|depth| {
        let mut row = vec![depth.to_string()];
        row.resize(6, String::new());
        row.extend([percent(depth), predicted(depth)]);
        row
    });
    let rows = scores.iter().map(|(depth, found)| {
        let [won, drawn, lost] = found.tally.wdl();
        vec![
            depth.to_string(),
            won.to_string(),
            lost.to_string(),
            drawn.to_string(),
            score(&found.tally),
            elo(&found.tally),
            percent(*depth),
            predicted(*depth),
        ]
    });
    Ok(Grid {
        title: format!(
            "Matches of each depth against the depth before, {games} games each from three-move ballots with both \
             colours. Predicted: Elo in proportion to the share of positions whose best move changes at that depth."
        ),
        columns: vec![
            "depth",
            "won",
            "lost",
            "drawn",
            "score (95 %)",
            "Elo (95 %)",
            "move changed",
            "Elo predicted",
        ],
        rows: rows.chain(beyond).collect(),
    })
}

/// The factor that makes `factor * x` fit `y` best, by least squares; none without points.
fn proportion(points: &[(f64, f64)]) -> Option<f64> {
    let products: f64 = points.iter().map(|(x, y)| x * y).sum();
    let squares: f64 = points.iter().map(|(x, _)| x * x).sum();
    (squares > 0.0).then(|| products / squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proportion_is_that_of_least_squares() {
        assert_eq!(proportion(&[]), None);
        assert_eq!(proportion(&[(2.0, 6.0)]), Some(3.0));
        // (1 * 1 + 2 * 4) / (1 + 4)
        assert_eq!(proportion(&[(1.0, 1.0), (2.0, 4.0)]), Some(1.8));
    }
}
