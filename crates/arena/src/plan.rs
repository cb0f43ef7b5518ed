//! The plan of a match: everything that is fixed before it begins.

use super::level::GameLevel;
use super::record::journal::ExistingFiles;
use super::referee::GameLimits;
use super::schedule::Schedule;
use super::spec::EngineSpec;
use super::standings::statistics::SprtBounds;
use damier_endgame::Tables;
use damier_os::shard::Shard;
use serde_json::Value;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// Where a match is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchFiles {
    /// Games as PDN.
    pub pdn: Option<PathBuf>,
    /// The journal, from which an interrupted match continues.
    pub journal: Option<PathBuf>,
    /// What to do with existing files.
    pub existing: ExistingFiles,
}

/// A match to play.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// The level of each engine.
    pub levels: Vec<GameLevel>,
    /// The pairings and openings.
    pub schedule: Schedule,
    /// Which of the pairs of games are played here.
    pub shard: Shard,
    /// When games end, besides by the rules.
    pub limits: GameLimits,
    /// Score in men and number of plies for adjudication by score, if enabled.
    pub agreement: Option<(f64, u32)>,
    /// Endgame tables for adjudication, if enabled.
    pub tables: Option<Arc<Tables>>,
    /// Number of games in parallel.
    pub concurrency: NonZeroUsize,
    /// Whether each game gets its own cores.
    pub pin: bool,
    /// The sequential test that ends the match.
    pub sprt: Option<SprtBounds>,
    /// Output files.
    pub files: MatchFiles,
    /// All settings that decide which games are played, for the journal: a JSON object.
    pub settings: Value,
}

impl MatchPlan {
    /// Number of games of the shard.
    pub fn games(&self) -> u64 {
        2 * self.shard.items_below(self.schedule.pairs())
    }

    /// Whether games are likely to repeat earlier ones, which no interval or test accounts for: openings repeat, and
    /// all searches are limited by nodes or depth.
    pub fn repeats_games(&self) -> bool {
        let is_fixed =
            |level: &GameLevel| matches!(level, GameLevel::Nodes(_) | GameLevel::Depth(_));
        self.schedule.repeats() && self.levels.iter().all(is_fixed)
    }
}
