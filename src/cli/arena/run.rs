//! The command `match`: from arguments to a match, and its report.

use super::args::MatchArgs;
use crate::cli::sessions::serve;
use crate::cli::{Command, Failure, GivenOptions, error, progress};
use damier::arena::level::GameLevel;
use damier::arena::level::LevelText;
use damier::arena::plan::{MatchFiles, MatchPlan};
use damier::arena::record::journal::ExistingFiles;
use damier::arena::referee::GameLimits;
use damier::arena::report;
use damier::arena::run::progress::ProgressEvent;
use damier::arena::run::{self, MatchEnd};
use damier::arena::schedule::openings::{self, Opening, OpeningSource, ScoreWindow, WindowJudge};
use damier::arena::schedule::{Format, Schedule, ScheduleSettings};
use damier::arena::spec::{self, EngineSpec};
use damier::endgame::Tables;
use damier::eval::WeightsFile;
use damier::os::files::is_same;
use damier::os::signals::note_requests_to_end;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// Nodes for the score of an opening.
const WINDOW_NODES: u64 = 100_000;
/// Nodes for the score of an opening with random plies, of which many are drawn.
const DRAWN_WINDOW_NODES: u64 = 5_000;

/// Rounds after which a sequential test without --games gives up.
const MAX_ROUNDS: u64 = 500_000;

/// Rounds of a sequential test without --games whose games must differ.
const LOOK_AHEAD: u64 = 500;

fn usage(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}

impl Command for MatchArgs {
    const NAME: &'static str = "match";

    fn outputs(&self) -> Vec<PathBuf> {
        self.pdn.iter().cloned().chain(self.journal()).collect()
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let plan = plan(self)?;
        note_requests_to_end();
        let page = match (self.serve, &self.pdn) {
            (Some(port), Some(pdn)) => Some(serve::show_match(pdn, port)?),
            _ => None,
        };
        let bar = progress::bar(plan.games(), "games");
        let result = run::play(&plan, &mut |event| match event {
            ProgressEvent::Progress(progress) => {
                progress::resumed(&bar, progress.before, progress.done);
                bar.set_message(progress.score.clone());
            }
            ProgressEvent::Warning(what) => bar.suspend(|| warn(what)),
        });
        bar.finish_and_clear();
        let result = result.map_err(error)?;
        let mut out = io::stdout().lock();
        let nothing = matches!(result.end, MatchEnd::Broken(_)) && result.standings.games == 0;
        if self.json {
            writeln!(out, "{}", report::json::object(&plan, &result))?;
        } else if !nothing {
            report::write(&plan, &result, self.per_opening, &mut out)?;
        }
        out.flush()?;
        match result.end {
            MatchEnd::Interrupted => Err(Failure::Reported),
            // After the report of what was played.
            MatchEnd::Broken(broken) => Err(error(broken)),
            MatchEnd::Complete | MatchEnd::Sprt(_) => {
                drop(out);
                if let Some(page) = page {
                    page.stay(self.serve_for);
                }
                Ok(())
            }
        }
    }
}

fn warn(what: &str) {
    crate::cli::warn(&format_args!("warning: {what}"));
}

fn plan(args: &MatchArgs) -> Result<MatchPlan, Failure> {
    let engines = engines(args)?;
    let levels = levels(args, &engines)?;
    if args.sprt.is_some() && engines.len() > 2 {
        return Err(usage("--sprt tests one pairing: give two engines"));
    }
    let openings = openings(args)?;
    let settings = settings(args, &engines, &levels, &openings);
    let tables = match args.play_out {
        true => None,
        false => Some(Tables::open(None).map_err(error)?),
    };
    let plan = MatchPlan {
        schedule: schedule(args, engines.len(), openings)?,
        shard: args.shard,
        engines,
        levels,
        limits: GameLimits {
            max_moves: args.max_moves,
            margin: args.margin,
            patience: args.patience,
        },
        agreement: args.adjudicate_score,
        tables,
        concurrency: args.concurrency,
        pin: args.pin,
        sprt: args.sprt,
        files: files(args)?,
        settings,
    };
    if args.is_open_ended() {
        plan.schedule.draw(LOOK_AHEAD);
        if plan.repeats_games() {
            return Err(usage(
                "--sprt without --games would play the same games again, at fixed nodes or depth from so few \
                openings: add \
                 --random-plies, or more of them, or give --games",
            ));
        }
    }
    Ok(plan)
}

/// Everything that decides which games are played; journals compare it.
fn settings(
    args: &MatchArgs,
    engines: &[EngineSpec],
    levels: &[GameLevel],
    openings: &[Opening],
) -> Value {
    let mut settings = json!({
        "engines": engines.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "levels": levels.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "gauntlet": args.gauntlet,
        "openings": openings::fingerprint(openings),
        "random-plies": args.random_plies,
        "seed": args.seed,
        "margin": args.margin.as_secs_f64(),
        "patience": args.patience.as_secs_f64(),
        "max-moves": args.max_moves,
        "adjudicate-score": args.adjudicate_score,
        "adjudicate-tables": !args.play_out,
    });
    // Without random plies it has chosen the openings.
    if let Some(window) = drawn_window(args) {
        // Other weights would judge, and so draw, otherwise.
        let weights = crc32fast::hash(WeightsFile::EMBEDDED);
        settings["score-window"] = json!(format!(
            "{window} by {DRAWN_WINDOW_NODES} nodes of weights {weights:08x}"
        ));
    }
    settings
}

/// The window for what random plies lead to.
fn drawn_window(args: &MatchArgs) -> Option<ScoreWindow> {
    args.score_window.filter(|_| args.random_plies > 0)
}

fn schedule(args: &MatchArgs, engines: usize, openings: Vec<Opening>) -> Result<Schedule, Failure> {
    let format = match args.gauntlet {
        true => Format::Gauntlet,
        false => Format::RoundRobin,
    };
    let rounds = match args.is_open_ended() {
        true => Some(MAX_ROUNDS),
        false => args.games.map(|games| games / 2),
    };
    let settings = ScheduleSettings {
        format,
        engines,
        random_plies: args.random_plies,
        seed: args.seed,
        rounds,
    };
    let schedule = Schedule::new(openings, &settings);
    Ok(match drawn_window(args) {
        Some(window) => {
            let judge = WindowJudge::new(window, DRAWN_WINDOW_NODES).map_err(error)?;
            let schedule = schedule.with_window(judge);
            schedule.draw(1);
            if schedule.is_outside_window() {
                let message =
                    "no opening with its random plies has a score in the window of --score-window";
                return Err(Failure::Error(message.to_owned()));
            }
            schedule
        }
        None => schedule,
    })
}

fn engines(args: &MatchArgs) -> Result<Vec<EngineSpec>, Failure> {
    let mut engines = Vec::new();
    for text in &args.engine {
        let engine = spec::parse(text);
        engines.push(engine.map_err(|error| usage(format!("--engine '{text}': {error}")))?);
    }
    if let Some(file) = &args.engines {
        engines.extend(spec::load(file).map_err(error)?);
    }
    spec::check(&engines, args.concurrency.get()).map_err(usage)?;
    Ok(engines)
}

fn levels(args: &MatchArgs, engines: &[EngineSpec]) -> Result<Vec<GameLevel>, Failure> {
    let common = LevelText::from(&args.level).level().map_err(usage)?;
    let level = |engine: &EngineSpec| {
        engine.level.or(common).ok_or_else(|| {
            usage(format!(
                "{} has no level: give --move-time, --nodes, --depth or --tc, or one in its description",
                engine.name
            ))
        })
    };
    let mut levels: Vec<GameLevel> = engines.iter().map(level).collect::<Result<_, _>>()?;
    if let (Some(factor), Some(first)) = (args.odds, levels.first_mut()) {
        let odds = first.at_odds(factor);
        *first = odds.map_err(|error| usage(format!("--odds: {error}")))?;
    }
    Ok(levels)
}

fn openings(args: &MatchArgs) -> Result<Vec<Opening>, Failure> {
    let source = OpeningSource::from(args.openings.clone());
    let plies = args.opening_plies.map(usize::from);
    let loaded = openings::load_up_to(&source, plies, args.text.encoding);
    let (all, encoding) = loaded.map_err(error)?;
    args.text.print_note(&source, encoding);
    let count = all.len();
    let mut openings = openings::distinct(all);
    if openings.len() < count {
        let dropped = count - openings.len();
        let what = format!(
            "{source}: {dropped} of {count} openings dropped, because they lead to the position of an earlier one"
        );
        log::warn!("{what}");
        warn(&what);
    }
    // With random plies, what they lead to is judged.
    if let Some(window) = args.score_window.filter(|_| args.random_plies == 0) {
        let all = openings.len();
        let bar = progress::bar(all as u64, "openings");
        let chosen = openings::in_window(openings, window, WINDOW_NODES, &mut |done| {
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        openings = chosen.map_err(error)?;
        if openings.is_empty() {
            let message = format!(
                "{source}: no score of the {all} openings is in the window of --score-window"
            );
            return Err(Failure::Error(message));
        }
    }
    Ok(openings)
}

fn files(args: &MatchArgs) -> Result<MatchFiles, Failure> {
    let journal = args.journal();
    if journal.is_none() && (args.resume || args.force) {
        let message = "--resume and --force need a file: give --pdn or --journal";
        return Err(usage(message));
    }
    if let (Some(pdn), Some(journal)) = (&args.pdn, &journal)
        && is_same(pdn, journal)
    {
        let message = "--pdn and --journal name one file: the games would overwrite the journal";
        return Err(usage(message));
    }
    let existing = match (args.resume, args.force) {
        (true, _) => ExistingFiles::Resume,
        (_, true) => ExistingFiles::Replace,
        _ => ExistingFiles::Refuse,
    };
    Ok(MatchFiles {
        pdn: args.pdn.clone(),
        journal,
        existing,
    })
}
