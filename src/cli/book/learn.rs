//! `damier book learn`.

use super::{count, hundredths, open, read_text, write_file};
use crate::cli::shared_args::EncodingArgs;
use crate::cli::{Command, Failure, GivenOptions, error, print, print_json};
use damier::book::MAGIC;
use damier::lab::book;
use serde::Serialize;
use std::borrow::Cow;
use std::path::PathBuf;

/// Adjust the scores of a book by the results of games
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier book learn games.pdn --file my.dbk --out new.dbk")]
pub(in crate::cli) struct LearnArgs {
    /// Games as PDN; learn from each game only once
    #[arg(value_name = "PDN", required = true)]
    pub games: Vec<PathBuf>,
    /// The book to begin with [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Bound on the correction of a score, in men
    #[arg(long, value_name = "MEN", default_value = "0.16", value_parser = hundredths)]
    pub bound: u32,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub text: EncodingArgs,
}

impl Command for LearnArgs {
    const NAME: &'static str = "learn";

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.out.clone()]
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let book = open(self.file.as_deref())?;
        let mut games = String::new();
        for file in &self.games {
            games += &read_text(file, self.text)?;
            games.push('\n');
        }
        let (bytes, lessons) = book::learn(&book, games.as_bytes(), self.bound).map_err(error)?;
        if lessons.games == 0 {
            let (unused, damaged) = (
                count(lessons.unused, "game"),
                count(lessons.damaged, "game"),
            );
            return Err(error(format!(
                "nothing to learn from: {unused} without a result or a move in the book, {damaged} that cannot be read"
            )));
        }
        write_file(&self.out, MAGIC, &bytes)?;
        if self.json {
            return print_json(&LearnObject {
                out: self.out.to_string_lossy(),
                games: lessons.games,
                moves: lessons.moves,
                unused: lessons.unused,
                damaged: lessons.damaged,
            });
        }
        print(&format!(
            "{}: learned from {} ({}); without a result or a move in the book: {}, damaged: {}",
            self.out.display(),
            count(lessons.games, "game"),
            count(lessons.moves, "move"),
            lessons.unused,
            lessons.damaged
        ))
    }
}

/// What `book learn --json` prints.
#[derive(Serialize)]
struct LearnObject<'a> {
    out: Cow<'a, str>,
    games: u64,
    moves: u64,
    unused: u64,
    damaged: u64,
}
