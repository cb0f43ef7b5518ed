//! Where annotated games go: to stdout in the order of their numbers, or into a journal first and files at the end.

use super::args::AnnotateArgs;
use crate::cli::study::input::Games;
use crate::cli::{Failure, error};
use damier::analysis::annotate::page;
use damier::analysis::journal::{Journal, JournalError, Record};
use damier::engine::Options;
use damier::notation::text::for_terminal;
use damier::os::files::{AtomicFile, ReplaceError};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Most games of a page.
const PAGE: usize = 1_000;
/// Most players of the summary; more are not shown.
const PLAYERS: usize = 100_000;

impl From<JournalError> for Failure {
    fn from(problem: JournalError) -> Failure {
        error(problem)
    }
}

pub(super) struct Output {
    out: Option<String>,
    html: Option<String>,
    json: bool,
    inputs: Vec<String>,
    /// Where files are written at the end.
    journal: Option<Journal>,
    /// Where there is none: games that wait for one before them.
    waiting: BTreeMap<u64, Record>,
    /// The place of the next game on stdout.
    next: u64,
    count: u64,
}

impl Output {
    /// Checks that the files can be written, and opens the journal.
    pub fn open(args: &AnnotateArgs, games: &Games, options: &Options) -> Result<Output, Failure> {
        let mut output = Output {
            out: args.out.clone(),
            html: args.html.clone(),
            json: args.json,
            inputs: games.files.clone(),
            journal: None,
            waiting: BTreeMap::new(),
            next: 0,
            count: 0,
        };
        let Some(first) = args.out.as_ref().or(args.html.as_ref()) else {
            return Ok(output);
        };
        if args.inputs.iter().any(|input| input == "-") && args.inputs.len() > 1 {
            let message = "stdin cannot be one of several inputs where the work must be resumable";
            return Err(Failure::Usage(message.to_owned()));
        }
        for file in args.out.iter().chain(&args.html) {
            output.check(file)?;
        }
        let journal = PathBuf::from(format!("{first}.journal"));
        let opened = Journal::open(&journal, &settings(args, games, options))?;
        output.count = opened.games().len() as u64;
        output.journal = Some(opened);
        Ok(output)
    }

    /// Refuses to write over what is read.
    fn check(&self, file: &str) -> Result<(), Failure> {
        let place = fs::canonicalize(file).ok();
        let is_input = |input: &String| place.is_some() && fs::canonicalize(input).ok() == place;
        match self.inputs.iter().any(is_input) {
            true => Err(error(format!(
                "{file}: is read and would be written over; give another name"
            ))),
            false => Ok(()),
        }
    }

    /// The games that an earlier run has done.
    pub fn done(&self) -> BTreeSet<u64> {
        let journal = self.journal.as_ref();
        journal.map_or_else(BTreeSet::new, |journal| {
            journal.games().into_iter().collect()
        })
    }

    /// Takes the game that was given in this place of all; returns how many there are now.
    pub fn add(&mut self, order: u64, record: Record) -> Result<u64, Failure> {
        self.count += 1;
        if let Some(journal) = &mut self.journal {
            journal.append(&record)?;
            return Ok(self.count);
        }
        self.waiting.insert(order, record);
        while let Some(record) = self.waiting.remove(&self.next) {
            print(&mut io::stdout().lock(), self.json, &record)?;
            self.next += 1;
        }
        Ok(self.count)
    }

    /// What is said of work that was broken off.
    pub fn interrupted(&self) -> Failure {
        match self.journal {
            Some(_) => error(format!(
                "stopped after {} games; the same command goes on",
                self.count
            )),
            None => error(format!("stopped after {} games", self.count)),
        }
    }

    /// Writes the files.
    pub fn finish(mut self) -> Result<(), Failure> {
        let Some(mut journal) = self.journal.take() else {
            return Ok(());
        };
        let numbers = journal.games();
        if let Some(out) = &self.out {
            self.write_file(out, b"[", |file| {
                for &number in &numbers {
                    let record = journal.get(number)?.unwrap_or_default();
                    file.write_all(record.pdn.unwrap_or_default().as_bytes())?;
                }
                Ok(())
            })?;
        }
        if let Some(html) = &self.html {
            self.write_file(html, b"<!DOCTYPE", |file| {
                write_page(file, &mut journal, &numbers)
            })?;
        }
        let mut stdout = BufWriter::new(io::stdout().lock());
        let mut players = Players::default();
        for &number in &numbers {
            let record = journal.get(number)?.unwrap_or_default();
            match self.json {
                true => print(&mut stdout, true, &record)?,
                false => players.add(&record),
            }
        }
        if !self.json {
            players.write(&mut stdout)?;
        }
        stdout.flush()?;
        Ok(journal.remove()?)
    }

    fn write_file(
        &self,
        file: &str,
        magic: &[u8],
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let named = |problem: ReplaceError| error(format!("{file}: {problem}"));
        let whole = AtomicFile::begin(Path::new(file), magic, &self.inputs).map_err(named)?;
        let mut out = BufWriter::new(whole.file());
        write(&mut out).map_err(|problem| match problem {
            Failure::Io(problem) => error(format!("{file}: {problem}")),
            other => other,
        })?;
        out.flush().map_err(|problem| named(problem.into()))?;
        drop(out);
        whole.commit().map_err(|problem| named(problem.into()))
    }
}

fn print(out: &mut dyn Write, as_json: bool, record: &Record) -> io::Result<()> {
    match (as_json, &record.json, &record.pdn) {
        (true, Some(json), _) => writeln!(out, "{json}")?,
        (false, _, Some(pdn)) => write!(out, "{pdn}")?,
        _ => {}
    }
    out.flush()
}

fn write_page(file: &mut dyn Write, journal: &mut Journal, numbers: &[u64]) -> Result<(), Failure> {
    let shown = &numbers[..numbers.len().min(PAGE)];
    let mut titles = Vec::new();
    for &number in shown {
        let html = journal.get(number)?.unwrap_or_default().html;
        titles.push((number, html.unwrap_or_default().0));
    }
    let title = match shown.len() {
        1 => titles[0].1.clone(),
        count => format!("{count} games"),
    };
    file.write_all(page::begin(&title, &titles).as_bytes())?;
    for &number in shown {
        let html = journal.get(number)?.unwrap_or_default().html;
        file.write_all(html.unwrap_or_default().1.as_bytes())?;
    }
    file.write_all(page::end().as_bytes())?;
    if numbers.len() > PAGE {
        let more = numbers.len() - PAGE;
        crate::cli::say(&format!(
            "the page has the first {PAGE} games; {more} more are not in it"
        ));
    }
    Ok(())
}

/// What a journal must agree on.
fn settings(args: &AnnotateArgs, games: &Games, options: &Options) -> Value {
    let level = args.level();
    json!({
        "program": env!("CARGO_PKG_VERSION"),
        "inputs": args.inputs,
        "bytes": games.lengths,
        "moves": args.moves,
        "time": level.move_time,
        "nodes": level.nodes,
        "depth": level.depth,
        "shard": args.shard.to_string(),
        "book": !args.no_book,
        "tt-size": args.tt_size,
        "weights": options.weights.display().to_string(),
        "bb-size": options.bb_size,
        "endgame-dir": options.endgame_dir.display().to_string(),
        "book-file": options.book_file.display().to_string(),
        "search": options.search.to_string(),
        "out": args.out.is_some(),
        "html": args.html.is_some(),
        "json": args.json,
    })
}

/// The summary of all games, by player.
#[derive(Default)]
struct Players(BTreeMap<String, (u64, [f64; 6])>);

impl Players {
    fn add(&mut self, record: &Record) {
        for (name, sums) in &record.players {
            if self.0.len() >= PLAYERS && !self.0.contains_key(name) {
                continue;
            }
            let entry = self.0.entry(name.clone()).or_default();
            entry.0 += 1;
            entry
                .1
                .iter_mut()
                .zip(sums)
                .for_each(|(sum, more)| *sum += more);
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "games  moves  accuracy  lost a move    ?!     ?    ??  player"
        )?;
        for (name, (games, [moves, lost, accuracies, dubious, mistakes, blunders])) in &self.0 {
            let (accuracy, loss) = match *moves > 0.0 {
                true => (
                    format!("{:.1} %", accuracies / moves),
                    format!("{:.4}", lost / moves),
                ),
                false => ("-".to_owned(), "-".to_owned()),
            };
            writeln!(
                out,
                "{games:>5}  {moves:>5}  {accuracy:>8}  {loss:>11}  {dubious:>4}  {mistakes:>4}  {blunders:>4}  {}",
                for_terminal(name)
            )?;
        }
        Ok(())
    }
}
