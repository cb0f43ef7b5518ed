//! Rounds of searches on many threads, written to a journal.

use super::journal::{self, Contents, JournalRecord};
use super::{
    BookBuildError, BookJournal, BookSettings, Graph, LineSearcher, SearchTask, Searched, Work,
};
use damier_book::Code;
use damier_engine::search::Control;
use damier_os::pool::{Event, Order, Pool};
use damier_os::shard::Shard;
use damier_rules::Move;
use damier_rules::notation::fen;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Upper limit on the moves of a shown line.
const SHOWN: usize = 12;

/// A run that builds or continues a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildRun {
    /// The settings of the book.
    pub settings: BookSettings,
    /// The journal's file.
    pub journal: PathBuf,
    /// Target number of positions.
    pub positions: u64,
    /// The shard of one round to search, into its own journal; `whole` searches all rounds.
    pub shard: Shard,
    /// Requested moves, in positions with white to move.
    pub asked: Vec<(Code, Move)>,
}

/// The progress of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Number of searched positions.
    pub positions: u64,
    /// Target number of positions.
    pub total: u64,
    /// Number of positions in the journal at the start of the run.
    pub found: u64,
    /// Number of searches of every kind, earlier runs included.
    pub searches: u64,
    /// Nodes of the searches of this run.
    pub nodes: u64,
    /// For each root its score, in hundredths of a man for the side to move, and the line of best moves.
    pub main_lines: Vec<(i32, Vec<Move>)>,
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct BuildSummary {
    /// Progress at the end.
    pub progress: Progress,
    /// All searches, those of earlier runs included.
    pub contents: Contents,
    /// Time spent.
    pub elapsed: Duration,
    /// Whether it was stopped before its end.
    pub stopped: bool,
    /// Whether no line is left to search.
    pub exhausted: bool,
}

/// Searches positions until there are enough or `control` stops the run. A stopped run loses its unfinished searches;
/// the same run continues from there. `each` gets the progress a few times a second and may stop the run.
///
/// # Errors
/// The journal cannot be written or belongs to another book, or a search finds no move.
pub fn build<S: LineSearcher>(
    run: &BuildRun,
    mut searchers: Vec<S>,
    control: &Control,
    mut each: impl FnMut(&Progress),
) -> Result<BuildSummary, BookBuildError> {
    let began = Instant::now();
    let signature = searchers
        .first_mut()
        .map_or(String::new(), LineSearcher::signature);
    let (mut state, list) = match run.shard.count() {
        1 => (BuildState::open(run, &signature)?, None),
        _ => {
            let (state, list) = BuildState::open_part(run, &signature)?;
            (state, Some(list))
        }
    };
    let mut exhausted;
    loop {
        each(&state.progress);
        let mut list = match &list {
            Some(list) => list.clone(),
            None => state.round(run)?,
        };
        let done = state.contents.open.len();
        let whole = run.shard.count() == 1;
        exhausted = whole && list.is_empty() && state.contents.graph.expanded() < run.positions;
        if whole {
            cut(
                &mut list,
                run.positions
                    .saturating_sub(state.contents.graph.expanded()),
            );
        }
        if list.len() <= done || control.is_stopped() {
            break;
        }
        state.search(&list[done..], &mut searchers, control, &mut each)?;
        state.journal.sync()?;
        if control.is_stopped() || !whole {
            break;
        }
    }
    state.journal.sync()?;
    state.contents.graph.back_up();
    state.show_lines();
    each(&state.progress);
    let open = match &list {
        Some(_) => state.contents.open_size > 0,
        None => state.progress.positions < run.positions && !exhausted,
    };
    Ok(BuildSummary {
        progress: state.progress,
        contents: state.contents,
        elapsed: began.elapsed(),
        stopped: open,
        exhausted,
    })
}

/// Truncates the work after this many new positions.
fn cut(list: &mut Vec<Work>, positions: u64) {
    let mut count = 0;
    let end = list.iter().position(|work| {
        count += u64::from(work.task == SearchTask::Expand);
        count > positions
    });
    if let Some(end) = end {
        list.truncate(end);
    }
    if positions == 0 {
        list.clear();
    }
}

/// The journal of a shard.
fn part_path(run: &BuildRun) -> PathBuf {
    let mut path = run.journal.clone().into_os_string();
    path.push(format!(".{}", run.shard.to_string().replace('/', "-of-")));
    path.into()
}

/// The searches of the open round, or of the next one.
pub(super) fn decide(contents: &mut Contents) -> Vec<Work> {
    contents.graph.back_up();
    let size = match contents.open_size {
        0 => contents.settings.round_size(contents.graph.expanded()),
        open => open as usize,
    };
    contents.graph.next(size)
}

struct BuildState {
    journal: BookJournal,
    contents: Contents,
    /// For a shard: the state that its searches were chosen from (otherwise in `contents`).
    base: Option<Graph>,
    progress: Progress,
}

impl BuildState {
    fn open(run: &BuildRun, signature: &str) -> Result<BuildState, BookBuildError> {
        let (mut journal, mut contents) = BookJournal::open(&run.journal, &run.settings)?;
        if contents.engine != signature {
            let record = JournalRecord::Engine(signature.to_owned());
            journal.write(&record)?;
            contents.engine = signature.to_owned();
        }
        for &(code, mv) in &run.asked {
            if !contents.was_asked(code, mv) {
                journal.write(&JournalRecord::Ask(code, mv))?;
                contents.note_asked(code, mv);
            }
        }
        let positions = contents.positions();
        let progress = Progress {
            positions,
            total: run.positions,
            found: positions,
            searches: contents.searches,
            ..Progress::default()
        };
        let mut state = BuildState {
            journal,
            contents,
            base: None,
            progress,
        };
        state.contents.graph.back_up();
        state.show_lines();
        Ok(state)
    }

    /// Opens the journal of a shard and chooses its searches.
    fn open_part(
        run: &BuildRun,
        signature: &str,
    ) -> Result<(BuildState, Vec<Work>), BookBuildError> {
        let mut whole = journal::read(&run.journal)?;
        if let Some((name, there, wanted)) = whole.settings.difference(&run.settings) {
            let file = run.journal.clone();
            return Err(BookBuildError::Settings {
                file,
                name,
                there,
                wanted,
            });
        }
        let list = decide(&mut whole);
        let open = whole.open.len();
        let left = list.get(open..).unwrap_or_default();
        let share =
            (0..run.shard.items_below(left.len() as u64)).map(|at| run.shard.item(at) as usize);
        let share: Vec<Work> = share.filter_map(|index| left.get(index).cloned()).collect();
        let part = part_path(run);
        let (mut journal, mut contents) = BookJournal::open(&part, &run.settings)?;
        let mut own = Vec::new();
        if contents.searches > 0 {
            let file = journal::open_regular(&part)?;
            journal::scan(&part, &file, |record| {
                if let JournalRecord::Search(searched) = record {
                    own.push(searched.work.clone());
                }
            })?;
        }
        let fits = contents.open_size == share.len() as u64
            && contents
                .open
                .iter()
                .zip(&share)
                .all(|(searched, work)| searched.work == *work);
        let complete = contents.open_size == 0 && !share.is_empty() && own == share;
        if !share.is_empty() && !fits && !complete {
            if contents.searches > 0 {
                // A shard of an earlier round, already merged.
                journal = journal.begin_again(&run.settings)?;
            }
            contents = Contents::new(run.settings.clone());
            journal.write(&JournalRecord::Engine(signature.to_owned()))?;
            let record = JournalRecord::Round(share.len() as u64);
            journal.write(&record)?;
            contents.open_size = share.len() as u64;
        }
        let progress = Progress {
            positions: if complete {
                share.len() as u64
            } else {
                contents.open.len() as u64
            },
            total: share.len() as u64,
            found: contents.open.len() as u64,
            searches: contents.searches,
            ..Progress::default()
        };
        let list = if complete { Vec::new() } else { share };
        Ok((
            BuildState {
                journal,
                contents,
                base: Some(whole.graph),
                progress,
            },
            list,
        ))
    }

    /// The searches of the open round; a round is begun if none is open. Empty if nothing is left.
    fn round(&mut self, run: &BuildRun) -> Result<Vec<Work>, BookBuildError> {
        if self.contents.open_size == 0 && self.contents.graph.expanded() >= run.positions {
            return Ok(Vec::new());
        }
        let list = decide(&mut self.contents);
        if self.contents.open_size == 0 {
            if list.is_empty() {
                return Ok(list);
            }
            self.journal
                .write(&JournalRecord::Round(list.len() as u64))?;
            self.contents.open_size = list.len() as u64;
        } else if self
            .contents
            .open
            .iter()
            .zip(&list)
            .any(|(searched, work)| searched.work != *work)
            || list.len() as u64 != self.contents.open_size
        {
            return Err(BookBuildError::OtherRound(run.journal.clone()));
        }
        self.show_lines();
        Ok(list)
    }

    fn show_lines(&mut self) {
        let graph = &self.contents.graph;
        let roots = graph.roots().iter().enumerate();
        self.progress.main_lines = roots
            .map(|(number, &root)| {
                (
                    graph.nodes()[root as usize].value,
                    graph.main_line(number, SHOWN),
                )
            })
            .collect();
    }

    /// Runs searches and writes them in order.
    fn search<S: LineSearcher>(
        &mut self,
        list: &[Work],
        searchers: &mut [S],
        control: &Control,
        each: &mut impl FnMut(&Progress),
    ) -> Result<(), BookBuildError> {
        let graph = self.base.as_ref().unwrap_or(&self.contents.graph);
        let requests: Vec<_> = list.iter().map(|work| graph.request(work)).collect();
        let count = requests.len() as u64;
        let search = |searcher: &mut &mut S, place: u64| match &requests[place as usize] {
            Some((position, excluded, lines)) => {
                searcher.search(position, excluded, *lines, control)
            }
            None => Some((Vec::new(), 0)),
        };
        let mut works = list.iter();
        let searchers = searchers.iter_mut().take(list.len());
        let pool = Pool {
            ahead: count,
            order: Order::Sequential,
            stop: control,
        };
        pool.run(searchers, 0..count, search, |event| {
            match event {
                Event::Done((lines, nodes)) => {
                    let work = works.next().expect("one result for each").clone();
                    self.add(Searched { work, nodes, lines })?;
                }
                Event::Tick => each(&self.progress),
            }
            Ok(())
        })
    }

    fn add(&mut self, searched: Searched) -> Result<(), BookBuildError> {
        if searched.lines.is_empty() {
            let position = searched.work.code.position();
            let text = position.map_or(String::new(), |position| fen::format(&position));
            return Err(BookBuildError::NothingFound(text));
        }
        self.progress.positions += u64::from(searched.work.task == SearchTask::Expand);
        self.progress.searches += 1;
        self.progress.nodes += searched.nodes;
        let record = JournalRecord::Search(searched);
        self.journal.write(&record)?;
        self.contents
            .take(record)
            .map_err(|what| BookBuildError::Import {
                file: self.journal.path().to_owned(),
                what: what.to_owned(),
            })
    }
}
