//! How losing moves are written.

use super::args::LossesArgs;
use crate::cli::progress::counted;
use crate::cli::study::batch::{Sink, Target, files};
use crate::cli::study::input::Games;
use crate::cli::{Failure, error, say};
use damier::analysis::journal::{Journal, Record};
use damier::analysis::losses::LosingMoveObject;
use damier::analysis::mine::Seen;
use damier::engine::Options;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, Write};

/// What was found out about a game.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Verdict {
    /// Whether it was lost, by the player who was asked for.
    pub lost: bool,
    /// The move that lost it, where there is one.
    pub found: Option<LosingMoveObject>,
}

impl Verdict {
    fn of(record: &Record) -> Result<Verdict, Failure> {
        serde_json::from_str(record.json.as_deref().unwrap_or_default()).map_err(error)
    }
}

pub(super) struct Output<'a> {
    out: Option<Target<'a>>,
    inputs: Vec<String>,
    json: bool,
    player: Option<&'a str>,
    seen: Seen,
    /// Found so far, some of them perhaps alike.
    found: u64,
    /// Games lost.
    lost: u64,
    /// Moves written.
    written: u64,
}

impl Output<'_> {
    pub fn new<'a>(args: &'a LossesArgs, games: &Games) -> Output<'a> {
        Output {
            out: args.target(),
            inputs: games.files.clone(),
            json: args.json,
            player: args.player.as_deref(),
            seen: Seen::default(),
            found: 0,
            lost: 0,
            written: 0,
        }
    }

    /// Writes the move of a game, if its position was not seen before.
    fn write(&mut self, out: &mut dyn Write, record: &Record) -> Result<(), Failure> {
        let verdict = Verdict::of(record)?;
        self.lost += u64::from(verdict.lost);
        let Some(found) = verdict.found else {
            return Ok(());
        };
        if !self.seen.insert(&found.position().map_err(error)?) {
            return Ok(());
        }
        self.written += 1;
        let text = match self.json {
            true => serde_json::to_string(&found).unwrap_or_default(),
            false => found.to_suite(),
        };
        Ok(writeln!(out, "{text}")?)
    }
}

impl Sink for Output<'_> {
    fn count(&mut self, record: &Record) -> String {
        let is_found = |verdict: Verdict| verdict.found.is_some();
        self.found += u64::from(Verdict::of(record).is_ok_and(is_found));
        format!(", {}", counted(self.found, "losing move"))
    }

    fn print(&mut self, record: &Record) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        self.write(&mut out, record)?;
        Ok(out.flush()?)
    }

    fn write_files(&mut self, journal: &mut Journal) -> Result<(), Failure> {
        let Some(out) = self.out else { return Ok(()) };
        let inputs = self.inputs.clone();
        out.write(&inputs, |out| {
            if !self.json {
                writeln!(out, "# A move to avoid in each position: it lost the game.")?;
            }
            for number in journal.games() {
                let record = journal.get(number)?.unwrap_or_default();
                self.write(out, &record)?;
            }
            Ok(())
        })
    }

    fn end(&mut self, games: u64) {
        let by = self
            .player
            .map_or(String::new(), |name| format!(" by {name}"));
        say(&format!(
            "{} in {} lost{by}; {} read",
            counted(self.written, "losing move"),
            counted(self.lost, "game"),
            counted(games, "game"),
        ));
    }
}

/// What a journal must agree on.
pub(super) fn settings(args: &LossesArgs, games: &Games, options: &Options) -> Value {
    json!({
        "command": "losses",
        "program": env!("CARGO_PKG_VERSION"),
        "inputs": args.inputs,
        "bytes": games.lengths,
        "player": args.player,
        "nodes": args.nodes,
        "margin": args.margin,
        "shard": args.shard.to_string(),
        "tt-size": args.tt_size,
        "weights": options.weights.display().to_string(),
        "bb-size": options.bb_size,
        "endgame-dir": options.endgame_dir.display().to_string(),
        "files": files(options),
        "search": options.search.to_string(),
    })
}
