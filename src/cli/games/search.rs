//! `damier games search`.

use super::filter::GamesArgs;
use super::line;
use crate::cli::shared_args::whole;
use crate::cli::{Command, Failure, GivenOptions, print_json, progress};
use damier::base::{Order, Search};
use std::io::{self, Write};

/// Find games by player, result, date, event, opening, material or position, or by several of them
///
/// Example: damier games search --base my.games --player sijbrands --result win --moves "32-28 19-23"
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct SearchArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Maximum number of games to list; all games found are counted
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<usize>(0..))]
    limit: usize,
    /// List the newest games first
    #[arg(long)]
    newest: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Command for SearchArgs {
    const NAME: &'static str = "search";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let order = if self.newest {
            Order::Newest
        } else {
            Order::Stored
        };
        let search = Search {
            order,
            ..self.games.search()?
        };
        let found = self.games.base.open()?.list(&search, 0..self.limit)?;
        if self.json {
            return print_json(&found);
        }
        let mut out = io::stdout().lock();
        for game in &found.games {
            write!(out, "{}", line(&game.header))?;
            match (game.ply, &game.next) {
                (Some(ply), Some(next)) => writeln!(out, "; move {} {next}", ply / 2 + 1)?,
                (Some(_), None) => writeln!(out, "; its last position")?,
                (None, _) => writeln!(out)?,
            }
        }
        write!(
            out,
            "{} found",
            progress::counted(found.found as u64, "game")
        )?;
        match found.found - found.games.len() {
            0 => writeln!(out)?,
            _ => writeln!(out, ", the first {} listed", found.games.len())?,
        }
        Ok(out.flush()?)
    }
}
