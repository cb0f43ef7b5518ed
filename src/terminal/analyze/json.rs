//! An analysis as one line of JSON.

use super::findings::Findings;
use crate::analysis::json::{BookMove, Distance, TableVerdict, status, texts};
use crate::eval::{Score, Wdl};
use crate::notation::fen;
use crate::notation::moves::LineError;
use crate::rules::Game;
use crate::search::Report;
use serde::Serialize;

/// Maximum number of characters of the input that are repeated.
const INPUT: usize = 1000;
/// Score of a side without a legal move, in men.
const LOST: f64 = -100.0;

/// Where a position came from.
#[derive(Serialize)]
pub(super) struct Origin {
    /// Place in a batch, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// As it was given.
    input: String,
}

impl Origin {
    pub fn new(line: Option<usize>, input: &str) -> Origin {
        let input = input.chars().take(INPUT).collect();
        Origin { line, input }
    }
}

/// An input that could not be analysed.
#[derive(Serialize)]
pub(super) struct Failed<'a> {
    pub error: &'a str,
    #[serde(flatten)]
    pub origin: Origin,
}

/// What was found of a position.
#[derive(Serialize)]
pub(super) struct Analysis {
    fen: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<String>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    best: Option<String>,
    pv: Vec<String>,
    score: f64,
    /// Chances of win, draw and loss for the side to move.
    wdl: [f64; 3],
    /// Legal moves that hold the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    safe_moves: Option<usize>,
    #[serde(flatten)]
    distance: Distance,
    /// The search; None where the side to move has no legal move.
    #[serde(flatten)]
    search: Option<SearchObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableVerdict>,
    /// The moves that the opening book has, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    book: Option<Vec<BookMove>>,
    /// The opponent's best line if the side to move could pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    threat: Option<ThreatObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_move: Option<LastMoveObject>,
    /// A move that cannot be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    illegal: Option<Illegal>,
    /// The user ended the search.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
    #[serde(flatten)]
    origin: Origin,
}

#[derive(Serialize)]
struct SearchObject {
    depth: u32,
    mean_depth: f64,
    nodes: u64,
    time: f64,
    nps: u64,
    lines: Vec<LineObject>,
}

/// What is threatened.
#[derive(Serialize)]
struct ThreatObject {
    line: Vec<String>,
    score: f64,
    points: f64,
}

/// What the last move gave away.
#[derive(Serialize)]
struct LastMoveObject {
    #[serde(rename = "move")]
    mv: String,
    forced: bool,
    lost: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    better: Vec<String>,
}

/// A move that the rules forbid.
#[derive(Serialize)]
struct Illegal {
    #[serde(rename = "move")]
    mv: String,
    ply: usize,
    reason: String,
}

/// A line of the best moves.
#[derive(Serialize)]
struct LineObject {
    rank: usize,
    score: f64,
    wdl: [f64; 3],
    depth: u32,
    pv: Vec<String>,
    #[serde(flatten)]
    distance: Distance,
}

impl Analysis {
    pub fn new(
        game: &Game,
        found: Option<&Findings>,
        illegal: Option<&LineError>,
        origin: Origin,
    ) -> Analysis {
        let (status, reason) = status(game);
        let mut analysis = Analysis {
            fen: fen::format(game.position()),
            moves: texts(game.moves()),
            status,
            reason,
            best: None,
            pv: Vec::new(),
            score: LOST,
            wdl: Wdl::LOSS.rounded(),
            safe_moves: None,
            distance: Distance {
                loss_in: Some(0),
                ..Distance::default()
            },
            search: None,
            table: None,
            book: None,
            threat: None,
            last_move: None,
            illegal: illegal.map(|illegal| Illegal {
                mv: illegal.text.clone(),
                ply: illegal.ply,
                reason: illegal.error.to_string(),
            }),
            interrupted: false,
            origin,
        };
        if let Some(found) = found {
            analysis.fill(found);
        }
        analysis
    }

    fn fill(&mut self, found: &Findings) {
        let report = &found.outcome.report;
        self.best = found.outcome.best.map(|mv| mv.to_string());
        self.pv = texts(&report.pv);
        self.score = report.score.men();
        self.wdl = chances(report);
        self.safe_moves = found.safe_moves;
        self.distance = Distance::of(report.score);
        self.search = Some(SearchObject {
            depth: report.depth,
            mean_depth: (report.mean_depth * 10.0).round() / 10.0,
            nodes: report.nodes,
            time: (report.time.as_secs_f64() * 1e3).round() / 1e3,
            nps: report.nps().round() as u64,
            lines: found.outcome.lines.iter().map(LineObject::new).collect(),
        });
        self.table = found.table.as_ref().map(TableVerdict::from);
        self.book = found.book.as_ref().map(|book| {
            let moves = book.moves.iter();
            moves
                .map(|mv| BookMove::new(mv.mv, Score::new(mv.score)))
                .collect()
        });
        let explained = found.explained.as_ref();
        let threat = explained.and_then(|explained| explained.threat.as_ref());
        self.threat = threat.map(|threat| ThreatObject {
            line: texts(&threat.line),
            score: threat.score.men(),
            points: points(threat.gain),
        });
        let last = explained.and_then(|explained| explained.last_move.as_ref());
        self.last_move = last.map(|last| LastMoveObject {
            mv: last.mv.to_string(),
            forced: last.is_forced,
            lost: points(last.loss),
            better: texts(&last.better),
        });
        self.interrupted = found.interrupted;
    }
}

impl LineObject {
    fn new(report: &Report) -> LineObject {
        LineObject {
            rank: report.rank,
            score: report.score.men(),
            wdl: chances(report),
            depth: report.depth,
            pv: texts(&report.pv),
            distance: Distance::of(report.score),
        }
    }
}

/// Win, draw and loss, in that order.
fn chances(report: &Report) -> [f64; 3] {
    report.wdl.map_or([0.0; 3], Wdl::rounded)
}

/// Expected points to three decimals.
fn points(points: f64) -> f64 {
    (points * 1e3).round() / 1e3
}
