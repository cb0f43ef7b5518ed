//! A match of two engines, from which an experiment or a suite needs the results alone.

use damier_arena::level::GameLevel;
use damier_arena::plan::{MatchFiles, MatchPlan};
use damier_arena::players::process::Launch;
use damier_arena::record::journal::ExistingFiles;
use damier_arena::referee::GameLimits;
use damier_arena::run::progress::ProgressEvent;
use damier_arena::run::{self, BrokenEngine, MatchEnd, MatchError};
use damier_arena::schedule::openings::{self, Opening, OpeningsError};
use damier_arena::schedule::{Format, Schedule, ScheduleSettings};
use damier_arena::spec::{Connection, EngineSpec, SpecError};
use damier_arena::standings::Standings;
use damier_endgame::{StoreError, Tables};
use damier_os::shard::Shard;
use serde_json::json;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How far a series of matches is: which match is played, games of it that are played, and all of it.
pub type DuelProgress<'a> = &'a mut dyn FnMut(&str, u64, u64);

/// Why a match ended early.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    /// The openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The endgame tables that end games.
    #[error(transparent)]
    Tables(#[from] StoreError),
    /// A match could not be completed.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// An engine does not play.
    #[error("{0}")]
    Broken(BrokenEngine),
    /// An engine's name or address is taken.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An engine has no level.
    #[error("{0} has no level: give it move-time, nodes, depth or tc")]
    NoLevel(String),
    /// The user asked for the end.
    #[error("interrupted")]
    Interrupted,
}

/// This program at full strength, without its book.
pub fn this_engine(program: &Path) -> EngineSpec {
    let params = [("book", "false"), ("line-gap", "0")];
    EngineSpec {
        name: "Damier".to_owned(),
        connection: Connection::Hub {
            launch: Launch {
                command: vec![program.display().to_string(), "hub".to_owned()],
                dir: None,
            },
            params: params
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        },
        level: None,
    }
}

/// Two engines and what they play.
pub(crate) struct Duel {
    /// Its name, for progress and for the journal.
    pub title: String,
    pub engines: [EngineSpec; 2],
    pub levels: [GameLevel; 2],
    pub openings: Vec<Opening>,
    pub random_plies: u32,
    /// An even number.
    pub games: u64,
    pub seed: u64,
    /// Whether the built-in endgame tables end games.
    pub adjudicates: bool,
    /// Folder of the journal, from which an interrupted match continues.
    pub folder: Option<PathBuf>,
    pub concurrency: NonZeroUsize,
}

impl Duel {
    /// Plays it; the openings are in the order of their results.
    pub fn play(self, progress: DuelProgress) -> Result<(Vec<Opening>, Standings), DuelError> {
        let title = self.title.clone();
        let plan = self.plan()?;
        let played = run::play(&plan, &mut |event| match event {
            ProgressEvent::Progress(now) => progress(&title, now.done, now.total),
            ProgressEvent::Warning(what) => log::warn!("{title}: {what}"),
        })?;
        match played.end {
            MatchEnd::Interrupted => Err(DuelError::Interrupted),
            MatchEnd::Broken(broken) => Err(DuelError::Broken(broken)),
            MatchEnd::Complete | MatchEnd::Sprt(_) => {
                Ok((plan.schedule.openings().to_vec(), played.standings))
            }
        }
    }

    fn plan(self) -> Result<MatchPlan, DuelError> {
        let mut settings = json!({
            "engines": self.engines.each_ref().map(ToString::to_string),
            "levels": self.levels.each_ref().map(ToString::to_string),
            "random-plies": self.random_plies,
            "seed": self.seed,
        });
        // Journals of matches with random plies never had them.
        if self.random_plies == 0 {
            settings["openings"] = openings::fingerprint(&self.openings).into();
        }
        let journal = file_name(&self.title);
        let schedule = ScheduleSettings {
            format: Format::RoundRobin,
            engines: 2,
            random_plies: self.random_plies,
            seed: self.seed,
            rounds: Some(self.games / 2),
        };
        let tables: Option<Arc<Tables>> = match self.adjudicates {
            true => Some(Tables::open(None)?),
            false => None,
        };
        Ok(MatchPlan {
            schedule: Schedule::new(self.openings, &schedule),
            shard: Shard::WHOLE,
            engines: self.engines.into(),
            levels: self.levels.into(),
            limits: GameLimits {
                max_moves: None,
                margin: Duration::from_millis(100),
                patience: Duration::from_secs(60),
            },
            agreement: None,
            tables,
            concurrency: self.concurrency,
            pin: false,
            sprt: None,
            files: MatchFiles {
                pdn: None,
                journal: self.folder.map(|folder| folder.join(journal)),
                existing: ExistingFiles::Resume,
            },
            settings,
        })
    }
}

/// The journal of a match.
fn file_name(title: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = title.chars().map(safe).collect();
    format!("{name}.journal")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journals_of_different_matches_have_different_names() {
        assert_eq!(
            file_name("full strength - 2800"),
            "full-strength---2800.journal"
        );
        assert_ne!(file_name("2800 - 2600"), file_name("2600 - 2400"));
    }
}
