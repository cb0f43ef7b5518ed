//! `damier tune`: better values for parameters of the search, by games of the engine against itself ([`spsa`]).
//!
//! A run depends only on its settings: the same command finds the same values with any number of threads and after any
//! interruption ([`journal`]). What it finds is a suggestion; a match decides.

mod error;
mod game;
mod journal;
mod openings;
mod play;
mod settings;
mod spsa;

pub use error::TuneError;
pub use settings::TuneSettings;
pub use spsa::{Tunable, TunableError};

use self::journal::{Batch, Journal};
use self::openings::Openings;
use self::play::Pair;
use self::spsa::Spsa;
use super::LabError;
use super::plot::{Curve, Plot, Scale};
use damier_arena::schedule::openings as arena_openings;
use damier_engine::search::Control;
use std::path::PathBuf;

/// Points of a curve.
const POINTS: usize = 500;

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What decides it.
    pub settings: TuneSettings,
    /// Pairs played at once.
    pub threads: usize,
    /// The file in which it is kept.
    pub out: PathBuf,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Pairs of games played.
    pub pairs: u64,
    /// Games that were in the file at the start.
    pub found: u64,
    /// The present values, in the order of the settings.
    pub values: &'a [f64],
}

/// What a run found.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// Pairs of games played, now and before.
    pub pairs: u64,
    /// The value of each parameter, before it is rounded.
    pub values: Vec<f64>,
    /// Pairs of games and the values after them, from the beginning on.
    pub way: Vec<(u64, Vec<f64>)>,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

impl Tuned {
    fn new(spsa: &Spsa) -> Tuned {
        Tuned {
            pairs: 0,
            values: spsa.values().to_vec(),
            way: vec![(0, spsa.values().to_vec())],
            stopped: false,
        }
    }

    /// Takes in the results of a batch, and gives the values after it.
    fn learn(&mut self, spsa: &mut Spsa, results: &[i32]) -> &[f64] {
        for &result in results {
            spsa.learn(self.pairs, result);
            self.pairs += 1;
        }
        self.values = spsa.values().to_vec();
        self.way.push((self.pairs, self.values.clone()));
        &self.values
    }

    /// The way of each parameter, in steps from where it began, as SVG.
    ///
    /// # Errors
    /// The curves cannot be drawn.
    pub fn to_svg(&self, settings: &TuneSettings) -> Result<String, LabError> {
        let every = self.way.len().div_ceil(POINTS).max(1);
        let last = self.way.len().saturating_sub(1);
        let shown = |index: &usize| index.is_multiple_of(every) || *index == last;
        let shown: Vec<usize> = (0..self.way.len()).filter(shown).collect();
        let curve = |(index, tunable): (usize, &Tunable)| {
            let steps = |values: &[f64]| (values[index] - tunable.start) / tunable.step;
            let points = shown.iter().map(|&at| &self.way[at]);
            Curve {
                name: format!(
                    "{}, from {} by {}",
                    tunable.name, tunable.start, tunable.step
                ),
                points: points
                    .map(|(pairs, values)| (2 * *pairs as u32, steps(values)))
                    .collect(),
            }
        };
        let plot = Plot {
            axis: "games",
            unit: "steps from the start".to_owned(),
            scale: Scale::Linear,
            curves: settings.tunables.iter().enumerate().map(curve).collect(),
        };
        super::plot::svg("damier tune", &plot).map_err(LabError::Plot)
    }
}

/// Tunes until all pairs are played or `control` is stopped; an unfinished batch is then lost. An existing file of this
/// run is continued. `each` gets the progress a few times a second.
///
/// # Errors
/// The file cannot be used, there is no opening, or not enough memory or threads.
pub fn run(
    run: &Run,
    control: &Control,
    each: &mut dyn FnMut(Progress<'_>),
) -> Result<Tuned, TuneError> {
    let settings = &run.settings;
    if let Some(twice) = named_twice(&settings.tunables) {
        return Err(TuneError::Twice(twice));
    }
    let all = arena_openings::load_up_to(&settings.openings, None, settings.encoding)?.0;
    let mut players = play::players(settings, run.threads)?;
    let identity = settings.to_json(&all, &mut players[0][0]);
    let (mut journal, batches) = Journal::open(&run.out, &identity)?;
    let mut spsa = Spsa::new(
        &settings.tunables,
        settings.pairs,
        settings.rate,
        settings.seed,
    );
    let mut tuned = Tuned::new(&spsa);
    for (line, batch) in (2..).zip(&batches) {
        let left = settings.pairs - tuned.pairs;
        let is_whole = left > 0 && batch.results.len() as u64 == settings.batch.min(left);
        // The values follow from the results.
        if !is_whole || !is_near(tuned.learn(&mut spsa, &batch.results), &batch.values) {
            return Err(journal.damaged(line));
        }
    }
    let found = tuned.pairs;
    let mut openings = Openings::new(settings, &all);
    while tuned.pairs < settings.pairs && !control.is_stopped() {
        let numbers = tuned.pairs..settings.pairs.min(tuned.pairs + settings.batch);
        let pair = |number| {
            Ok(Pair {
                opening: openings.of_pair(number)?,
                sides: spsa.sides(number),
            })
        };
        let batch = numbers.map(pair).collect::<Result<Vec<_>, TuneError>>()?;
        let mut tick = |done| {
            each(Progress {
                pairs: tuned.pairs + done,
                found,
                values: spsa.values(),
            });
        };
        let Some(results) = play::batch(settings, &batch, &mut players, control, &mut tick)? else {
            break;
        };
        let values = tuned.learn(&mut spsa, &results).to_vec();
        journal.add(&Batch { results, values })?;
    }
    tuned.stopped = tuned.pairs < settings.pairs;
    Ok(tuned)
}

/// A parameter that comes twice.
fn named_twice(tunables: &[Tunable]) -> Option<&'static str> {
    let mut names = tunables.iter().map(|tunable| tunable.name).enumerate();
    let is_before = |at: usize, name| tunables[..at].iter().any(|other| other.name == name);
    names
        .find(|&(at, name)| is_before(at, name))
        .map(|(_, name)| name)
}

/// Whether values are the same but for what is lost when they are written and read.
fn is_near(values: &[f64], others: &[f64]) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * a.abs().max(1.0);
    values.len() == others.len() && values.iter().zip(others).all(near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_arena::schedule::openings::OpeningSource;
    use damier_engine::Options;
    use damier_engine::search::params::Params;
    use std::fs;
    use std::path::Path;

    fn settings(seed: u64) -> TuneSettings {
        let read = |text| Tunable::read(text, &Params::default()).expect("a parameter");
        TuneSettings {
            tunables: vec![read("lmr_base=100"), read("lmr_divisor=80")],
            options: Options {
                tt_size: 12,
                weights: "material".into(),
                ..Options::default()
            },
            pairs: 7,
            batch: 3,
            nodes: 300,
            rate: 0.5,
            openings: OpeningSource::TwoMove,
            encoding: None,
            random_plies: 2,
            window: None,
            seed,
        }
    }

    fn tune(
        out: &Path,
        threads: usize,
        settings: TuneSettings,
        stop: u64,
    ) -> Result<Tuned, TuneError> {
        let control = Control::new();
        let run = Run {
            settings,
            threads,
            out: out.to_owned(),
        };
        super::run(&run, &control, &mut |progress| {
            if progress.pairs >= stop {
                control.stop();
            }
        })
    }

    #[test]
    fn a_run_is_the_same_with_any_threads_and_after_interruptions() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        let whole = tune(&one, 1, settings(5), u64::MAX).expect("it runs");
        assert_eq!((whole.pairs, whole.stopped, whole.way.len()), (7, false, 4));
        assert!(whole.values != whole.way[0].1, "{:?}", whole.values);
        // Interrupted in each batch, and with a line cut off.
        for stop in [1, 4] {
            let part = tune(&two, 3, settings(5), stop).expect("it runs");
            assert!(part.stopped && part.pairs <= stop + 3);
            let mut text = fs::read(&two).expect("a file");
            text.extend(b"{\"results\":[1,");
            fs::write(&two, text).expect("writes");
        }
        assert_eq!(
            tune(&two, 2, settings(5), u64::MAX).expect("it runs"),
            whole
        );
        assert_eq!(
            fs::read(&one).expect("a file"),
            fs::read(&two).expect("a file")
        );
        // Nothing is left to do.
        assert_eq!(tune(&two, 2, settings(5), 0).expect("it runs"), whole);
        let svg = whole.to_svg(&settings(5)).expect("a picture");
        assert!(svg.contains("lmr_base, from 30 by 100"), "{svg}");
        assert_ne!(
            tune(&folder.path().join("other"), 1, settings(6), u64::MAX)
                .expect("it runs")
                .values,
            whole.values
        );
    }

    #[test]
    fn files_of_others_are_refused_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        tune(&file, 1, settings(5), u64::MAX).expect("it runs");
        let whole = fs::read_to_string(&file).expect("a file");
        let refused = |text: &str, settings: TuneSettings, words: &str| {
            fs::write(&file, text).expect("writes");
            let error = tune(&file, 1, settings, u64::MAX)
                .expect_err(words)
                .to_string();
            assert!(error.contains(words), "{error}");
            assert_eq!(fs::read_to_string(&file).expect("a file"), text);
        };
        refused(&whole, settings(6), "other settings");
        refused("[Event \"x\"]\n", settings(5), "line 1");
        refused("no line", settings(5), "line 1");
        let (head, rest) = whole.split_once('\n').expect("lines");
        refused(&format!("{head}\n{rest}{rest}"), settings(5), "line 5");
        refused(&format!("{head}\nnull\n{rest}"), settings(5), "line 2");
        // A result that was changed does not lead to the values.
        let results = rest.find("[").expect("results") + 1;
        let (left, right) = rest.split_at(results);
        let other = match right.starts_with('2') {
            true => format!("{left}1{}", &right[1..]),
            false => format!("{left}2{}", right.trim_start_matches(|c| c != ',')),
        };
        refused(&format!("{head}\n{other}"), settings(5), "line 2");
        let twice = TuneSettings {
            tunables: vec![settings(1).tunables[0].clone(); 2],
            ..settings(1)
        };
        let error = tune(&folder.path().join("new"), 1, twice, 0).expect_err("twice");
        assert_eq!(error.to_string(), "lmr_base is named twice");
    }
}
