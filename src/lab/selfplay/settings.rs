use crate::endgame::Tables;
use crate::engine::{self, Engine, EngineError, Job, Options};
use crate::lab::bench;
use crate::lab::dataset::{Header, Shard};
use crate::lab::rng::Rng;
use crate::rules::Game;
use crate::search::{Control, Depth, Driver};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Raised when games are opened, ended or recorded in another way than before. 2: the score is that of the last complete
/// iteration, and endgame tables are those asked for; 3: no game begins where the endgame tables know its result.
const RULES: u32 = 3;

/// How far each move is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// So many positions.
    Nodes(u64),
    /// So many plies.
    Depth(Depth),
}

impl Level {
    /// Log2 of the entries of a suitable transposition table: one that fits the processor's cache is fastest. (At 2,000
    /// nodes all sizes from 12 to 18 play as many games a second.)
    pub fn table_size(self) -> u32 {
        match self {
            Level::Nodes(nodes) => (nodes.max(1).ilog2() + 5).clamp(12, 24),
            Level::Depth(depth) => (depth as u32 + 8).clamp(12, 24),
        }
    }

    fn of_search(self) -> engine::Level {
        match self {
            Level::Nodes(nodes) => engine::Level::nodes(nodes),
            Level::Depth(depth) => engine::Level::depth(depth),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Level::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// Everything that a game depends on, beside its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Seed of the random numbers.
    pub seed: u64,
    /// How far each move is searched.
    pub level: Level,
    /// Each move is searched to so many percent more or less nodes, at random: from the same opening (at 10 random plies one
    /// in thousands is) games go different ways all the same.
    pub spread: u32,
    /// Fewest and most random plies at the start of a game.
    pub random_plies: (u32, u32),
    /// An opening is played when the score after the random plies is at most so many hundredths of a man either way.
    pub window: u32,
    /// Percent of the games that begin with a generated ending or unusual material.
    pub endings: u32,
    /// Percent of the later moves that are random.
    pub random_moves: u32,
    /// A game is won when for six searched plies the score has been at least so many hundredths of a man, and has the result
    /// that the endgame tables give as soon as they know. 0: never.
    pub adjudicate: u32,
    /// Log2 of the entries of each thread's table.
    pub table_size: u32,
    /// How the root is searched.
    pub driver: Driver,
    /// Weights of the evaluation, as in [`Options::weights`].
    pub weights: String,
    /// Most pieces of the endgame tables used, as in [`Options::bb_size`].
    pub bb_size: u8,
    /// Folder of further endgame tables, as in [`Options::endgame_dir`].
    pub endgame_dir: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 1,
            level: Level::Nodes(2_000),
            spread: 10,
            random_plies: (10, 16),
            window: 100,
            endings: 10,
            random_moves: 0,
            adjudicate: 800,
            table_size: Level::Nodes(2_000).table_size(),
            driver: Driver::default(),
            weights: Options::default().weights,
            bb_size: Options::default().bb_size as u8,
            endgame_dir: Options::default().endgame_dir,
        }
    }
}

impl Settings {
    /// The level of the next move.
    pub(super) fn next_level(&self, random: &mut Rng) -> engine::Level {
        match self.level {
            Level::Nodes(nodes) if self.spread > 0 => {
                let spread = self.spread.min(100);
                let percent = u64::from(random.within(100 - spread, 100 + spread));
                Level::Nodes((nodes.saturating_mul(percent) / 100).max(1)).of_search()
            }
            level => level.of_search(),
        }
    }

    /// An engine for one thread. Endgame tables that cannot be used are an error: the games would not be those of the
    /// header.
    pub(super) fn engine(&self) -> Result<Engine, EngineError> {
        let engine = Engine::new(self.options())?;
        engine.tables().check(self.bb_size)?;
        Ok(engine)
    }

    fn options(&self) -> Options {
        Options {
            threads: 1,
            tt_size: self.table_size,
            search: self.driver,
            weights: self.weights.clone(),
            bb_size: self.bb_size.into(),
            endgame_dir: self.endgame_dir.clone(),
            ..Options::default()
        }
    }

    /// An engine for another thread, which shares the endgame tables of the first.
    pub(super) fn engine_beside(&self, first: &Engine) -> Result<Engine, EngineError> {
        Engine::with_tables(self.options(), Arc::clone(first.tables()))
    }

    /// The header of a file of these games. Programs that search differently have another `signature`, those that open or end
    /// games differently other `rules`.
    pub(super) fn header(&self, shard: Shard, engine: &mut Engine) -> Result<Header, EngineError> {
        let (fewest, most) = self.random_plies;
        let recipe = [
            ("program", format!("damier {}", env!("CARGO_PKG_VERSION"))),
            ("rules", RULES.to_string()),
            ("signature", format!("{:08x}", self.signature(engine))),
            ("seed", self.seed.to_string()),
            ("level", self.level.to_string()),
            ("spread", self.spread.to_string()),
            ("random-plies", format!("{fewest}-{most}")),
            ("window", self.window.to_string()),
            ("endings", self.endings.to_string()),
            ("random-moves", self.random_moves.to_string()),
            ("adjudicate", self.adjudicate.to_string()),
            ("table", self.table_size.to_string()),
            ("search", self.driver.to_string()),
            // The name without folders: the place of a file changes no game, and its content shows in the signature.
            ("weights", self.weights_name()),
            ("tables", self.tables(engine)?),
        ];
        Ok(Header {
            recipe: recipe.into_iter().collect(),
            shard,
        })
    }

    fn weights_name(&self) -> String {
        let name = Path::new(&self.weights).file_name();
        name.map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }

    /// The number of slices of endgame tables used, and a checksum of their content where they are not just those in the
    /// program.
    fn tables(&self, engine: &Engine) -> Result<String, EngineError> {
        let tables = engine.tables();
        let slices = tables.slices();
        let used = slices.iter().filter(|slice| slice.pieces() <= self.bb_size);
        let name = format!("{} slices to {} pieces", used.count(), self.bb_size);
        let checksum = tables.checksum(self.bb_size);
        Ok(
            match checksum == Tables::open(None)?.checksum(self.bb_size) {
                true => name,
                false => format!("{name}, checksum {checksum:08x}"),
            },
        )
    }

    /// A checksum of what this program finds in some positions: another search or evaluation gives another one, and a file
    /// begun with it is not gone on with.
    fn signature(&self, searcher: &mut Engine) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let positions = bench::positions()
            .unwrap_or_else(|error| unreachable!("tests read these positions: {error}"));
        for position in positions.into_iter().step_by(6) {
            let job = Job::new(Game::new(position), engine::Level::nodes(2_000));
            let outcome = searcher.run(&job, &Control::new(), &mut ());
            let best = outcome.best.map_or(String::new(), |mv| mv.to_string());
            let score = outcome.report.score;
            let found = format!(
                "{best} {score} {} {}\n",
                outcome.stats.nodes, outcome.report.depth
            );
            hasher.update(found.as_bytes());
        }
        hasher.finalize()
    }
}
