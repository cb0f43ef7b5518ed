//! How losing moves are written.

use super::{HEADER, LossesArgs};
use crate::cli::progress::counted;
use crate::cli::study::list::ListedKind;
use crate::cli::{Failure, error, json, warn};
use damier::analysis::Seen;
use damier::analysis::losses::LosingMoveObject;
use damier::notation::moves;
use serde::{Deserialize, Serialize};
use std::io::Write;

/// What was found out about a game.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct LossRecord {
    /// Whether it has a result, or ended on the board.
    pub is_over: bool,
    /// Whether it is one of the player who was asked for.
    pub is_of_player: bool,
    /// Whether it was lost by that player, or by anybody if none was asked for.
    pub is_lost: bool,
    /// The move that lost it, where there is one.
    pub found: Option<LosingMoveObject>,
}

pub(super) struct LosingMoves<'a> {
    json: bool,
    player: Option<&'a str>,
    seen: Seen,
    games_of_player: u64,
    lost_games: u64,
    /// Games without a result.
    open_games: u64,
    /// Moves written.
    written: u64,
}

impl LosingMoves<'_> {
    pub fn new(args: &LossesArgs) -> LosingMoves<'_> {
        LosingMoves {
            json: args.json,
            player: args.player.as_deref(),
            seen: Seen::default(),
            games_of_player: 0,
            lost_games: 0,
            open_games: 0,
            written: 0,
        }
    }
}

impl ListedKind for LosingMoves<'_> {
    type Found = LossRecord;
    const THING: &'static str = "losing move";

    fn header(&self) -> Option<&'static str> {
        (!self.json).then_some(HEADER)
    }

    fn count(verdict: &LossRecord) -> u64 {
        verdict.found.is_some().into()
    }

    fn write(&mut self, out: &mut dyn Write, verdict: LossRecord) -> Result<(), Failure> {
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
            true => json(&found),
            false => found.to_suite(),
        };
        Ok(writeln!(out, "{text}")?)
    }

    fn end(&self, games: u64) -> Result<(), Failure> {
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
        warn(&format!(
            "{} in {}, of {} read{open}",
            counted(self.written, "losing move"),
            counted(self.lost_games, "lost game"),
            counted(games, "game"),
        ));
        Ok(())
    }
}
