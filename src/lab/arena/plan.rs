//! Everything about a match before it begins.

use super::level::Level;
use super::record::journal::ExistingFiles;
use super::referee::GameLimits;
use super::schedule::Schedule;
use super::spec::EngineSpec;
use super::standings::statistics::SprtBounds;
use crate::endgame::Tables;
use serde_json::Value;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// Where a match is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchFiles {
    /// Games as PDN.
    pub pdn: Option<PathBuf>,
    /// What the match continues from after an interruption.
    pub journal: Option<PathBuf>,
    /// What to do with files that exist.
    pub existing: ExistingFiles,
}

/// A match to play.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// The level of each.
    pub levels: Vec<Level>,
    /// Who meets whom from what.
    pub schedule: Schedule,
    /// What ends games besides the rules.
    pub limits: GameLimits,
    /// Men and plies of scores that decide a game, if scores may.
    pub agreement: Option<(f64, u32)>,
    /// Endgame tables that end games, if any are to.
    pub tables: Option<Arc<Tables>>,
    /// Games at once.
    pub concurrency: NonZeroUsize,
    /// Whether each game has cores of its own.
    pub pin: bool,
    /// The test that ends the match.
    pub sprt: Option<SprtBounds>,
    /// Where it is written.
    pub files: MatchFiles,
    /// All that decides which games are played, for the journal: an object.
    pub settings: Value,
}

impl MatchPlan {
    /// Games of the whole match.
    pub fn games(&self) -> u64 {
        2 * self.schedule.pairs()
    }

    /// Whether games are likely to be copies of earlier ones, which no interval and no test allows for: openings repeat, and
    /// all searches are limited by nodes or depth.
    pub fn repeats_games(&self) -> bool {
        let is_fixed = |level: &Level| matches!(level, Level::Nodes(_) | Level::Depth(_));
        self.schedule.repeats() && self.levels.iter().all(is_fixed)
    }
}
