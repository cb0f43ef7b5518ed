//! `damier selfplay`.

use crate::cli::engine_args::SEARCH;
use crate::cli::shared_args::{WorkerArgs, depth, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, progress};
use damier::notation::text::for_terminal;
use damier::os::shard::Shard;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::search::{Control, Depth};
use damier::training::selfplay::{self, FixedLevel, Run, SelfplaySettings, SelfplaySummary};
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

const HELP: &str = "\
A game depends only on these arguments, the program and its own number: the same command writes the same bytes with \
any number of --threads, on any machine. An existing file is continued, also after Ctrl-C, a kill or a crash; with \
more --games it grows. A file begun with other settings or another program is refused, not overwritten.

Example: damier selfplay --games 100000 --nodes 2000 --random-moves 4 --seed 7 --out games.dgr

--shard divides a run among processes and machines, damier dataset merge joins the parts:

  parallel damier selfplay --games 100000 --seed 7 --threads 1 --shard {}/8 --out part{}.dgr ::: $(seq 8)
  damier dataset merge part*.dgr --out games.dgr

Games begin with random moves from the start position or, --endings percent of them, with a generated position: few \
pieces with kings, kings against men, far advanced men, many pieces anywhere. Forced and random moves are not searched \
and have no score.";

/// Play games of the engine against itself, for training
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct SelfplayArgs {
    /// Games of the whole run; a shard plays its share
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1 << 40))]
    pub games: u64,
    /// Nodes to search for each move [default: 2000]
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = whole::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Plies to search for each move, instead of --nodes
    #[arg(long, value_name = "N", value_parser = depth)]
    pub depth: Option<Depth>,
    /// Vary the nodes of each search at random by up to this percentage, so that games differ
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = whole::<u32>(0..=90))]
    pub spread: u32,
    /// Random moves at the start of a game: a number, or MIN-MAX
    #[arg(long, value_name = "N", default_value = "10-16", value_parser = plies)]
    pub random_plies: (u32, u32),
    /// Seed of the random numbers
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file to write or to continue
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Play only the I-th of N shares of the games
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: Shard,
    /// Accept an opening when a search finds neither side ahead by more than this many men
    #[arg(long, value_name = "MEN", default_value = "1", value_parser = men)]
    pub window: u32,
    /// Percent of the games that begin with a generated position
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = whole::<u32>(0..=100))]
    pub endings: u32,
    /// Percent of the later moves that are random and have no score
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = whole::<u32>(0..=100))]
    pub random_moves: u32,
    /// Adjudicate a win when six searches in a row find a side ahead by this many men, and any result in the endgame
    /// tables; 0 plays all games out
    #[arg(long, value_name = "MEN", default_value = "8", value_parser = men)]
    pub adjudicate: u32,
    /// Print a JSON object at the end
    #[arg(long)]
    pub json: bool,
    /// Log2 of the entries of each game's table [default: a small one that suits --nodes or --depth]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(8..=30))]
    pub tt_size: Option<u32>,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

fn plies(text: &str) -> Result<(u32, u32), String> {
    let (min, max) = text.split_once('-').unwrap_or((text, text));
    let plies = |text: &str| text.parse().ok().filter(|plies| *plies <= 200);
    plies(min)
        .zip(plies(max))
        .filter(|(min, max)| min <= max)
        .ok_or_else(|| "expected a number up to 200, or two in order, such as 8-12".to_owned())
}

/// Men as hundredths.
fn men(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|men| (0.0..=80.0).contains(men))
        .map(|men: f64| (men * 100.0).round() as u32)
        .ok_or_else(|| "expected a number of men from 0 to 80, such as 1.5".to_owned())
}

fn settings(args: &SelfplayArgs, engine: &GivenOptions) -> Result<SelfplaySettings, Failure> {
    let defaults = SelfplaySettings::default();
    let level = match (args.nodes, args.depth) {
        (Some(nodes), _) => FixedLevel::Nodes(nodes),
        (None, Some(depth)) => FixedLevel::Depth(depth),
        (None, None) => defaults.level,
    };
    let options = engine.options()?;
    Ok(SelfplaySettings {
        seed: args.seed,
        level,
        spread: args.spread,
        random_plies: args.random_plies,
        window: args.window,
        endings: args.endings,
        random_moves: args.random_moves,
        adjudicate: args.adjudicate,
        table_size: args.tt_size.unwrap_or_else(|| level.table_size()),
        driver: options.search,
        weights: options.weights,
        bb_size: options.bb_size as u8,
        endgame_dir: options.endgame_dir,
    })
}

impl Command for SelfplayArgs {
    const NAME: &'static str = "selfplay";
    const ENGINE: AcceptedOptions = AcceptedOptions::without_file(&[SEARCH]);

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.out.clone()]
    }

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let settings = settings(self, engine)?;
        let run = Run {
            settings,
            games: self.games,
            shard: self.shard,
            threads: self.workers.count(),
            out: self.out.clone(),
        };
        let control = Control::new();
        // The first Ctrl-C or SIGTERM stops the run in order, a second one at once; the file is intact either way.
        note_requests_to_end();
        let bar = progress::bar(run.shard.items_below(run.games), "games");
        let began = Instant::now();
        let summary = selfplay::run(&run, &control, |progress| {
            if asked_to_end() {
                control.stop();
            }
            progress::resumed(&bar, progress.found, progress.done);
            let now = (progress.done - progress.found) as f64 / began.elapsed().as_secs_f64();
            bar.set_message(format!("{now:.1}/s, {} positions", progress.positions));
        });
        bar.finish_and_clear();
        let summary = summary.map_err(error)?;
        report(&run, &summary, self.json)?;
        if summary.stopped {
            return Err(Failure::Error(format!(
                "stopped after {} of {} games; the same command goes on with them",
                summary.progress.done, summary.progress.total
            )));
        }
        Ok(())
    }
}

fn report(run: &Run, summary: &SelfplaySummary, as_json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let file = run.out.display().to_string();
    let (progress, seconds) = (summary.progress, summary.elapsed.as_secs_f64());
    let played = progress.done - progress.found;
    let rate = |count: u64| count as f64 / seconds.max(1e-9);
    if as_json {
        let object = json!({
            "out": file,
            "shard": run.shard.to_string(),
            "games": progress.done,
            "total": progress.total,
            "played": played,
            "plies": summary.plies,
            "positions": progress.positions,
            "time": seconds,
            "games_per_second": rate(played),
            "positions_per_second": rate(progress.positions),
            "threads": run.threads,
            "complete": !summary.stopped,
        });
        writeln!(out, "{object}")?;
    } else if played == 0 {
        writeln!(
            out,
            "{}: {} games were there already",
            for_terminal(&file),
            progress.done
        )?;
    } else {
        writeln!(
            out,
            "{}: {} games, {played} played now in {seconds:.1} s ({:.1}/s), {} positions with a score ({:.0}/s)",
            for_terminal(&file),
            progress.done,
            rate(played),
            progress.positions,
            rate(progress.positions)
        )?;
    }
    Ok(out.flush()?)
}
