//! `damier losses`.

mod args;
mod output;

use super::batch::Batch;
use super::input::Games;
use crate::cli::Failure;
pub(in crate::cli) use args::LossesArgs;
use damier::analysis::Stop;
use damier::analysis::batch::Task;
use damier::analysis::journal::Record;
use damier::analysis::losses::{Finder, loser};
use damier::board::Color;
use damier::notation::pdn::{Game, Outcome};
use output::{Output, Verdict};
use serde_json::json;

/// Finds the moves that lost.
pub(in crate::cli) fn run(args: &LossesArgs) -> Result<(), Failure> {
    let games = Games::open(&args.inputs, None)?;
    let work = |finder: &mut Finder, task: &Task, stop: &Stop| {
        let players = Players::of(&task.game, args.player.as_deref());
        let loser = loser(&task.game);
        let mut verdict = Verdict {
            is_over: task.game.result != Outcome::Unknown || loser.is_some(),
            is_of_player: players.white || players.black,
            is_lost: loser.is_some_and(|color| players.includes(color)),
            found: None,
        };
        if verdict.is_lost {
            let found = finder.find(&task.game, stop)?;
            verdict.found = found.map(|found| found.to_json(task.number, &task.game));
        }
        Ok(Record {
            game: task.number,
            json: Some(
                serde_json::to_string(&verdict)
                    .unwrap_or_else(|error| unreachable!("plain data: {error}")),
            ),
            ..Record::default()
        })
    };
    let mut sink = Output::new(args, &games);
    let batch = Batch {
        command: "losses",
        games,
        args: &args.batch,
        outputs: args.target().into_iter().collect(),
        options: args.options()?,
        uses_book: false,
        settings: json!({
            "player": args.player,
            "nodes": args.nodes,
            "margin": args.margin,
        }),
    };
    let make = |options, tables| Finder::with_tables(options, args.settings(), tables);
    batch.run(make, &work, &mut sink)
}

/// Whose losses count in a game.
struct Players {
    white: bool,
    black: bool,
}

impl Players {
    /// Those of this name; without a name, both.
    fn of(game: &Game, name: Option<&str>) -> Players {
        let lower = |text: &str| text.trim().to_lowercase();
        let is_it = |tag: &str| {
            name.is_none_or(|name| game.tag(tag).is_some_and(|it| lower(it) == lower(name)))
        };
        Players {
            white: is_it("White"),
            black: is_it("Black"),
        }
    }

    fn includes(&self, color: Color) -> bool {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}
