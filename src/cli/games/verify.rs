//! `damier games verify`.

use super::{BaseArgs, shown};
use crate::cli::{Command, Failure, GivenOptions, error, print, print_json, progress};
use damier::os::signals::{asked_to_end, note_requests_to_end};
use serde_json::json;

/// Check all of a base: its structure, and that every game can be played
///
/// Example: damier games verify --base my.games
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct VerifyArgs {
    #[command(flatten)]
    base: BaseArgs,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Command for VerifyArgs {
    const NAME: &'static str = "verify";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let base = self.base.open()?;
        note_requests_to_end();
        let bar = progress::bar(0, "games");
        let checked = base.check(&mut |done, total| {
            progress::show(&bar, done, total);
            !asked_to_end()
        });
        bar.finish_and_clear();
        let games = checked?;
        if asked_to_end() {
            return Err(error(format!(
                "stopped after {}",
                progress::counted(games, "sound game")
            )));
        }
        match self.json {
            true => print_json(&json!({ "base": base.path().to_string_lossy(), "games": games })),
            false => print(&format!(
                "{}: sound, {}",
                shown(base.path()),
                progress::counted(games, "game")
            )),
        }
    }
}
