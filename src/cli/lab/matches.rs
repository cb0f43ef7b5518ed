//! The arguments of experiments that play games.

use crate::cli::shared_args::{depth, games, whole};
use crate::cli::{Failure, error};
use damier::arena::level::{GameLevel, LevelText};
use damier::lab::experiment::{Experiment, MatchConditions};
use damier::search::Depth;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Time of a move in the full form.
pub const MOVE_TIME: Duration = Duration::from_millis(20);
/// Nodes of a move in the quick form, and games of a pairing.
const QUICK: (u64, u64) = (200, 4);

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct MatchesArgs {
    /// Seconds for each move in mtdfix and evaluation [default: 0.02; in chosen pairings and odds 0.1]; in time instead
    /// of its clocks
    #[arg(long, value_name = "S", help_heading = "Games")]
    move_time: Option<String>,
    /// Positions to search for each move instead, so that the load of the machine does not matter
    #[arg(long, value_name = "N", help_heading = "Games")]
    nodes: Option<String>,
    /// Deepest match of depth, in plies [default: two more than the positions are searched; with --quick three less]
    #[arg(long, value_name = "N", value_parser = depth, help_heading = "Games")]
    match_depth: Option<Depth>,
    /// Games of each pair of engines, an even number [default: in mtdfix, depth and evaluation every three-move ballot
    /// with both colours, which are 988, or 662 at fixed nodes or depth, where those that transpose would repeat a
    /// game; in levels 400; in odds 100; in time 10 at each clock]
    #[arg(long, value_name = "N", value_parser = games(1_000_000), help_heading = "Games")]
    pub games: Option<u64>,
    /// Keep what is played in this folder, and go on with what is there [default: none; for chosen pairings of mtdfix
    /// mtdfix-games]
    #[arg(long, value_name = "FOLDER", help_heading = "Games")]
    pub journals: Option<PathBuf>,
    /// Games at once [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1_000), help_heading = "Games")]
    concurrency: Option<u16>,
    /// In levels and odds the seed of the openings and of the levels' choices, with --find that of the games
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX), help_heading = "Games")]
    pub seed: Option<u32>,
    /// In mtdfix: find so many positions in which MTD(f) plays a wrong move and MTDfix does not, and do nothing else
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1_000_000), help_heading = "Games")]
    pub find: Option<usize>,
}

impl MatchesArgs {
    /// An option that is given and not among those that are used.
    pub fn unused(&self, used: &[&str]) -> Option<&'static str> {
        let all = [
            ("--move-time", self.move_time.is_some()),
            ("--nodes", self.nodes.is_some()),
            ("--match-depth", self.match_depth.is_some()),
            ("--games", self.games.is_some()),
            ("--journals", self.journals.is_some()),
            ("--concurrency", self.concurrency.is_some()),
            ("--seed", self.seed.is_some()),
            ("--find", self.find.is_some()),
        ];
        let given = all.into_iter().filter(|(_, given)| *given);
        let mut names = given.map(|(name, _)| name);
        names.find(|name| !used.contains(name))
    }

    /// The options that an experiment on the search uses.
    pub fn used(&self, kind: Experiment) -> &'static [&'static str] {
        match kind {
            Experiment::Mtdfix if self.find.is_some() => &["--find", "--seed"],
            Experiment::Mtdfix => &[
                "--move-time",
                "--nodes",
                "--games",
                "--journals",
                "--concurrency",
            ],
            Experiment::Depth => &["--match-depth", "--games", "--journals", "--concurrency"],
            Experiment::Evaluation => &[
                "--move-time",
                "--nodes",
                "--games",
                "--journals",
                "--concurrency",
            ],
            Experiment::Time => &["--move-time", "--nodes", "--games"],
            Experiment::Drivers | Experiment::Threads => &[],
        }
    }

    /// Deepest match, if it is given.
    pub fn match_depth(&self) -> Option<Depth> {
        self.match_depth
    }

    /// Games at once.
    pub fn concurrency(&self) -> NonZeroUsize {
        let given = self.concurrency.and_then(|n| NonZeroUsize::new(n.into()));
        given.unwrap_or(NonZeroUsize::MIN)
    }

    /// The level of each move, if it is given.
    pub fn level(&self) -> Result<Option<GameLevel>, Failure> {
        let level = LevelText {
            move_time: self.move_time.clone(),
            nodes: self.nodes.clone(),
            ..LevelText::default()
        };
        level
            .level()
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The conditions that they make; the level is `full` unless another is given or the form is quick.
    pub fn conditions(
        &self,
        kind: Experiment,
        quick: bool,
        full: GameLevel,
    ) -> Result<MatchConditions, Failure> {
        let level = self.level()?;
        let (quick_nodes, quick_games) = QUICK;
        let usual = match quick {
            true => GameLevel::Nodes(quick_nodes),
            false => full,
        };
        // The games at a clock have numbers of their own.
        let few = quick && kind != Experiment::Time;
        Ok(MatchConditions {
            program: std::env::current_exe().map_err(error)?,
            level: level.unwrap_or(usual),
            games: self.games.or(few.then_some(quick_games)),
            folder: self.journals.clone(),
            concurrency: self.concurrency(),
        })
    }
}
