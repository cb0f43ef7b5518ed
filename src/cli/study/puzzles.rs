//! `damier puzzles`.

use super::input::{GameInput, Next};
use crate::cli::endgame::EngineProblems;
use crate::cli::engine_args::{EVALUATION, RESOURCES};
use crate::cli::shared_args::{EncodingArgs, whole};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, print_json, warn};
use clap::builder::NonEmptyStringValueParser;
use damier::analysis::Stop;
use damier::analysis::puzzle::{GRADES, Judge, Puzzle, PuzzleError, built_in};
use damier::engine::Engine;
use damier::os::folders;
use damier::terminal::Style;
use damier::terminal::puzzles::{self, PuzzleSessionError, PuzzleSettings};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

const HELP: &str = "\
A puzzle is a position and its answer. Type a move, and the reply is played; any move as good as the answer is \
accepted. Puzzles that were missed come again, after ten minutes at first. The rating begins at 1200.

FILE is written by `damier mine`, or is PDN whose games have a position and moves. A puzzle whose answer is \
illegal or not the best move is named and left out.

The progress is kept in puzzles.json in the folder damier below XDG_DATA_HOME, or ~/.local/share, \
~/Library/Application Support or APPDATA.

Examples:
  damier puzzles
  damier puzzles --grade 2-4 --motif ricochet
  damier puzzles shots.pdn --progress ann.json
  damier puzzles --json";

/// Maximum number of problems of a file that are named.
const MOST_NAMED: usize = 10;

/// Solve puzzles in the terminal: combinations to find
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct PuzzlesArgs {
    /// Puzzles as PDN; - for stdin with --json [default: the built-in puzzles]
    #[arg(value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    file: Option<String>,
    /// Only puzzles whose motif has this name, or has it as a part
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    motif: Option<String>,
    /// Only puzzles of these grades, from 1 (easy) to 4 (hard)
    #[arg(long, value_name = "N[-M]", value_parser = grades)]
    grade: Option<(u32, u32)>,
    /// Seed of the order [default: a new one each time]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
    /// Keep the progress in this file
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
    /// List the puzzles, one JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    text: EncodingArgs,
}

fn grades(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let grade = |text: &str| {
        text.parse()
            .ok()
            .filter(|grade| (1..=GRADES).contains(grade))
    };
    let grades = grade(least)
        .zip(grade(most))
        .filter(|(least, most)| least <= most);
    grades
        .ok_or_else(|| format!("expected a grade from 1 to {GRADES}, or two in order, such as 2-3"))
}

/// Seconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// A name as it is compared: in lower case, without accents.
fn plain(name: &str) -> String {
    let letters = name.to_lowercase();
    letters
        .chars()
        .map(|letter| match letter {
            'à' | 'ä' | 'â' => 'a',
            'é' | 'è' | 'ë' | 'ê' => 'e',
            other => other,
        })
        .collect()
}

impl PuzzlesArgs {
    /// The puzzles of the file. What is none is named.
    fn read(&self, name: &str) -> Result<Vec<Puzzle>, Failure> {
        let mut games = GameInput::open(&[name.to_owned()], None, self.text)?.with_positions();
        let (mut puzzles, mut problems, mut plain_games) = (Vec::new(), Vec::new(), 0);
        loop {
            match games.next() {
                Next::Task(task) => match (Puzzle::of(&task.game), task.problem) {
                    (_, Some(problem)) => problems.push(format!("{problem}; left out")),
                    (Ok(puzzle), None) => puzzles.push(puzzle),
                    (Err(PuzzleError::NoPosition), None) => match task.note {
                        // Such as a position that cannot be read.
                        Some(note) => problems.push(note),
                        None => plain_games += 1,
                    },
                    (Err(problem), None) => {
                        problems.push(format!("{name}: game {} {problem}", task.number))
                    }
                },
                Next::Left(_, problem) => problems.push(problem),
                Next::Note(note) => warn(&note),
                Next::Broken(problem) => return Err(error(problem)),
                Next::End => break,
            }
        }
        if puzzles.is_empty() {
            let why = match (problems.first(), plain_games) {
                (Some(problem), _) => problem.replacen(&format!("{name}: "), "", 1),
                (None, 0) => "it has no game".to_owned(),
                (None, _) => "its games begin at the start position".to_owned(),
            };
            return Err(error(format!("{name}: no puzzles in it: {why}")));
        }
        problems
            .iter()
            .take(MOST_NAMED)
            .for_each(|problem| warn(problem));
        let rest = problems.len().saturating_sub(MOST_NAMED) + plain_games;
        if rest > 0 {
            let games = match rest {
                1 => "1 more game is no puzzle".to_owned(),
                _ => format!("{rest} more games are no puzzles"),
            };
            warn(&format!("{name}: {games}"));
        }
        Ok(puzzles)
    }

    /// Keeps the puzzles of --motif and --grade.
    fn select(&self, mut puzzles: Vec<Puzzle>) -> Result<Vec<Puzzle>, Failure> {
        if let Some(wanted) = &self.motif {
            let names: BTreeSet<String> = puzzles
                .iter()
                .flat_map(|puzzle| puzzle.motifs.clone())
                .collect();
            let is_wanted = |name: &String| plain(name).contains(&plain(wanted));
            if !names.iter().any(is_wanted) {
                let names: Vec<String> = names.into_iter().collect();
                let known = match names.is_empty() {
                    true => "no puzzle here has a name".to_owned(),
                    false => format!("there are {}", names.join(", ")),
                };
                return Err(error(format!("no puzzle has the motif {wanted}; {known}")));
            }
            puzzles.retain(|puzzle| puzzle.motifs.iter().any(is_wanted));
        }
        if let Some((least, most)) = self.grade {
            puzzles.retain(|puzzle| (least..=most).contains(&puzzle.grade));
        }
        match puzzles.is_empty() {
            true => Err(error(
                "no puzzle is left of these: choose other grades or another motif",
            )),
            false => Ok(puzzles),
        }
    }

    fn list(&self, puzzles: &[Puzzle], judge: Option<&mut Judge>) -> Result<(), Failure> {
        let Some(judge) = judge else {
            let mut objects = puzzles.iter().enumerate();
            return objects.try_for_each(|(index, puzzle)| print_json(&puzzle.to_json(index + 1)));
        };
        for (index, puzzle) in puzzles.iter().enumerate() {
            match judge
                .is_best(puzzle, &Stop::new())
                .map_err(|_| error("the search was stopped"))?
            {
                true => print_json(&puzzle.to_json(index + 1))?,
                false => warn(&format!(
                    "puzzle {}: there is a better move than its answer; left out",
                    index + 1
                )),
            }
        }
        Ok(())
    }
}

impl Command for PuzzlesArgs {
    const NAME: &'static str = "puzzles";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[RESOURCES, EVALUATION, &["search"]]);

    fn outputs(&self) -> Vec<PathBuf> {
        self.progress.iter().cloned().collect()
    }

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        if self.file.as_deref() == Some("-") && !self.json {
            let message = "- reads the puzzles from stdin, where the moves are typed: name a file, or add --json";
            return Err(Failure::Usage(message.to_owned()));
        }
        let all = match &self.file {
            Some(name) => self.read(name)?,
            None => built_in().map_err(error)?,
        };
        let puzzles = self.select(all)?;
        let engine = Engine::new(engine.file_options()?).map_err(error)?;
        let _problems = EngineProblems::of(&engine);
        let mut judge = Judge::new(engine);
        if self.json {
            return self.list(&puzzles, self.file.is_some().then_some(&mut judge));
        }
        let variable = |name: &str| std::env::var(name).ok();
        let folder = || {
            folders::data(|name| std::env::var_os(name)).map(|folder| folder.join("puzzles.json"))
        };
        let Some(progress) = self.progress.clone().or_else(folder) else {
            return Err(error(
                "no folder for the progress, as HOME is not set: name a file with --progress",
            ));
        };
        let setting = PuzzleSettings {
            puzzles,
            is_checked: self.file.is_none(),
            progress,
            seed: self.seed.unwrap_or_else(now),
            now,
            style: Style::detect(io::stdout().is_terminal(), variable),
        };
        let (mut input, mut out) = (io::stdin().lock(), io::stdout().lock());
        puzzles::run(judge, setting, &mut input, &mut out).map_err(|problem| match problem {
            PuzzleSessionError::Io(problem) => Failure::Io(problem),
            problem => error(problem),
        })
    }
}
