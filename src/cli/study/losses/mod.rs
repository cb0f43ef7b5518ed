//! `damier losses`.

mod args;
mod output;

use super::batch::Batch;
use super::input::Games;
use crate::cli::endgame::EngineProblems;
use crate::cli::{Failure, error};
pub(in crate::cli) use args::LossesArgs;
use damier::analysis::Stop;
use damier::analysis::batch::Task;
use damier::analysis::journal::Record;
use damier::analysis::losses::{Finder, loser};
use damier::board::Color;
use damier::engine::Engine;
use damier::notation::pdn::Game;
use output::{Output, Verdict};
use std::sync::Arc;

/// Finds the moves that lost.
pub(in crate::cli) fn run(args: &LossesArgs) -> Result<(), Failure> {
    let games = Games::open(&args.inputs, None)?;
    let options = args.options()?;
    let outputs = args.target().into_iter().collect::<Vec<_>>();
    Batch::check(&games, &args.inputs, &outputs)?;
    let engine = Engine::new(options.clone()).map_err(error)?;
    let make = || {
        Finder::with_tables(
            options.clone(),
            args.settings(),
            Arc::clone(engine.tables()),
        )
    };
    let finders = (0..args.workers.count()).map(|_| make());
    let finders: Vec<Finder> = finders.collect::<Result<_, _>>().map_err(error)?;
    let work = |finder: &mut Finder, task: &Task, stop: &Stop| {
        let mut verdict = Verdict::default();
        if is_lost(&task.game, args.player.as_deref()) {
            let found = finder.find(&task.game, stop)?;
            verdict.lost = true;
            verdict.found = found.map(|found| found.to_json(task.number, &task.game));
        }
        Some(Record {
            game: task.number,
            json: Some(serde_json::to_string(&verdict).unwrap_or_default()),
            ..Record::default()
        })
    };
    let mut sink = Output::new(args, &games);
    let batch = Batch {
        settings: output::settings(args, &games, &options),
        games,
        shard: &args.shard,
        outputs,
        problems: EngineProblems::of(&engine),
    };
    batch.run(finders, &work, &mut sink)
}

/// Whether this player lost the game; without a name, whether anybody did.
fn is_lost(game: &Game, player: Option<&str>) -> bool {
    let Some(loser) = loser(game) else {
        return false;
    };
    let tag = match loser {
        Color::White => "White",
        Color::Black => "Black",
    };
    let lower = |text: &str| text.trim().to_lowercase();
    player.is_none_or(|player| {
        game.tag(tag)
            .is_some_and(|name| lower(name) == lower(player))
    })
}
