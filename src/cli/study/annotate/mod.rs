//! `damier annotate`.

mod args;
mod output;

use super::batch::Batch;
use super::input::Games;
use crate::cli::Failure;
pub(in crate::cli) use args::AnnotateArgs;
use damier::analysis::Stop;
use damier::analysis::annotate::{AnnotatedGame, Annotator};
use damier::analysis::batch::Task;
use damier::analysis::journal::Record;
use damier::engine::Level;
use output::Output;
use serde_json::json;

/// Annotates.
pub(in crate::cli) fn run(args: &AnnotateArgs) -> Result<(), Failure> {
    let games = Games::open(&args.inputs, args.moves.as_deref())?.with_variations();
    let level = args.level();
    let by = by(level);
    let work = |annotator: &mut Annotator, task: &Task, stop: &Stop| {
        let annotated = annotator.annotate(&task.game, stop, &mut |_, _| {})?;
        Ok(record(args, &annotated, task, &by))
    };
    let mut sink = Output::new(args, &games);
    let batch = Batch {
        command: "annotate",
        games,
        args: &args.batch,
        outputs: args.targets().into_iter().flatten().collect(),
        options: args.options()?,
        uses_book: true,
        settings: json!({
            "moves": args.moves,
            "time": level.move_time,
            "nodes": level.nodes,
            "depth": level.depth,
            "book": !args.no_book,
            "out": args.out.is_some(),
            "html": args.html.is_some(),
            "json": args.json,
        }),
    };
    let make = |options, tables| {
        let annotator = Annotator::with_tables(options, level, tables)?;
        Ok(annotator.with_book(!args.no_book))
    };
    batch.run(make, &work, &mut sink)
}

/// Who annotated, for the tag.
fn by(level: Level) -> String {
    let limits = [
        level.move_time.map(|time| format!("{time} s")),
        level.nodes.map(|nodes| format!("{nodes} nodes")),
        level.depth.map(|depth| format!("depth {depth}")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    format!(
        "Damier {}, {} a position",
        env!("CARGO_PKG_VERSION"),
        limits.join(", ")
    )
}

/// What is written of a game, in each form that is wanted.
fn record(args: &AnnotateArgs, annotated: &AnnotatedGame, task: &Task, by: &str) -> Record {
    let pdn = || {
        let mut game = annotated.to_pdn(by);
        if let Some(problem) = &task.problem {
            let last = game.moves.last_mut().map(|mv| &mut mv.comment);
            let comment = last.unwrap_or(&mut game.comment);
            let text = format!("[not read on: {problem}]");
            *comment = Some(
                comment
                    .take()
                    .map_or(text.clone(), |old| format!("{old} {text}")),
            );
        }
        let mut text = Vec::new();
        // Writing to memory cannot fail.
        let _ = game.write(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    };
    let json = || {
        let object = annotated.to_json(task.number, task.problem.clone(), task.note.clone());
        serde_json::to_string(&object).unwrap_or_else(|error| unreachable!("plain data: {error}"))
    };
    let html = || {
        let notes = [task.problem.as_deref(), task.note.as_deref()];
        let notes: Vec<&str> = notes.into_iter().flatten().collect();
        (
            annotated.title(),
            annotated.to_html(task.number, by, &notes),
        )
    };
    let wants_pdn = args.out.is_some() || args.html.is_none() && !args.json;
    let players = ["White", "Black"].into_iter().zip(&annotated.players);
    let players = players.map(|(tag, player)| {
        let name = annotated.game.tag(tag).unwrap_or(tag);
        let judged = f64::from(player.judged);
        let accuracy = player.accuracy().unwrap_or_default();
        let counts = [player.dubious, player.mistakes, player.blunders].map(f64::from);
        (
            name.to_owned(),
            [
                judged,
                player.lost,
                accuracy * judged,
                counts[0],
                counts[1],
                counts[2],
            ],
        )
    });
    Record {
        game: task.number,
        pdn: wants_pdn.then(pdn),
        json: args.json.then(json),
        html: args.html.is_some().then(html),
        players: players.collect(),
        ..Record::default()
    }
}
