//! Puzzles at the terminal: one after the other, until the person has enough.

use super::board::{Style, draw};
use super::input::read_line;
use super::words;
use crate::analysis::Stop;
use crate::analysis::puzzle::{Judge, Outcome, Progress, ProgressError, Puzzle};
use crate::notation::moves::{self, MoveError};
use crate::notation::signs;
use crate::rules::{Game, Position};
use crate::search::Stopped;
use crate::settings::near;
use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use thiserror::Error;

const HELP: &str = "\
Type the move that you would play, as 32-28 or 28x19. Any move as good as the answer is accepted.
  hint     which piece moves
  answer   show the answer
  next     go on to another puzzle
  board    show the board; moves: the legal moves
  quit     leave
";

/// The usual names of the commands.
const WORDS: [&str; 7] = ["hint", "answer", "next", "board", "moves", "help", "quit"];

/// What is solved, and where the progress is kept.
pub struct PuzzleSettings {
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
    /// Whether it is known that no move is better than the answers; else each puzzle is checked before it is shown.
    pub is_checked: bool,
    /// The file of the progress.
    pub progress: PathBuf,
    /// Decides the order of new puzzles.
    pub seed: u64,
    /// Seconds since 1970.
    pub now: fn() -> u64,
    /// How the board is drawn.
    pub style: Style,
}

/// Why a session cannot go on.
#[derive(Debug, Error)]
pub enum PuzzleSessionError {
    /// The input cannot be read, or the output cannot be written.
    #[error("standard input or output: {0}")]
    Io(#[from] io::Error),
    /// The progress cannot be read or stored.
    #[error("{0}: {1}; name another file with --progress")]
    Progress(String, ProgressError),
    /// A search was stopped.
    #[error("the search was stopped")]
    Stopped,
}

impl From<Stopped> for PuzzleSessionError {
    fn from(_: Stopped) -> PuzzleSessionError {
        PuzzleSessionError::Stopped
    }
}

/// How a puzzle was left.
enum End {
    Done(Outcome),
    /// Nothing was tried.
    Passed,
    Quit(Option<Outcome>),
}

/// What became of a move.
enum Try {
    Unclear,
    Wrong,
    /// The answer goes on.
    Right,
    Solved,
}

/// Gives puzzles until the person leaves, the input ends or none is left.
///
/// # Errors
/// The input cannot be read, the output cannot be written, or the progress cannot be kept.
pub fn run(
    judge: Judge,
    setting: PuzzleSettings,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), PuzzleSessionError> {
    let mut session = Session {
        judge,
        setting,
        input,
        out,
    };
    session.run()
}

struct Session<'a> {
    judge: Judge,
    setting: PuzzleSettings,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl Session<'_> {
    fn run(&mut self) -> Result<(), PuzzleSessionError> {
        // What cannot be read or kept is said before anything is solved.
        self.load()?;
        Progress::check_writable(&self.setting.progress).map_err(|error| self.failed(error))?;
        let count = self.setting.puzzles.len();
        let plural = if count == 1 { "" } else { "s" };
        writeln!(
            self.out,
            "{count} puzzle{plural}. Type the best move, or hint, answer, next, help, quit.\n"
        )?;
        let mut passed = HashSet::new();
        loop {
            let now = (self.setting.now)();
            let progress = self.load()?;
            let puzzles = &self.setting.puzzles;
            let next = progress.next(puzzles, now, self.setting.seed, |index| {
                !passed.contains(&index)
            });
            let Some(index) = next else {
                return Ok(self.print_end(&progress, now)?);
            };
            let puzzle = puzzles[index].clone();
            if !self.setting.is_checked && !self.judge.is_best(&puzzle, &Stop::new())? {
                let answer = moves::short(&puzzle.start, puzzle.answer[0]);
                writeln!(
                    self.out,
                    "Puzzle {} is left out: there is a better move than its answer, {answer}.\n",
                    index + 1
                )?;
                passed.insert(index);
                continue;
            }
            let end = self.puzzle(index + 1, &puzzle)?;
            if let End::Done(outcome) | End::Quit(Some(outcome)) = end {
                self.note(&puzzle, outcome)?;
            }
            match end {
                End::Quit(_) => return Ok(()),
                End::Passed => _ = passed.insert(index),
                End::Done(_) => {
                    if !self.goes_on()? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn load(&self) -> Result<Progress, PuzzleSessionError> {
        let path = &self.setting.progress;
        Progress::load(path).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: ProgressError) -> PuzzleSessionError {
        PuzzleSessionError::Progress(self.setting.progress.display().to_string(), error)
    }

    /// Notes how a puzzle ended, in the file at once: what another session noted meanwhile stays.
    fn note(&mut self, puzzle: &Puzzle, outcome: Outcome) -> Result<(), PuzzleSessionError> {
        let mut progress = self.load()?;
        let before = progress.rating;
        progress.note(puzzle, outcome, (self.setting.now)());
        progress
            .save(&self.setting.progress)
            .map_err(|error| self.failed(error))?;
        let Progress { rating, streak, .. } = progress;
        let change = rating.round() - before.round();
        write!(
            self.out,
            "Your rating: {rating:.0} ({change:+.0}), solved in a row: {streak}."
        )?;
        if outcome != Outcome::Solved {
            write!(self.out, " This one comes again.")?;
        }
        Ok(writeln!(self.out)?)
    }

    fn print_end(&mut self, progress: &Progress, now: u64) -> io::Result<()> {
        write!(self.out, "That was the last puzzle for now.")?;
        if let Some(due) = progress.next_due(&self.setting.puzzles, now) {
            let minutes = due.saturating_sub(now).div_ceil(60);
            let wait = match minutes {
                ..=1 => "a minute".to_owned(),
                2..=120 => format!("{minutes} minutes"),
                121..=2880 => format!("{} hours", minutes / 60),
                _ => format!("{} days", minutes / 1440),
            };
            write!(self.out, " The next one comes again in {wait}.")?;
        }
        writeln!(self.out)
    }

    /// Asks whether another puzzle is wanted.
    fn goes_on(&mut self) -> io::Result<bool> {
        loop {
            match self.ask("next")?.as_deref().map(str::trim) {
                None | Some("quit" | "q" | "exit") => return Ok(false),
                Some("" | "next" | "n") => return Ok(true),
                Some(word) => self.print_unknown_word(word, &["next", "quit"])?,
            }
        }
    }

    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.out, "{prompt}> ")?;
        self.out.flush()?;
        let line = read_line(self.input)?;
        if line.is_none() {
            writeln!(self.out)?;
        }
        Ok(line)
    }

    fn print_unknown_word(&mut self, word: &str, known: &[&str]) -> io::Result<()> {
        match near(word, known.iter().copied()).first() {
            Some(known) => writeln!(self.out, "That is no command; did you mean {known}?"),
            None => writeln!(
                self.out,
                "That is neither a move, such as 32-28, nor a command: {}.",
                known.join(", ")
            ),
        }
    }

    fn show(&mut self, start: &Position, game: &Game) -> io::Result<()> {
        let last = game.moves().last().copied();
        let board = draw(game.position(), start.turn(), last, self.setting.style);
        writeln!(self.out, "{board}")
    }

    /// One puzzle, from its board to its end.
    fn puzzle(&mut self, number: usize, puzzle: &Puzzle) -> Result<End, PuzzleSessionError> {
        let mut game = Game::new(puzzle.start);
        let (turn, answer) = (puzzle.start.turn(), &puzzle.answer);
        let mut at = 0;
        let mut worst: Option<Outcome> = None;
        writeln!(
            self.out,
            "Puzzle {number}, grade {}: {turn} to move.\n",
            puzzle.grade
        )?;
        self.show(&puzzle.start, &game)?;
        loop {
            let Some(line) = self.ask(&turn.to_string())? else {
                return Ok(End::Quit(worst));
            };
            let line = line.trim().to_owned();
            match line.to_lowercase().as_str() {
                "" => {}
                "hint" | "h" => {
                    worst = worst.or(Some(Outcome::Helped));
                    writeln!(
                        self.out,
                        "The piece on {} moves.",
                        answer[at].from().number()
                    )?;
                }
                "answer" | "a" => {
                    writeln!(
                        self.out,
                        "The answer: {}",
                        words::line(game.position(), &answer[at..])
                    )?;
                    self.print_motifs(puzzle)?;
                    return Ok(End::Done(Outcome::Missed));
                }
                "next" | "n" => {
                    return Ok(worst.map_or(End::Passed, |_| End::Done(Outcome::Missed)));
                }
                "board" | "b" => self.show(&puzzle.start, &game)?,
                "moves" | "m" => {
                    let position = game.position();
                    let legal = position.legal_moves();
                    let texts: Vec<_> =
                        legal.iter().map(|&mv| moves::short(position, mv)).collect();
                    writeln!(self.out, "  {}", texts.join("  "))?;
                }
                "help" | "?" => writeln!(self.out, "{HELP}")?,
                "quit" | "q" | "exit" => return Ok(End::Quit(worst)),
                word if !signs::plain(word).contains(|c: char| c.is_ascii_digit()) => {
                    self.print_unknown_word(word, &WORDS)?;
                }
                _ => match self.try_move(puzzle, &mut game, &mut at, &line)? {
                    Try::Unclear => {}
                    Try::Wrong => worst = Some(Outcome::Missed),
                    Try::Right => self.show(&puzzle.start, &game)?,
                    Try::Solved => {
                        self.print_motifs(puzzle)?;
                        return Ok(End::Done(worst.unwrap_or(Outcome::Solved)));
                    }
                },
            }
        }
    }

    /// Plays a move in the place of the answer's at this index, and the reply to it.
    fn try_move(
        &mut self,
        puzzle: &Puzzle,
        game: &mut Game,
        at: &mut usize,
        line: &str,
    ) -> Result<Try, PuzzleSessionError> {
        let rest = &puzzle.answer[*at..];
        let tried = match moves::parse_typed(game.position(), line) {
            Ok(tried) => tried,
            Err(error @ MoveError::Ambiguous(_)) => {
                writeln!(
                    self.out,
                    "Which one? {error}. Name the captured squares too."
                )?;
                return Ok(Try::Unclear);
            }
            Err(error) => {
                writeln!(self.out, "Not possible: {error}.")?;
                return Ok(Try::Unclear);
            }
        };
        if tried != rest[0] {
            if !self.judge.is_as_good(game, tried, rest[0], &Stop::new())? {
                writeln!(self.out, "There is a better move. Try again.")?;
                return Ok(Try::Wrong);
            }
            let rest = words::line(game.position(), rest);
            writeln!(self.out, "Solved: that is as good as {rest}")?;
            return Ok(Try::Solved);
        }
        if rest.len() <= 2 {
            writeln!(
                self.out,
                "Solved: {}",
                words::line(&puzzle.start, &puzzle.answer)
            )?;
            return Ok(Try::Solved);
        }
        writeln!(
            self.out,
            "Right: {}\n",
            words::line(game.position(), &rest[..2])
        )?;
        rest[..2].iter().for_each(|&mv| game.play(mv));
        *at += 2;
        Ok(Try::Right)
    }

    fn print_motifs(&mut self, puzzle: &Puzzle) -> io::Result<()> {
        match puzzle.motifs.is_empty() {
            true => Ok(()),
            false => writeln!(self.out, "This is a {}.", puzzle.motifs.join(" and a ")),
        }
    }
}
