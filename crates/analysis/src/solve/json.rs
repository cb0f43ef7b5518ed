//! A solution as JSON.

use super::{Alternative, Defence, GoalSource, Solution, Status};
use crate::json::texts;
use damier_rules::notation::fen;
use serde::Serialize;

/// A checked composition as an object; docs/json.md describes the fields.
#[derive(Serialize)]
pub struct SolutionObject {
    /// Number of the problem in the input, from 1.
    pub problem: u64,
    fen: String,
    turn: String,
    side: String,
    goal: String,
    goal_source: &'static str,
    verdict: String,
    sound: bool,
    main_line: Vec<String>,
    score: f64,
    proven: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    refuted_at: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refutation: Option<DefenceObject>,
    defences: Vec<DefenceObject>,
    cooks: Vec<AlternativeObject>,
    duals: Vec<AlternativeObject>,
    complete: bool,
    nodes: u64,
}

#[derive(Serialize)]
struct DefenceObject {
    ply: usize,
    after: Vec<String>,
    line: Vec<String>,
    status: &'static str,
}

#[derive(Serialize)]
struct AlternativeObject {
    ply: usize,
    after: Vec<String>,
    line: Vec<String>,
    status: &'static str,
    score: f64,
    main_line: bool,
    last: bool,
}

impl Solution {
    /// The solution as an object to be serialised; `strict` accepts no dual.
    pub fn to_json(&self, number: u64, strict: bool) -> SolutionObject {
        let problem = &self.problem;
        let others = |first: bool| {
            let others = self.alternatives.iter();
            let others = others.filter(|other| other.is_first == first);
            others.map(AlternativeObject::new).collect()
        };
        SolutionObject {
            problem: number,
            fen: fen::format(&problem.start),
            turn: problem.start.turn().to_string(),
            side: problem.side.to_string(),
            goal: problem.goal.to_string(),
            goal_source: match problem.source {
                GoalSource::Given => "given",
                GoalSource::Result => "result",
                GoalSource::Solution => "solution",
                GoalSource::Convention => "convention",
            },
            verdict: self.verdict.to_string(),
            sound: self.is_sound(strict),
            main_line: texts(&self.main_line),
            score: self.score.men(),
            proven: self.is_proven,
            refuted_at: self.refuted_at,
            refutation: self.refutation.as_ref().map(DefenceObject::new),
            defences: self.defences.iter().map(DefenceObject::new).collect(),
            cooks: others(true),
            duals: others(false),
            complete: self.is_complete,
            nodes: self.nodes,
        }
    }
}

impl DefenceObject {
    fn new(defence: &Defence) -> DefenceObject {
        DefenceObject {
            ply: defence.ply,
            after: texts(&defence.path),
            line: texts(&defence.line),
            status: name(defence.status),
        }
    }
}

impl AlternativeObject {
    fn new(other: &Alternative) -> AlternativeObject {
        AlternativeObject {
            ply: other.ply,
            after: texts(&other.path),
            line: texts(&other.line),
            status: name(other.status),
            score: other.score.men(),
            main_line: other.in_main_line,
            last: other.is_last,
        }
    }
}

fn name(status: Status) -> &'static str {
    match status {
        Status::Reached => "reached",
        Status::Unclear => "unclear",
        Status::Missed => "missed",
    }
}
