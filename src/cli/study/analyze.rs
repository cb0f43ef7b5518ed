//! `damier analyze`.

use crate::cli::endgame::EngineProblems;
use crate::cli::engine_args::{RESOURCES, SEARCH};
use crate::cli::shared_args::{EncodingArgs, LimitArgs, whole};
use crate::cli::study::input::is_there;
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, open_input};
use damier::engine::{Engine, Level, Options};
use damier::notation::{pdn, positions};
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::rules::Game;
use damier::terminal::analyze;
use damier::text::Utf8Reader;
use std::io::{self, BufRead};
use std::path::Path;

/// Search positions, 5 seconds each by default, and show the best moves
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier analyze \"W:W28,K33:B8,14,K3\" --depth 20")]
pub(in crate::cli) struct AnalyzeArgs {
    /// Positions as FEN (such as W:W31-50:B1-20) or in Hub notation; a file of them, one a line, or of games (PDN) for
    /// the last position of each; - reads positions from stdin [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Vec<String>,
    /// Moves to play before the search, as in `1. 32-28 19-23`
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Search until Ctrl-C, which shows the best move so far; --time 0 without another limit does the same
    #[arg(long, conflicts_with_all = ["time", "depth", "nodes"])]
    pub infinite: bool,
    /// Number of best moves to show, each with its own score and line
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=200))]
    pub lines: u32,
    /// Show which moves are in the opening book
    #[arg(long)]
    pub book: bool,
    /// Explain what the opponent threatens, what the last of --moves gave away, and why one of --moves is illegal;
    /// needs a limit, because more searches follow the first one
    #[arg(long)]
    pub explain: bool,
    /// Print one JSON object a line for each position
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub text: EncodingArgs,
}

impl Command for AnalyzeArgs {
    const NAME: &'static str = "analyze";
    const ENGINE: AcceptedOptions =
        AcceptedOptions::of(&[RESOURCES, SEARCH, &["book-file", "param"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let options = engine.file_options()?;
        let level = self.level();
        if self.explain && level.is_infinite() {
            let message =
                "--explain needs a search that ends by itself: give --time, --nodes or --depth";
            return Err(Failure::Usage(message.to_owned()));
        }
        let job = analyze::AnalysisJob {
            level,
            lines: self.lines as usize,
            moves: self.moves.clone().unwrap_or_default(),
            // A book that is named is asked.
            book: self.book || options.book_file != Options::default().book_file,
            explain: self.explain,
            json: self.json,
        };
        let mut engine = Engine::new(options).map_err(error)?;
        let mut problems = EngineProblems::of(&engine);
        let output = analyze::AnalysisOutput {
            out: &mut io::stdout().lock(),
            // Not locked: the log may go there too, from any thread.
            err: &mut io::stderr(),
        };
        note_requests_to_end();
        let mut analysis = analyze::Analysis::new(&mut engine, &job, output, &asked_to_end);
        let start = ["start".to_owned()];
        let texts = if self.fen.is_empty() {
            &start[..]
        } else {
            &self.fen
        };
        let is_batch = texts.len() > 1;
        for (index, text) in texts.iter().enumerate() {
            match text.as_str() {
                "-" => {
                    // Who writes may wait for the answer to a line.
                    let text = Utf8Reader::new(io::stdin(), self.text.encoding).at_once();
                    let encoding = text.taken();
                    analysis.lines(None, io::BufReader::new(text))?;
                    self.text.print_note(&"stdin", encoding.get());
                }
                file if is_file(file) => analyze_file(&mut analysis, file, self)?,
                name if is_name(name) => {
                    let problem = "no such file, and not a position";
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
            true => Err(Failure::Reported),
            false => Ok(()),
        }
    }
}

impl AnalyzeArgs {
    /// 5 seconds where no limit is given; no time is no limit.
    fn level(&self) -> Level {
        let given = self.limits.level();
        match given.move_time {
            _ if self.infinite => Level::INFINITE,
            Some(time) if time <= 0.0 => Level {
                move_time: None,
                ..given
            },
            _ => self.limits.level_or(5),
        }
    }
}

/// Whether an argument of analyze names something to read. A folder may be called as a position is.
fn is_file(text: &str) -> bool {
    let is_folder = || Path::new(text).is_dir() && analyze::read_position(text).is_ok();
    is_there(text) && !is_folder()
}

/// Whether an argument of analyze looks like the name of a file rather than a position.
fn is_name(text: &str) -> bool {
    !positions::begin(text)
        && text.contains(['.', '/', '\\'])
        && analyze::read_position(text).is_err()
}

/// Analyses the last position of each game of a file of PDN, or the positions of a file, one a line.
fn analyze_file(
    analysis: &mut analyze::Analysis,
    file: &str,
    args: &AnalyzeArgs,
) -> Result<(), Failure> {
    let fail = |problem: io::Error| error(format!("{file}: {problem}"));
    let text = Utf8Reader::new(open_input(file)?, args.text.encoding);
    let encoding = text.taken();
    let mut input = io::BufReader::new(text);
    let head = input.fill_buf().map_err(fail)?;
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
    let has_text = first.is_some();
    let print_note = || args.text.print_note(&file, encoding.get());
    // As for annotate and mine.
    if positions::begin(&String::from_utf8_lossy(head)) {
        analysis.lines(Some(file), input)?;
        print_note();
        return Ok(());
    }
    if has_text && args.moves.is_some() {
        let message = format!("--moves continue a position, but {file} holds games");
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
    print_note();
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
