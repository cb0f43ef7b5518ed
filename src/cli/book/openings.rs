//! `damier book openings`.

use super::{PDN, count, hundredths, open, write_file};
use crate::cli::shared_args::whole;
use crate::cli::{Command, Failure, GivenOptions, error, progress, warn};
use clap::ValueEnum;
use damier::arena::level::GameLevel;
use damier::arena::schedule::openings::{
    self, HubJudge, Imbalance, OpeningSource, ScoreWindow, WindowJudge,
};
use damier::arena::spec;
use damier::lab::book::{self, OpeningsWanted};
use damier::notation::{fen, pdn};
use std::io::{self, Write};
use std::path::PathBuf;

/// What a list of positions of ours begins with.
const FEN_LIST: &[u8] = b"# Openings ";

/// Nodes for the score of an opening.
const NODES: u64 = 100_000;
/// Random plies after a ballot.
const RANDOM_PLIES: u32 = 4;

const HELP: &str = "\
Examples:
  damier book openings --plies 8 --count 100 --out openings.fen
  damier book openings --imbalance 0.25,0.8 --count 160 --out unbalanced.fen
  damier book openings --imbalance 0.25,0.8 --out unbalanced.fen \\
      --engine 'name=Scan cmd=\"scan hub\" book=false move-time=0.1'";

/// Write positions from a book, or unbalanced ones, as openings for matches
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct OpeningsArgs {
    /// A book or a journal [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Plies from the beginning
    #[arg(long, value_parser = whole::<usize>(0..), value_name = "N", default_value_t = 8)]
    pub plies: usize,
    /// Men by which one side must be ahead, minimum and maximum
    #[arg(long, value_name = "MIN,MAX", default_value = "0,0.4", value_parser = window, allow_hyphen_values = true)]
    pub window: (u32, u32),
    /// Number of positions
    #[arg(long, value_parser = whole::<usize>(1..), value_name = "N", default_value_t = 100)]
    pub count: usize,
    /// Seed for the choice of positions
    #[arg(long, value_parser = whole::<u64>(0..), value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// FEN, one a line, or PDN with the moves
    #[arg(long, value_name = "FORM", default_value = "fen")]
    pub format: OpeningsForm,
    /// Draw openings in which one side is ahead by LOW to HIGH men from the ballots of three moves and random plies,
    /// with their scores, instead of a book
    #[arg(long, value_name = "LOW,HIGH", conflicts_with_all = ["file", "plies", "window", "format"])]
    pub imbalance: Option<ScoreWindow>,
    /// With --imbalance: random plies after each ballot; moves that lose a man at once are avoided [default: 4]
    #[arg(long, value_name = "N", requires = "imbalance", value_parser = whole::<u32>(0..=100))]
    pub random_plies: Option<u32>,
    /// With --imbalance: the engine that gives the scores, over Hub, described as for damier match [default: Damier]
    #[arg(long, value_name = "DESCRIPTION", requires = "imbalance")]
    pub engine: Option<String>,
    /// With --imbalance: positions to search for each score, unless the engine has a level of its own [default: 100000]
    #[arg(long, value_name = "N", requires = "imbalance", value_parser = whole::<u64>(1..))]
    pub nodes: Option<u64>,
    /// The file to write [default: stdout]
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

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        if let Some(window) = self.imbalance {
            return self.unbalanced(window);
        }
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

impl OpeningsArgs {
    /// Draws openings by their scores. Each is a FEN behind a comment with its score, for white, and its moves.
    fn unbalanced(&self, window: ScoreWindow) -> Result<(), Failure> {
        let nodes = self.nodes.unwrap_or(NODES);
        let wanted = Imbalance {
            openings: openings::load(&OpeningSource::ThreeMove).map_err(error)?,
            random_plies: self.random_plies.unwrap_or(RANDOM_PLIES),
            window,
            count: self.count,
            seed: self.seed,
        };
        let bar = progress::bar(self.count as u64, "openings");
        let mut show = |found| bar.set_position(found as u64);
        let (judge, found) = match &self.engine {
            None => {
                let judge = WindowJudge::new(window, nodes).map_err(error)?;
                let mut score = |opening: &_| Ok::<_, Failure>(Some(judge.score(opening)));
                let found = wanted.draw(&mut score, &mut show)?;
                (format!("{nodes} nodes of Damier"), found)
            }
            Some(text) => {
                let refuse = |why: &str| Failure::Usage(format!("--engine '{text}': {why}"));
                let engine = spec::parse(text).map_err(|why| refuse(&why.to_string()))?;
                let level = engine.level.unwrap_or(GameLevel::Nodes(nodes));
                let mut judge = HubJudge::new(&engine, level)
                    .ok_or_else(|| refuse("scores come over Hub alone"))?;
                let mut score = |opening: &_| {
                    let score = judge.score(opening);
                    score.map_err(|why| error(format!("{}: {why}", engine.name)))
                };
                let found = wanted.draw(&mut score, &mut show)?;
                (format!("{level} of {}", engine.name), found)
            }
        };
        bar.finish_and_clear();
        if found.is_empty() {
            return Err(error(format!(
                "no opening with a score of {window} men found; widen --imbalance, or give other --random-plies"
            )));
        }
        if found.len() < self.count {
            warn(&format!(
                "only {} such openings found, not {}",
                found.len(),
                self.count
            ));
        }
        let mut text = Vec::new();
        let openings = count(found.len() as u64, "opening");
        writeln!(
            text,
            "# Openings by imbalance: {openings}, {window} men by {judge}."
        )?;
        writeln!(
            text,
            "# Before each its score in men for white, and its moves."
        )?;
        for it in &found {
            writeln!(text, "# {:+.2} {}", it.men, it.opening.line())?;
            writeln!(text, "{}", fen::format(&it.opening.position()))?;
        }
        match &self.out {
            Some(file) => write_file(file, FEN_LIST, &text),
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
