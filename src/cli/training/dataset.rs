//! `damier dataset`.

use super::train::{LabelArgs, columns};
use crate::cli::shared_args::{WorkerArgs, whole};
use crate::cli::study::wdl::{self, WdlArgs};
use crate::cli::{Failure, error, print, progress, say};
use clap::Subcommand;
use damier::engine::Options;
use damier::notation::text::for_terminal;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::training::dataset::{self, Damage, DatasetError, Order, Reader, ShowOptions};
use damier::training::selfplay::import::{self, Import};
use damier::training::train::{Losses, TestSet};
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Subcommand, Debug)]
pub(in crate::cli) enum DatasetCommand {
    /// Make a file of games to train on from PDN: games of people, or of other programs
    ///
    /// The result is that of the game. The score of a position is the one that `damier match` has written behind the
    /// move, or else that of a search of --nodes. Games without a result or a move are left out. An interrupted import
    /// goes on with the same command.
    ///
    /// Example: damier dataset import games.pdn --out games.dgr && damier train games.dgr --out new.dwt
    Import(ImportArgs),
    /// Count games, positions, results, ends, scores, pieces and duplicates
    ///
    /// Example: damier dataset stat games.dgr --distinct
    Stat(StatArgs),
    /// Show games as PDN, or positions as diagrams
    ///
    /// Example: damier dataset show games.dgr --random 3
    Show(ShowArgs),
    /// Join the files of a run, games in order of their numbers
    ///
    /// All shards of a run give the very file that the run would have given without shards. Files with other settings
    /// do not fit together; a game that is there twice is an error; damaged blocks are left out and named. FILE appears
    /// only when it is complete.
    ///
    /// Example: damier dataset merge part1.dgr part2.dgr --out games.dgr
    Merge(MergeArgs),
    /// Check every byte and replay every game; exit code 1 where anything is damaged
    ///
    /// Example: damier dataset verify games.dgr
    Verify(VerifyArgs),
    /// Print the losses of weights on games: how far the evaluations are from labels, results and scores
    ///
    /// Losses are mean cross entropies of quantised weights; smaller is better. Labels and filters are those of `damier
    /// train`. Compare weights on the same games and options only, games that none of them learned from.
    ///
    /// Example: damier dataset score test.dgr embedded new.dwt
    Score(ScoreArgs),
    /// Fit what scores mean, as chances of win, draw and loss, and check it on other games
    ///
    /// The constants depend on the number of pieces; docs/analysis.md has the formula. `damier train` fits them to its
    /// games too.
    ///
    /// Example: damier dataset wdl games.dgr --held-out test.dgr --plot calibration.svg
    Wdl(WdlArgs),
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ImportArgs {
    /// Files of PDN
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// The file of games to write, or to go on with
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Positions to search for the score of each position that has none
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole::<u64>(1..))]
    pub nodes: u64,
    /// Search the positions that have a score too
    #[arg(long)]
    pub search_all: bool,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub workers: WorkerArgs,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct StatArgs {
    /// Files of games
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Count different positions too; takes 16 bytes of memory for each
    #[arg(long)]
    pub distinct: bool,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ShowArgs {
    /// Files of games
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Show the game with this number
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 0)]
    pub game: u64,
    /// Show the games with so many numbers from --game on
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1)]
    pub count: u64,
    /// Show the position with this number, counted from 0 among those with a score
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "K", conflicts_with_all = ["game", "count", "random"])]
    pub position: Option<u64>,
    /// Show so many positions chosen at random
    #[arg(long, value_parser = whole::<usize>(0..), value_name = "N", conflicts_with_all = ["game", "count"])]
    pub random: Option<usize>,
    /// Seed of the random choice
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct MergeArgs {
    /// Files of games
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct VerifyArgs {
    /// Files of games
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ScoreArgs {
    /// File of games
    #[arg(value_name = "GAMES")]
    pub games: PathBuf,
    /// Files of weights, or `embedded` for those in the program
    #[arg(id = "weights-files", value_name = "WEIGHTS", required = true)]
    pub weights: Vec<PathBuf>,
    #[command(flatten)]
    pub labels: LabelArgs,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

/// Runs a subcommand.
pub(in crate::cli) fn run(command: &DatasetCommand) -> Result<(), Failure> {
    match command {
        DatasetCommand::Import(args) => import_games(args),
        DatasetCommand::Stat(args) => stat(args),
        DatasetCommand::Show(args) => show(args),
        DatasetCommand::Merge(args) => merge(args),
        DatasetCommand::Verify(args) => verify(args),
        DatasetCommand::Score(args) => score(args),
        DatasetCommand::Wdl(args) => wdl::run(args),
    }
}

/// Names damages on stderr; true if there are any.
fn name(damages: &[Damage]) -> bool {
    for damage in damages {
        say(&damage);
    }
    !damages.is_empty()
}

fn games(paths: &[PathBuf]) -> Result<u64, Failure> {
    let reader = Reader::open(paths, Order::Stored).map_err(error)?;
    Ok(reader.games_stored())
}

fn import_games(args: &ImportArgs) -> Result<(), Failure> {
    let run = Import {
        files: args.paths.clone(),
        out: args.out.clone(),
        nodes: args.nodes,
        search_all: args.search_all,
        engine: Options::default(),
        threads: args.workers.count(),
    };
    note_requests_to_end();
    let bar = progress::bar(0, "games");
    let found = import::import(&run, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
        !asked_to_end()
    });
    bar.finish_and_clear();
    let found = found.map_err(error)?;
    let mut out = io::stdout().lock();
    if args.json {
        let object = json!({
            "out": args.out.display().to_string(),
            "games": found.games,
            "found": found.found,
            "searched": found.searched,
            "left_out": found.left_out,
            "damages": found.damages,
            "stopped": found.stopped,
        });
        print(&mut out, &object)?;
    } else {
        let text = format!(
            "{}: {} games, {} positions searched, {} games without a result or a move left out",
            args.out.display(),
            found.games,
            found.searched,
            found.left_out
        );
        print(&mut out, &text)?;
    }
    out.flush()?;
    for damage in &found.damages {
        say(&format_args!("{}", for_terminal(damage)));
    }
    match found.stopped || !found.damages.is_empty() {
        true => Err(Failure::Told),
        false => Ok(()),
    }
}

fn stat(args: &StatArgs) -> Result<(), Failure> {
    let bar = progress::bar(games(&args.paths)?, "games");
    let found = dataset::statistics(&args.paths, args.distinct, || bar.inc(1));
    bar.finish_and_clear();
    let found = found.map_err(error)?;
    let mut out = io::stdout().lock();
    if args.json {
        print(&mut out, &found.to_json())?;
    } else {
        let text = found.to_string();
        print(&mut out, &text.trim_end())?;
    }
    Ok(out.flush()?)
}

fn show(args: &ShowArgs) -> Result<(), Failure> {
    let options = match (args.position, args.random) {
        (Some(number), _) => ShowOptions::Position(number),
        (None, Some(count)) => ShowOptions::Random {
            count,
            seed: args.seed,
        },
        (None, None) => ShowOptions::Games {
            first: args.game,
            count: args.count,
        },
    };
    let mut out = io::stdout().lock();
    dataset::show(&args.paths, options, &mut out).map_err(|problem| match problem {
        DatasetError::Output(error) => Failure::Io(error),
        other => error(other),
    })
}

fn merge(args: &MergeArgs) -> Result<(), Failure> {
    let bar = progress::bar(games(&args.paths)?, "games");
    let merged = dataset::merge(&args.paths, &args.out, || bar.inc(1));
    bar.finish_and_clear();
    let merged = merged.map_err(error)?;
    let mut out = io::stdout().lock();
    if args.json {
        let damages: Vec<String> = merged.damages.iter().map(Damage::to_string).collect();
        let object = json!({
            "out": args.out.display().to_string(),
            "games": merged.games,
            "missing": merged.missing,
            "damages": damages,
        });
        print(&mut out, &object)?;
    } else {
        let missing = match merged.missing {
            0 => "none missing".to_owned(),
            missing => format!("{missing} missing among them"),
        };
        print(
            &mut out,
            &format!("{}: {} games, {missing}", args.out.display(), merged.games),
        )?;
    }
    out.flush()?;
    if name(&merged.damages) {
        return Err(Failure::Told);
    }
    Ok(())
}

fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let reader = Reader::open(&args.paths, Order::Stored).map_err(error)?;
    let bar = progress::bar(reader.bytes(), "bytes");
    let found = dataset::verify(&args.paths, |bytes| bar.inc(bytes));
    bar.finish_and_clear();
    let found = found.map_err(error)?;
    let mut out = io::stdout().lock();
    if args.json {
        let damages: Vec<String> = found.damages.iter().map(Damage::to_string).collect();
        let object = json!({
            "games": found.games,
            "plies": found.plies,
            "damages": damages,
        });
        print(&mut out, &object)?;
    } else {
        let text = format!(
            "{} games with {} plies are sound, {} places are damaged",
            found.games,
            found.plies,
            found.damages.len()
        );
        print(&mut out, &text)?;
    }
    out.flush()?;
    if name(&found.damages) {
        return Err(Failure::Told);
    }
    Ok(())
}

fn score(args: &ScoreArgs) -> Result<(), Failure> {
    let bar = progress::bar(0, "games");
    let mut each = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
        true
    };
    let games = std::slice::from_ref(&args.games);
    let set = TestSet::load(games, args.labels.labels(), args.labels.filter(), &mut each);
    bar.finish_and_clear();
    let Some(set) = set.map_err(error)? else {
        return Ok(());
    };
    let mut rows: Vec<(String, Losses)> = Vec::new();
    for weights in &args.weights {
        rows.push((
            weights.display().to_string(),
            set.losses(weights).map_err(error)?,
        ));
    }
    let mut out = io::stdout().lock();
    if args.json {
        let weights = rows.iter().map(|(file, losses)| {
            json!({"file": file, "loss": losses.loss, "result": losses.result, "score": losses.score})
        });
        let object = json!({
            "games": args.games.display().to_string(),
            "positions": set.positions(),
            "results": set.results(),
            "weights": weights.collect::<Vec<_>>(),
            "damages": set.damages().iter().map(Damage::to_string).collect::<Vec<_>>(),
        });
        writeln!(out, "{object}")?;
    } else {
        let (positions, results) = (set.positions(), set.results());
        writeln!(out, "{positions} positions, {results} with a result")?;
        writeln!(out, "    loss    result     score  weights")?;
        for (file, losses) in rows {
            let [loss, result, score] = columns(Some(losses));
            writeln!(
                out,
                "{loss:>8}  {result:>8}  {score:>8}  {}",
                for_terminal(&file)
            )?;
        }
    }
    out.flush()?;
    if name(set.damages()) {
        return Err(Failure::Told);
    }
    Ok(())
}
