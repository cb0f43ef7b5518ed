//! Searches the positions of games that exist already for their scores, on all cores, and writes the games in order
//! into one file.

use super::output::GameFile;
use super::settings::tables_name;
use super::{FixedLevel, SelfplayError};
use crate::dataset::{GAMES_IN_BLOCK, GameRecord, Header};
use crate::signature;
use damier_engine::eval::Score;
use damier_engine::search::Control;
use damier_engine::{Engine, EngineError, Job, Level, Options};
use damier_os::pool::{Event, Order, Pool};
use damier_rules::Game;
use std::path::Path;
use std::sync::Arc;

/// Searches of a fixed number of nodes, one engine for each thread.
pub(super) struct Scoring {
    first: Engine,
    beside: Vec<Engine>,
    nodes: u64,
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scored {
    /// Games in the file.
    pub games: u64,
    /// Games that were there before.
    pub found: u64,
    /// Positions searched now.
    pub searched: u64,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

impl Scoring {
    /// Table and number of threads of `engine` are chosen here.
    pub fn new(engine: &Options, nodes: u64, threads: usize) -> Result<Scoring, SelfplayError> {
        let options = Options {
            threads: 1,
            tt_size: FixedLevel::Nodes(nodes).table_size(),
            book: false,
            ..engine.clone()
        };
        let first = Engine::new(options.clone())?;
        // A damaged table would give other scores than the header says.
        let sound = first.tables().check(options.bb_size as u8);
        sound.map_err(EngineError::from)?;
        let beside = || Engine::with_tables(options.clone(), Arc::clone(first.tables()));
        let beside = (1..threads).map(|_| beside()).collect::<Result<_, _>>()?;
        Ok(Scoring {
            first,
            beside,
            nodes,
        })
    }

    /// What decides the scores, beside the nodes: a checksum of searches, and the endgame tables.
    pub fn engine(&mut self) -> Result<String, SelfplayError> {
        let pieces = self.first.options().bb_size as u8;
        let tables = tables_name(&self.first, pieces)?;
        let signature = signature(&mut self.first);
        let search = self.first.options().search;
        Ok(format!(
            "signature {signature:08x}, search {search}, tables {tables}"
        ))
    }

    /// Writes a record of each of these `total` games to the file `out`, or of those that it lacks. `record` makes one,
    /// searching with [`Searches`], or none where a search was stopped. `each` gets the games done and all, and says
    /// whether to go on.
    pub fn run<T: Send>(
        self,
        out: &Path,
        header: &Header,
        total: u64,
        games: impl Iterator<Item = T> + Send,
        record: impl Fn(&mut Searches, T) -> Option<GameRecord> + Sync,
        each: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Scored, SelfplayError> {
        let mut output = GameFile::open(out, header, total)?;
        let found = output.found;
        let mut scored = Scored {
            games: found,
            found,
            ..Scored::default()
        };
        let tables = Arc::clone(self.first.tables());
        let nodes = self.nodes;
        let stop = Control::new();
        let pool = Pool {
            ahead: GAMES_IN_BLOCK.into(),
            order: Order::Sequential,
            stop: &stop,
        };
        let todo = games.skip(usize::try_from(found).unwrap_or(usize::MAX));
        let made = pool.run(
            self.beside.into_iter().chain([self.first]),
            todo,
            |engine, game| {
                engine.new_game();
                let mut searches = Searches {
                    engine,
                    nodes,
                    stop: &stop,
                    count: 0,
                };
                let record = record(&mut searches, game)?;
                Some((record, searches.count))
            },
            |event| {
                match event {
                    Event::Done((game, searched)) => {
                        output.add(&game)?;
                        scored.games += 1;
                        scored.searched += searched;
                    }
                    Event::Tick if !each(scored.games, total) => stop.stop(),
                    Event::Tick => {}
                }
                Ok::<_, SelfplayError>(())
            },
        );
        // Keep the games so far, whatever else happened.
        let finished = output.finish();
        made.and(finished)?;
        if let Some(problem) = tables.problems().into_iter().next() {
            return Err(EngineError::from(problem).into());
        }
        each(scored.games, total);
        scored.stopped = scored.games < total;
        Ok(scored)
    }
}

/// The searches of a game.
pub(super) struct Searches<'a> {
    engine: &'a mut Engine,
    nodes: u64,
    stop: &'a Control,
    count: u64,
}

impl Searches<'_> {
    /// The score of the last complete iteration of a search. None where it was stopped.
    pub fn score(&mut self, game: &Game) -> Option<Score> {
        self.count += 1;
        let job = Job::new(game.clone(), Level::nodes(self.nodes));
        let outcome = self.engine.run(&job, self.stop, &mut ());
        (!self.stop.is_stopped()).then_some(outcome.whole)
    }
}
