//! `damier book openings`.

use super::{PDN, count, hundredths, open, write_file};
use crate::cli::shared_args::whole;
use crate::cli::{Command, Failure, Given, error, warn};
use clap::ValueEnum;
use damier::lab::book::{self, OpeningsWanted};
use damier::notation::{fen, pdn};
use std::io::{self, Write};
use std::path::PathBuf;

/// What a list of positions of ours begins with.
const FEN_LIST: &[u8] = b"# Openings from a book";

/// Write positions from a book as openings for matches
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier book openings --plies 8 --count 100 --out openings.fen")]
pub(in crate::cli) struct OpeningsArgs {
    /// A book or a journal [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Plies from the beginning
    #[arg(long, value_parser = whole::<usize>(0..), value_name = "N", default_value_t = 8)]
    pub plies: usize,
    /// How many men one side must be ahead, at least and at most
    #[arg(long, value_name = "MIN,MAX", default_value = "0,0.4", value_parser = window, allow_hyphen_values = true)]
    pub window: (u32, u32),
    /// How many positions
    #[arg(long, value_parser = whole::<usize>(1..), value_name = "N", default_value_t = 100)]
    pub count: usize,
    /// Seed for the choice of positions
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// FEN, one a line, or PDN with the moves
    #[arg(long, value_name = "FORM", default_value = "fen")]
    pub format: OpeningsForm,
    /// Write to this file instead of the screen
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// How openings are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum OpeningsForm {
    Fen,
    Pdn,
}

impl Command for OpeningsArgs {
    const NAME: &'static str = "openings";

    fn outputs(&self) -> Vec<PathBuf> {
        self.out.iter().cloned().collect()
    }

    fn run(&self, _: &Given) -> Result<(), Failure> {
        let book = open(self.file.as_deref())?;
        let wanted = OpeningsWanted {
            plies: self.plies,
            window: self.window.0 as i32..=self.window.1 as i32,
            count: self.count,
            seed: self.seed,
        };
        let found = book::openings(&book, &wanted).map_err(error)?;
        if found.is_empty() {
            return Err(error(
                "no such position in the book; widen --window, or choose other --plies",
            ));
        }
        if found.len() < self.count {
            warn(&format!(
                "the book has only {} such positions, not {}",
                found.len(),
                self.count
            ));
        }
        let mut text = Vec::new();
        let magic = match self.format {
            OpeningsForm::Fen => FEN_LIST,
            OpeningsForm::Pdn => PDN,
        };
        if let OpeningsForm::Fen = self.format {
            let openings = count(found.len() as u64, "opening");
            writeln!(
                text,
                "# Openings from a book: {openings} of {} plies.",
                self.plies
            )?;
        }
        for (number, opening) in found.iter().enumerate() {
            match self.format {
                OpeningsForm::Fen => writeln!(text, "{}", fen::format(&opening.position))?,
                OpeningsForm::Pdn => {
                    let mut game = pdn::Game::new(opening.root);
                    game.tags
                        .push(("Event".to_owned(), format!("Opening {}", number + 1)));
                    game.moves = opening
                        .moves
                        .iter()
                        .copied()
                        .map(pdn::Annotated::from)
                        .collect();
                    if let Some(last) = game.moves.last_mut() {
                        last.comment = Some(format!("{:+.2}", f64::from(opening.score) / 100.0));
                    }
                    write!(text, "{game}")?;
                }
            }
        }
        match &self.out {
            Some(file) => write_file(file, magic, &text),
            None => Ok(io::stdout().lock().write_all(&text)?),
        }
    }
}

fn window(text: &str) -> Result<(u32, u32), String> {
    let men = |text: &str| match text.trim() {
        "0" => Ok(0),
        text => hundredths(text),
    };
    let (min, max) = text
        .split_once(',')
        .ok_or("expected two numbers of men, such as 0.2,0.8")?;
    let (min, max) = (men(min)?, men(max)?);
    (min <= max)
        .then_some((min, max))
        .ok_or_else(|| "the first number must not be above the second".to_owned())
}
