//! `damier experiment levels`.

use crate::cli::shared_args::whole;
use crate::cli::{Failure, error, progress};
use damier::lab::arena::spec;
use damier::lab::experiment::Findings;
use damier::lab::experiment::levels::{Tournament, TournamentError};
use damier::lab::note_requests_to_end;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Games of a pair of neighbours, and of a guest against a level.
const GAMES: u64 = 400;
const GUEST_GAMES: u64 = 40;
/// Games of a pair of neighbours in the quick form, which has no guests but those that are given.
const QUICK_GAMES: u64 = 10;

/// The arguments of this experiment alone.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct LevelsArgs {
    /// Games of each pair of neighbours, an even number [default: 400; with --quick 10]
    #[arg(long, value_name = "N", value_parser = games, help_heading = "Levels")]
    games: Option<u64>,
    /// Another engine to place on the ladder, described as for `damier match`, with a level of its own; several times
    #[arg(long, value_name = "DESCRIPTION", help_heading = "Levels")]
    guest: Vec<String>,
    /// Keep what is played in this folder, and continue a tournament that is there
    #[arg(long, value_name = "FOLDER", help_heading = "Levels")]
    journals: Option<PathBuf>,
    /// Games at once
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1_000), help_heading = "Levels")]
    concurrency: Option<u16>,
    /// Seed of the openings and of the levels' choices [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX), help_heading = "Levels")]
    seed: Option<u32>,
}

impl LevelsArgs {
    /// One that is given, which other experiments have no use for.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            ("--games", self.games.is_some()),
            ("--guest", !self.guest.is_empty()),
            ("--journals", self.journals.is_some()),
            ("--concurrency", self.concurrency.is_some()),
            ("--seed", self.seed.is_some()),
        ];
        all.into_iter()
            .find(|(_, given)| *given)
            .map(|(name, _)| name)
    }

    /// Plays the tournament.
    pub fn play(&self, quick: bool) -> Result<Findings, Failure> {
        let guest = |text: &String| {
            spec::parse(text).map_err(|why| Failure::Usage(format!("--guest '{text}': {why}")))
        };
        let guests = self
            .guest
            .iter()
            .map(guest)
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(folder) = &self.journals {
            fs::create_dir_all(folder)
                .map_err(|why| error(format!("{}: {why}", folder.display())))?;
        }
        let (games, guest_games) = match quick {
            true => (QUICK_GAMES, if guests.is_empty() { 0 } else { QUICK_GAMES }),
            false => (GAMES, GUEST_GAMES),
        };
        let tournament = Tournament {
            program: std::env::current_exe().map_err(error)?,
            games: self.games.unwrap_or(games),
            guest_games,
            guests,
            folder: self.journals.clone(),
            concurrency: self
                .concurrency
                .and_then(|n| NonZeroUsize::new(n.into()))
                .unwrap_or(NonZeroUsize::MIN),
            seed: self.seed.unwrap_or(1),
        };
        note_requests_to_end();
        let bar = progress::bar(0, "games");
        let found = tournament.play(&mut |title, done, total| {
            bar.set_message(title.to_owned());
            bar.set_length(total);
            bar.set_position(done);
        });
        bar.finish_and_clear();
        found.map_err(|why| match why {
            TournamentError::NoLevel(_) | TournamentError::Spec(_) => {
                Failure::Usage(format!("--guest: {why}"))
            }
            why => error(why),
        })
    }
}

fn games(text: &str) -> Result<u64, String> {
    let even = |n: &u64| *n > 0 && n.is_multiple_of(2) && *n <= 1_000_000;
    let games = text.parse().ok().filter(even);
    games.ok_or_else(|| "expected an even number from 2 to 1000000".to_owned())
}
