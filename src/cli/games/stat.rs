//! `damier games stat`.

use super::filter::GamesArgs;
use super::results;
use crate::cli::shared_args::whole;
use crate::cli::{Command, Failure, GivenOptions, print, print_json, progress};
use damier::base::{Content, Tally};
use damier::notation::text::for_terminal;
use std::io::{self, Write};

/// Count the games of a base, or of a selection: results, players, dates
///
/// Example: damier games stat --base my.games
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct StatArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Number of players to list, those with the most games first
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>(0..))]
    players: usize,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Command for StatArgs {
    const NAME: &'static str = "stat";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let search = self.games.search()?;
        let base = self.games.base.open()?;
        if search.position.is_none() && self.games.filter.is_empty() {
            let content = base.content(self.players)?;
            return match self.json {
                true => print_json(&content),
                false => Ok(print_content(&content)?),
            };
        }
        let tally = base.tally(&search)?;
        match self.json {
            true => print_json(&tally),
            false => print(&format!("{}{}", results(&tally), days(&tally))),
        }
    }
}

/// The first and the last day, where there is one.
fn days(tally: &Tally) -> String {
    tally
        .first
        .zip(tally.last)
        .map_or(String::new(), |(first, last)| {
            format!("; {first} to {last}")
        })
}

fn print_content(content: &Content) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}{}", results(&content.tally), days(&content.tally))?;
    writeln!(
        out,
        "{} players, {} events, {} positions, {} bytes",
        content.players, content.events, content.positions, content.bytes
    )?;
    for collection in &content.collections {
        let games = progress::counted(collection.games, "game");
        writeln!(
            out,
            "collection {}: {games}",
            for_terminal(&collection.name)
        )?;
    }
    for file in &content.unfinished {
        writeln!(out, "import not finished: {}", for_terminal(file))?;
    }
    for player in &content.most {
        let name = for_terminal(&player.name);
        writeln!(
            out,
            "{:>7}  {name}: +{} ={} -{}",
            player.games, player.won, player.drawn, player.lost
        )?;
    }
    out.flush()
}
