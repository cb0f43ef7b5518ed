//! How far a match is, with the running score.

use super::runner::Match;
use super::standings::Standings;
use super::statistics::Interval;
use std::time::{Duration, Instant};

/// How often it is told.
const EVERY: Duration = Duration::from_millis(500);

/// What a match tells while it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News<'a> {
    /// How far it is, now and then.
    Progress(&'a Progress),
    /// Something that the user should look at.
    Warning(&'a str),
}

/// How far a match is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
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
pub(super) struct Teller<'a> {
    each: &'a mut dyn FnMut(News<'_>),
    told: Option<Instant>,
    before: u64,
}

impl<'a> Teller<'a> {
    pub(super) fn new(each: &'a mut dyn FnMut(News<'_>)) -> Teller<'a> {
        Teller {
            each,
            told: None,
            before: 0,
        }
    }

    /// Tells a warning, at once.
    pub(super) fn warn(&mut self, what: &str) {
        (self.each)(News::Warning(what));
    }

    /// Tells the progress, when it is time.
    pub(super) fn tell(&mut self, standings: &Standings, plan: &Match) {
        if self.told.is_some_and(|told| told.elapsed() < EVERY) {
            return;
        }
        if self.told.is_none() {
            self.before = standings.games;
        }
        self.told = Some(Instant::now());
        (self.each)(News::Progress(&Progress {
            done: standings.games,
            before: self.before,
            total: 2 * plan.schedule.pairs(),
            score: score(standings, plan),
        }));
    }
}

fn score(standings: &Standings, plan: &Match) -> String {
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
