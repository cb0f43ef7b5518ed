//! The searcher: what is kept from one search to the next, and the threads of each.

use super::clock::{self, ClockMemory};
use super::deepening::{Iterations, RootPosition};
use super::ordering::History;
use super::params::{Params, Reductions};
use super::table::Replacement;
use super::team::{BusyTable, Team};
use super::tree::SearchContext;
use super::{Control, Driver, Observer, Outcome, Request, TableError, TranspositionTable};
use crate::eval::Evaluator;
use crossbeam_utils::CachePadded;
use damier_endgame::{Tables, View};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread::Scope;
use std::time::Instant;

/// Most threads of a search.
pub const MAX_THREADS: usize = 64;
/// Stack of a helper thread; the deepest path takes less than a third.
const STACK: usize = 4 << 20;
/// The largest table, as log2 of its entries, that is wiped before a search: 64 MiB, a few milliseconds.
const WIPED_SIZE: u32 = 22;

/// The search, with what it keeps from one search to the next.
pub struct Searcher<E> {
    evaluator: E,
    table: TranspositionTable,
    params: Params,
    reductions: Reductions,
    driver: Driver,
    memory: ClockMemory,
    histories: Vec<History>,
    /// Jobs of the threads, while several search.
    busy: BusyTable,
    /// Endgame tables and the most pieces for which they are used.
    tables: Option<(Arc<Tables>, u8)>,
    /// Whether anything was searched since the table was new.
    used: bool,
}

impl<E: Evaluator> Searcher<E> {
    /// One thread, the default driver, and a table of `2^table_size` entries.
    pub fn new(evaluator: E, table_size: u32) -> Result<Searcher<E>, TableError> {
        Ok(Searcher {
            evaluator,
            table: TranspositionTable::new(table_size)?,
            reductions: Reductions::of_defaults().clone(),
            params: Params::default(),
            driver: Driver::default(),
            memory: ClockMemory::default(),
            histories: vec![History::default()],
            busy: BusyTable::none(),
            tables: None,
            used: false,
        })
    }

    /// Chooses the driver.
    pub fn set_driver(&mut self, driver: Driver) {
        self.driver = driver;
    }

    /// Chooses the tunables.
    pub fn set_params(&mut self, params: Params) {
        self.reductions = Reductions::new(&params);
        self.table.set_replacement(Replacement::new(&params));
        self.params = params;
    }

    /// Chooses the number of threads, 1 to [`MAX_THREADS`].
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.clamp(1, MAX_THREADS);
        self.histories.resize_with(threads, History::default);
        self.busy = match threads {
            1 => BusyTable::none(),
            _ => BusyTable::new(),
        };
    }

    /// Chooses the endgame tables, and up to how many pieces they are used. A new searcher uses none.
    pub fn set_tables(&mut self, tables: Arc<Tables>, pieces: u8) {
        self.tables = (pieces > 0).then_some((tables, pieces));
    }

    /// Replaces the table by an empty one. Where there is no memory for it the old one stays.
    pub fn resize(&mut self, table_size: u32) -> Result<(), TableError> {
        if table_size.max(TranspositionTable::MIN_SIZE) != self.table.size() {
            self.replace_table(TranspositionTable::new(table_size)?);
        }
        Ok(())
    }

    /// Discards everything learned, in milliseconds however large the table is.
    pub fn new_game(&mut self) {
        if !std::mem::take(&mut self.used) {
            return;
        }
        self.clear_table();
        self.memory = ClockMemory::default();
        self.histories
            .iter_mut()
            .for_each(|history| *history = History::default());
    }

    /// Replaces the table by an empty one of its size: allocating it is instant, clearing gigabytes is not.
    fn renew_table(&mut self) {
        match TranspositionTable::new(self.table.size()) {
            Ok(table) => self.replace_table(table),
            Err(_) => self.table.clear(),
        }
    }

    fn replace_table(&mut self, mut table: TranspositionTable) {
        table.set_replacement(Replacement::new(&self.params));
        self.table = table;
    }

    /// Empties the table. A small one is wiped, which avoids page faults in the next search; a large one is replaced,
    /// because wiping cannot be interrupted.
    fn clear_table(&mut self) {
        if self.table.size() <= WIPED_SIZE {
            self.table.clear();
        } else {
            self.renew_table();
        }
    }

    /// The table, for statistics.
    pub fn table(&self) -> &TranspositionTable {
        &self.table
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Searches until a limit is reached or `control` is stopped. The result of one thread with a limit of depth or
    /// nodes alone depends only on the searches since [`Searcher::new_game`].
    pub fn search(
        &mut self,
        request: &Request,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.used = true;
        if self.driver == Driver::MtdfClear {
            let began = Instant::now();
            self.clear_table();
            control.delay(began.elapsed());
        }
        let began = Instant::now();
        self.table.next_age();
        let params = &self.params;
        self.histories
            .iter_mut()
            .for_each(|history| history.age(params));
        // Only a search whose result is to be reproducible waits for a disk.
        let limits = &request.limits;
        let view = if limits.is_timed() {
            View::timed
        } else {
            View::new
        };
        let tables = self.tables.as_ref();
        let tables = tables.map(|(tables, pieces)| view(tables, *pieces));
        let root = RootPosition::new(
            request,
            &self.table,
            params,
            &self.histories[0],
            tables.as_ref(),
        );
        let pieces = root.node.state.position.occupied().len();
        let budget = limits.clock.map(|clock| clock.budget(params, pieces));
        let move_time = limits.move_time.map(clock::exact);
        let hard = budget
            .map(|budget| budget.hard)
            .into_iter()
            .chain(move_time)
            .min();
        let fine = Params {
            grain: 1,
            ..self.params.clone()
        };
        let params = if request.fine { &fine } else { &self.params };
        let shared = SearchContext {
            table: &self.table,
            evaluator: &self.evaluator,
            params,
            reductions: &self.reductions,
            control,
            tables,
            stage: root.stage,
            team: Team::new(&self.busy, self.histories.len(), params.lock_step),
            budget: CachePadded::new(AtomicU64::new(limits.nodes.unwrap_or(u64::MAX))),
            helper_probes: AtomicU64::new(0),
        };
        let iterations = Iterations {
            request,
            root: &root,
            driver: self.driver,
            budget,
            hard,
            began,
        };
        let (lead, helpers) = self
            .histories
            .split_first_mut()
            .unwrap_or_else(|| unreachable!("at least one"));
        std::thread::scope(|scope| {
            start_helpers(scope, &shared, &iterations, helpers);
            // The scope waits for the helpers, also when an observer panics.
            let _end = End(&shared.team);
            iterations.lead(&shared, lead, &mut self.memory, observer)
        })
    }
}

/// Starts a thread for each of the helpers' histories.
fn start_helpers<'scope, E: Evaluator>(
    scope: &'scope Scope<'scope, '_>,
    shared: &'scope SearchContext<'_, E>,
    iterations: &'scope Iterations<'_>,
    histories: &'scope mut [History],
) {
    for (index, history) in histories.iter_mut().enumerate() {
        let thread = index + 1;
        let spawned = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, move || iterations.help(shared, history, thread));
        if let Err(error) = spawned {
            log::warn!("thread {} of {}: {error}", thread + 1, shared.team.size());
            shared.team.leave(thread);
        }
    }
}

/// Ends the team when dropped.
struct End<'t, 'a>(&'t Team<'a>);

impl Drop for End<'_, '_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Material;
    use crate::search::{Limits, Report};
    use damier_endgame::{Advice, Slice, Value, Verdict};
    use damier_rules::board::{Bitboard, Color, Square};
    use damier_rules::{Game, Position, Setup};
    use std::time::Duration;

    /// Positions of two white pieces, one a king, against a king, that white to move wins in at least so many plies.
    fn won(men: bool, plies: u32) -> Vec<Position> {
        let tables = Tables::open(None).unwrap();
        let square = |n: usize| Bitboard::of(Square::new(n as u8).unwrap());
        let place = |(own, king, other): (usize, usize, usize)| {
            let mut setup = Setup::empty(Color::White);
            setup.kings[0] = square(king);
            let sets = if men {
                &mut setup.men
            } else {
                &mut setup.kings
            };
            sets[0] |= square(own);
            setup.kings[1] = square(other);
            let position = Position::try_from(setup).ok()?;
            let Verdict { value, distance } = tables.probe(&position, 3)?;
            (value == Value::Win && distance >= Some(plies)).then_some(position)
        };
        let pairs = (6..=50).flat_map(|own| (1..=50).map(move |king| (own, king)));
        let all = pairs.flat_map(|(own, king)| (1..=50).map(move |other| (own, king, other)));
        let found: Vec<Position> = all.filter_map(place).step_by(5).take(8).collect();
        assert_eq!(found.len(), 8);
        found
    }

    fn search(
        tables: &Arc<Tables>,
        game: &Game,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let mut searcher = Searcher::new(Material, 16).unwrap();
        searcher.set_tables(Arc::clone(tables), 3);
        searcher.search(&Request::new(game, limits), &Control::new(), observer)
    }

    const DEPTH: Limits = Limits {
        depth: Some(4),
        nodes: None,
        move_time: None,
        clock: None,
    };

    #[test]
    fn tables_that_come_in_mid_search_choose_the_moves() {
        for position in won(false, 5) {
            let (tables, game) = (Tables::slow(Duration::ZERO), Game::new(position));
            let limits = Limits {
                move_time: Some(Duration::from_secs(60)),
                ..DEPTH
            };
            let outcome = search(&tables, &game, limits, &mut |_: &Report| {
                tables.check(3).unwrap();
            });
            let advice = Advice::on(&View::new(&tables, 3), &position, &game.clock()).unwrap();
            assert!(advice.best().any(|mv| Some(mv) == outcome.best));
            assert_eq!(outcome.report.score.end_in(), advice.ruled.distance);
        }
    }

    #[test]
    fn a_slow_disk_delays_no_move_and_changes_no_result() {
        let position = won(false, 5)[0];
        let game = Game::new(position);
        let pause = Duration::from_secs(2);
        let limits = Limits {
            move_time: Some(Duration::from_millis(20)),
            depth: None,
            ..DEPTH
        };
        let began = Instant::now();
        let outcome = search(&Tables::slow(pause), &game, limits, &mut ());
        let took = began.elapsed();
        // It waited for none.
        assert!(outcome.best.is_some() && took < pause, "{took:?}");
        // A search to a depth waits: the first one and one with all blocks in the cache count the same nodes.
        let tables = Tables::slow(Duration::from_millis(1));
        let nodes = |tables: &Arc<Tables>| search(tables, &game, DEPTH, &mut ()).stats.nodes;
        let first = nodes(&tables);
        assert_eq!(
            (nodes(&tables), nodes(&Tables::open(None).unwrap())),
            (first, first)
        );
    }

    #[test]
    fn what_is_known_of_the_roots_own_slice_is_no_progress() {
        // Nothing is known of the promotion, so that the tables advise no move.
        let slices = ["1k-1k", "1m1k-1k", "1k-1m1k"].map(|name| name.parse::<Slice>().unwrap());
        let tables = Tables::values_of(&slices);
        for position in won(true, 5) {
            let outcome = search(&tables, &Game::new(position), DEPTH, &mut ());
            assert!(outcome.stats.probes > 0);
            let score = outcome.report.score;
            assert!(score.is_eval() || score.end_in().is_some(), "{score}");
        }
    }
}
