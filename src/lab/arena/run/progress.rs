//! How far a match is, with the running score.

use crate::lab::arena::run::MatchPlan;
use crate::lab::arena::standings::Standings;
use crate::lab::arena::standings::statistics::Interval;
use std::time::{Duration, Instant};

/// How often it is told.
const EVERY: Duration = Duration::from_millis(500);

/// What a match tells while it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressEvent<'a> {
    /// How far it is, now and then.
    Progress(&'a MatchProgress),
    /// Something that the user should look at.
    Warning(&'a str),
}

/// How far a match is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchProgress {
    /// Games that count by now.
    pub done: u64,
    /// Of these, games that counted when this was told for the first time: they took no time.
    pub before: u64,
    /// Games of the whole match.
    pub total: u64,
    /// The running score, where there are two engines: one short line.
    pub score: String,
}

/// Tells the progress now and then.
pub(super) struct ProgressReporter<'a> {
    each: &'a mut dyn FnMut(ProgressEvent<'_>),
    told: Option<Instant>,
    before: u64,
}

impl<'a> ProgressReporter<'a> {
    pub(super) fn new(each: &'a mut dyn FnMut(ProgressEvent<'_>)) -> ProgressReporter<'a> {
        ProgressReporter {
            each,
            told: None,
            before: 0,
        }
    }

    /// Tells a warning, at once.
    pub(super) fn warn(&mut self, what: &str) {
        (self.each)(ProgressEvent::Warning(what));
    }

    /// Tells the progress, when it is time.
    pub(super) fn tell(&mut self, standings: &Standings, plan: &MatchPlan) {
        if self.told.is_some_and(|told| told.elapsed() < EVERY) {
            return;
        }
        if self.told.is_none() {
            self.before = standings.games;
        }
        self.told = Some(Instant::now());
        (self.each)(ProgressEvent::Progress(&MatchProgress {
            done: standings.games,
            before: self.before,
            total: 2 * plan.schedule.pairs(),
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
    if let Some(Interval {
        low: Some(low),
        value: Some(value),
        high: Some(high),
    }) = tally.elo()
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
