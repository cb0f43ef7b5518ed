//! The command line: the only place that knows clap and the logger.
//!
//! Exit codes: 0 all went well, 1 something failed (a message on stderr says what), 2 the arguments make no sense.
//! `solve` has codes of its own: 1 not sound, 2 something failed.

mod arena;
mod args;
mod book;
mod config;
mod dxp;
mod endgame;
mod engine_args;
mod errors;
mod lab;
mod log_file;
mod progress;
mod serve;
mod shared_args;
mod study;
mod training;
mod usage;

use args::{AnalyzeArgs, Args, Command, EvalArgs, HubArgs, PerftArgs, PlayArgs};
use clap::{CommandFactory, FromArgMatches};
use damier::board::Color;
use damier::engine::{Engine, EngineError, Level, Options};
use damier::hub;
use damier::notation::pdn;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::rules::{Game, Position, perft};
use damier::terminal::eval::Judgement;
use damier::terminal::{Style, analyze, play};
use endgame::EngineProblems;
use errors::{Failure, error, open_input, print, say};
use shared_args::LimitArgs;
use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Does what the arguments say.
pub(crate) fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let parsed = numbers(Args::command()).try_get_matches_from(&words);
    let args = match parsed.and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => args,
        Err(error) => return usage::stop(&usage::explained(error, &words)),
    };
    let name = args.command.as_ref().map_or("", Command::name);
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => usage::report(&failure, name),
    }
}

/// Takes -1 for a value, so that what is wrong with it is said, and not for an option of that name.
fn numbers(command: clap::Command) -> clap::Command {
    let number = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(number).mut_subcommands(numbers)
}

fn run(args: Args) -> Result<(), Failure> {
    let mut command = args
        .command
        .unwrap_or_else(|| match io::stdin().is_terminal() {
            true => Command::Play(PlayArgs::default()),
            false => Command::Hub(HubArgs::default()),
        });
    let name = command.name();
    match command.engine_options() {
        Some((given, reads_file)) => {
            given.precede(args.engine.given);
            given.check(name, &usage::of(name), reads_file)?;
        }
        None => args.engine.given.check(name, &usage::of(name), false)?,
    }
    if let Some(log) = &args.log.log_file
        && command
            .outputs()
            .iter()
            .any(|output| arena::run::is_same(log, output))
    {
        let message = format!("{}: a log needs a file of its own", log.display());
        return Err(Failure::Usage(message));
    }
    log_file::start(&args.log)?;
    log::info!("damier {} {name}", env!("CARGO_PKG_VERSION"));
    let result = dispatch(command);
    match &result {
        Ok(()) => log::info!("`{name}` is done"),
        Err(failure) => log::info!("`{name}` failed: {failure}"),
    }
    result
}

fn dispatch(command: Command) -> Result<(), Failure> {
    let options = |given: &engine_args::Given| given.config().map(|config| config.engine);
    match command {
        Command::Hub(args) => hub_session(&args),
        Command::Dxp(args) => dxp::play(args.engine.given.config()?, &args),
        Command::Serve(args) => serve::run(options(&args.engine.given)?, &args),
        Command::Play(args) => play_game(options(&args.engine.given)?, &args),
        Command::Analyze(args) => analyze_positions(options(&args.engine.given)?, &args),
        Command::Picture(args) => study::picture::run(&args),
        Command::Mine(args) => study::mine::run(&args),
        Command::Losses(args) => study::losses::run(&args),
        Command::Solve(args) => study::solve::run(&args),
        Command::Annotate(args) => study::annotate::run(&args),
        Command::Eval(args) => judge(options(&args.engine.given)?, &args),
        Command::Perft(args) => count(&options(&args.engine.given)?, &args),
        Command::Bench(args) => lab::measure::run_bench(&args),
        Command::Experiment(args) => lab::experiment::run(&args),
        Command::Tune(args) => lab::tune::run(&args),
        Command::Suite(args) => lab::measure::run_suite(&args, options(&args.engine.given)?),
        Command::Selfplay(args) => training::selfplay::run(&args),
        Command::Train(args) => training::train::run(&args),
        Command::Dataset(command) => training::dataset::run(&command),
        Command::Endgame(command) => endgame::run(&command),
        Command::Book(command) => book::run(&command),
        Command::Match(args) => arena::run::run(&args),
    }
}

fn engine(options: Options) -> Result<Engine, Failure> {
    Engine::new(options).map_err(error)
}

/// Speaks Hub. What is wrong in the file of options is told to the client, which may show it; stderr nobody may see.
fn hub_session(args: &HubArgs) -> Result<(), Failure> {
    let given = &args.engine.given;
    let (config, mut problems) = given.lenient_config()?;
    let engine = usable_engine(config.engine, given, &mut problems)?;
    problems.iter().for_each(|problem| log::error!("{problem}"));
    let setting = hub::HubSettings {
        problems,
        safe: args.safe,
    };
    let exit = hub::run_on_stdio(engine, setting)?;
    log::info!("the conversation is over: {exit:?}");
    Ok(())
}

/// An engine, with defaults for the options of a file that cannot be used.
fn usable_engine(
    mut options: Options,
    given: &engine_args::Given,
    problems: &mut Vec<String>,
) -> Result<Engine, Failure> {
    loop {
        let failed = match Engine::new(options.clone()) {
            Ok(engine) => return Ok(engine),
            Err(error) => error,
        };
        let name = match failed {
            EngineError::Weights { .. } => "weights",
            EngineError::Endgame(_) => "endgame-dir",
            EngineError::Table(_) => "tt-size",
        };
        let default = Options::default().get(name).map_err(error)?;
        if given.value(name).is_some() || options.get(name).as_ref() == Ok(&default) {
            return Err(error(failed));
        }
        problems.push(failed.to_string());
        options.set(name, &default).map_err(error)?;
    }
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
    let mut players = [play::PlayerKind::Human, play::PlayerKind::Computer];
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
    let setting = play::PlaySettings {
        clock: args.clock,
        live: io::stdin().is_terminal(),
        style: Style::detect(io::stdout().is_terminal(), variable),
        asked_to_end,
        ..play::PlaySettings::new(start, players, level)
    };
    let engine = engine(options)?;
    let _problems = EngineProblems::of(&engine);
    let (input, mut output) = (io::BufReader::new(io::stdin()), io::stdout().lock());
    note_requests_to_end();
    play::run(engine, setting, input, &mut output)?;
    Ok(())
}

fn analyze_positions(options: Options, args: &AnalyzeArgs) -> Result<(), Failure> {
    let level = analysis_level(args);
    if args.explain && level.is_infinite() {
        let message =
            "--explain needs a search that ends by itself: give --time, --nodes or --depth";
        return Err(Failure::Usage(message.to_owned()));
    }
    let job = analyze::Job {
        level,
        lines: args.lines as usize,
        moves: args.moves.clone().unwrap_or_default(),
        // A book that is named is asked.
        book: args.book || options.book_file != Options::default().book_file,
        explain: args.explain,
        json: args.json,
    };
    let mut engine = engine(options)?;
    let mut problems = EngineProblems::of(&engine);
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
            "-" => analysis.lines(None, io::BufReader::new(io::stdin()))?,
            file if is_file(file) => analyze_file(&mut analysis, file, args)?,
            name if is_name(name) => {
                let problem = "no such file, and no position";
                analysis.unreadable(None, name, &format!("{name}: "), problem)?;
            }
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

/// Whether an argument of analyze names something to read. A folder may be called as a position is.
fn is_file(text: &str) -> bool {
    let path = Path::new(text);
    path.is_file() || path.exists() && analyze::read_position(text).is_err()
}

/// Whether an argument of analyze looks like the name of a file rather than a position.
fn is_name(text: &str) -> bool {
    let start = text.trim_start_matches(['"', ' ']).to_lowercase();
    let is_fen = start.starts_with("w:") || start.starts_with("b:");
    !is_fen && text.contains(['.', '/', '\\']) && analyze::read_position(text).is_err()
}

/// Analyses the last position of each game of a file of PDN, or the positions of a file, one a line.
fn analyze_file(
    analysis: &mut analyze::Analysis,
    file: &str,
    args: &AnalyzeArgs,
) -> Result<(), Failure> {
    let fail = |problem: io::Error| error(format!("{file}: {problem}"));
    let mut input = io::BufReader::new(open_input(file)?);
    let head = input.fill_buf().map_err(fail)?;
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
    // As for annotate and mine: these letters begin no PDN.
    if first.is_some_and(|byte| b"WwBb#".contains(byte)) {
        return Ok(analysis.lines(Some(file), input)?);
    }
    if first.is_some() && args.moves.is_some() {
        let message = format!("--moves go on from positions, and {file} holds games");
        return Err(Failure::Usage(message));
    }
    let mut games = pdn::Stream::new(input);
    let mut number = 0;
    while let Some(read) = games.next_game().map_err(fail)? {
        number += 1;
        let input = format!("{file}, game {number}");
        match read {
            Ok(read) => {
                let mut game = Game::new(read.start);
                let moves = read.plain_moves();
                moves.into_iter().for_each(|mv| game.play(mv));
                analysis.game(Some(number), &input, &game)?;
            }
            Err(damaged) => {
                let problem = damaged.error.to_string();
                let place = format!("{file}: ");
                analysis.unreadable(Some(number), &input, &place, &problem)?;
            }
        }
        if analysis.summary().interrupted {
            break;
        }
    }
    if number == 0 {
        analysis.unreadable(
            None,
            file,
            &format!("{file}: "),
            "no game or position in it",
        )?;
    }
    Ok(())
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
    let perft = perft::Perft::new(perft::PerftOptions {
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
