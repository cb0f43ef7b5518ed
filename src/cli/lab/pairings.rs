//! `damier experiment mtdfix` with chosen pairings.

use super::matches::MatchesArgs;
use crate::cli::shared_args::whole;
use crate::cli::{Failure, GivenOptions, progress};
use damier::analysis::losses::LossSettings;
use damier::arena::level::GameLevel;
use damier::arena::spec::{self, EngineSpec};
use damier::lab::experiment::mtdfix::pairings::{PAPER, Pairings};
use damier::lab::experiment::{Experiment, Findings, MatchConditions};
use damier::lab::{LabError, asked_to_end, note_requests_to_end};
use std::path::PathBuf;
use std::time::Duration;

/// Time of a move, as in the paper.
const MOVE_TIME: Duration = Duration::from_millis(100);
/// Folder of the journals.
const FOLDER: &str = "mtdfix-games";

/// The arguments of mtdfix alone.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct PairingsArgs {
    /// Play only this pair of players; may be repeated. Players: mtdfix, mtdf, mtdf-clear, mtdf-exact,
    /// mtdf-clear-exact, pvs, pvs-open (without aspiration), each of them with -unpruned added, weaker, stronger, and
    /// the names of --guest
    #[arg(long, value_name = "A:B", help_heading = "Mtdfix")]
    pairing: Vec<String>,
    /// Play only the pairs of the paper on MTDfix, at 0.1 s a move
    #[arg(long, conflicts_with = "pairing", help_heading = "Mtdfix")]
    paper: bool,
    /// The weaker opponent, described as for `damier match`, with a time or nodes of its own if you like [default: the
    /// hand-made evaluation]
    #[arg(long, value_name = "DESCRIPTION", help_heading = "Mtdfix")]
    weaker: Option<String>,
    /// The stronger opponent [default: pvs with four times the time]
    #[arg(long, value_name = "DESCRIPTION", help_heading = "Mtdfix")]
    stronger: Option<String>,
    /// Report the games in the journals, also those of a running match, without playing
    #[arg(long, help_heading = "Mtdfix")]
    report: bool,
    /// In the report, find the losing moves of games with a decisive detection, as `damier losses --nodes N` does
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..), help_heading = "Mtdfix")]
    losses: Option<u64>,
}

impl PairingsArgs {
    /// Whether pairings are chosen.
    pub fn are_chosen(&self) -> bool {
        self.paper || !self.pairing.is_empty()
    }

    /// An option that is given without a choice of pairings.
    pub fn unused(&self) -> Option<&'static str> {
        let all = [
            ("--pairing", !self.pairing.is_empty()),
            ("--paper", self.paper),
            ("--weaker", self.weaker.is_some()),
            ("--stronger", self.stronger.is_some()),
            ("--report", self.report),
            ("--losses", self.losses.is_some()),
        ];
        all.into_iter()
            .find(|(_, given)| *given)
            .map(|(name, _)| name)
    }

    /// Plays, or only reports.
    pub fn run(
        &self,
        matches: &MatchesArgs,
        guests: Vec<EngineSpec>,
        engine: &GivenOptions,
    ) -> Result<Findings, Failure> {
        let names = match self.paper {
            true => PAPER.map(|pair| pair.map(str::to_owned)).into(),
            false => self
                .pairing
                .iter()
                .map(|text| pairing(text))
                .collect::<Result<_, _>>()?,
        };
        let opponent = |option: &str, text: &Option<String>| {
            let read = |text: &String| {
                spec::parse(text).map_err(|why| Failure::Usage(format!("{option} '{text}': {why}")))
            };
            text.as_ref().map(read).transpose()
        };
        let usual =
            matches.conditions(Experiment::Mtdfix, false, GameLevel::MoveTime(MOVE_TIME))?;
        let pairings = Pairings {
            names,
            guests,
            weaker: opponent("--weaker", &self.weaker)?,
            stronger: opponent("--stronger", &self.stronger)?,
            engine: engine.options()?,
            conditions: MatchConditions {
                folder: usual.folder.or_else(|| Some(PathBuf::from(FOLDER))),
                ..usual
            },
        };
        pairings
            .check()
            .map_err(|why| Failure::Usage(why.to_string()))?;
        if !self.report {
            note_requests_to_end();
            let bar = progress::bar(0, "games");
            pairings.play(&mut |title, done, total| {
                bar.set_message(title.to_owned());
                progress::show(&bar, done as u64, total as u64);
                match asked_to_end() {
                    true => Err(LabError::Interrupted),
                    false => Ok(()),
                }
            })?;
            bar.finish_and_clear();
        }
        let losses = self.losses.map(|nodes| LossSettings {
            nodes,
            ..LossSettings::default()
        });
        Ok(pairings.report(losses)?)
    }
}

fn pairing(text: &str) -> Result<[String; 2], Failure> {
    match text.split_once(':') {
        Some((first, second)) => Ok([first.to_owned(), second.to_owned()]),
        None => Err(Failure::Usage(format!(
            "--pairing {text}: expected two players, such as mtdfix:mtdf"
        ))),
    }
}
