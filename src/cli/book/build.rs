//! `damier book build`.

use super::args::BuildArgs;
use super::{check_replaceable, count, moves_text, print_json, read, say_out, write_file};
use crate::cli::endgame::refuse_unusable;
use crate::cli::{Failure, error, progress, say};
use damier::book::MAGIC;
use damier::lab::book::{
    self, BookSettings, BuildRun, BuildSummary, EngineSearcher, Progress, Selection,
};
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::rules::{Move, Position};
use damier::search::Control;
use damier::terminal::analyze::read_position;
use damier::training::dataset::Shard;
use serde::Serialize;
use std::borrow::Cow;
use std::time::Instant;

/// The settings: those of a journal that is there, unless told otherwise.
fn settings(args: &BuildArgs) -> Result<BookSettings, Failure> {
    let there = book::is_journal(&args.journal).then(|| book::read_settings(&args.journal));
    let mut settings = there.transpose()?.unwrap_or_default();
    settings.nodes = args.nodes.unwrap_or(settings.nodes);
    settings.lines = args.lines.unwrap_or(settings.lines);
    settings.ply_cost = args.ply_cost.unwrap_or(settings.ply_cost);
    settings.round = args.round.unwrap_or(settings.round);
    settings.table_size = args.tt_size.unwrap_or(settings.table_size);
    if !args.fen.is_empty() {
        let roots = args.fen.iter().map(|text| read_position(text));
        settings.roots = roots.collect::<Result<_, _>>().map_err(error)?;
    }
    Ok(settings)
}

/// Builds a book, or goes on with one.
pub(super) fn build(args: &BuildArgs) -> Result<(), Failure> {
    let threads = args.workers.count();
    let settings = settings(args)?;
    let options = args.engine.given.options()?;
    refuse_unusable(&options)?;
    if let Some(out) = &args.out {
        check_replaceable(out, MAGIC)?;
    }
    let mut asked = Vec::new();
    for file in &args.games {
        let (found, damaged) = book::candidates(&read(file)?, args.games_plies);
        asked.extend(found);
        if damaged > 0 {
            let games = count(damaged as u64, "game");
            say(&format!("{}: {games} cannot be read", file.display()));
        }
    }
    let run = BuildRun {
        settings,
        journal: args.journal.clone(),
        positions: args.positions.unwrap_or(u64::MAX),
        shard: args.shard.unwrap_or(Shard::WHOLE),
        asked,
    };
    let searchers = EngineSearcher::many(threads, &run.settings, &options).map_err(error)?;
    let control = Control::new();
    // The first Ctrl-C or SIGTERM ends the run in order, a second one at once; the journal is good either way.
    note_requests_to_end();
    let bar = progress::bar(args.positions.unwrap_or(0), "positions");
    let began = Instant::now();
    let summary = book::build(&run, searchers, &control, |progress| {
        if asked_to_end() {
            control.stop();
        }
        if bar.position() == 0 {
            bar.set_length(progress.total);
            bar.set_position(progress.found);
            bar.reset_eta();
        }
        bar.set_position(progress.positions);
        bar.set_message(message(progress, &run.settings.roots, began));
    });
    bar.finish_and_clear();
    let mut summary = summary?;
    if let Some(out) = &args.out {
        summary.contents.close();
        write_file(
            out,
            MAGIC,
            &book::compile(&mut summary.contents.graph, &Selection::default()),
        )?;
    }
    tell(args, &run, &summary, threads)?;
    if summary.stopped {
        return Err(Failure::Error(format!(
            "stopped at {} of {} positions; run the same command to continue",
            summary.progress.positions, summary.progress.total
        )));
    }
    Ok(())
}

/// Positions an hour, and the first main line.
fn message(progress: &Progress, roots: &[Position], began: Instant) -> String {
    let made = progress.positions - progress.found;
    let rate = made as f64 * 3600.0 / began.elapsed().as_secs_f64().max(1e-3);
    let line = progress.main_lines.first().zip(roots.first());
    let line = line.map_or(String::new(), |((score, line), root)| {
        format!(
            ", {:+.2} {}",
            f64::from(*score) / 100.0,
            moves_text(root, line)
        )
    });
    format!("{rate:.0}/h, {} searches{line}", progress.searches)
}

fn tell(
    args: &BuildArgs,
    run: &BuildRun,
    summary: &BuildSummary,
    threads: usize,
) -> Result<(), Failure> {
    let (progress, seconds) = (&summary.progress, summary.elapsed.as_secs_f64());
    let made = progress.positions - progress.found;
    let rate = made as f64 * 3600.0 / seconds.max(1e-9);
    if args.json {
        let lines = progress.main_lines.iter();
        return print_json(&BuildObject {
            journal: run.journal.to_string_lossy(),
            positions: progress.positions,
            made,
            searches: progress.searches,
            nodes: progress.nodes,
            time: seconds,
            positions_per_hour: rate.round(),
            threads,
            complete: !summary.stopped,
            main_lines: lines.map(MainLine::from).collect(),
        });
    }
    say_out(&format!(
        "{}: {}, {made} searched now in {seconds:.1} s ({rate:.0}/h), {}",
        run.journal.display(),
        count(progress.positions, "position"),
        if progress.searches == 1 {
            "1 search".to_owned()
        } else {
            format!("{} searches", progress.searches)
        }
    ))?;
    if summary.exhausted {
        say_out("no lines left to search")?;
    }
    for ((score, line), root) in progress.main_lines.iter().zip(&run.settings.roots) {
        let score = f64::from(*score) / 100.0;
        say_out(&format!("{score:+.2}  {}", moves_text(root, line)))?;
    }
    Ok(())
}

/// What `book build --json` prints.
#[derive(Serialize)]
struct BuildObject<'a> {
    journal: Cow<'a, str>,
    positions: u64,
    made: u64,
    searches: u64,
    nodes: u64,
    time: f64,
    positions_per_hour: f64,
    threads: usize,
    complete: bool,
    main_lines: Vec<MainLine>,
}

/// The line that a book expects from where it begins.
#[derive(Serialize)]
struct MainLine {
    score: f64,
    pv: Vec<String>,
}

impl From<&(i32, Vec<Move>)> for MainLine {
    fn from((score, line): &(i32, Vec<Move>)) -> MainLine {
        MainLine {
            score: f64::from(*score) / 100.0,
            pv: line.iter().map(Move::to_string).collect(),
        }
    }
}
