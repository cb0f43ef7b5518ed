//! `damier solve`.

use super::batch::{self, Task};
use super::input::{GameInput, Next};
use crate::cli::endgame::EngineProblems;
use crate::cli::engine_args::SEARCH;
use crate::cli::shared_args::{EncodingArgs, WorkerArgs, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, json, warn};
use clap::ValueEnum;
use clap::builder::NonEmptyStringValueParser;
use damier::analysis::Stop;
use damier::analysis::solve::{Goal, GoalSource, Problem, Solution, Solver};
use damier::board::Color;
use damier::engine::Engine;
use damier::notation::text::for_terminal;
use damier::os::pool::Order;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use std::io::{self, Write};
use std::iter;

const HELP: &str = "\
A file holds games of PDN, each with the position as FEN tag and the solution as its moves, or positions as FEN, one a \
line (what follows a ; is ignored). The result says who wins or that it is a draw; without one White wins, the \
convention of compositions. Without a solution the engine looks for one. Any number of pieces and either side to move.

A move wins where the end on the board or the endgame tables prove it, or where a search of --nodes gives the win 90 % \
or more; it fails below 50 %; between the two the problem is unsolved. The verdicts:
  sound     the solution works, and is the only one
  cook      another first move works too
  dual      another move works too, later in the main line; at the last move, or in an answer to another defence, that \
is accepted, unless --strict
  refuted   a defence refutes the solution, or no move works
  unsolved  not decided with so many nodes

Exit code: 0 all are sound, 1 some are not, 2 something failed.

Examples:
  damier solve \"W:W6,7,40:B19,30,33\"
  damier solve problems.pdn --nodes 1000000 --json";

/// Check compositions: sound or not, main line, defences, cooks and duals
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct SolveArgs {
    /// Files of problems, as PDN or positions one a line; - for stdin; or a position as FEN
    #[arg(value_name = "PROBLEMS", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub inputs: Vec<String>,
    /// The solution of a position given as FEN
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Goal of the solution [default: from the result]
    #[arg(long, value_name = "GOAL")]
    pub goal: Option<GoalArg>,
    /// Positions to search to judge a move
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = whole::<u64>(1..))]
    pub nodes: u64,
    /// Accept no dual, not even at the last move or beside the main line
    #[arg(long)]
    pub strict: bool,
    /// Print one JSON object a line for each problem
    #[arg(long)]
    pub json: bool,
    /// Log2 of the entries of each thread's table
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = whole::<u32>(8..=30))]
    pub tt_size: u32,
    #[command(flatten)]
    pub workers: WorkerArgs,
    #[command(flatten)]
    pub text: EncodingArgs,
}

/// What is to be reached.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum GoalArg {
    /// The side to move wins
    Win,
    /// The side to move draws
    Draw,
    /// White wins, whoever is to move
    WhiteWins,
    /// White draws
    WhiteDraws,
    /// Black wins
    BlackWins,
    /// Black draws
    BlackDraws,
}

impl GoalArg {
    /// The side that is to reach the goal, and the goal.
    fn of(self, turn: Color) -> (Color, Goal) {
        match self {
            GoalArg::Win => (turn, Goal::Win),
            GoalArg::Draw => (turn, Goal::Draw),
            GoalArg::WhiteWins => (Color::White, Goal::Win),
            GoalArg::WhiteDraws => (Color::White, Goal::Draw),
            GoalArg::BlackWins => (Color::Black, Goal::Win),
            GoalArg::BlackDraws => (Color::Black, Goal::Draw),
        }
    }
}

impl Command for SolveArgs {
    const NAME: &'static str = "solve";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[SEARCH]);

    /// Exit code 2 where something failed, as 1 says that a problem is not sound.
    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        match check_all(self, engine) {
            Err(Failure::Io(problem)) if problem.kind() != io::ErrorKind::BrokenPipe => {
                warn(&Failure::Io(problem));
                Err(Failure::Code(2))
            }
            Err(Failure::Error(message)) => {
                warn(&message);
                Err(Failure::Code(2))
            }
            other => other,
        }
    }
}

fn check_all(args: &SolveArgs, engine: &GivenOptions) -> Result<(), Failure> {
    let games = GameInput::open(&args.inputs, args.moves.as_deref(), args.text)?.with_positions();
    let mut options = engine.file_options()?;
    (options.tt_size, options.threads) = (args.tt_size, 1);
    let engines = Engine::several(&options, args.workers.count()).map_err(error)?;
    let mut problems = EngineProblems::of(&engines[0]);
    let solvers = engines
        .into_iter()
        .map(|engine| Solver::new(engine, args.nodes))
        .collect();
    note_requests_to_end();
    let mut input = ProblemInput {
        games,
        failed: false,
        broken: None,
    };
    let work = |solver: &mut Solver, task: &Task, stop: &Stop| {
        let mut problem = Problem::of_game(&task.game);
        if let Some(goal) = args.goal {
            (problem.side, problem.goal) = goal.of(problem.start.turn());
            problem.source = GoalSource::Given;
        }
        let solution = solver.solve(&problem, stop)?;
        Ok((solution.is_sound(args.strict), text(args, task, &solution)))
    };
    let mut unsound = 0;
    let print = |(is_sound, text): (bool, String)| {
        unsound += u64::from(!is_sound);
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok::<_, Failure>(out.flush()?)
    };
    let tasks = iter::from_fn(|| input.next());
    let whole = batch::run(Order::Sequential, solvers, tasks, work, asked_to_end, print)?;
    problems.report();
    match input.broken {
        Some(message) => return Err(error(message)),
        None if !whole => return Err(error("stopped before the last problem")),
        None => {}
    }
    match (input.failed, unsound) {
        (true, _) => Err(Failure::Code(2)),
        (_, 0) => Ok(()),
        _ => Err(Failure::Code(1)),
    }
}

/// The problems of the arguments, with a warning for each that is left out.
struct ProblemInput {
    games: GameInput,
    /// Whether a problem was left out.
    failed: bool,
    /// Why the input ended early.
    broken: Option<String>,
}

impl ProblemInput {
    fn next(&mut self) -> Option<Task> {
        loop {
            match self.games.next() {
                Next::End => return None,
                Next::Broken(message) => {
                    self.broken = Some(message);
                    return None;
                }
                Next::Note(note) => warn(&note),
                Next::Left(_, message) => {
                    self.failed = true;
                    warn(&message);
                }
                Next::Task(Task {
                    problem: Some(problem),
                    ..
                }) => {
                    self.failed = true;
                    warn(&format!("{}{problem}; left out", self.games.folder()));
                }
                Next::Task(task) => {
                    if let Some(note) = &task.note {
                        warn(&format!("{}{note}", self.games.folder()));
                    }
                    return Some(task);
                }
            }
        }
    }
}

/// The result of a problem as text or JSON.
fn text(args: &SolveArgs, task: &Task, solution: &Solution) -> String {
    if args.json {
        let object = solution.to_json(task.number, args.strict);
        return format!("{}\n", json(&object));
    }
    let names = ["Event", "White", "Composer", "Author", "Round"];
    let names = names.iter().filter_map(|name| task.game.tag(name));
    let names = names.filter(|name| !name.is_empty() && *name != "?");
    let names: Vec<&str> = names.collect();
    let separator = if names.is_empty() { "" } else { ": " };
    for_terminal(&format!(
        "problem {}{separator}{}\n{solution}\n",
        task.number,
        names.join(", ")
    ))
}
