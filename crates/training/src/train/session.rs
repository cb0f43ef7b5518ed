//! A training run: epochs, with a checkpoint after each and every few seconds.

use super::checkpoint::{BegunEpoch, Checkpoint, EpochReport};
use super::learning::losses::round;
use super::learning::{learner, network, schedule};
use super::output::{OutputFile, read_at_most};
use super::{Data, FileSummary, Learner, Losses, TrainError, TrainingSettings};
use crate::dataset::Damage;
use crate::wdl::{Histogram, fit};
use damier_engine::eval::network::Weights;
use damier_engine::eval::{WdlModel, WeightsFile};
use damier_engine::{PROGRAM, is_built_in};
use damier_os::files::{AtomicFile, place};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Largest size of a file of weights, in bytes.
const LARGEST_WEIGHTS: u64 = 1 << 30;
/// A kill loses at most the steps of this period.
const SAVED_EVERY: Duration = Duration::from_secs(2);

/// What to train, from what, into what.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Files of games.
    pub files: Vec<PathBuf>,
    /// The file of weights to write.
    pub out: PathBuf,
    /// The file that keeps where a run is.
    pub checkpoint: PathBuf,
    /// A file of weights to begin with; None begins with weights drawn at random.
    pub from: Option<PathBuf>,
    /// What decides the weights, beside the games and the weights to begin with.
    pub settings: TrainingSettings,
    /// Threads, on which the weights do not depend.
    pub threads: usize,
}

/// Progress of a run.
#[derive(Clone, Debug)]
pub enum TrainingEvent<'a> {
    /// Games were read.
    Read {
        /// Games read.
        done: u64,
        /// All games.
        total: u64,
    },
    /// All games are read; training begins, or goes on.
    Ready {
        /// The positions.
        data: &'a Data,
        /// Epochs of the checkpoint.
        done: &'a [EpochReport],
    },
    /// A step was made.
    Step {
        /// The epoch, from 1.
        epoch: u32,
        /// Positions of it seen.
        done: usize,
        /// All its positions.
        total: usize,
    },
    /// An epoch is over, and the checkpoint written.
    Epoch {
        /// What it came to.
        report: &'a EpochReport,
        /// Time of its steps.
        time: Duration,
    },
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct TrainingSummary {
    /// The epochs, those of the checkpoint included.
    pub epochs: Vec<EpochReport>,
    /// Losses of the weights written, which are quantised, on the games held out.
    pub rounded: Option<Losses>,
    /// Positions trained on.
    pub train: usize,
    /// Positions held out.
    pub held_out: usize,
    /// The files.
    pub files: Vec<FileSummary>,
    /// What could not be read.
    pub damages: Vec<Damage>,
    /// Whether it was stopped before its end; no weights were written then.
    pub stopped: bool,
}

/// Trains. `observe` gets the progress and says whether to go on; a run that is stopped keeps the checkpoint of its
/// last step.
///
/// # Errors
/// A file cannot be read or written, there is nothing to train on, or the checkpoint belongs to another run. No weights
/// are written then.
pub fn run(
    run: &Run,
    observe: &mut (dyn FnMut(TrainingEvent) -> bool + Send),
) -> Result<TrainingSummary, TrainError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(run.threads);
    pool.build()?.install(|| train(run, observe))
}

/// Checks all of a run but its games: for who has to make some of those first, which may take long.
///
/// # Errors
/// Those of [`run`], as far as they can be known without games.
pub fn check(run: &Run) -> Result<(), TrainError> {
    Prepared::new(run).map(drop)
}

/// What a run has read and opened before its games.
struct Prepared {
    settings: Value,
    from: Option<(Weights, String)>,
    there: WeightsThere,
    checkpoint: Option<Checkpoint>,
    out: OutputFile,
}

impl Prepared {
    fn new(run: &Run) -> Result<Prepared, TrainError> {
        check_names(run)?;
        if run.out.to_str().is_some_and(is_built_in) {
            let file = run.out.display().to_string();
            return Err(TrainError::BuiltIn { file });
        }
        let mut settings = json!(run.settings);
        let from = run.from.as_deref().map(read_weights).transpose()?;
        if let Some((weights, _)) = &from
            && weights.size != run.settings.size
        {
            return Err(other_size(run, weights));
        }
        settings["from"] = json!(from.as_ref().map(|(_, checksum)| checksum));
        let there = WeightsThere::read(&run.out)?;
        there.check(&run.out, "settings", &settings)?;
        let checkpoint = Checkpoint::read(&run.checkpoint)?;
        if let Some(found) = &checkpoint {
            found.check(&run.checkpoint, "settings", &settings)?;
        }
        let out = OutputFile::open(&run.out, &inputs(run))?;
        // Whether it can be written shows before the first epoch, not after it.
        drop(OutputFile::open(&run.checkpoint, &inputs(run))?);
        Ok(Prepared {
            settings,
            from,
            there,
            checkpoint,
            out,
        })
    }
}

fn train(
    run: &Run,
    observe: &mut dyn FnMut(TrainingEvent) -> bool,
) -> Result<TrainingSummary, TrainError> {
    let Prepared {
        settings,
        from,
        there,
        checkpoint,
        out,
    } = Prepared::new(run)?;
    let mut each = |done, total| observe(TrainingEvent::Read { done, total });
    let Some(data) = Data::load(&run.files, &run.settings, &mut each)? else {
        let mut session = TrainingSession::new(run, Data::default(), Value::Null);
        session.reports = checkpoint.map_or_else(Vec::new, |found| found.reports);
        return Ok(session.summary(None, true));
    };
    let identity = json!({"settings": settings, "data": data.to_json()});
    there.check(&run.out, "data", &identity["data"])?;
    let mut session = TrainingSession::new(run, data, identity);
    match (checkpoint, from) {
        (Some(found), _) => session.resume(found)?,
        (None, Some((weights, _))) => session.begin_with(&weights)?,
        (None, None) => {}
    }
    session.train(out, observe)
}

/// The weights to begin with are of another size than those to train.
fn other_size(run: &Run, weights: &Weights) -> TrainError {
    let file = run.from.clone().unwrap_or_default();
    TrainError::OtherSize {
        file: file.display().to_string(),
        there: weights.size,
        here: run.settings.size,
    }
}

/// No file is named for two purposes, however its path is written.
fn check_names(run: &Run) -> Result<(), TrainError> {
    let mut places = Vec::new();
    // Files are written under another name and renamed.
    let beside = [&run.out, &run.checkpoint].map(|name| AtomicFile::partial_name(name));
    let named = run.files.iter().chain([&run.out, &run.checkpoint]);
    for name in named.chain(&beside) {
        let place = place(name);
        if places.contains(&place) {
            let file = name.display().to_string();
            return Err(TrainError::SameFile { file });
        }
        places.push(place);
    }
    Ok(())
}

/// The files that are read and never written over.
fn inputs(run: &Run) -> Vec<PathBuf> {
    let from = run.from.iter().chain([&run.checkpoint]);
    run.files.iter().chain(from).cloned().collect()
}

/// Weights with the checksum of their file. `embedded` stands for those inside the program.
pub(in crate::train) fn read_weights(file: &Path) -> Result<(Weights, String), TrainError> {
    let bytes = WeightsFile::named(file).map_err(|error| TrainError::io(file, error))?;
    let read = WeightsFile::from_bytes(&bytes).map_err(|error| TrainError::Weights {
        file: file.display().to_string(),
        error,
    })?;
    Ok((read.weights, format!("{:08x}", crc32fast::hash(&bytes))))
}

/// The record of a file in the place of the weights: only weights of the same run are overwritten.
struct WeightsThere(Option<Value>);

impl WeightsThere {
    fn read(file: &Path) -> Result<WeightsThere, TrainError> {
        let bytes = read_at_most(file, LARGEST_WEIGHTS)?;
        Ok(WeightsThere(bytes.map(|bytes| {
            let read = WeightsFile::from_bytes(&bytes).ok();
            read.and_then(|read| serde_json::from_str(&read.record).ok())
                .unwrap_or_default()
        })))
    }

    fn check(&self, file: &Path, part: &str, here: &Value) -> Result<(), TrainError> {
        match &self.0 {
            Some(record) if record[part] != *here => Err(TrainError::Exists {
                file: file.display().to_string(),
            }),
            _ => Ok(()),
        }
    }
}

struct TrainingSession<'a> {
    run: &'a Run,
    data: Data,
    identity: Value,
    learner: Box<dyn Learner>,
    reports: Vec<EpochReport>,
    begun: BegunEpoch,
    /// The mean of the weights over the steps.
    mean: Vec<f32>,
}

impl TrainingSession<'_> {
    fn new(run: &Run, data: Data, identity: Value) -> TrainingSession<'_> {
        let learner = network::fresh(run.settings.size, run.settings.seed);
        TrainingSession {
            run,
            data,
            identity,
            mean: learner.parameters().to_vec(),
            learner,
            reports: Vec::new(),
            begun: BegunEpoch::default(),
        }
    }

    fn resume(&mut self, found: Checkpoint) -> Result<(), TrainError> {
        let file = &self.run.checkpoint;
        found.check(file, "data", &self.identity["data"])?;
        let fits = found.mean.len() == found.state.parameters.len();
        if !fits || !self.learner.restore(found.state) {
            return Err(TrainError::Checkpoint {
                file: file.display().to_string(),
                what: "the checkpoint's weights are of another size",
            });
        }
        (self.reports, self.begun, self.mean) = (found.reports, found.begun, found.mean);
        Ok(())
    }

    fn begin_with(&mut self, weights: &Weights) -> Result<(), TrainError> {
        let scale = self.run.settings.labels.scale as f32;
        if self.learner.begin_with(weights, scale) {
            self.mean = self.learner.parameters().to_vec();
            return Ok(());
        }
        Err(other_size(self.run, weights))
    }

    fn is_over(&self) -> bool {
        self.reports.len() as u32 >= self.run.settings.epochs
    }

    fn train(
        mut self,
        out: OutputFile,
        observe: &mut dyn FnMut(TrainingEvent) -> bool,
    ) -> Result<TrainingSummary, TrainError> {
        let (data, done) = (&self.data, &self.reports[..]);
        if !observe(TrainingEvent::Ready { data, done }) {
            return Ok(self.summary(None, true));
        }
        while !self.is_over() {
            let began = Instant::now();
            let Some(train) = self.epoch(observe)? else {
                return Ok(self.summary(None, true));
            };
            let time = began.elapsed();
            let report = EpochReport {
                epoch: self.reports.len() as u32 + 1,
                train,
                held_out: self.losses(&self.mean),
            };
            self.reports.push(report);
            self.save()?;
            let report = &report;
            if !observe(TrainingEvent::Epoch { report, time }) && !self.is_over() {
                return Ok(self.summary(None, true));
            }
        }
        let rounded = self.losses(&self.learner.rounded(&self.mean));
        let scale = self.run.settings.labels.scale as f32;
        let weights = WeightsFile {
            weights: self.learner.weights(&self.mean, scale),
            record: self.record(rounded).to_string(),
        };
        out.write(&weights.to_bytes())?;
        Ok(self.summary(rounded, false))
    }

    /// One pass over all positions, or the rest of one; their mean loss. None when stopped.
    fn epoch(
        &mut self,
        observe: &mut dyn FnMut(TrainingEvent) -> bool,
    ) -> Result<Option<f64>, TrainError> {
        let settings = &self.run.settings;
        let total = self.data.train.len();
        let done = self.reports.len() as u32;
        let order = schedule::order(settings.seed, done, total);
        let steps = total.div_ceil(settings.batch) as u64;
        let mut sum = f64::from_bits(self.begun.losses);
        let mut saved = Instant::now();
        let batches = order.chunks(settings.batch).enumerate();
        for (number, batch) in batches.skip(self.begun.steps as usize) {
            let step = u64::from(done) * steps + number as u64;
            let rate = schedule::rate(settings, step, u64::from(settings.epochs) * steps);
            let examples = &self.data.train;
            let goal = (&settings.labels, settings.objective);
            sum += self.learner.learn(examples, batch, goal, rate);
            schedule::average(
                &mut self.mean,
                self.learner.parameters(),
                settings.ema,
                step,
            );
            self.begun = BegunEpoch {
                steps: number as u64 + 1,
                losses: sum.to_bits(),
            };
            let event = TrainingEvent::Step {
                epoch: done + 1,
                done: number * settings.batch + batch.len(),
                total,
            };
            let goes_on = observe(event);
            if !goes_on || saved.elapsed() >= SAVED_EVERY {
                self.save()?;
                saved = Instant::now();
            }
            if !goes_on {
                return Ok(None);
            }
        }
        self.begun = BegunEpoch::default();
        Ok(Some(round(sum / total as f64)))
    }

    fn losses(&self, parameters: &[f32]) -> Option<Losses> {
        let labels = &self.run.settings.labels;
        learner::losses(&*self.learner, parameters, &self.data.held_out, labels)
    }

    fn save(&self) -> Result<(), TrainError> {
        let checkpoint = Checkpoint {
            identity: self.identity.clone(),
            reports: self.reports.clone(),
            begun: self.begun,
            state: self.learner.state(),
            mean: self.mean.clone(),
        };
        OutputFile::open(&self.run.checkpoint, &inputs(self.run))?.write(&checkpoint.to_bytes())
    }

    /// How the weights were made. Nothing in it depends on when, where, or by how many threads they were trained.
    fn record(&self, rounded: Option<Losses>) -> Value {
        json!({
            "program": PROGRAM,
            "settings": self.identity["settings"],
            "data": self.identity["data"],
            "epochs": self.reports.len(),
            "last": self.reports.last(),
            "rounded": rounded.map(|losses| losses.loss),
            "wdl": self.meaning(),
        })
    }

    /// What the scores of the games mean. None where there are too few.
    fn meaning(&self) -> Option<WdlModel> {
        let histogram = Histogram::read(&self.run.files).ok()?;
        fit(&histogram)
    }

    fn summary(self, rounded: Option<Losses>, stopped: bool) -> TrainingSummary {
        TrainingSummary {
            epochs: self.reports,
            rounded,
            train: self.data.train.len(),
            held_out: self.data.held_out.len(),
            files: self.data.files,
            damages: self.data.damages,
            stopped,
        }
    }
}
