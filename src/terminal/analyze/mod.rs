//! Analysis of positions: a table that grows with the depth, or one JSON object each.

mod explained;
mod findings;
mod json;

use super::input::{LOOK, LineReader};
use super::words;
use crate::analysis::json::text as to_json;
use crate::analysis::{Stop, meaning};
use crate::board::Color;
use crate::book::Entry;
use crate::engine::{Engine, Job, Level, Purpose};
use crate::notation::moves::LineError;
use crate::notation::positions::Positions;
use crate::notation::{fen, moves, picture};
use crate::rules::{Game, Position};
use crate::search::{Outcome, Report};
use explained::Explained;
use findings::Findings;
use json::Origin;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

/// What to do with every position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnalysisJob {
    /// When each search ends.
    pub level: Level,
    /// Number of best moves to show, each with its score and line; 1 where it is 0.
    pub lines: usize,
    /// Moves to play before the search; the draw rules count them.
    pub moves: String,
    /// Whether to show which moves are in the opening book.
    pub book: bool,
    /// Whether to say what is threatened, what the last move gave away, and why a move is not legal.
    pub explain: bool,
    /// One JSON object a line instead of text.
    pub json: bool,
}

/// Streams for results and errors.
pub struct AnalysisOutput<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Errors.
    pub err: &'a mut dyn Write,
}

/// How an analysis went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Positions that could not be read.
    pub failed: usize,
    /// The user ended it: the last search was interrupted, and no other position was searched.
    pub interrupted: bool,
}

/// Analyses positions given as FEN or as Hub positions, one after the other.
pub struct Analysis<'a> {
    engine: &'a mut Engine,
    job: &'a AnalysisJob,
    output: AnalysisOutput<'a>,
    /// Whether the user has interrupted; called often, from several threads.
    asked_to_end: &'a (dyn Fn() -> bool + Sync),
    begun: usize,
    summary: Summary,
}

impl<'a> Analysis<'a> {
    /// An analysis that has not begun.
    pub fn new(
        engine: &'a mut Engine,
        job: &'a AnalysisJob,
        output: AnalysisOutput<'a>,
        asked_to_end: &'a (dyn Fn() -> bool + Sync),
    ) -> Analysis<'a> {
        Analysis {
            engine,
            job,
            output,
            asked_to_end,
            begun: 0,
            summary: Summary::default(),
        }
    }

    /// How it went so far.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Analyses one position; in a batch, `number` is its place there, from 1. Does nothing once the user has ended the
    /// analysis.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn position(&mut self, number: Option<usize>, text: &str) -> io::Result<()> {
        self.position_of("", number, text)
    }

    /// [`Analysis::position`] with the name of the file, which stands before errors.
    fn position_of(&mut self, file: &str, number: Option<usize>, text: &str) -> io::Result<()> {
        let read = match self.job.explain {
            true => read_position(text)
                .and_then(|start| explained::up_to_illegal(&start, &self.job.moves)),
            false => read_game(text, &self.job.moves).map(|game| (game, None)),
        };
        match read {
            Ok((game, illegal)) => self.game_with(number, text, &game, illegal.as_ref()),
            Err(error) => {
                let line = number.map_or(String::new(), |number| format!("line {number}: "));
                self.unreadable(number, text, &format!("{file}{line}"), &error)
            }
        }
    }

    /// Names an input that cannot be read; `place` stands before the error where it is shown as text.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn unreadable(
        &mut self,
        number: Option<usize>,
        input: &str,
        place: &str,
        error: &str,
    ) -> io::Result<()> {
        if !self.begin()? {
            return Ok(());
        }
        self.summary.failed += 1;
        self.report_error(number, input, place, error)
    }

    /// Analyses the last position of a game, as [`Analysis::position`] does one that is given as text; `input` says in
    /// JSON where it comes from.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn game(&mut self, number: Option<usize>, input: &str, game: &Game) -> io::Result<()> {
        self.game_with(number, input, game, None)
    }

    /// [`Analysis::game`] with a move that cannot be played at its end.
    fn game_with(
        &mut self,
        number: Option<usize>,
        input: &str,
        game: &Game,
        illegal: Option<&LineError>,
    ) -> io::Result<()> {
        if !self.begin()? {
            return Ok(());
        }
        self.engine.new_game();
        if self.job.json {
            let found = match game.position().is_terminal() {
                true => None,
                false => Some(self.search(game, &mut |_, _| Ok(()))?),
            };
            let origin = Origin::new(number, input);
            let object = json::Analysis::new(game, found.as_ref(), illegal, origin);
            writeln!(self.output.out, "{}", to_json(&object))?;
        } else {
            self.show(game)?;
            if let Some(illegal) = illegal {
                writeln!(self.output.out, "illegal   {illegal}")?;
            }
        }
        self.output.out.flush()
    }

    /// Whether to go on; parts the text of two positions.
    fn begin(&mut self) -> io::Result<bool> {
        self.summary.interrupted |= (self.asked_to_end)();
        if self.summary.interrupted {
            return Ok(false);
        }
        if self.begun > 0 && !self.job.json {
            writeln!(self.output.out)?;
        }
        self.begun += 1;
        Ok(true)
    }

    /// Analyses the positions of an input, one a line or as pictures of several lines; empty lines and lines that begin
    /// with `#` are skipped. `file`:
    /// its name, if it has one. It is an error if no position is in it.
    ///
    /// # Errors
    /// The input cannot be read or the output cannot be written.
    pub fn lines(
        &mut self,
        file: Option<&str>,
        input: impl BufRead + Send + 'static,
    ) -> io::Result<()> {
        let (sender, lines) = channel();
        let reader = LineReader::start(input, move |line| drop(sender.send(line)))?;
        let place = file.map_or(String::new(), |file| format!("{file}: "));
        let (mut positions, mut found) = (Positions::default(), false);
        while !self.summary.interrupted {
            reader.ask();
            let line = loop {
                match lines.recv_timeout(LOOK) {
                    Err(RecvTimeoutError::Timeout) if !(self.asked_to_end)() => {}
                    // The user wants an end while the input gives nothing.
                    Err(_) => {
                        self.summary.interrupted = true;
                        return Ok(());
                    }
                    Ok(line) => break line?,
                }
            };
            let is_end = line.is_none();
            let whole = match line {
                Some(line) => positions.line(&line),
                None => positions.end().into_iter().collect(),
            };
            for (number, text) in whole {
                found = true;
                self.position_of(&place, Some(number), &text)?;
            }
            if is_end {
                return match (found, file) {
                    (true, _) => Ok(()),
                    (false, Some(file)) => self.unreadable(None, file, &place, "no position in it"),
                    (false, None) => self.unreadable(None, "-", "stdin: ", "no position in it"),
                };
            }
        }
        Ok(())
    }

    fn report_error(
        &mut self,
        number: Option<usize>,
        text: &str,
        place: &str,
        error: &str,
    ) -> io::Result<()> {
        if self.job.json {
            let origin = Origin::new(number, text);
            let object = to_json(&json::Failed { error, origin });
            writeln!(self.output.out, "{object}")?;
            return self.output.out.flush();
        }
        writeln!(self.output.err, "damier: {place}{error}")
    }

    /// Searches until the level, the user or a failure of `show` ends it. `show` gets the output and every report.
    fn search(
        &mut self,
        game: &Game,
        show: &mut dyn FnMut(&mut dyn Write, &Report) -> io::Result<()>,
    ) -> io::Result<Findings> {
        let job = Job::new(game.clone(), self.job.level)
            .with_purpose(Purpose::Analyse)
            .with_lines(self.job.lines);
        let stop = Stop::new();
        let asked_to_end = self.asked_to_end;
        let (ended, end) = channel::<()>();
        let mut shown = Ok(());
        let found = thread::scope(|scope| {
            let stop = &stop;
            scope.spawn(move || {
                // Woken at once when the sender is dropped.
                while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(LOOK) {
                    if asked_to_end() {
                        stop.stop();
                    }
                }
            });
            let control = stop.control();
            let outcome = self.engine.run(&job, &control, &mut |report: &Report| {
                if shown.is_ok() {
                    shown = show(self.output.out, report);
                }
                if shown.is_err() {
                    stop.stop();
                }
            });
            let found = self.explain(game, outcome, stop);
            drop(ended);
            found
        });
        shown?;
        self.summary.interrupted |= stop.is_asked();
        Ok(found)
    }

    /// What a search has found, with what else is known.
    fn explain(&mut self, game: &Game, outcome: Outcome, stop: &Stop) -> Findings {
        let interrupted = stop.is_asked();
        let table = meaning::advice(self.engine, game);
        let safe_moves = match interrupted {
            true => None,
            false => meaning::safe_moves(self.engine, game, &outcome, table.as_ref(), stop),
        };
        let explained = match interrupted || !self.job.explain {
            true => None,
            false => Explained::of(self.engine, game, &outcome, stop).ok(),
        };
        Findings {
            outcome,
            table,
            safe_moves,
            explained,
            book: self.book(game.position()),
            interrupted,
        }
    }

    fn book(&self, position: &Position) -> Option<Entry> {
        let asked = self.job.book.then(|| self.engine.book_entry(position));
        asked.flatten()
    }

    fn show(&mut self, game: &Game) -> io::Result<()> {
        let position = game.position();
        let ranked = self.job.lines > 1;
        self.show_head(game)?;
        if position.is_terminal() {
            return Ok(());
        }
        let out = &mut self.output.out;
        writeln!(out, "\n{}", words::head(ranked))?;
        out.flush()?;
        // What was shown last of each line: a report may come again with other counts. Of a proven line a deeper search
        // says nothing new.
        let mut shown = Vec::new();
        let mut show = |out: &mut dyn Write, report: &Report| {
            let depth = report.score.is_eval().then_some(report.depth);
            let new = (depth, report.score, report.pv.clone());
            if shown.len() < report.rank {
                shown.resize(report.rank, None);
            }
            let last = report.rank.checked_sub(1).map(|index| &mut shown[index]);
            if let Some(last) = last.filter(|last| last.as_ref() != Some(&new)) {
                writeln!(out, "{}", words::row(position, report, ranked))?;
                out.flush()?;
                *last = Some(new);
            }
            Ok(())
        };
        let found = self.search(game, &mut show)?;
        // What an interrupted iteration has settled.
        for line in &found.outcome.lines {
            show(self.output.out, line)?;
        }
        self.show_result(game, &found, ranked)
    }

    fn show_head(&mut self, game: &Game) -> io::Result<()> {
        let position = game.position();
        let out = &mut self.output.out;
        write!(out, "{}", picture::draw(position, Color::White, true))?;
        writeln!(out, "{}", fen::format(position))?;
        writeln!(out, "{} to move", position.turn())?;
        if let Some(verdict) = words::verdict(game) {
            writeln!(out, "{verdict}")?;
            if !position.is_terminal() {
                writeln!(out, "(searched as if the game went on)")?;
            }
        }
        Ok(())
    }

    fn show_result(&mut self, game: &Game, found: &Findings, ranked: bool) -> io::Result<()> {
        let position = game.position();
        let out = &mut self.output.out;
        let report = &found.outcome.report;
        let best = found.outcome.best;
        let best = best.map_or("none".to_owned(), |mv| moves::short(position, mv));
        let meaning = words::meaning(report.score, position.turn());
        let depth = report.depth;
        writeln!(out, "\nbest move {best}   {meaning}, depth {depth}")?;
        if let Some(wdl) = report.wdl {
            writeln!(out, "chances   {}", words::chances(wdl))?;
        }
        if let Some(safe) = found.safe_moves {
            let all = position.legal_moves().len();
            writeln!(out, "safe      {safe} of {all} moves hold the result")?;
        }
        if let Some(advice) = &found.table {
            writeln!(out, "tables    {}", words::advice(advice))?;
        }
        if let Some(book) = &found.book {
            writeln!(out, "book      {}", words::book(position, book))?;
        }
        if !ranked {
            writeln!(out, "line      {}", words::line(position, &report.pv))?;
        }
        for line in found.outcome.lines.iter().filter(|_| ranked) {
            let score = words::signed(line.score);
            let moves = words::line(position, &line.pv);
            writeln!(out, "line {:<3} {score:>7}  {moves}", line.rank)?;
        }
        let explained = found.explained.iter();
        let mut lines = explained.flat_map(|explained| explained.lines(game));
        lines.try_for_each(|line| writeln!(out, "{line}"))
    }
}

/// Reads a position in any form: one that [`fen::parse`] reads, or `start`.
///
/// # Errors
/// A sentence that says what is wrong, where, and what is expected.
pub fn read_position(text: &str) -> Result<Position, String> {
    match text.trim() {
        "start" => Ok(Position::start()),
        _ => fen::parse(text).map_err(|error| error.to_string()),
    }
}

/// The game that a position in any form and moves make.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read_game(text: &str, line: &str) -> Result<Game, String> {
    let mut game = Game::new(read_position(text)?);
    let moves = moves::parse_line(game.position(), line).map_err(|error| error.to_string())?;
    moves.into_iter().for_each(|mv| game.play(mv));
    Ok(game)
}

#[cfg(test)]
mod tests;
