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

/// The first argument that is given and not among those that are used.
pub(super) fn first_unused(all: &[(&'static str, bool)], used: &[&str]) -> Option<&'static str> {
    let given = all.iter().filter(|(_, given)| *given);
    let mut names = given.map(|(name, _)| *name);
    names.find(|name| !used.contains(name))
}

#[derive(clap::Args, Debug)]
pub(in crate::cli) struct MatchesArgs {
    /// Seconds for each move, in time instead of the clocks [default: in mtdfix and evaluation 0.02; in odds and with
    /// --pairing or --paper 0.1]
    #[arg(long, value_name = "S", help_heading = "Games")]
    move_time: Option<String>,
    /// Positions to search for each move, instead of --move-time: independent of the load of the machine
    #[arg(long, value_name = "N", help_heading = "Games")]
    nodes: Option<String>,
    /// In depth: maximum depth of the matches, in plies [default: --depth + 2; with --quick --depth - 3]
    #[arg(long, value_name = "N", value_parser = depth, help_heading = "Games")]
    match_depth: Option<Depth>,
    /// Games of each pair of engines, an even number [default: all three-move ballots with both colours; in mtdfix
    /// those of two moves, but for mtdfix against mtdf, with pruning or without; in levels 400; in odds 100; in time
    /// 10 for each clock]
    #[arg(long, value_name = "N", value_parser = games(1_000_000), help_heading = "Games")]
    pub games: Option<u64>,
    /// Keep the games in this folder, and continue those that are there [default: none; with --pairing or --paper
    /// mtdfix-games]
    #[arg(long, value_name = "FOLDER", help_heading = "Games")]
    pub journals: Option<PathBuf>,
    /// Games at once [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1_000), help_heading = "Games")]
    concurrency: Option<u16>,
    /// Seed of the openings and of the choices of levels in levels and odds, or of the games with --find [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX), help_heading = "Games")]
    pub seed: Option<u32>,
    /// In mtdfix: only find this many positions in which MTD(f) plays a wrong move and MTDfix does not
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
        first_unused(&all, used)
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

    /// Maximum depth of the matches, if it is given.
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
