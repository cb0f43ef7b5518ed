//! `damier book build`.

use super::{check_replaceable, count, hundredths, moves_text, read_text, write_file};
use crate::cli::endgame::refuse_unusable;
use crate::cli::engine_args::SEARCH;
use crate::cli::shared_args::{EncodingArgs, WorkerArgs, whole};
use crate::cli::{
    AcceptedOptions, Command, Failure, GivenOptions, error, print, print_json, progress, warn,
};
use damier::book::MAGIC;
use damier::lab::book::{
    self, BookSettings, BuildRun, BuildSummary, EngineSearcher, Progress, Selection,
};
use damier::os::shard::Shard;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::rules::{Move, Position};
use damier::search::Control;
use damier::terminal::analyze::read_position;
use serde::Serialize;
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Instant;

const HELP: &str = "\
Lines are searched in the order of their costs (drop-out expansion): every move of a line costs --ply-cost, and the \
difference between its score and that of the best move, after all scores are backed up. So main lines come first and \
deepest, bad moves late.

The journal keeps every search. A run with an existing journal continues it, also after Ctrl-C, a kill or a crash, and \
writes the same bytes as an unbroken run, whatever the number of --threads. With more --positions it grows.

A round is spread over processes and machines by --shard, and joined again by damier book merge:

  parallel damier book build my.dbj --round 4096 --shard {}/8 ::: $(seq 8)
  damier book merge my.dbj my.dbj.*-of-8
";

/// Build a book, or continue one: search the next positions
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct BuildArgs {
    /// The journal to create or continue
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,
    /// Number of positions to reach
    #[arg(long, value_name = "N", required_unless_present = "shard", value_parser = whole::<u64>(1..=1 << 32))]
    pub positions: Option<u64>,
    /// Nodes for each search [default: 500000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1 << 40))]
    pub nodes: Option<u64>,
    /// Moves that each search scores (multi-PV) [default: 4]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=100))]
    pub lines: Option<u32>,
    /// Cost of each ply of a line, in men; a higher cost makes the book wider and shallower [default: 0.02]
    #[arg(long, value_name = "MEN", value_parser = hundredths)]
    pub ply_cost: Option<u32>,
    /// Minimum number of searches per round [default: 64]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1 << 32))]
    pub round: Option<u64>,
    /// Root position; may be repeated [default: the start position]
    #[arg(long, value_name = "FEN")]
    pub fen: Vec<String>,
    /// Also search the moves of these games, whatever their scores
    #[arg(long, value_name = "FILE")]
    pub games: Vec<PathBuf>,
    /// Plies of each game to take moves from
    #[arg(long, value_parser = whole::<usize>(1..), value_name = "N", default_value_t = 30, requires = "games")]
    pub games_plies: usize,
    /// Search the I-th of N shares of the next round, into JOURNAL.I-of-N
    #[arg(long, value_name = "I/N", conflicts_with_all = ["out", "games"])]
    pub shard: Option<Shard>,
    /// Write the book to this file at the end
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print a JSON object at the end
    #[arg(long)]
    pub json: bool,
    /// Log2 of the entries of each search's table [8 to 30] [default: 19]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(8..=30))]
    pub tt_size: Option<u32>,
    #[command(flatten)]
    pub text: EncodingArgs,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

/// The settings of an existing journal, or the default ones, changed by the arguments.
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

impl Command for BuildArgs {
    const NAME: &'static str = "build";
    const ENGINE: AcceptedOptions = AcceptedOptions::without_file(&[SEARCH]);

    fn outputs(&self) -> Vec<PathBuf> {
        let outputs = [Some(&self.journal), self.out.as_ref()];
        outputs.into_iter().flatten().cloned().collect()
    }

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let threads = self.workers.count();
        let settings = settings(self)?;
        let options = engine.options()?;
        refuse_unusable(&options)?;
        if let Some(out) = &self.out {
            check_replaceable(out, MAGIC)?;
        }
        let mut asked = Vec::new();
        for file in &self.games {
            let games = read_text(file, self.text)?;
            let (found, damaged) = book::candidates(games.as_bytes(), self.games_plies);
            asked.extend(found);
            if damaged > 0 {
                let games = count(damaged as u64, "game");
                warn(&format!("{}: {games} cannot be read", file.display()));
            }
        }
        let run = BuildRun {
            settings,
            journal: self.journal.clone(),
            positions: self.positions.unwrap_or(u64::MAX),
            shard: self.shard.unwrap_or(Shard::WHOLE),
            asked,
        };
        let searchers = EngineSearcher::many(threads, &run.settings, &options).map_err(error)?;
        let control = Control::new();
        // The first Ctrl-C or SIGTERM ends the run in order, a second one at once; the journal is good either way.
        note_requests_to_end();
        let bar = progress::bar(self.positions.unwrap_or(0), "positions");
        let began = Instant::now();
        let summary = book::build(&run, searchers, &control, |progress| {
            if asked_to_end() {
                control.stop();
            }
            bar.set_length(progress.total);
            progress::resumed(&bar, progress.found, progress.positions);
            bar.set_message(message(progress, &run.settings.roots, began));
        });
        bar.finish_and_clear();
        let mut summary = summary?;
        if let Some(out) = &self.out {
            summary.contents.close();
            write_file(
                out,
                MAGIC,
                &book::compile(&mut summary.contents.graph, &Selection::default()),
            )?;
        }
        print_summary(self, &run, &summary, threads)?;
        if summary.stopped {
            return Err(Failure::Error(format!(
                "stopped at {} of {} positions; run the same command to continue",
                summary.progress.positions, summary.progress.total
            )));
        }
        Ok(())
    }
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

fn print_summary(
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
    print(&format!(
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
        print(&"no lines left to search")?;
    }
    for ((score, line), root) in progress.main_lines.iter().zip(&run.settings.roots) {
        let score = f64::from(*score) / 100.0;
        print(&format!("{score:+.2}  {}", moves_text(root, line)))?;
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
