//! `damier annotate`.

mod output;

use super::batch::{self, Batch, BatchArgs, Record, Target, Task};
use super::input::GameInput;
use crate::cli::engine_args::SEARCH;
use crate::cli::shared_args::{LimitArgs, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions};
use clap::builder::NonEmptyStringValueParser;
use damier::analysis::annotate::{AnnotatedGame, Annotator};
use damier::analysis::{Language, Stop};
use damier::board::Color;
use damier::engine::{Level, NAME_AND_VERSION};
use output::AnnotatedGames;
use serde_json::json;
use std::path::PathBuf;

const HELP: &str = "\
PDN goes to stdout, or to --out. A move that lost something has a mark, `[%eval ...]`, `[%lost ...]` (expected points, \
1 for a win, a half for a draw) and the better line as a variation. Forced moves, moves of the opening book and moves \
after a draw by rule are not judged. The tags have each player's accuracy (moves in decided \
positions do not count), points lost a move and blunders.

With --out or --html the work goes on after Ctrl-C, a kill or a crash: repeat the command. What is done lies in \
FILE.journal until the end. Output to stdout cannot be resumed. A game with an illegal move is annotated up to it. \
A game without moves, such as a forfeit, is copied unchanged. Games of other variants and on other boards are named \
and left out. The exit code is 1 where a game was damaged or left out.

Examples:
  damier annotate games.pdn --time 0.5 --out annotated.pdn --html games.html
  damier annotate \"1. 32-28 18-22 2. 37-32 12-18\" --nodes 100000
  damier annotate - --json < games.pdn
  parallel damier annotate games.pdn --shard {}/8 --out part{}.pdn ::: $(seq 8)";

/// What stands in the head of a page.
const PAGE: &str = "default-src 'none'; style-src 'sha256-";

/// Judge the moves of games: marks, better lines and a summary, as PDN, a page of HTML or JSON
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct AnnotateArgs {
    /// Files of games (PDN 2 or 3); - for stdin; or moves such as "1. 32-28 18-22", or a position as FEN with --moves
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
    /// Write the games, at most the first thousand, as one page of HTML to this file
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub html: Option<String>,
    /// The language of the page of --html: en, nl, fr, de or ru
    #[arg(long, value_name = "CODE", default_value_t, requires = "html")]
    pub language: Language,
    /// Print one JSON object a line for each game
    #[arg(long)]
    pub json: bool,
    /// Also judge moves of the opening book
    #[arg(long)]
    pub no_book: bool,
    #[command(flatten)]
    pub(super) batch: BatchArgs,
    /// Log2 of the entries of each thread's table
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = whole::<u32>(8..=30))]
    pub tt_size: u32,
}

impl AnnotateArgs {
    /// Seconds of a search where nothing else is said.
    const TIME: f64 = 0.5;

    pub fn level(&self) -> Level {
        let given = self.limits.level();
        match given.is_infinite() {
            true => Level {
                move_time: Some(AnnotateArgs::TIME),
                ..given
            },
            false => given,
        }
    }

    /// The PDN and the page, where they are wanted.
    pub(super) fn targets(&self) -> [Option<Target<'_>>; 2] {
        let target = |name, magic, mark| Target { name, magic, mark };
        [
            self.out
                .as_deref()
                .map(|name| target(name, b"[", "[Annotator \"")),
            self.html
                .as_deref()
                .map(|name| target(name, b"<!DOCTYPE", PAGE)),
        ]
    }
}

impl Command for AnnotateArgs {
    const NAME: &'static str = "annotate";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[SEARCH, &["book-file"]]);

    fn outputs(&self) -> Vec<PathBuf> {
        let files = [&self.out, &self.html].into_iter().flatten();
        files.map(PathBuf::from).collect()
    }

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let games =
            GameInput::open(&self.inputs, self.moves.as_deref(), self.batch.text)?.with_all();
        let level = self.level();
        let by = by(level);
        let work = |annotator: &mut Annotator, task: &Task, stop: &Stop| {
            let annotated = annotator.annotate(&task.game, stop, &mut |_, _| {})?;
            Ok(record(self, &annotated, task, &by))
        };
        let mut settings = json!({
            "moves": self.moves,
            "time": level.move_time,
            "nodes": level.nodes,
            "depth": level.depth,
            "book": !self.no_book,
            "out": self.out.is_some(),
            "html": self.html.is_some(),
            "json": self.json,
        });
        // So that work begun by an earlier version goes on.
        if self.language != Language::default() {
            settings["language"] = self.language.code().into();
        }
        let mut sink = AnnotatedGames::new(self, &games);
        let batch = Batch {
            command: Self::NAME,
            games,
            args: &self.batch,
            outputs: self.targets().into_iter().flatten().collect(),
            options: batch::options(engine, self.tt_size)?,
            uses_book: true,
            settings,
        };
        let make = |engine| Annotator::new(engine, level).with_book(!self.no_book);
        batch.run(make, &work, &mut sink)
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
    format!("{NAME_AND_VERSION}, {} a position", limits.join(", "))
}

/// What is written of a game, in each form that is wanted.
fn record(args: &AnnotateArgs, annotated: &AnnotatedGame, task: &Task, by: &str) -> Record {
    let pdn = || {
        let mut game = match task.game.moves.is_empty() {
            true => task.game.clone(),
            false => annotated.to_pdn(by),
        };
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
        game.to_string()
    };
    let json = || {
        let object = annotated.to_json(task.number, task.problem.clone(), task.note.clone());
        crate::cli::json(&object)
    };
    let html = || {
        let notes = [task.problem.as_deref(), task.note.as_deref()];
        let notes: Vec<&str> = notes.into_iter().flatten().collect();
        (
            annotated.title(),
            annotated.to_html(task.number, by, &notes, args.language),
        )
    };
    let wants_pdn = args.out.is_some() || args.html.is_none() && !args.json;
    let players = Color::BOTH.into_iter().zip(&annotated.players);
    let players = players.map(|(color, player)| {
        let unknown = || match color {
            Color::White => format!("White of game {}", task.number),
            Color::Black => format!("Black of game {}", task.number),
        };
        let name = annotated.player(color).map_or_else(unknown, str::to_owned);
        let judged = f64::from(player.judged);
        let accuracy = player.accuracy().unwrap_or_default();
        let counts = [player.dubious, player.mistakes, player.blunders].map(f64::from);
        (
            name,
            [
                judged,
                player.lost,
                accuracy * f64::from(player.counted),
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
        counted: annotated.players.map(|player| player.counted).to_vec(),
        ..Record::default()
    }
}
