//! `damier endgame stat`.

use super::{folder, open};
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error, json};
use damier::endgame::Statistics;
use damier::notation::fen;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Show wins, draws, losses and checksum of each slice
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier endgame stat --dir tables --json")]
pub(in crate::cli) struct StatArgs {
    /// Folder of tables, used in addition to the built-in ones [default: endgame-dir]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print a JSON object for each slice
    #[arg(long)]
    pub json: bool,
}

impl Command for StatArgs {
    const NAME: &'static str = "stat";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[&["endgame-dir"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let tables = open(folder(self.dir.as_ref(), engine)?.as_deref())?;
        let mut out = io::stdout().lock();
        if !self.json {
            writeln!(
                out,
                "{:10} {:>13} {:>13} {:>13} {:>13} {:>11} {:>7} {:>8} {:>7}  longest win",
                "slice",
                "positions",
                "wins",
                "draws",
                "losses",
                "bytes",
                "bits",
                "checksum",
                "plies"
            )?;
        }
        for one in tables.statistics().map_err(error)? {
            if self.json {
                writeln!(out, "{}", json(&StatisticsJson::of(&one)))?;
                continue;
            }
            let positions = one.slice.positions();
            let (plies, longest) = one
                .longest
                .map_or(("-".to_owned(), String::new()), |longest| {
                    (longest.0.to_string(), fen::format(&longest.1))
                });
            writeln!(
                out,
                "{:10} {:13} {:13} {:13} {:13} {:11} {:7.3} {:08x} {plies:>7}  {longest}",
                one.slice.to_string(),
                positions,
                one.wins,
                one.draws,
                one.losses,
                one.bytes,
                one.bytes as f64 * 8.0 / positions as f64,
                one.checksum,
            )?;
        }
        Ok(out.flush()?)
    }
}

/// The statistics of a slice as JSON.
#[derive(Serialize)]
struct StatisticsJson {
    bytes: u64,
    checksum: String,
    draws: u64,
    enemy_kings: u8,
    enemy_men: u8,
    kings: u8,
    longest_fen: Option<String>,
    longest_win: Option<u32>,
    losses: u64,
    memory: u64,
    men: u8,
    positions: u64,
    slice: String,
    wins: u64,
}

impl StatisticsJson {
    fn of(one: &Statistics) -> StatisticsJson {
        let slice = one.slice;
        StatisticsJson {
            bytes: one.bytes,
            checksum: format!("{:08x}", one.checksum),
            draws: one.draws,
            enemy_kings: slice.enemy_kings,
            enemy_men: slice.enemy_men,
            kings: slice.kings,
            longest_fen: one.longest.map(|(_, position)| fen::format(&position)),
            longest_win: one.longest.map(|(plies, _)| plies),
            losses: one.losses,
            memory: one.bytes,
            men: slice.men,
            positions: slice.positions(),
            slice: slice.to_string(),
            wins: one.wins,
        }
    }
}
