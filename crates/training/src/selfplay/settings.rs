use crate::dataset::Header;
use crate::signature;
use damier_endgame::Tables;
use damier_engine::rng::Rng;
use damier_engine::search::{Depth, Driver};
use damier_engine::{Engine, EngineError, Level, Options, PROGRAM};
use damier_os::shard::Shard;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Version of the rules of self-play, raised when the start, end or recording of games changes. 2: the score is that of
/// the last complete iteration, and endgame tables are those asked for; 3: no game begins in a position that the
/// endgame tables know.
const RULES: u32 = 3;

/// Limit of each search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixedLevel {
    /// A number of nodes.
    Nodes(u64),
    /// A depth in plies.
    Depth(Depth),
}

impl FixedLevel {
    /// Log2 of the entries of a suitable transposition table: one that fits the CPU cache is fastest. (At 2,000 nodes
    /// all sizes from 12 to 18 play the same number of games per second.)
    pub fn table_size(self) -> u32 {
        match self {
            FixedLevel::Nodes(nodes) => (nodes.max(1).ilog2() + 5).clamp(12, 24),
            FixedLevel::Depth(depth) => (depth as u32 + 8).clamp(12, 24),
        }
    }

    fn of_search(self) -> Level {
        match self {
            FixedLevel::Nodes(nodes) => Level::nodes(nodes),
            FixedLevel::Depth(depth) => Level::depth(depth),
        }
    }
}

impl fmt::Display for FixedLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FixedLevel::Nodes(nodes) => write!(f, "{nodes} nodes"),
            FixedLevel::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// Everything that a game depends on, besides its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfplaySettings {
    /// Seed of the random numbers.
    pub seed: u64,
    /// Limit of each search.
    pub level: FixedLevel,
    /// The nodes of each search vary at random by up to this percentage, so that games from the same opening differ (at
    /// 10 random plies one game in thousands repeats an opening).
    pub spread: u32,
    /// Minimum and maximum number of random plies at the start of a game.
    pub random_plies: (u32, u32),
    /// An opening is accepted if its score after the random plies is at most this many hundredths of a man either way.
    pub window: u32,
    /// Percentage of games that begin with a generated ending or unusual material.
    pub endings: u32,
    /// Percentage of later moves that are random.
    pub random_moves: u32,
    /// A game is adjudicated as won when the score has been at least this many hundredths of a man for six searched
    /// plies, and by the endgame tables as soon as they know the result. 0: no adjudication by either.
    pub adjudicate: u32,
    /// Log2 of the entries of each thread's transposition table.
    pub table_size: u32,
    /// Search driver at the root.
    pub driver: Driver,
    /// Weights of the evaluation, as in [`Options::weights`].
    pub weights: PathBuf,
    /// Maximum pieces of the endgame tables used, as in [`Options::bb_size`].
    pub bb_size: u8,
    /// Folder of further endgame tables, as in [`Options::endgame_dir`].
    pub endgame_dir: PathBuf,
}

impl Default for SelfplaySettings {
    fn default() -> SelfplaySettings {
        SelfplaySettings {
            seed: 1,
            level: FixedLevel::Nodes(2_000),
            spread: 10,
            random_plies: (10, 16),
            window: 100,
            endings: 10,
            random_moves: 0,
            adjudicate: 800,
            table_size: FixedLevel::Nodes(2_000).table_size(),
            driver: Driver::default(),
            weights: Options::default().weights,
            bb_size: Options::default().bb_size as u8,
            endgame_dir: Options::default().endgame_dir,
        }
    }
}

impl SelfplaySettings {
    /// The level of the next move.
    pub(super) fn next_level(&self, random: &mut Rng) -> Level {
        match self.level {
            FixedLevel::Nodes(nodes) if self.spread > 0 => {
                let spread = self.spread.min(100);
                let percent = u64::from(random.within(100 - spread, 100 + spread));
                FixedLevel::Nodes((nodes.saturating_mul(percent) / 100).max(1)).of_search()
            }
            level => level.of_search(),
        }
    }

    /// An engine for one thread. Unusable endgame tables are an error: the games would not match the header.
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

    /// An engine for another thread, sharing the endgame tables of the first.
    pub(super) fn engine_beside(&self, first: &Engine) -> Result<Engine, EngineError> {
        Engine::with_tables(self.options(), Arc::clone(first.tables()))
    }

    /// The header of a file of these games. Programs that search differently have another `signature`; those that start
    /// or end games differently have other `rules`.
    pub(super) fn header(&self, shard: Shard, engine: &mut Engine) -> Result<Header, EngineError> {
        let (fewest, most) = self.random_plies;
        let recipe = [
            ("program", PROGRAM.to_owned()),
            ("rules", RULES.to_string()),
            ("signature", format!("{:08x}", signature(engine))),
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
            // The file name without folders: its location affects no game, and its contents show in the signature.
            ("weights", self.weights_name()),
            ("tables", tables_name(engine, self.bb_size)?),
        ];
        Ok(Header {
            recipe: recipe.into_iter().collect(),
            shard,
        })
    }

    fn weights_name(&self) -> String {
        let name = self.weights.file_name();
        name.map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }
}

/// Number of slices of endgame tables of up to this many pieces, and a checksum of their contents unless they are just
/// the built-in ones.
pub(super) fn tables_name(engine: &Engine, pieces: u8) -> Result<String, EngineError> {
    let tables = engine.tables();
    let slices = tables.slices();
    let used = slices.iter().filter(|slice| slice.pieces() <= pieces);
    let name = format!("{} slices to {pieces} pieces", used.count());
    let checksum = tables.checksum(pieces);
    Ok(match checksum == Tables::open(None)?.checksum(pieces) {
        true => name,
        false => format!("{name}, checksum {checksum:08x}"),
    })
}
