//! The tables of the experiment.

use super::costs::{PREDICTORS, Seen};
use super::{CHEAPEST, JUDGED_DEEPER};
use crate::experiment::Grid;

pub(super) fn use_of_time(all: &[(String, Seen)], games: u64) -> Grid {
    let row = |(name, seen): &(String, Seen)| {
        let share = |part: f64, whole: f64| format!("{:.1} %", 100.0 * part / whole.max(1e-9));
        let moves = seen.moves as f64;
        vec![
            name.clone(),
            seen.moves.to_string(),
            format!("{:.0} %", 100.0 * mean(&seen.used)),
            format!("{:.0} %", 100.0 * quantile(&seen.used, 0.5)),
            format!("{:.0} %", 100.0 * quantile(&seen.used, 0.95)),
            share(seen.broken_off as f64, moves),
            share(seen.lost.as_secs_f64(), seen.spent.as_secs_f64()),
            share(seen.salvaged as f64, moves),
            match seen.gained.is_empty() {
                true => String::new(),
                false => format!("{:+.1}", mean(&seen.gained)),
            },
            seen.flags.to_string(),
        ]
    };
    Grid {
        title: format!(
            "{games} games at each clock, in seconds for the game and for each move, or at a fixed time or number of \
             nodes; moves with a choice. Time used is a share of the target, what the move should take when nothing is \
             special. Gain: how much better the moves are to which iterations changed before they were broken off, in \
             hundredths of a man, by a search {JUDGED_DEEPER} plies deeper."
        ),
        columns: vec![
            "clock",
            "moves",
            "used, mean",
            "used, median",
            "used, 95 % quantile",
            "last iteration broken off",
            "time in those",
            "which changed the move",
            "gain",
            "moves out of time",
        ],
        rows: all.iter().map(row).collect(),
    }
}

/// The predictors, on the iterations for which all have a number.
pub(super) fn predictions(all: &[(String, Seen)]) -> Grid {
    let mut rows = Vec::new();
    for (name, seen) in all {
        for (predictor, ratios) in PREDICTORS.iter().zip(&seen.accuracy) {
            let errors: Vec<f64> = ratios.iter().map(|ratio| ratio.max(1.0 / ratio)).collect();
            rows.push(vec![
                name.clone(),
                (*predictor).to_owned(),
                ratios.len().to_string(),
                format!("{:.2}", geometric_mean(ratios)),
                format!("{:.2}", quantile(ratios, 0.1)),
                format!("{:.2}", quantile(ratios, 0.9)),
                format!("{:.2}", geometric_mean(&errors)),
            ]);
        }
    }
    Grid {
        title: format!(
            "Iterations of {} µs, or nodes, and more at a depth reached before in the game: the real cost as a share \
             of the predicted one, and the factor by which the prediction is wrong, either way. The engine uses the \
             mean of both. Means are geometric.",
            CHEAPEST.as_micros()
        ),
        columns: vec![
            "clock",
            "predicted by",
            "iterations",
            "real / predicted",
            "10 % quantile",
            "90 % quantile",
            "wrong by",
        ],
        rows,
    }
}

pub(super) fn growth(all: &[(String, Seen)]) -> Grid {
    let row = |(name, seen): &(String, Seen)| {
        let mut cells = vec![name.clone()];
        for growth in &seen.growth {
            cells.extend([
                growth.len().to_string(),
                format!("{:.2}", geometric_mean(growth)),
            ]);
        }
        cells
    };
    Grid {
        title: "The cost of an iteration as a multiple of that of the one before, by the parity of its depth; \
                geometric means."
            .to_owned(),
        columns: vec![
            "clock",
            "to an even depth",
            "growth, even",
            "to an odd depth",
            "growth, odd",
        ],
        rows: all.iter().map(row).collect(),
    }
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

pub(super) fn geometric_mean(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (sum / values.len().max(1) as f64).exp()
}

/// The value below which this share of the values lies; 0 without values.
pub(super) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    sorted
        .get((last as f64 * share).round() as usize)
        .copied()
        .unwrap_or(0.0)
}
