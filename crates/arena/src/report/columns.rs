//! The figures of the engines: each is a column of the text, and one or more fields of the JSON.

use crate::standings::EngineStats;
use serde_json::Value;
use std::time::Duration;

/// A figure of an engine.
pub(super) struct Column {
    /// Its heading in the text.
    pub heading: &'static str,
    /// Characters of the column.
    pub width: usize,
    pub text: fn(&EngineStats) -> String,
    /// Names and values in the JSON.
    pub fields: &'static [Field],
}

type Field = (&'static str, fn(&EngineStats) -> Value);

/// All figures, in the order of the text.
pub(super) const COLUMNS: &[Column] = &[
    Column {
        heading: "moves",
        width: 8,
        text: |stats| stats.moves.to_string(),
        fields: &[("moves", |stats| stats.moves.into())],
    },
    Column {
        heading: "depth",
        width: 6,
        text: |stats| number(stats.mean_depth(), 1),
        fields: &[("mean_depth", |stats| stats.mean_depth().into())],
    },
    Column {
        heading: "Mnps",
        width: 8,
        text: |stats| number(stats.nps().map(|nps| nps / 1e6), 2),
        fields: &[("nps", |stats| stats.nps().into())],
    },
    Column {
        heading: "s/move",
        width: 10,
        text: |stats| number(seconds(stats.time_per_move()), 4),
        fields: &[("seconds_per_move", |stats| {
            seconds(stats.time_per_move()).into()
        })],
    },
    Column {
        heading: "overshoot 99 %, worst",
        width: 21,
        text: overshoot,
        fields: &[
            ("overshoot_99", |stats| {
                seconds(stats.overshoot.quantile(0.99)).into()
            }),
            ("overshoot_worst", |stats| {
                seconds(stats.overshoot.worst()).into()
            }),
        ],
    },
];

fn overshoot(stats: &EngineStats) -> String {
    match (stats.overshoot.quantile(0.99), stats.overshoot.worst()) {
        (Some(most), Some(worst)) => [most, worst]
            .map(|time| number(seconds(Some(time)), 4))
            .join(", "),
        _ => number(None, 0),
    }
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

fn seconds(time: Option<Duration>) -> Option<f64> {
    time.map(|time| time.as_secs_f64())
}
