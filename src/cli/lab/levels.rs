//! `damier experiment levels`.

use super::matches::MatchesArgs;
use crate::cli::{Failure, error, progress};
use damier::arena::spec::{self, EngineSpec};
use damier::lab::duel::DuelError;
use damier::lab::experiment::Findings;
use damier::lab::experiment::levels::Tournament;
use damier::os::signals::note_requests_to_end;
use std::fs;

/// Games of a pair of neighbours, and of a guest against a level.
const GAMES: u64 = 400;
const GUEST_GAMES: u64 = 40;
/// Games of a pair of neighbours in the quick form, which has no guests but those that are given.
const QUICK_GAMES: u64 = 10;

/// The other engines of the experiments levels, odds and mtdfix.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct LevelsArgs {
    /// Another engine, described as for `damier match`; may be repeated. In levels it is placed on the ladder and needs
    /// a level of its own; in odds it is the opponent, and of two guests the first gets the odds; in mtdfix it plays in
    /// the pairs of --pairing that have its name
    #[arg(
        long,
        value_name = "DESCRIPTION",
        help_heading = "Levels, odds and mtdfix"
    )]
    guest: Vec<String>,
}

impl LevelsArgs {
    /// An option that is given, which other experiments have no use for.
    pub fn given(&self) -> Option<&'static str> {
        (!self.guest.is_empty()).then_some("--guest")
    }

    /// The other engines.
    pub fn guests(&self) -> Result<Vec<EngineSpec>, Failure> {
        let guest = |text: &String| {
            spec::parse(text).map_err(|why| Failure::Usage(format!("--guest '{text}': {why}")))
        };
        self.guest.iter().map(guest).collect()
    }

    /// Plays the tournament.
    pub fn play(&self, matches: &MatchesArgs, quick: bool) -> Result<Findings, Failure> {
        let guests = self.guests()?;
        if let Some(folder) = &matches.journals {
            fs::create_dir_all(folder)
                .map_err(|why| error(format!("{}: {why}", folder.display())))?;
        }
        let (games, guest_games) = match quick {
            true => (QUICK_GAMES, if guests.is_empty() { 0 } else { QUICK_GAMES }),
            false => (GAMES, GUEST_GAMES),
        };
        let tournament = Tournament {
            program: std::env::current_exe().map_err(error)?,
            games: matches.games.unwrap_or(games),
            guest_games,
            guests,
            folder: matches.journals.clone(),
            concurrency: matches.concurrency(),
            seed: matches.seed.unwrap_or(1),
        };
        note_requests_to_end();
        let bar = progress::bar(0, "games");
        let found = tournament.play(&mut |title, done, total| {
            bar.set_message(title.to_owned());
            progress::show(&bar, done, total);
        });
        bar.finish_and_clear();
        found.map_err(|why| match why {
            DuelError::NoLevel(_) | DuelError::Spec(_) => Failure::Usage(format!("--guest: {why}")),
            why => error(why),
        })
    }
}
