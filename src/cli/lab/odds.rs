//! `damier experiment odds`.

use super::experiment::ExperimentArgs;
use crate::cli::{Failure, error, progress};
use damier::arena::level::GameLevel;
use damier::arena::schedule::openings::{self, OpeningSource};
use damier::arena::spec::EngineSpec;
use damier::lab::duel::{self, DuelError};
use damier::lab::experiment::Findings;
use damier::lab::experiment::odds::{Odds, OddsError};
use damier::os::signals::note_requests_to_end;
use std::fs;
use std::time::Duration;

/// Time of a move, and games of a match.
const MOVE_TIME: Duration = Duration::from_millis(100);
const GAMES: u64 = 100;
/// Nodes of a move in the quick form, and games of a match.
const QUICK: (u64, u64) = (2_000, 20);

/// The arguments about games that it uses.
pub const USED: &[&str] = &[
    "--move-time",
    "--nodes",
    "--games",
    "--journals",
    "--concurrency",
    "--seed",
];

/// Plays matches at odds: this program against a guest, or a guest against another.
pub fn play(args: &ExperimentArgs) -> Result<Findings, Failure> {
    let guests = args.levels.guests()?;
    let engines: [EngineSpec; 2] = match <[EngineSpec; 2]>::try_from(guests) {
        Ok(two) => two,
        Err(guests) => match <[EngineSpec; 1]>::try_from(guests) {
            Ok([guest]) => {
                let program = std::env::current_exe().map_err(error)?;
                [duel::this_engine(&program), guest]
            }
            Err(_) => {
                let message = "`experiment odds` needs an opponent: give one --guest, or two, of which the first gets \
                               the odds";
                return Err(Failure::Usage(message.to_owned()));
            }
        },
    };
    let source = args.file.clone();
    let source = source.map_or(OpeningSource::ThreeMove, OpeningSource::from);
    let loaded = openings::load_up_to(&source, None, args.text.encoding);
    let (openings, encoding) = loaded.map_err(error)?;
    args.text.print_note(&source, encoding);
    let openings = openings::distinct(openings);
    let matches = &args.matches;
    if let Some(folder) = &matches.journals {
        fs::create_dir_all(folder).map_err(|why| error(format!("{}: {why}", folder.display())))?;
    }
    let (level, games) = match args.quick {
        true => (GameLevel::Nodes(QUICK.0), QUICK.1),
        false => (GameLevel::MoveTime(MOVE_TIME), GAMES),
    };
    let odds = Odds {
        engines,
        level: matches.level()?.unwrap_or(level),
        openings,
        games: matches.games.unwrap_or(games),
        folder: matches.journals.clone(),
        concurrency: matches.concurrency(),
        seed: matches.seed.unwrap_or(1),
    };
    note_requests_to_end();
    let bar = progress::bar(0, "games");
    let found = odds.play(&mut |title, done, total| {
        bar.set_message(title.to_owned());
        progress::show(&bar, done, total);
    });
    bar.finish_and_clear();
    found.map_err(|why| match why {
        OddsError::Duel(DuelError::Spec(_)) | OddsError::Level(_) => {
            Failure::Usage(format!("--guest: {why}"))
        }
        OddsError::Repeats(..) => Failure::Usage(why.to_string()),
        OddsError::Duel(_) => error(why),
    })
}
