//! How losing moves are written.

use super::args::{HEADER, LossesArgs};
use crate::cli::progress::counted;
use crate::cli::study::batch::{Sink, Target};
use crate::cli::study::input::Games;
use crate::cli::{Failure, error, say};
use damier::analysis::Seen;
use damier::analysis::journal::{Journal, Record};
use damier::analysis::losses::LosingMoveObject;
use damier::notation::moves;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// What was found out about a game.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Verdict {
    /// Whether it has a result, or ended on the board.
    pub is_over: bool,
    /// Whether it is one of the player who was asked for.
    pub is_of_player: bool,
    /// Whether it was lost by that player, or by anybody if none was asked for.
    pub is_lost: bool,
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
    games_of_player: u64,
    lost_games: u64,
    /// Games without a result.
    open_games: u64,
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
            games_of_player: 0,
            lost_games: 0,
            open_games: 0,
            written: 0,
        }
    }

    /// Writes the move of a game, if it was not given before.
    fn write(&mut self, out: &mut dyn Write, record: &Record) -> Result<(), Failure> {
        let verdict = Verdict::of(record)?;
        self.games_of_player += u64::from(verdict.is_of_player);
        self.lost_games += u64::from(verdict.is_lost);
        self.open_games += u64::from(!verdict.is_over);
        let Some(found) = verdict.found else {
            return Ok(());
        };
        // Known by where it led: another move from the same position is another one.
        let position = found.position().map_err(error)?;
        let played = found.played.first().map_or("", String::as_str);
        let mv = moves::parse(&position, played).map_err(error)?;
        if !self.seen.insert(&position.play(mv)) {
            return Ok(());
        }
        self.written += 1;
        let text = match self.json {
            true => serde_json::to_string(&found)
                .unwrap_or_else(|error| unreachable!("plain data: {error}")),
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
                writeln!(out, "{HEADER}")?;
            }
            for number in journal.games() {
                let record = journal.get(number)?.unwrap_or_default();
                self.write(out, &record)?;
            }
            Ok(())
        })
    }

    fn end(&mut self, games: u64) -> Result<(), Failure> {
        if let Some(player) = self.player
            && self.games_of_player == 0
        {
            let of = counted(games, "game");
            return Err(error(format!(
                "no game of {player:?} in {of}: see the tags White and Black"
            )));
        }
        let open = match self.open_games {
            0 => String::new(),
            open => format!(", {open} of them without a result"),
        };
        say(&format!(
            "{} in {}, of {} read{open}",
            counted(self.written, "losing move"),
            counted(self.lost_games, "lost game"),
            counted(games, "game"),
        ));
        Ok(())
    }
}
