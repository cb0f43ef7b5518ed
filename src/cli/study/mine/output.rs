//! Where puzzles go: to stdout in the order of the games, or into a journal first and a file at the end.

use super::args::MineArgs;
use crate::cli::study::input::Games;
use crate::cli::{Failure, error, say};
use damier::analysis::journal::{Journal, Record};
use damier::analysis::mine::{PuzzleObject, Seen};
use damier::engine::Options;
use damier::os::files::AtomicFile;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The puzzles of a game.
pub(super) struct Mined {
    pub game: u64,
    pub puzzles: Vec<PuzzleObject>,
}

/// How a puzzle is written.
#[derive(Clone)]
enum Form {
    /// With the name of the annotator.
    Pdn(String),
    Suite,
    Json,
}

impl Form {
    fn write(&self, out: &mut dyn Write, puzzle: &PuzzleObject) -> Result<(), Failure> {
        match self {
            Form::Pdn(by) => {
                let mut text = Vec::new();
                puzzle.to_pdn(by).map_err(error)?.write(&mut text)?;
                out.write_all(&text)?;
            }
            Form::Suite => writeln!(out, "{}", puzzle.to_suite())?,
            Form::Json => {
                let text = serde_json::to_string(puzzle).unwrap_or_default();
                writeln!(out, "{text}")?;
            }
        }
        Ok(())
    }
}

pub(super) struct Output {
    out: Option<String>,
    inputs: Vec<String>,
    form: Form,
    journal: Option<Journal>,
    /// Without a journal: games that wait for one before them.
    waiting: BTreeMap<u64, Mined>,
    /// The place of the next game on stdout.
    next: u64,
    seen: Seen,
    games: u64,
    puzzles: u64,
}

impl Output {
    /// Checks that the file can be written, and opens the journal.
    pub fn open(args: &MineArgs, games: &Games, options: &Options) -> Result<Output, Failure> {
        let by = format!("Damier {}, {} nodes", env!("CARGO_PKG_VERSION"), args.nodes);
        let mut output = Output {
            out: args.out.clone(),
            inputs: games.files.clone(),
            form: match (args.suite, args.json) {
                (true, _) => Form::Suite,
                (_, true) => Form::Json,
                _ => Form::Pdn(by),
            },
            journal: None,
            waiting: BTreeMap::new(),
            next: 0,
            seen: Seen::default(),
            games: 0,
            puzzles: 0,
        };
        let Some(out) = &args.out else {
            return Ok(output);
        };
        if args.inputs.iter().any(|input| input == "-") && args.inputs.len() > 1 {
            let message = "stdin cannot be one of several inputs where the work must be resumable";
            return Err(Failure::Usage(message.to_owned()));
        }
        let place = fs::canonicalize(out).ok();
        let is_input = |input: &String| place.is_some() && fs::canonicalize(input).ok() == place;
        if output.inputs.iter().any(is_input) {
            let message = "is read and would be written over; give another name";
            return Err(error(format!("{out}: {message}")));
        }
        let journal = PathBuf::from(format!("{out}.journal"));
        let opened = Journal::open(&journal, &settings(args, games, options))?;
        output.games = opened.games().len() as u64;
        output.journal = Some(opened);
        Ok(output)
    }

    /// The games that an earlier run has done.
    pub fn done(&self) -> BTreeSet<u64> {
        let games = self.journal.as_ref().map(Journal::games);
        games.unwrap_or_default().into_iter().collect()
    }

    /// Takes the puzzles of the game that was given in this place of all.
    pub fn add(&mut self, order: u64, mined: Mined) -> Result<(), Failure> {
        self.games += 1;
        if let Some(journal) = &mut self.journal {
            self.puzzles += mined.puzzles.len() as u64;
            let json = serde_json::to_string(&mined.puzzles).map_err(error)?;
            return Ok(journal.append(&Record {
                game: mined.game,
                json: Some(json),
                ..Record::default()
            })?);
        }
        self.waiting.insert(order, mined);
        let mut out = io::stdout().lock();
        while let Some(mined) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.puzzles += write(&mut out, &self.form, &mut self.seen, &mined.puzzles)?;
        }
        Ok(out.flush()?)
    }

    /// What the progress says.
    pub fn progress(&self) -> String {
        format!("{} games, {} puzzles", self.games, self.puzzles)
    }

    /// What is said of work that was broken off.
    pub fn interrupted(&self) -> Failure {
        let goes_on = match self.journal {
            Some(_) => "; the same command goes on",
            None => "",
        };
        error(format!("stopped after {} games{goes_on}", self.games))
    }

    /// Writes the file.
    pub fn finish(mut self) -> Result<(), Failure> {
        if let (Some(mut journal), Some(name)) = (self.journal.take(), self.out.clone()) {
            self.puzzles = self.write_file(&name, &mut journal)?;
            journal.remove()?;
        }
        say(&format!("{} puzzles in {} games", self.puzzles, self.games));
        Ok(())
    }

    /// Writes the puzzles of a journal, each position once; returns how many.
    fn write_file(&mut self, name: &str, journal: &mut Journal) -> Result<u64, Failure> {
        let magic: &[u8] = match self.form {
            Form::Pdn(_) => b"[",
            Form::Suite => b"#",
            Form::Json => b"{",
        };
        let fail = |problem: &dyn std::fmt::Display| error(format!("{name}: {problem}"));
        let file = AtomicFile::begin(Path::new(name), magic, &self.inputs);
        let file = file.map_err(|problem| fail(&problem))?;
        let mut out = BufWriter::new(file.file());
        if matches!(self.form, Form::Suite) {
            writeln!(out, "# One move to find in each position.")
                .map_err(|problem| fail(&problem))?;
        }
        let mut count = 0;
        for number in journal.games() {
            let json = journal.get(number)?.and_then(|record| record.json);
            let puzzles: Vec<PuzzleObject> = serde_json::from_str(&json.unwrap_or_default())
                .map_err(|problem| fail(&problem))?;
            let written = write(&mut out, &self.form, &mut self.seen, &puzzles);
            count += written.map_err(|problem| match problem {
                Failure::Io(problem) => fail(&problem),
                other => other,
            })?;
        }
        out.flush().map_err(|problem| fail(&problem))?;
        drop(out);
        file.commit().map_err(|problem| fail(&problem))?;
        Ok(count)
    }
}

/// Writes the puzzles that were not seen before; returns how many.
fn write(
    out: &mut dyn Write,
    form: &Form,
    seen: &mut Seen,
    puzzles: &[PuzzleObject],
) -> Result<u64, Failure> {
    let mut count = 0;
    for puzzle in puzzles {
        if seen.insert(&puzzle.position().map_err(error)?) {
            form.write(out, puzzle)?;
            count += 1;
        }
    }
    Ok(count)
}

/// What a journal must agree on.
fn settings(args: &MineArgs, games: &Games, options: &Options) -> Value {
    json!({
        "command": "mine",
        "program": env!("CARGO_PKG_VERSION"),
        "inputs": args.inputs,
        "bytes": games.lengths,
        "nodes": args.nodes,
        "margin": args.margin,
        "shard": args.shard.to_string(),
        "book": !args.no_book,
        "tt-size": args.tt_size,
        "weights": options.weights.display().to_string(),
        "bb-size": options.bb_size,
        "endgame-dir": options.endgame_dir.display().to_string(),
        "book-file": options.book_file.display().to_string(),
        "search": options.search.to_string(),
    })
}
