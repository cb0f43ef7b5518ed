//! `damier tune`.

use crate::cli::endgame::refuse_unusable;
use crate::cli::engine_args::SEARCH;
use crate::cli::files::{SVG, begin};
use crate::cli::shared_args::{EncodingArgs, WorkerArgs, games, number, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, progress};
use damier::arena::schedule::openings::{OpeningSource, ScoreWindow};
use damier::engine::Options;
use damier::lab::tune::{self, Run, Tunable, TuneError, TuneSettings, Tuned};
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::search::Control;
use damier::training::selfplay::FixedLevel;
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

const HELP: &str = "\
SPSA: in every pair of games all parameters are changed at once, each up or down by its step, and the values on the \
two sides of the current ones play each other; the current values then move a little towards the winner. One pair \
shows little; some thousands show the direction of each parameter. docs/tuning.md explains what to choose.

The same command finds the same values with any number of --threads. An existing file of the same settings is \
continued, also after Ctrl-C or a kill.

Examples:
  damier tune rfp_margin=8 lmr_base=15 lmr_divisor=20 --games 20000 --nodes 40000 --out margins.jsonl --plot margins.svg
  damier tune probcut_margin --games 4000 --nodes 20000 --param lmr_base=40 --out probcut.jsonl

The result is a suggestion: confirm it by a match on other openings,
  damier match --engine 'name=tuned cmd=\"damier hub\" book=false param=\"rfp_margin=46,lmr_base=24\"' \\
      --engine 'name=old cmd=\"damier hub\" book=false' --nodes 100000 --sprt 0,5 --random-plies 3 --seed 2";

/// Tune parameters of the search by games of the engine against itself
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct TuneArgs {
    /// Parameters to tune, each as NAME or NAME=STEP; without STEP a tenth of the value, at least one
    #[arg(value_name = "PARAMETER", required = true)]
    pub parameters: Vec<String>,
    /// Total number of games, an even number
    #[arg(long, value_name = "N", value_parser = games(100_000_000))]
    pub games: u64,
    /// Positions to search for each move
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = whole::<u64>(1..))]
    pub nodes: u64,
    /// The file to write or to continue: a line of JSON for each batch
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Plot the course of each parameter to this file as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Print a JSON object at the end
    #[arg(long)]
    pub json: bool,
    /// Share of its step by which a parameter moves for each game won more than lost, at the end of the run; larger at
    /// the beginning
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = number(1e-6, 1.0))]
    pub rate: f64,
    /// Pairs of games between two updates of the values; at most so many are played at once
    #[arg(long, value_name = "PAIRS", default_value_t = 16, value_parser = whole::<u64>(1..=4096))]
    pub batch: u64,
    /// Openings: two-move, three-move (all ballots), start, or a file of FENs or of PDN
    #[arg(long, value_name = "WHICH", default_value = "three-move")]
    pub openings: PathBuf,
    /// Random plies to play after each opening
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<u32>(0..=100))]
    pub random_plies: u32,
    /// Play only openings with random plies after which one side is ahead by LOW to HIGH men
    #[arg(long, value_name = "LOW,HIGH", default_value = "0.3,0.9")]
    pub score_window: ScoreWindow,
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u32::MAX.into()))]
    pub seed: u64,
    /// Log2 of the entries of each engine's table [default: one that suits --nodes]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(12..=30))]
    pub tt_size: Option<u32>,
    #[command(flatten)]
    pub text: EncodingArgs,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

fn settings(args: &TuneArgs, engine: &GivenOptions) -> Result<TuneSettings, Failure> {
    let options = Options {
        tt_size: args
            .tt_size
            .unwrap_or_else(|| FixedLevel::Nodes(args.nodes).table_size()),
        ..engine.options()?
    };
    let read = |text: &String| Tunable::read(text, &options.params);
    let tunables = args.parameters.iter().map(read).collect::<Result<_, _>>();
    Ok(TuneSettings {
        tunables: tunables.map_err(|error| Failure::Usage(error.to_string()))?,
        options,
        pairs: args.games / 2,
        batch: args.batch,
        nodes: args.nodes,
        rate: args.rate,
        openings: OpeningSource::from(args.openings.clone()),
        encoding: args.text.encoding,
        random_plies: args.random_plies,
        // Without random plies openings are played as they are.
        window: (args.random_plies > 0).then_some(args.score_window),
        seed: args.seed,
    })
}

impl Command for TuneArgs {
    const NAME: &'static str = "tune";
    const ENGINE: AcceptedOptions = AcceptedOptions::without_file(&[SEARCH, &["param"]]);

    fn outputs(&self) -> Vec<PathBuf> {
        self.plot.iter().chain([&self.out]).cloned().collect()
    }

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let plot = begin(self.plot.as_deref(), SVG)?;
        let run = Run {
            settings: settings(self, engine)?,
            threads: self.workers.count(),
            out: self.out.clone(),
        };
        refuse_unusable(&run.settings.options)?;
        let control = Control::new();
        note_requests_to_end();
        let bar = progress::bar(self.games, "games");
        let began = Instant::now();
        let tuned = tune::run(&run, &control, &mut |progress| {
            if asked_to_end() {
                control.stop();
            }
            progress::resumed(&bar, 2 * progress.found, 2 * progress.pairs);
            let values = run.settings.tunables.iter().zip(progress.values);
            let values = values.map(|(tunable, value)| format!("{} {value:.1}", tunable.name));
            bar.set_message(values.take(3).collect::<Vec<_>>().join(", "));
        });
        bar.finish_and_clear();
        let tuned = tuned.map_err(|problem| match problem {
            TuneError::Twice(_) => Failure::Usage(problem.to_string()),
            _ => error(problem),
        })?;
        log::info!("{:.1} s", began.elapsed().as_secs_f64());
        report(&run.settings, &tuned, self.json)?;
        if let Some(plot) = plot {
            let svg = tuned.to_svg(&run.settings).map_err(error)?;
            plot.complete(svg.as_bytes())?;
        }
        if tuned.stopped {
            return Err(Failure::Error(format!(
                "stopped after {} of {} games; the same command goes on with them",
                2 * tuned.pairs,
                self.games
            )));
        }
        Ok(())
    }
}

fn report(settings: &TuneSettings, tuned: &Tuned, as_json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let found = || settings.tunables.iter().zip(&tuned.values);
    let whole = |value: f64| value.round() as i64;
    if as_json {
        let parameters = found().map(|(tunable, &value)| {
            json!({
                "name": tunable.name,
                "start": tunable.start,
                "step": tunable.step,
                "value": value,
                "rounded": whole(value),
            })
        });
        let object = json!({
            "games": 2 * tuned.pairs,
            "total": 2 * settings.pairs,
            "parameters": parameters.collect::<Vec<_>>(),
            "complete": !tuned.stopped,
        });
        writeln!(out, "{object}")?;
        return Ok(out.flush()?);
    }
    writeln!(
        out,
        "| parameter | start | step | after {} games | steps moved |",
        2 * tuned.pairs
    )?;
    writeln!(out, "|---|---|---|---|---|")?;
    for (tunable, &value) in found() {
        let Tunable {
            name, start, step, ..
        } = tunable;
        let steps = (value - start) / step;
        writeln!(
            out,
            "| {name} | {start} | {step} | {value:.2} | {steps:+.2} |"
        )?;
    }
    let values = found().map(|(tunable, &value)| format!("{}={}", tunable.name, whole(value)));
    writeln!(out, "\nparam=\"{}\"", values.collect::<Vec<_>>().join(","))?;
    Ok(out.flush()?)
}
