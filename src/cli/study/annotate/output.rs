//! How annotated games are written, and the summary of many.

use super::AnnotateArgs;
use crate::cli::Failure;
use crate::cli::study::batch::{Journal, Record, Sink};
use crate::cli::study::input::GameInput;
use damier::analysis::Language;
use damier::analysis::annotate::page;
use damier::notation::text::for_terminal;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

/// Maximum number of games on a page.
const PAGE: usize = 1_000;
/// Maximum number of players in the summary.
const PLAYERS: usize = 100_000;

pub(super) struct AnnotatedGames<'a> {
    args: &'a AnnotateArgs,
    inputs: Vec<String>,
}

impl AnnotatedGames<'_> {
    pub fn new<'a>(args: &'a AnnotateArgs, games: &GameInput) -> AnnotatedGames<'a> {
        let inputs = games.files.clone();
        AnnotatedGames { args, inputs }
    }
}

impl Sink for AnnotatedGames<'_> {
    fn print(&mut self, record: &Record) -> Result<(), Failure> {
        Ok(print(&mut io::stdout().lock(), self.args.json, record)?)
    }

    fn write_files(&mut self, journal: &mut Journal<'_>) -> Result<(), Failure> {
        let numbers = journal.games();
        let [pdn, html] = self.args.targets();
        if let Some(out) = pdn {
            out.write(&self.inputs, |file| {
                for &number in &numbers {
                    let record = journal.get(number)?.unwrap_or_default();
                    file.write_all(record.pdn.unwrap_or_default().as_bytes())?;
                }
                Ok(())
            })?;
        }
        if let Some(html) = html {
            html.write(&self.inputs, |file| {
                write_page(file, journal, &numbers, self.args.language)
            })?;
        }
        let mut stdout = BufWriter::new(io::stdout().lock());
        let mut players = Players::default();
        for &number in &numbers {
            let record = journal.get(number)?.unwrap_or_default();
            match self.args.json {
                true => print(&mut stdout, true, &record)?,
                false => players.add(&record),
            }
        }
        if !self.args.json {
            players.write(&mut stdout)?;
        }
        Ok(stdout.flush()?)
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

fn write_page(
    file: &mut dyn Write,
    journal: &mut Journal<'_>,
    numbers: &[u64],
    language: Language,
) -> Result<(), Failure> {
    let shown = &numbers[..numbers.len().min(PAGE)];
    let mut titles = Vec::new();
    for &number in shown {
        let html = journal.get(number)?.unwrap_or_default().html;
        titles.push((number, html.unwrap_or_default().0));
    }
    file.write_all(page::begin(&titles, language).as_bytes())?;
    for &number in shown {
        let html = journal.get(number)?.unwrap_or_default().html;
        file.write_all(html.unwrap_or_default().1.as_bytes())?;
    }
    file.write_all(page::end().as_bytes())?;
    if numbers.len() > PAGE {
        let more = numbers.len() - PAGE;
        crate::cli::warn(&format!(
            "the page has the first {PAGE} games; {more} more are not in it"
        ));
    }
    Ok(())
}

/// The summary of all games, by player: games, sums, and moves that count for the accuracy.
#[derive(Default)]
struct Players(BTreeMap<String, (u64, [f64; 6], f64)>);

impl Players {
    fn add(&mut self, record: &Record) {
        for (index, (name, sums)) in record.players.iter().enumerate() {
            if self.0.len() >= PLAYERS && !self.0.contains_key(name) {
                continue;
            }
            let entry = self.0.entry(name.clone()).or_default();
            entry.0 += 1;
            entry.2 += record
                .counted
                .get(index)
                .map_or(sums[0], |&counted| counted.into());
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
        for (name, (games, sums, counted)) in &self.0 {
            let [moves, lost, accuracies, dubious, mistakes, blunders] = sums;
            let accuracy = match *counted > 0.0 {
                true => format!("{:.1} %", accuracies / counted),
                false => "-".to_owned(),
            };
            let loss = match *moves > 0.0 {
                true => format!("{:.4}", lost / moves),
                false => "-".to_owned(),
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
