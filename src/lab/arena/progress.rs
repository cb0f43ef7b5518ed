//! The running score on one line of a terminal.

use super::runner::Match;
use super::standings::Standings;
use super::statistics::Interval;
use std::io::Write;
use std::time::{Duration, Instant};

/// How often the line is written anew.
const EVERY: Duration = Duration::from_millis(500);

/// Writes a line over and over; nothing where there is no screen.
pub(super) struct Progress<'a> {
    screen: Option<&'a mut dyn Write>,
    total: u64,
    began: Instant,
    shown: Option<Instant>,
    /// Games that were there at the first line.
    before: u64,
    width: usize,
}

impl<'a> Progress<'a> {
    pub(super) fn new(screen: Option<&'a mut dyn Write>, total: u64) -> Progress<'a> {
        Progress {
            screen,
            total,
            began: Instant::now(),
            shown: None,
            before: 0,
            width: 0,
        }
    }

    /// Shows the score, when it is time.
    pub(super) fn show(&mut self, standings: &Standings, plan: &Match) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        if self.shown.is_some_and(|shown| shown.elapsed() < EVERY) {
            return;
        }
        if self.shown.is_none() {
            self.before = standings.games;
            self.began = Instant::now();
        }
        self.shown = Some(Instant::now());
        let text = line(
            standings,
            plan,
            self.total,
            self.before,
            self.began.elapsed(),
        );
        let width = text.chars().count();
        // A screen that cannot be written to is no reason to stop.
        let _ = write!(
            screen,
            "\r{text}{}",
            " ".repeat(self.width.saturating_sub(width))
        );
        let _ = screen.flush();
        self.width = width;
    }

    /// Leaves the screen clean.
    pub(super) fn end(&mut self) {
        if let (Some(screen), Some(_)) = (&mut self.screen, self.shown) {
            let _ = write!(screen, "\r{}\r", " ".repeat(self.width));
            let _ = screen.flush();
        }
    }
}

fn line(standings: &Standings, plan: &Match, total: u64, before: u64, elapsed: Duration) -> String {
    let mut text = format!("{}/{total}", standings.games);
    if let [pairing] = plan.schedule.pairings() {
        let tally = standings.against(*pairing);
        let [won, drawn, lost] = tally.wdl();
        text += &format!("  +{won} ={drawn} -{lost}  {:.1} %", 100.0 * tally.score());
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
    }
    let played = standings.games.saturating_sub(before);
    let rate = played as f64 / elapsed.as_secs_f64();
    if played > 0 && rate.is_finite() && rate > 0.0 {
        let left = (total.saturating_sub(standings.games)) as f64 / rate;
        text += &format!("  {rate:.1} games/s  {} left", hours(left));
    }
    text
}

/// Seconds as people say them.
fn hours(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m}:{s:02} min"),
        (h, m, _) => format!("{h}:{m:02} h"),
    }
}
