//! `damier games show`.

use super::BaseArgs;
use crate::cli::shared_args::whole;
use crate::cli::{Command, Failure, GivenOptions, json};
use damier::base::Header;
use serde::Serialize;
use std::io::{self, Write};

/// Print games as PDN, by their numbers
///
/// Example: damier games show 1 --base my.games
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ShowArgs {
    /// Numbers of games, as search lists them
    #[arg(value_name = "N", required = true, value_parser = whole::<i64>(1..))]
    games: Vec<i64>,
    #[command(flatten)]
    base: BaseArgs,
    /// Print a JSON object for each game
    #[arg(long)]
    json: bool,
}

/// What `games show --json` prints of a game.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    header: Header,
    pdn: String,
}

impl Command for ShowArgs {
    const NAME: &'static str = "show";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let base = self.base.open()?;
        let mut out = io::stdout().lock();
        for &game in &self.games {
            let pdn = base.pdn(game)?;
            match self.json {
                true => writeln!(
                    out,
                    "{}",
                    json(&Shown {
                        header: base.header(game)?,
                        pdn
                    })
                )?,
                false => writeln!(out, "{pdn}\n")?,
            }
        }
        Ok(out.flush()?)
    }
}
