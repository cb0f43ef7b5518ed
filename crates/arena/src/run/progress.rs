//! Progress of a match, with the running score.

use crate::plan::MatchPlan;
use crate::standings::Standings;
use crate::standings::statistics::Interval;
use std::time::{Duration, Instant};

/// How often progress is reported.
const INTERVAL: Duration = Duration::from_millis(500);

/// What a running match reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressEvent<'a> {
    /// How far it is.
    Progress(&'a MatchProgress),
    /// A warning for the user.
    Warning(&'a str),
}

/// Progress of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchProgress {
    /// Games counted so far.
    pub done: u64,
    /// Games already counted at the first report, which took no time in this run.
    pub before: u64,
    /// Games of the whole match.
    pub total: u64,
    /// The running score of two engines, one short line; empty with more engines.
    pub score: String,
}

/// Reports progress at intervals.
pub(super) struct ProgressReporter<'a> {
    report: &'a mut dyn FnMut(ProgressEvent<'_>),
    last: Option<Instant>,
    before: u64,
}

impl<'a> ProgressReporter<'a> {
    pub(super) fn new(report: &'a mut dyn FnMut(ProgressEvent<'_>)) -> ProgressReporter<'a> {
        ProgressReporter {
            report,
            last: None,
            before: 0,
        }
    }

    /// Reports a warning at once.
    pub(super) fn warn(&mut self, what: &str) {
        (self.report)(ProgressEvent::Warning(what));
    }

    /// Reports progress if it is due.
    pub(super) fn update(&mut self, standings: &Standings, plan: &MatchPlan) {
        match self.last {
            Some(last) if last.elapsed() < INTERVAL => return,
            Some(_) => {}
            None => self.before = standings.games,
        }
        self.last = Some(Instant::now());
        (self.report)(ProgressEvent::Progress(&MatchProgress {
            done: standings.games,
            before: self.before,
            total: plan.games(),
            score: score(standings, plan),
        }));
    }
}

fn score(standings: &Standings, plan: &MatchPlan) -> String {
    let [pairing] = plan.schedule.pairings() else {
        return String::new();
    };
    let tally = standings.against(*pairing);
    let [won, drawn, lost] = tally.wdl();
    let mut text = format!("+{won} ={drawn} -{lost}  {:.1} %", 100.0 * tally.score());
    if let Some(Interval { low, value, high }) = tally.elo()
        && (high - low).is_finite()
    {
        text += &format!("  Elo {value:+.0} ± {:.0}", (high - low) / 2.0);
    }
    if let Some(bounds) = plan.sprt {
        let test = tally.sprt(bounds);
        text += &format!(
            "  LLR {:.2} ({:.2}, {:.2})",
            test.llr, test.lower, test.upper
        );
    }
    text
}
