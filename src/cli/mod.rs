//! The command line: the only place that knows clap and the logger.
//!
//! Exit codes: 0 all went well, 1 something failed (a message on stderr says what), 2 the arguments make no sense.

mod args;
mod book;
mod config;
mod dataset;
mod dxp;
mod endgame;
mod engine_args;
mod lab;
mod log_file;
mod match_args;
mod match_run;
mod progress;
mod selfplay;
mod train;

use args::{AnalyzeArgs, Args, Command, EvalArgs, LimitArgs, PerftArgs, PlayArgs};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use damier::board::Color;
use damier::engine::{Engine, Level, Options};
use damier::hub;
use damier::notation::text::for_terminal;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::rules::{Position, perft};
use damier::terminal::eval::Judgement;
use damier::terminal::{Style, analyze, play};
use endgame::TableProblems;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Duration;

/// Why a command gave up.
enum Failure {
    /// The arguments make no sense.
    Usage(String),
    /// What went wrong.
    Error(String),
    /// Nobody reads the output any more, or the input broke.
    Io(io::Error),
    /// It was told already.
    Told,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

fn error(error: impl fmt::Display) -> Failure {
    Failure::Error(error.to_string())
}

/// Does what the arguments say.
pub(crate) fn main() -> ExitCode {
    let command = engine_args::listed_where_used(Args::command());
    let parsed = numbers(command).try_get_matches();
    let parsed = parsed.and_then(|matches| {
        let mut args = Args::from_arg_matches(&matches)?;
        args.engine.precede(engine_args::sets(&matches));
        Ok(args)
    });
    let args = match parsed {
        Ok(args) => args,
        Err(error) => return stop(&error),
    };
    let command = args.command.as_ref().map_or("", Command::name);
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        // As `damier analyze | head -1` wants it.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => complain(&format!("standard input or output: {error}")),
        Err(Failure::Error(message)) => complain(&message),
        Err(Failure::Usage(message)) => {
            let message = for_terminal(&message);
            stop(&usage(command).error(ErrorKind::ValueValidation, message))
        }
        Err(Failure::Told) => ExitCode::FAILURE,
    }
}

/// The command that a name leads to, which knows how it is used.
fn usage(name: &str) -> clap::Command {
    let mut command = Args::command();
    command.build();
    for word in name.split(' ') {
        if let Some(below) = command.find_subcommand(word) {
            command = below.clone();
        }
    }
    command
}

/// Takes -1 for a value, so that what is wrong with it is said, and not for an option of that name.
fn numbers(command: clap::Command) -> clap::Command {
    let number = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(number).mut_subcommands(numbers)
}

/// Prints what clap has to say: help, version, or what is wrong with the arguments.
fn stop(error: &clap::Error) -> ExitCode {
    // Nobody may be listening; the exit code tells it too.
    let text = error.render().to_string();
    let _ = match for_terminal(&text) == text {
        true => error.print(),
        false => write!(io::stderr(), "{}", for_terminal(&text)),
    };
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn complain(message: &dyn fmt::Display) -> ExitCode {
    say(message);
    ExitCode::FAILURE
}

/// Tells something on stderr.
fn say(message: &dyn fmt::Display) {
    // Nobody may be listening.
    let _ = writeln!(
        io::stderr(),
        "damier: {}",
        for_terminal(&message.to_string())
    );
}

fn run(args: Args) -> Result<(), Failure> {
    let command = args.command.unwrap_or_else(|| {
        if io::stdin().is_terminal() {
            Command::Play(PlayArgs::default())
        } else {
            Command::Hub
        }
    });
    engine_args::check(command.name(), &args.engine, args.config.as_deref())
        .map_err(Failure::Usage)?;
    if let Some(log) = &args.log.log_file
        && log_file::is_used_otherwise(log, std::env::args_os())
    {
        return Err(Failure::Usage(format!(
            "{}: a log needs a file of its own",
            log.display()
        )));
    }
    log_file::start(&args.log).map_err(Failure::Error)?;
    let config = || -> Result<config::Config, Failure> {
        let mut config = config::load(args.config.as_deref()).map_err(Failure::Error)?;
        args.engine
            .apply(&mut config.engine)
            .map_err(Failure::Usage)?;
        log::info!("damier {} {:?}", env!("CARGO_PKG_VERSION"), config.engine);
        Ok(config)
    };
    let options = || config().map(|config| config.engine);
    match command {
        Command::Hub => hub_session(options()?),
        Command::Dxp(args) => dxp::play(config()?, &args),
        Command::Play(args) => play_game(options()?, &args),
        Command::Analyze(args) => analyze_positions(options()?, &args),
        Command::Eval(args) => judge(options()?, &args),
        Command::Perft(args) => count(&options()?, &args),
        Command::Bench(bench) => lab::run_bench(&bench, args.engine.clone()),
        Command::Suite(args) => lab::run_suite(&args, options()?),
        Command::Selfplay(selfplay) => selfplay::run(&selfplay, args.engine.clone()),
        Command::Train(train) => train::run(&train, args.engine.clone()),
        Command::Dataset(command) => dataset::run(&command),
        Command::Endgame(command) => {
            let mut engine = args.engine.clone();
            let threads = engine.take_threads().map_err(Failure::Usage)?;
            let mut config = config::load(args.config.as_deref()).map_err(Failure::Error)?;
            engine.apply(&mut config.engine).map_err(Failure::Usage)?;
            endgame::run(&command, &config.engine, threads)
        }
        Command::Book(command) => book::run(&command, args.engine.clone()),
        Command::Match(args) => match_run::run(&args),
    }
}

fn engine(options: Options) -> Result<Engine, Failure> {
    Engine::new(options).map_err(error)
}

fn hub_session(options: Options) -> Result<(), Failure> {
    let exit = hub::run_on_stdio(engine(options)?, hub::Setting::default())?;
    log::info!("the conversation is over: {exit:?}");
    Ok(())
}

fn position(text: Option<&str>) -> Result<Position, Failure> {
    text.map_or(Ok(Position::start()), analyze::read_position)
        .map_err(error)
}

/// The level of each search; `seconds` where none is given.
fn level(args: &LimitArgs, seconds: u64) -> Level {
    let level = args.level();
    match level.is_infinite() {
        true => Level::move_time(Duration::from_secs(seconds)),
        false => level,
    }
}

fn play_game(options: Options, args: &PlayArgs) -> Result<(), Failure> {
    let mut players = [play::Player::Human, play::Player::Computer];
    for (color, seat) in [(Color::White, args.white), (Color::Black, args.black)] {
        if let Some(seat) = seat {
            players[color.index()] = seat.into();
            // One side named: the other one is for the other player.
            if args.white.is_none() || args.black.is_none() {
                players[(!color).index()] = seat.other().into();
            }
        }
    }
    let (start, level) = (position(args.fen.as_deref())?, level(&args.limits, 2));
    let variable = |name: &str| std::env::var(name).ok();
    let setting = play::Setting {
        clock: args.clock,
        live: io::stdin().is_terminal(),
        style: Style::detect(io::stdout().is_terminal(), variable),
        asked_to_end,
        ..play::Setting::new(start, players, level)
    };
    let engine = engine(options)?;
    let _problems = TableProblems::of(&engine);
    let (input, mut output) = (io::BufReader::new(io::stdin()), io::stdout().lock());
    note_requests_to_end();
    play::run(engine, setting, input, &mut output)?;
    Ok(())
}

fn analyze_positions(mut options: Options, args: &AnalyzeArgs) -> Result<(), Failure> {
    args.params.apply(&mut options)?;
    let job = analyze::Job {
        level: analysis_level(args),
        lines: args.lines as usize,
        moves: args.moves.clone().unwrap_or_default(),
        json: args.json,
    };
    let mut engine = engine(options)?;
    let mut problems = TableProblems::of(&engine);
    let output = analyze::Output {
        out: &mut io::stdout().lock(),
        // Not locked: the log may go there too, from any thread.
        err: &mut io::stderr(),
    };
    note_requests_to_end();
    let mut analysis = analyze::Analysis::new(&mut engine, &job, output, &asked_to_end);
    let start = ["start".to_owned()];
    let texts = if args.fen.is_empty() {
        &start[..]
    } else {
        &args.fen
    };
    let is_batch = texts.len() > 1;
    for (index, text) in texts.iter().enumerate() {
        match text.as_str() {
            "-" => analysis.lines(io::BufReader::new(io::stdin()))?,
            text => analysis.position(is_batch.then_some(index + 1), text)?,
        }
        problems.report();
    }
    let summary = analysis.summary();
    // Only Ctrl-C ends an infinite analysis.
    let is_cut = summary.interrupted && !job.level.is_infinite();
    match summary.failed > 0 || is_cut {
        true => Err(Failure::Told),
        false => Ok(()),
    }
}

/// 5 seconds where no limit is given; no time is no limit.
fn analysis_level(args: &AnalyzeArgs) -> Level {
    let given = args.limits.level();
    match given.move_time {
        _ if args.infinite => Level::INFINITE,
        Some(time) if time <= 0.0 => Level {
            move_time: None,
            ..given
        },
        _ => level(&args.limits, 5),
    }
}

fn judge(options: Options, args: &EvalArgs) -> Result<(), Failure> {
    let position = position(args.fen.as_deref())?;
    // Neither table nor endgame tables: whatever the file of options says of them does not matter here.
    let options = Options {
        weights: options.weights,
        ..Options::default()
    };
    let judgement = Judgement::new(&engine(options)?, &position);
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", judgement.to_json())?,
        false => writeln!(out, "{judgement}")?,
    }
    Ok(out.flush()?)
}

fn count(options: &Options, args: &PerftArgs) -> Result<(), Failure> {
    let position = position(args.fen.as_deref())?;
    let perft = perft::Perft::new(perft::Options {
        threads: NonZeroUsize::new(options.threads).unwrap_or(NonZeroUsize::MIN),
        hash_mib: args.hash,
    })
    .map_err(error)?;
    let mut out = io::stdout().lock();
    if args.divide {
        for (mv, count) in perft.divide(&position, args.depth) {
            writeln!(out, "{mv} {count}")?;
        }
        out.flush()?;
    }
    let report = |report: &perft::Report| {
        writeln!(out, "{report}")?;
        Ok(out.flush()?)
    };
    perft.run(&position, args.depth, report)
}
