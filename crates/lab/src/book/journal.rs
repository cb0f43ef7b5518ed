//! The journal of a book: each search as a line of text, in the order of application.
//!
//! ```text
//! damier-book-journal 1 {settings}
//! engine damier 0.1.0 5d3fa210                     the program of the searches below
//! round 64                                         the next 64 searches were chosen together
//! expand Wbbbb...wwww 500031 32-28:8/17 31-26:0/17 position, nodes, moves with score (hundredths of a man) and depth
//! widen Wbbbb...wwww 500007 37-32:-8/16            the best of the moves without a score
//! try Wbbbb...wwww 500011 36-31:-40/15             a requested move
//! ask Wbbbb...wwww 36-31                           requests a move, from the next round on
//! ```
//!
//! Every line ends with the CRC-32 of the text before it. White is to move in all positions. An incomplete last
//! line was left by a killed run; it is dropped and its search repeated.

use super::{
    BookBuildError, BookSettings, Graph, ScoredMove, SearchTask, Searched, TaskMove, Work,
};
use damier_book::{Canonical, Code};
use damier_os::files;
use damier_os::journal::{self, Form, Journal, Line, OpenError};
use damier_rules::board::Color;
use damier_rules::notation::{hub_board, moves};
use damier_rules::{Move, Position};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

const MAGIC: &str = "damier-book-journal 1 ";
const FORM: Form = Form::SumLast;
/// Upper limit on the bytes of a line: a position and fewer than 350 moves.
const LONGEST_LINE: usize = 1 << 16;

/// A line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum JournalRecord {
    Engine(String),
    Round(u64),
    Search(Searched),
    Ask(Code, Move),
}

fn board(code: Code) -> String {
    code.position()
        .map_or(String::new(), |position| hub_board::format(&position))
}

impl JournalRecord {
    fn text(&self) -> String {
        match self {
            JournalRecord::Engine(name) => format!("engine {name}"),
            JournalRecord::Round(count) => format!("round {count}"),
            JournalRecord::Ask(code, mv) => format!("ask {} {mv}", board(*code)),
            JournalRecord::Search(searched) => {
                let kind = match searched.work.task {
                    SearchTask::Expand => "expand",
                    SearchTask::Widen => "widen",
                    SearchTask::Try(_) => "try",
                };
                let mut text = format!("{kind} {} {}", board(searched.work.code), searched.nodes);
                for line in &searched.lines {
                    let _ = write!(text, " {}:{}/{}", line.mv, line.score, line.depth);
                }
                text
            }
        }
    }

    fn parse(text: &str) -> Result<JournalRecord, &'static str> {
        let (kind, rest) = text.split_once(' ').ok_or("not a line of a journal")?;
        let task = match kind {
            "engine" => return Ok(JournalRecord::Engine(rest.to_owned())),
            "round" => {
                return rest
                    .parse()
                    .map(JournalRecord::Round)
                    .map_err(|_| "invalid number of searches");
            }
            "ask" => {
                let (position, rest) = position(rest)?;
                let mv = legal(&position, rest)?;
                return Ok(JournalRecord::Ask(Canonical::of(&position).code(), mv));
            }
            "expand" => SearchTask::Expand,
            "widen" => SearchTask::Widen,
            "try" => SearchTask::Try(TaskMove(first_move(&position(rest)?)?)),
            _ => return Err("unknown record"),
        };
        let (position, rest) = position(rest)?;
        let mut words = rest.split(' ');
        let nodes = words
            .next()
            .and_then(|word| word.parse().ok())
            .ok_or("invalid number of nodes")?;
        let lines = words
            .map(|word| line(&position, word))
            .collect::<Result<Vec<ScoredMove>, _>>()?;
        let work = Work {
            code: Canonical::of(&position).code(),
            task,
        };
        Ok(JournalRecord::Search(Searched { work, nodes, lines }))
    }
}

fn position(rest: &str) -> Result<(Position, &str), &'static str> {
    let (board, rest) = rest.split_once(' ').ok_or("no position")?;
    let position = hub_board::parse(board).map_err(|_| "no position")?;
    match position.turn() {
        Color::White => Ok((position, rest)),
        Color::Black => Err("a position with black to move"),
    }
}

fn legal(position: &Position, text: &str) -> Result<Move, &'static str> {
    moves::parse(position, text).map_err(|_| "a move that is not legal")
}

fn line(position: &Position, word: &str) -> Result<ScoredMove, &'static str> {
    let wrong = "a move without score and depth";
    let (mv, rest) = word.split_once(':').ok_or(wrong)?;
    let (score, depth) = rest.split_once('/').ok_or(wrong)?;
    Ok(ScoredMove {
        mv: legal(position, mv)?,
        score: score.parse().map_err(|_| wrong)?,
        depth: depth.parse().map_err(|_| wrong)?,
    })
}

fn first_move((position, rest): &(Position, &str)) -> Result<Move, &'static str> {
    let word = rest.split(' ').nth(1).ok_or("no move")?;
    line(position, word).map(|line| line.mv)
}

/// The text of the first line.
fn header(settings: &BookSettings) -> String {
    let text =
        serde_json::to_string(settings).unwrap_or_else(|error| unreachable!("plain data: {error}"));
    format!("{MAGIC}{text}")
}

/// The contents of a journal.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The settings of the book.
    pub settings: BookSettings,
    /// The searches up to the last complete round, and the requested moves.
    pub graph: Graph,
    /// The searches of the open round, in order.
    pub open: Vec<Searched>,
    /// Number of searches of that round; 0 if no round is open.
    pub open_size: u64,
    /// Moves requested since that round began.
    waiting: Vec<(Code, Move)>,
    /// All requested moves.
    asked: HashSet<(Code, Move)>,
    /// The program of the last searches.
    pub engine: String,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Searches of every kind.
    pub searches: u64,
}

impl Contents {
    /// A journal without searches.
    pub fn new(settings: BookSettings) -> Contents {
        Contents {
            graph: Graph::new(&settings),
            settings,
            open: Vec::new(),
            open_size: 0,
            waiting: Vec::new(),
            asked: HashSet::new(),
            engine: String::new(),
            nodes: 0,
            searches: 0,
        }
    }

    /// Applies a line.
    pub(super) fn take(&mut self, record: JournalRecord) -> Result<(), &'static str> {
        match record {
            JournalRecord::Engine(name) => self.engine = name,
            JournalRecord::Round(_) if self.open_size > 0 => {
                return Err("a round begins before the previous one is complete");
            }
            JournalRecord::Round(count) => self.open_size = count,
            JournalRecord::Ask(code, mv) => self.note_asked(code, mv),
            JournalRecord::Search(_) if self.open_size == 0 => {
                return Err("a search outside of a round");
            }
            JournalRecord::Search(searched) => {
                self.nodes += searched.nodes;
                self.searches += 1;
                self.open.push(searched);
                if self.open.len() as u64 == self.open_size {
                    self.close();
                }
            }
        }
        Ok(())
    }

    /// Applies the searches of the open round, complete or not.
    pub fn close(&mut self) {
        for searched in self.open.drain(..) {
            self.graph.apply(&searched.work, &searched.lines);
        }
        for (code, mv) in self.waiting.drain(..) {
            self.graph.ask(code, mv);
        }
        self.open_size = 0;
    }

    /// Whether a move was requested.
    pub fn was_asked(&self, code: Code, mv: Move) -> bool {
        self.asked.contains(&(code, mv))
    }

    /// Requests a move from the next round on.
    pub fn note_asked(&mut self, code: Code, mv: Move) {
        if !self.asked.insert((code, mv)) {
            return;
        }
        match self.open_size {
            0 => self.graph.ask(code, mv),
            _ => self.waiting.push((code, mv)),
        }
    }

    /// The number of searched positions, including those of the open round.
    pub fn positions(&self) -> u64 {
        let open = self
            .open
            .iter()
            .filter(|searched| searched.work.task == SearchTask::Expand);
        self.graph.expanded() + open.count() as u64
    }
}

/// A journal open for writing.
#[derive(Debug)]
pub struct BookJournal {
    path: PathBuf,
    journal: Journal,
}

/// Whether a file begins like a journal.
pub fn is_journal(path: &Path) -> bool {
    let mut start = [0; 20];
    let read = files::open_regular(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && MAGIC.as_bytes().starts_with(&start)
}

/// Reads the settings in a journal.
///
/// # Errors
/// The file cannot be read, is not a journal, or its first line is damaged.
pub fn read_settings(path: &Path) -> Result<BookSettings, BookBuildError> {
    let mut settings = None;
    let fail = |error| Some(BookBuildError::io(path, error));
    let read = journal::read(&open_regular(path)?, FORM, fail, |line| {
        let text = line.text().and_then(|text| text.strip_prefix(MAGIC));
        settings = text.and_then(|text| serde_json::from_str(text).ok());
        Err(None)
    });
    if let Err(Some(error)) = read {
        return Err(error);
    }
    settings.ok_or_else(|| BookBuildError::Line {
        file: path.to_owned(),
        line: 1,
        what: "invalid book settings",
    })
}

/// Reads a journal, without a lock.
///
/// # Errors
/// The file cannot be read, is not a journal, or is damaged before its last line.
pub fn read(path: &Path) -> Result<Contents, BookBuildError> {
    let file = open_regular(path)?;
    scan(path, &file, |_| ())
}

pub(super) fn open_regular(path: &Path) -> Result<File, BookBuildError> {
    files::open_regular(path).map_err(|error| BookBuildError::io(path, error))
}

/// Reads all lines; `each` gets every record.
pub(super) fn scan(
    path: &Path,
    file: &File,
    mut each: impl FnMut(&JournalRecord),
) -> Result<Contents, BookBuildError> {
    let mut contents = None;
    let fail = |error| BookBuildError::io(path, error);
    journal::read(file, FORM, fail, |line| {
        take_line(path, line, &mut contents, &mut each)
    })?;
    contents.ok_or_else(|| BookBuildError::Foreign(path.to_owned()))
}

fn take_line(
    path: &Path,
    line: Line<'_>,
    contents: &mut Option<Contents>,
    each: impl FnOnce(&JournalRecord),
) -> Result<(), BookBuildError> {
    let fault = |what| BookBuildError::Line {
        file: path.to_owned(),
        line: line.number as usize,
        what,
    };
    let text = || line.text().ok_or_else(|| fault("damaged"));
    let Some(contents) = contents else {
        if !line.is_whole() || !line.bytes.starts_with(MAGIC.as_bytes()) {
            return Err(BookBuildError::Foreign(path.to_owned()));
        }
        let settings = serde_json::from_str(text()?.get(MAGIC.len()..).unwrap_or_default());
        let settings = settings.map_err(|_| fault("invalid settings"))?;
        *contents = Some(Contents::new(settings));
        return Ok(());
    };
    if !line.is_whole() && line.bytes.len() < LONGEST_LINE {
        // Cut off.
        return Ok(());
    }
    let record = JournalRecord::parse(text()?).map_err(fault)?;
    each(&record);
    contents.take(record).map_err(fault)
}

impl BookJournal {
    /// Opens a journal to continue it, or creates it.
    ///
    /// # Errors
    /// The file cannot be written, is locked by another process, has other settings, or is damaged.
    pub fn open(
        path: &Path,
        settings: &BookSettings,
    ) -> Result<(BookJournal, Contents), BookBuildError> {
        let io = |error| BookBuildError::io(path, error);
        let mut journal = Journal::open(path, FORM).map_err(|error| match error {
            OpenError::Io(error) => io(error),
            OpenError::Busy | OpenError::Header(_) => BookBuildError::Busy(path.to_owned()),
        })?;
        let header = header(settings);
        let mut contents = None;
        journal.read(io, |line| {
            match line.number == 1 && line.is_beginning_of(&header) {
                true => Ok(()),
                false => take_line(path, line, &mut contents, |_| ()),
            }
        })?;
        if let Some(contents) = &contents
            && let Some((name, there, wanted)) = contents.settings.difference(settings)
        {
            return Err(BookBuildError::Settings {
                file: path.to_owned(),
                name,
                there,
                wanted,
            });
        }
        journal.begin(&header).map_err(io)?;
        let path = path.to_owned();
        let contents = contents.unwrap_or_else(|| Contents::new(settings.clone()));
        Ok((BookJournal { path, journal }, contents))
    }

    /// The file of the journal.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Empties the journal and writes its first line.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn begin_again(
        mut self,
        settings: &BookSettings,
    ) -> Result<BookJournal, BookBuildError> {
        let header = header(settings);
        let emptied = self
            .journal
            .clear()
            .and_then(|()| self.journal.append_text(&header));
        emptied.map_err(|error| BookBuildError::io(&self.path, error))?;
        Ok(self)
    }

    /// Writes a line.
    ///
    /// # Errors
    /// The file cannot be written: a full disk, for example.
    pub(super) fn write(&mut self, record: &JournalRecord) -> Result<(), BookBuildError> {
        let written = self.journal.append_text(&record.text());
        written.map_err(|error| BookBuildError::io(&self.path, error))?;
        Ok(())
    }

    /// Flushes everything to the disk (fsync).
    ///
    /// # Errors
    /// The flush fails.
    pub fn sync(&mut self) -> Result<(), BookBuildError> {
        self.journal
            .sync()
            .map_err(|error| BookBuildError::io(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Written by version 0.1.0.
    const OLD: &str = "\
damier-book-journal 1 {\"nodes\":500,\"lines\":2,\"ply_cost\":2,\"round\":2,\"table_size\":19,\
\"roots\":[\"Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww\"]} 28940ace
engine damier 0.1.0 88fca42a c5b119c4
round 1 7e760b18
expand Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww 500 32-28:-1/2 33-28:-2/2 dd924b1c
";

    #[test]
    fn a_journal_of_version_0_1_0_is_continued_in_its_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.dbj");
        fs::write(&path, OLD).expect("written");
        assert!(is_journal(&path));
        let settings = read_settings(&path).expect("settings");
        let (mut journal, contents) = BookJournal::open(&path, &settings).expect("sound");
        assert_eq!((contents.searches, contents.nodes), (1, 500));
        assert_eq!(contents.engine, "damier 0.1.0 88fca42a");
        journal.write(&JournalRecord::Round(2)).expect("written");
        drop(journal);
        let text = fs::read_to_string(&path).expect("a file");
        assert_eq!(text, format!("{OLD}round 2 e77f5aa2\n"));
        // Cut off in its first line, it is begun anew.
        for length in [1, 40, OLD.find('\n').expect("a line")] {
            fs::write(&path, &OLD[..length]).expect("written");
            let (_, contents) = BookJournal::open(&path, &settings).expect("sound");
            assert_eq!(contents.searches, 0);
            let begun = fs::read_to_string(&path).expect("a file");
            assert_eq!(begun, OLD[..=OLD.find('\n').expect("a line")]);
        }
    }
}
