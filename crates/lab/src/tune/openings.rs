//! Where the pairs of games begin.

use super::error::TuneError;
use super::settings::TuneSettings;
use damier_arena::schedule::openings::{Opening, WindowJudge};
use damier_arena::schedule::{Format, Schedule, ScheduleSettings};
use damier_rules::internal::mix;

/// Pairs whose openings are drawn together: no two of them alike. A run that goes on draws those of its place only.
const PART: u64 = 512;
/// Nodes of the search that judges an opening.
const WINDOW_NODES: u64 = 5_000;

/// The openings, drawn part by part.
pub(super) struct Openings<'a> {
    settings: &'a TuneSettings,
    all: &'a [Opening],
    drawn: Option<(u64, Schedule)>,
}

impl<'a> Openings<'a> {
    /// The openings of a run, out of these.
    pub fn new(settings: &'a TuneSettings, all: &'a [Opening]) -> Openings<'a> {
        Openings {
            settings,
            all,
            drawn: None,
        }
    }

    /// The opening of the pair with this number.
    pub fn of_pair(&mut self, number: u64) -> Result<Opening, TuneError> {
        let part = number / PART;
        let schedule = match self.drawn.take() {
            Some((of, schedule)) if of == part => schedule,
            _ => self.draw(part)?,
        };
        let pair = schedule.pair(number % PART);
        if schedule.is_outside_window() {
            return Err(TuneError::Window);
        }
        self.drawn = Some((part, schedule));
        Ok(pair
            .unwrap_or_else(|| unreachable!("every part has so many pairs"))
            .opening)
    }

    fn draw(&self, part: u64) -> Result<Schedule, TuneError> {
        let settings = ScheduleSettings {
            format: Format::RoundRobin,
            engines: 2,
            random_plies: self.settings.random_plies,
            seed: mix(self.settings.seed) ^ part,
            rounds: Some(PART),
        };
        let schedule = Schedule::new(self.all.to_vec(), &settings);
        Ok(match self.settings.window {
            Some(window) => schedule.with_window(WindowJudge::new(window, WINDOW_NODES)?),
            None => schedule,
        })
    }
}
