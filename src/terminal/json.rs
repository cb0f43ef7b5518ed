//! An analysis as one line of JSON.

use crate::board::Color;
use crate::eval::Score;
use crate::notation::fen;
use crate::rules::{Game, Status};
use crate::search::{Outcome, Report};
use serde_json::{Value, json};

/// An object on one line, with its fields in this order.
struct Object(String);

impl Object {
    fn new() -> Object {
        Object(String::from("{"))
    }

    fn field(mut self, name: &str, value: Value) -> Object {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&format!("{}:{value}", json!(name)));
        self
    }

    fn field_if(self, name: &str, value: Option<impl Into<Value>>) -> Object {
        match value {
            Some(value) => self.field(name, value.into()),
            None => self,
        }
    }

    fn end(self) -> String {
        self.0 + "}"
    }
}

/// The result of an analysis; `outcome` is `None` where the side to move has no legal move.
pub(super) fn analysis(game: &Game, outcome: Option<&Outcome>) -> String {
    let position = game.position();
    let (status, reason) = match game.status() {
        Status::Playing => ("playing", None),
        Status::WonBy(Color::White) => ("white-wins", Some("black has no legal move".to_owned())),
        Status::WonBy(Color::Black) => ("black-wins", Some("white has no legal move".to_owned())),
        Status::Drawn(rule) => ("draw", Some(rule.to_string())),
    };
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    let object = Object::new()
        .field("fen", json!(fen::format(position)))
        .field_if("moves", (!moves.is_empty()).then_some(moves))
        .field("status", json!(status))
        .field_if("reason", reason);
    let Some(outcome) = outcome else {
        let object = object.field("best", Value::Null).field("pv", json!([]));
        return object
            .field("score", json!(-100.0))
            .field("loss_in", json!(0))
            .end();
    };
    let report = &outcome.report;
    let pv: Vec<String> = report.pv.iter().map(ToString::to_string).collect();
    let score = report.score.centimen();
    let (distance, plies) = distance(report.score);
    object
        .field("best", json!(outcome.best.map(|mv| mv.to_string())))
        .field("pv", json!(pv))
        .field("score", json!(f64::from(score) / 100.0))
        .field_if(distance, plies)
        .field("depth", json!(report.depth))
        .field(
            "mean_depth",
            json!((report.mean_depth * 10.0).round() / 10.0),
        )
        .field("nodes", json!(report.nodes))
        .field(
            "time",
            json!((report.time.as_secs_f64() * 1e3).round() / 1e3),
        )
        .field("nps", json!(report.nps().round() as u64))
        .field("lines", outcome.lines.iter().map(line).collect())
        .end()
}

/// One of the best moves.
fn line(report: &Report) -> Value {
    let pv: Vec<String> = report.pv.iter().map(ToString::to_string).collect();
    let (distance, plies) = distance(report.score);
    let mut line = json!({
        "rank": report.rank,
        "score": f64::from(report.score.centimen()) / 100.0,
        "depth": report.depth,
        "pv": pv,
    });
    if let Some(plies) = plies {
        line[distance] = json!(plies);
    }
    line
}

/// The name of a proven result's distance, and the distance in plies; none for an evaluation.
fn distance(score: Score) -> (&'static str, Option<u32>) {
    let to_table = 9_000_u32.saturating_sub(score.centimen().unsigned_abs());
    match (score.end_in(), score > Score::DRAW) {
        (Some(plies), true) => ("win_in", Some(plies)),
        (Some(plies), false) => ("loss_in", Some(plies)),
        (None, true) => ("table_win_in", (!score.is_eval()).then_some(to_table)),
        (None, false) => ("table_loss_in", (!score.is_eval()).then_some(to_table)),
    }
}

/// An input that could not be analysed; `line` is its number on the input.
pub(super) fn error(line: Option<usize>, input: &str, error: &str) -> String {
    let input: String = input.chars().take(200).collect();
    Object::new()
        .field("error", json!(error))
        .field_if("line", line.map(|n| json!(n)))
        .field("input", json!(input))
        .end()
}
