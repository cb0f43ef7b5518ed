//! `damier annotate`.

mod input;
mod output;

use crate::cli::args::{LimitArgs, WorkerArgs, whole};
use crate::cli::endgame::EngineProblems;
use crate::cli::engine_args::{self, EngineArgs};
use crate::cli::{Failure, error, progress, say};
use clap::builder::NonEmptyStringValueParser;
use damier::analysis::annotate::batch::{self, Task};
use damier::analysis::annotate::{AnnotatedGame, Annotator};
use damier::analysis::journal::Record;
use damier::engine::{Engine, Level, Options};
use damier::lab::dataset::Shard;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use input::{Games, Next};
use output::Output;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const HELP: &str = "\
PDN goes to stdout, or to --out. A move that lost something has a mark, `[%eval ...]`, `[%lost ...]` (expected points, 1 \
for a win, a half for a draw) and the better line as a variation. Forced moves, moves of the opening book and moves after \
a draw by rule are not judged. The tags have each player's accuracy, points lost a move and blunders.

With --out or --html the work goes on after Ctrl-C, a kill or a crash: repeat the command. What is done lies in \
FILE.journal until the end. A game with an illegal move is annotated up to it. Games of other variants, on other boards \
and without moves are named and left out. The exit code is 1 where a game was damaged or left out.

Examples:
  damier annotate games.pdn --time 0.5 --out annotated.pdn --html games.html
  damier annotate \"1. 32-28 18-22 2. 37-32 12-18\" --nodes 100000
  damier annotate - --json < games.pdn
  parallel damier annotate games.pdn --shard {}/8 --out part{}.pdn ::: $(seq 8)";

#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct AnnotateArgs {
    /// Files of games (PDN 2 or 3); - for stdin; or moves such as \"1. 32-28 18-22\", or a position as FEN with --moves
    #[arg(value_name = "GAMES", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub inputs: Vec<String>,
    /// Moves from a position given as FEN
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Write the games as PDN to this file
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub out: Option<String>,
    /// Write the games as one page of HTML to this file; the first thousand of them
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub html: Option<String>,
    /// Print one JSON object a line for each game
    #[arg(long)]
    pub json: bool,
    /// Judge moves of the opening book too
    #[arg(long)]
    pub no_book: bool,
    /// Annotate only the I-th of N shares of the games
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: Shard,
    /// Log2 of the entries of each thread's table
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = whole::<u32>(8..=30))]
    pub tt_size: u32,
    #[command(flatten)]
    pub workers: WorkerArgs,
    #[command(flatten)]
    pub engine: EngineArgs<engine_args::Annotate>,
}

impl AnnotateArgs {
    /// Seconds of a search where nothing else is said.
    const TIME: f64 = 0.5;

    fn level(&self) -> Level {
        let given = self.limits.level();
        match given.is_infinite() {
            true => Level {
                move_time: Some(AnnotateArgs::TIME),
                ..given
            },
            false => given,
        }
    }

    /// The files that are written.
    pub fn outputs(&self) -> Vec<PathBuf> {
        let files = [&self.out, &self.html].into_iter().flatten();
        files.map(PathBuf::from).collect()
    }

    fn options(&self) -> Result<Options, Failure> {
        let mut options = self.engine.given.config()?.engine;
        options.tt_size = self.tt_size;
        options.threads = 1;
        Ok(options)
    }
}

/// Annotates.
pub(in crate::cli) fn run(args: &AnnotateArgs) -> Result<(), Failure> {
    let mut games = Games::open(&args.inputs, args.moves.as_deref())?;
    let options = args.options()?;
    let mut output = Output::open(args, &games, &options)?;
    let engine = Engine::new(options.clone()).map_err(error)?;
    let mut problems = EngineProblems::of(&engine);
    let tables = Arc::clone(engine.tables());
    let annotators = (0..args.workers.count()).map(|_| {
        let made = Annotator::with_tables(options.clone(), args.level(), Arc::clone(&tables));
        made.map(|annotator| annotator.with_book(!args.no_book))
    });
    let annotators: Vec<Annotator> = annotators.collect::<Result<_, _>>().map_err(error)?;
    let by = by(args.level());
    note_requests_to_end();
    let bar = progress::bar(games.total, "bytes");
    let (damaged, done) = (AtomicU64::new(0), output.done());
    let tell = |message: &str| bar.suspend(|| say(&message));
    let mut broken = None;
    let mut next = || loop {
        let next = games.next();
        bar.set_position(games.position());
        match next {
            Next::End => return None,
            Next::Broken(message) => {
                broken = Some(message);
                return None;
            }
            Next::Left(number, message) => {
                if args.shard.holds(number - 1) {
                    damaged.fetch_add(1, Relaxed);
                    tell(&message);
                }
            }
            Next::Task(task) => {
                if !args.shard.holds(task.number - 1) {
                    continue;
                }
                if let Some(problem) = &task.problem {
                    damaged.fetch_add(1, Relaxed);
                    tell(&format!("{problem}; annotated up to there"));
                }
                if !done.contains(&task.number) {
                    return Some(task);
                }
            }
        }
    };
    let make = |annotated: &AnnotatedGame, task: &Task| record(args, annotated, task, &by);
    let mut failed = None;
    let whole = batch::run(
        annotators,
        &mut next,
        &make,
        &mut |order, record| match output.add(order, record) {
            Ok(count) => {
                bar.set_message(format!("{count} games"));
                true
            }
            Err(failure) => {
                failed = Some(failure);
                false
            }
        },
        &asked_to_end,
    );
    bar.finish_and_clear();
    problems.report();
    if let Some(failure) = failed {
        return Err(failure);
    }
    if !whole {
        return Err(output.interrupted());
    }
    output.finish()?;
    match broken {
        Some(message) => Err(error(message)),
        None if damaged.into_inner() > 0 => Err(Failure::Told),
        None => Ok(()),
    }
}

/// Who annotated, for the tag.
fn by(level: Level) -> String {
    let limits = [
        level.move_time.map(|time| format!("{time} s")),
        level.nodes.map(|nodes| format!("{nodes} nodes")),
        level.depth.map(|depth| format!("depth {depth}")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    format!(
        "Damier {}, {} a position",
        env!("CARGO_PKG_VERSION"),
        limits.join(", ")
    )
}

/// What is written of a game, in each form that is wanted.
fn record(args: &AnnotateArgs, annotated: &AnnotatedGame, task: &Task, by: &str) -> Record {
    let pdn = || {
        let mut game = annotated.to_pdn(by);
        if let Some(problem) = &task.problem {
            let last = game.moves.last_mut().map(|mv| &mut mv.comment);
            let comment = last.unwrap_or(&mut game.comment);
            let text = format!("[not read on: {problem}]");
            *comment = Some(
                comment
                    .take()
                    .map_or(text.clone(), |old| format!("{old} {text}")),
            );
        }
        let mut text = Vec::new();
        // Writing to memory cannot fail.
        let _ = game.write(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    };
    let json = || {
        let object = annotated.to_json(task.number, task.problem.clone());
        serde_json::to_string(&object).unwrap_or_default()
    };
    let html = || {
        let problem = task.problem.as_deref();
        (
            annotated.title(),
            annotated.to_html(task.number, by, problem),
        )
    };
    let wants_pdn = args.out.is_some() || args.html.is_none() && !args.json;
    let players = ["White", "Black"].into_iter().zip(&annotated.players);
    let players = players.map(|(tag, player)| {
        let name = annotated.game.tag(tag).unwrap_or(tag);
        let judged = f64::from(player.judged);
        let accuracy = player.accuracy().unwrap_or_default();
        let counts = [player.dubious, player.mistakes, player.blunders].map(f64::from);
        (
            name.to_owned(),
            [
                judged,
                player.lost,
                accuracy * judged,
                counts[0],
                counts[1],
                counts[2],
            ],
        )
    });
    Record {
        game: task.number,
        pdn: wants_pdn.then(pdn),
        json: args.json.then(json),
        html: args.html.is_some().then(html),
        players: players.collect(),
    }
}
