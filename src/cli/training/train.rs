//! `damier train`.

use super::pdn::{PdnInput, imported};
use crate::cli::shared_args::{EncodingArgs, WorkerArgs, number, whole};
use crate::cli::{Command, Failure, GivenOptions, error, progress, warn};
use damier::eval::network::Size;
use damier::notation::text::for_terminal;
use damier::os::files::beside;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::training::dataset::{Filter, Stillness};
use damier::training::train::{
    self, EpochReport, Labels, Losses, Objective, Run, TrainingEvent, TrainingSettings,
    TrainingSummary,
};
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const HELP: &str = "\
A position's label is the result that its side to move should expect, from 0 to 1: --blend of the game's result, the \
rest what the searches expect. That is the mean of the next --horizon searched scores, each weighing --decay times the \
one before, read with --scale, from the side of the position. Neither reaches over a random move of the game: \
positions before one have no result (but see --all-results), and the mean ends there.

Whole games are held out, chosen by their seed and number; their loss is reported, and has no effect on the training. \
Training ends after --epochs, and the mean of the weights over the last steps is written (--ema).

Every two seconds and after each epoch the checkpoint is written. A run that was interrupted, by Ctrl-C, a kill or a \
crash, goes on from there with the same command and writes the same bytes as an unbroken run. A checkpoint of other \
games or other settings is refused. A file is overwritten only if it has the weights of the same run. \
The weights depend on the games and the arguments only, not on --threads. Games given twice, as in a copy of a file or \
in a whole run beside one of its shards, are refused. `damier dataset score` compares weights on other games.

PDN is imported first, as by `damier dataset import`, to the file of --out with .pdn.dgr added; each \
position without a score is searched with --nodes. An interrupted import goes on with the same command.

With --json each epoch is an object on a line of its own, and the last line is the summary.

Examples:
  damier train g1.dgr g2.dgr --out new.dwt --epochs 8 --seed 2
  damier train games.pdn --blend 1 --out supervised.dwt";

/// How positions are labelled and which are taken.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct LabelArgs {
    /// Weight of the game's result in the label, from 0 to 1; the rest is what the searches expect
    #[arg(long, value_name = "L", default_value_t = 0.3, value_parser = number(0.0, 1.0))]
    pub blend: f64,
    /// Hundredths of a man for a logit of 1, in the scores read and the evaluation written
    #[arg(long, value_name = "K", default_value_t = 150.0, value_parser = number(1.0, 2_000.0))]
    pub scale: f64,
    /// Number of searched scores to average, from that of the position on; 1 for that score alone
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole::<u32>(1..=1_000))]
    pub horizon: u32,
    /// Weight of each of these scores relative to the one before, from 0 to 1
    #[arg(long, value_name = "D", default_value_t = 0.85, value_parser = number(0.0, 1.0))]
    pub decay: f64,
    /// Use the game's result also for positions before a random move
    #[arg(long)]
    pub all_results: bool,
    /// Leave out positions in which the search finds a side ahead by more than this many men
    #[arg(long, value_name = "MEN", default_value = "20", value_parser = number(0.0, 100.0))]
    pub largest_score: f64,
    /// Leave out positions before this ply of their game
    #[arg(long, value_parser = whole::<u32>(0..), value_name = "N", default_value_t = 0)]
    pub first_ply: u32,
    /// Use one in N of the positions with kings on both sides
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<u32>(1..))]
    pub one_of_kings: u32,
    /// Positions to use: quiet (neither side could capture), calm (the side to move cannot capture) or any
    #[arg(long, value_name = "KIND", default_value_t = Stillness::Quiet)]
    pub still: Stillness,
    /// Also use positions in which the move played captures or lets the opponent capture
    #[arg(long)]
    pub keep_exchanges: bool,
}

impl LabelArgs {
    pub(in crate::cli) fn labels(&self) -> Labels {
        Labels {
            blend: self.blend,
            scale: self.scale,
            horizon: self.horizon,
            decay: self.decay,
            all_results: self.all_results,
        }
    }

    pub(in crate::cli) fn filter(&self) -> Filter {
        Filter {
            stillness: self.still,
            largest_score: Some((self.largest_score * 100.0).round() as u32),
            first_ply: self.first_ply,
            fewest_pieces: 0,
            one_of_kings: self.one_of_kings,
            exchanges: self.keep_exchanges,
        }
    }
}

/// Train the weights of an evaluation on games of selfplay, or on PDN
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct TrainArgs {
    /// Files of games, the newest last: of selfplay, or PDN
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Positions to search for the score of each position of PDN that has none
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole::<u64>(1..))]
    pub nodes: u64,
    /// The file of weights to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Network to train: network-64, network-128, network-256 (hidden units a view) or network-128x8 (a second layer of
    /// 8)
    #[arg(long, value_name = "NAME", default_value_t)]
    pub arch: Size,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u32>(1..=10_000))]
    pub epochs: u32,
    /// Learning rate of Adam at the start; it falls to a hundredth along half a cosine
    #[arg(long, value_name = "R", default_value_t = 0.002, value_parser = number(1e-7, 1.0))]
    pub rate: f64,
    /// Loss to minimise: logistic, the cross entropy, or squares, the squared difference of expectation and label; the
    /// losses shown are cross entropies
    #[arg(long, value_name = "NAME", default_value_t)]
    pub objective: Objective,
    /// Positions per step
    #[arg(long, value_name = "N", default_value_t = 4_096, value_parser = whole::<u32>(1..=1 << 20))]
    pub batch: u32,
    /// Seed of the first weights and of the order of the positions
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write the exponential moving average of the weights over the steps, with this decay; 0: the weights of the last
    /// step
    #[arg(long, value_name = "D", default_value_t = 0.999, value_parser = number(0.0, 0.999_999))]
    pub ema: f64,
    /// Percent of the games to hold out
    #[arg(long, value_name = "PERCENT", default_value_t = 3, value_parser = whole::<u32>(0..=50))]
    pub hold_out: u32,
    #[command(flatten)]
    pub labels: LabelArgs,
    /// Use at most this many positions, from the last file backwards
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    pub positions: Option<u64>,
    /// Train on each of several equal positions, instead of on one position with the mean of their labels
    #[arg(long)]
    pub keep_duplicates: bool,
    /// Also train on this many random endings of two or three pieces against a lone king, labelled by the endgame
    /// tables
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..=100_000_000))]
    pub table_positions: u32,
    /// Start from the weights of this file, of the same --arch, or from `embedded`, instead of random weights
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// File of the checkpoint [default: --out with .ckpt added]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Print JSON objects
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub text: EncodingArgs,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

impl TrainArgs {
    /// The file that keeps where the run is.
    pub fn checkpoint(&self) -> PathBuf {
        let beside = || beside(&self.out, ".ckpt");
        self.checkpoint.clone().unwrap_or_else(beside)
    }
}

fn plan(args: &TrainArgs, files: Vec<PathBuf>) -> Run {
    let settings = TrainingSettings {
        size: args.arch,
        epochs: args.epochs,
        labels: args.labels.labels(),
        objective: args.objective,
        rate: args.rate,
        batch: args.batch as usize,
        seed: args.seed,
        hold_out: args.hold_out,
        ema: args.ema,
        positions: args.positions.map(|most| most as usize),
        filter: args.labels.filter(),
        merge_duplicates: !args.keep_duplicates,
        table_positions: args.table_positions,
    };
    Run {
        files,
        out: args.out.clone(),
        checkpoint: args.checkpoint(),
        from: args.from.clone(),
        settings,
        threads: args.workers.count(),
    }
}

impl Command for TrainArgs {
    const NAME: &'static str = "train";

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.out.clone(), self.checkpoint(), imported(&self.out)]
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        // The first Ctrl-C or SIGTERM stops the run with its checkpoint, a second one at once.
        note_requests_to_end();
        let input = PdnInput {
            out: &self.out,
            nodes: self.nodes,
            text: self.text,
            threads: self.workers.count(),
            json: self.json,
        };
        let run = plan(self, input.games(&self.paths));
        train::check(&run).map_err(error)?;
        input.import(&self.paths)?;
        let began = Instant::now();
        let mut reporter = Reporter {
            json: self.json,
            bar: progress::bar(0, "games"),
            alone: false,
            broken: None,
            began,
            positions: 0,
            hold_out: run.settings.hold_out,
        };
        let summary = train::run(&run, &mut |event| reporter.report(event) && !asked_to_end());
        reporter.bar.finish_and_clear();
        if let Some(error) = reporter.broken {
            return Err(Failure::Io(error));
        }
        let summary = summary.map_err(error)?;
        if summary.stopped {
            return Err(Failure::Error(format!(
                "stopped after {} of {} epochs; the same command goes on with them",
                summary.epochs.len(),
                run.settings.epochs
            )));
        }
        end(&run, &summary, began.elapsed(), self.json)?;
        Ok(())
    }
}

/// Prints the progress of a run.
struct Reporter {
    json: bool,
    bar: indicatif::ProgressBar,
    /// Whether the reader of stdout has gone; the weights are wanted all the same.
    alone: bool,
    /// Why stdout failed.
    broken: Option<io::Error>,
    began: Instant,
    /// Positions of an epoch.
    positions: usize,
    /// Percent of the games to be held out.
    hold_out: u32,
}

impl Reporter {
    /// False where stdout failed.
    fn report(&mut self, event: TrainingEvent) -> bool {
        match event {
            TrainingEvent::Read { done, total } => {
                progress::show(&self.bar, done, total);
            }
            TrainingEvent::Ready { data, done } => {
                self.bar.finish_and_clear();
                for damage in &data.damages {
                    // The weights can be had without these games; the summary counts them too.
                    warn(&damage);
                }
                if data.held_out.is_empty() && self.hold_out > 0 {
                    warn(&"too few games to hold any out: no held-out loss is shown");
                }
                self.positions = data.train.len();
                self.bar = progress::bar(self.positions as u64, "positions");
                self.print(&begin(data, done, self.began.elapsed(), self.json));
            }
            TrainingEvent::Step { epoch, done, total } => {
                if done as u64 <= self.bar.position() {
                    self.bar.reset();
                }
                self.bar.set_length(total as u64);
                self.bar.set_position(done as u64);
                self.bar.set_message(format!("epoch {epoch}"));
            }
            TrainingEvent::Epoch { report, time } => {
                let speed = self.positions as f64 / time.as_secs_f64().max(1e-9);
                let line = if self.json {
                    let mut object = json!(report);
                    object["positions_per_second"] = json!(speed.round());
                    object.to_string()
                } else {
                    row(report, speed)
                };
                self.print(&line);
            }
        }
        self.broken.is_none()
    }

    fn print(&mut self, text: &str) {
        log::info!("{text}");
        let mut out = io::stdout().lock();
        // The bar may stand on the same terminal.
        let print = || writeln!(out, "{text}").and_then(|()| out.flush());
        if self.alone {
            return;
        }
        match self.bar.suspend(print) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.alone = true,
            printed => self.broken = printed.err(),
        }
    }
}

fn begin(data: &train::Data, done: &[EpochReport], time: Duration, as_json: bool) -> String {
    let games: u64 = data.files.iter().map(|file| file.games).sum();
    let seconds = time.as_secs_f64();
    if as_json {
        return json!({
            "games": games,
            "train": data.train.len(),
            "held_out": data.held_out.len(),
            "stored": data.stored,
            "duplicates": data.duplicates,
            "damages": data.damages.len(),
            "time": seconds,
            "epochs_done": done.len(),
        })
        .to_string();
    }
    let mut text = format!(
        "{games} games: {} positions to train on, {} held out, of {} stored, {} duplicates merged ({seconds:.1} s)\n",
        data.train.len(),
        data.held_out.len(),
        data.stored,
        data.duplicates
    );
    if let Some(last) = done.last() {
        text += &format!("going on after epoch {}\n", last.epoch);
    }
    text + "epoch     train  held out    result     score  positions/s"
}

fn row(report: &EpochReport, speed: f64) -> String {
    let [loss, result, score] = columns(report.held_out);
    format!(
        "{:>5}  {:.6}  {loss:>8}  {result:>8}  {score:>8}  {speed:>11.0}",
        report.epoch, report.train
    )
}

/// Losses against label, result and score, to six places.
pub(in crate::cli) fn columns(losses: Option<Losses>) -> [String; 3] {
    let numbers = losses.map_or([None; 3], |losses| {
        [Some(losses.loss), losses.result, Some(losses.score)]
    });
    numbers.map(|number| number.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.6}")))
}

fn end(run: &Run, summary: &TrainingSummary, time: Duration, as_json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if as_json {
        let object = json!({
            "out": run.out.display().to_string(),
            "epochs": summary.epochs.len(),
            "last": summary.epochs.last(),
            "rounded": summary.rounded.map(|losses| losses.loss),
            "time": time.as_secs_f64(),
            "damages": summary.damages.len(),
            "threads": run.threads,
        });
        writeln!(out, "{object}")?;
    } else {
        let rounded = summary.rounded.map_or_else(String::new, |losses| {
            format!(", held-out loss {:.6} quantised", losses.loss)
        });
        writeln!(
            out,
            "{}: the weights after {} epochs{rounded} ({:.1} s)",
            for_terminal(&run.out.display().to_string()),
            summary.epochs.len(),
            time.as_secs_f64()
        )?;
    }
    out.flush()
}
