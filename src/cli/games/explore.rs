//! `damier games explore`.

use super::filter::GamesArgs;
use super::results;
use crate::cli::{Command, Failure, GivenOptions, print_json};
use damier::base::Explored;
use damier::rules::Position;
use std::io::{self, Write};

/// Count what was played in a position and how it scored
///
/// Example: damier games explore --base my.games --moves "32-28 19-23" --from 2000
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ExploreArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Command for ExploreArgs {
    const NAME: &'static str = "explore";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let position = self.games.position.position()?;
        let position = position.unwrap_or_else(Position::start);
        let base = self.games.base.open()?;
        let explored = base.explore(&self.games.filter.search()?, &position)?;
        match self.json {
            true => print_json(&explored),
            false => Ok(print_table(&explored)?),
        }
    }
}

fn print_table(explored: &Explored) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}\n{}", explored.fen, results(&explored.tally))?;
    if !explored.moves.is_empty() {
        writeln!(
            out,
            "move        games    white    drawn    black   score  last"
        )?;
    }
    for explored in &explored.moves {
        let tally = &explored.tally;
        let score = explored
            .score
            .map_or("-".to_owned(), |score| format!("{:.1} %", 100.0 * score));
        let last = tally.last.map_or(String::new(), |day| {
            format!("{day}, game {}", explored.last_game.unwrap_or(0))
        });
        let line = format!(
            "{:<9} {:>7}  {:>7}  {:>7}  {:>7}  {score:>6}  {last}",
            explored.text, tally.games, tally.white, tally.draws, tally.black
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    out.flush()
}
