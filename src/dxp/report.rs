//! Reports events, one line each, as text or JSON.

use super::play::{Conclusion, OwnResult, Play};
use crate::notation::{fen, moves};
use crate::rules::{Move, Position};
use crate::search::Detections;
use serde::Serialize;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::time::Duration;

/// An event to report.
pub(super) enum Notice<'a> {
    /// Listening at this address.
    Listening(SocketAddr),
    /// Connected, in either direction.
    Connected(SocketAddr),
    /// A game begins.
    Begins(&'a Play),
    /// A move was played.
    PlayedMove(PlayedMove<'a>),
    /// Moves were taken back.
    TakenBack(&'a Play),
    /// The other program sent a chat.
    Chat(&'a str),
    /// A game is over.
    Ended(&'a Play, &'a Conclusion, ResultCounts),
    /// The other program disconnected between games.
    Left,
    /// The conversation was aborted, for this reason.
    Parted(String),
}

/// A move in a game.
pub(super) struct PlayedMove<'a> {
    /// The game after the move.
    pub play: &'a Play,
    /// The position before.
    pub before: &'a Position,
    pub mv: Move,
    pub used: Duration,
    /// Whether this engine chose it.
    pub own: bool,
}

/// Counts of the results in a conversation.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ResultCounts {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub unknown: u32,
}

impl ResultCounts {
    pub fn count(&mut self, result: OwnResult) {
        let counter = match result {
            OwnResult::Won => &mut self.won,
            OwnResult::Drawn => &mut self.drawn,
            OwnResult::Lost => &mut self.lost,
            OwnResult::Unknown => &mut self.unknown,
        };
        *counter += 1;
    }
}

/// Writes notices.
pub(super) struct NoticeWriter<'a> {
    out: &'a mut dyn Write,
    json: bool,
}

impl<'a> NoticeWriter<'a> {
    pub fn new(out: &'a mut dyn Write, json: bool) -> NoticeWriter<'a> {
        NoticeWriter { out, json }
    }

    /// Writes a line and flushes it.
    pub fn write(&mut self, notice: &Notice<'_>) -> io::Result<()> {
        let line = if self.json {
            serde_json::to_string(&Object::new(notice)).map_err(io::Error::from)?
        } else {
            sentence(notice)
        };
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}

fn sentence(notice: &Notice<'_>) -> String {
    match notice {
        Notice::Listening(address) => format!("listening on {address}"),
        Notice::Connected(address) => format!("connected to {address}"),
        Notice::Begins(play) => begins(play),
        Notice::PlayedMove(moved) => moved.sentence(),
        Notice::TakenBack(play) => {
            let next = play.label(play.game.moves().len());
            format!("moves taken back; the game continues at {next}")
        }
        Notice::Chat(text) => format!("chat: {text}"),
        Notice::Ended(play, conclusion, results) => {
            let unknown = match results.unknown {
                0 => String::new(),
                games => format!(", {games} without a result"),
            };
            let ResultCounts {
                won, drawn, lost, ..
            } = results;
            let result = result(play, conclusion.result);
            let why = &conclusion.why;
            format!(
                "game {}: {result} ({why}); {won} won, {drawn} drawn, {lost} lost{unknown}",
                play.number
            )
        }
        Notice::Left => "the other program has left".to_owned(),
        Notice::Parted(why) => format!("the conversation is over: {why}"),
    }
}

fn begins(play: &Play) -> String {
    let [white, black] = &play.names;
    let time = match play.clocks.left(play.mine) {
        Some(time) => format!("{} each", clock(time)),
        None => "no clock".to_owned(),
    };
    let limit = play
        .limit
        .map_or(String::new(), |limit| format!(", {limit} moves"));
    let start = match *play.game.start() {
        start if start == Position::start() => String::new(),
        start => format!(", from {}", fen::format(&start)),
    };
    format!(
        "game {}: {white} (white) against {black} (black), {time}{limit}{start}",
        play.number
    )
}

fn result(play: &Play, result: OwnResult) -> String {
    let winner = match result {
        OwnResult::Won => play.mine,
        OwnResult::Lost => !play.mine,
        OwnResult::Drawn => return "draw".to_owned(),
        OwnResult::Unknown => return "no result".to_owned(),
    };
    format!("{} ({winner}) wins", play.names[winner.index()])
}

impl PlayedMove<'_> {
    fn sentence(&self) -> String {
        let play = self.play;
        let ply = play.game.moves().len() - 1;
        let side = self.before.turn();
        let label = play.label(ply);
        let text = moves::short(self.before, self.mv);
        let used = self.used.as_secs_f64();
        let left = play
            .clocks
            .left(side)
            .map_or(String::new(), |left| format!("{} left", clock(left)));
        let mut line = format!("{label:>7} {text:<9} {used:>7.2} s {left:>14}");
        if let Some((score, depth)) = self.own_search() {
            line.push_str(&format!("  {score:+.2} depth {depth}"));
        }
        if let Some(detections) = self.detections() {
            line.push_str(&format!(" detections {detections}"));
        }
        line.trim_end().to_owned()
    }

    /// Score in men for the side that moved, and depth, if this engine chose the move.
    fn own_search(&self) -> Option<(f64, u32)> {
        let report = self.play.last_report.as_ref().filter(|_| self.own)?;
        let men = report.score.men();
        (report.depth > 0).then_some((men, report.depth))
    }

    /// The inconsistencies of the search, if this engine chose the move and there were any.
    fn detections(&self) -> Option<Detections> {
        let report = self.play.last_report.as_ref().filter(|_| self.own)?;
        Some(report.detections).filter(|detections| detections.any())
    }

    fn object(&self) -> Object<'static> {
        let side = self.before.turn();
        let own_search = self.own_search();
        Object::Move {
            game: self.play.number,
            ply: self.play.game.moves().len(),
            color: side.to_string(),
            mv: self.mv.to_string(),
            time: seconds(self.used),
            left: self.play.clocks.left(side).map(seconds),
            score: own_search.map(|(score, _)| score),
            depth: own_search.map(|(_, depth)| depth),
            detections: self.detections().map(|detections| detections.to_string()),
        }
    }
}

/// A notice as JSON. Times are in seconds, scores in men for the side that moved.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Object<'a> {
    Listening {
        address: String,
    },
    Connected {
        address: String,
    },
    Game {
        game: u32,
        white: String,
        black: String,
        color: String,
        time: Option<f64>,
        moves: Option<u16>,
        fen: String,
    },
    Move {
        game: u32,
        ply: usize,
        color: String,
        #[serde(rename = "move")]
        mv: String,
        time: f64,
        left: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        score: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        depth: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        detections: Option<String>,
    },
    TakenBack {
        game: u32,
        ply: usize,
    },
    Chat {
        text: &'a str,
    },
    Result {
        game: u32,
        result: &'static str,
        reason: &'a str,
        won: u32,
        drawn: u32,
        lost: u32,
        unknown: u32,
    },
    Left,
    Parted {
        reason: &'a str,
    },
}

impl<'a> Object<'a> {
    fn new(notice: &'a Notice<'_>) -> Object<'a> {
        match notice {
            Notice::Listening(address) => Object::Listening {
                address: address.to_string(),
            },
            Notice::Connected(address) => Object::Connected {
                address: address.to_string(),
            },
            Notice::Begins(play) => Object::game(play),
            Notice::PlayedMove(moved) => moved.object(),
            Notice::TakenBack(play) => Object::TakenBack {
                game: play.number,
                ply: play.game.moves().len(),
            },
            Notice::Chat(text) => Object::Chat { text },
            Notice::Ended(play, conclusion, results) => Object::Result {
                game: play.number,
                result: match conclusion.result {
                    OwnResult::Won => "win",
                    OwnResult::Drawn => "draw",
                    OwnResult::Lost => "loss",
                    OwnResult::Unknown => "unknown",
                },
                reason: &conclusion.why,
                won: results.won,
                drawn: results.drawn,
                lost: results.lost,
                unknown: results.unknown,
            },
            Notice::Left => Object::Left,
            Notice::Parted(reason) => Object::Parted { reason },
        }
    }

    fn game(play: &Play) -> Object<'static> {
        let [white, black] = play.names.each_ref().map(ToString::to_string);
        Object::Game {
            game: play.number,
            white,
            black,
            color: play.mine.to_string(),
            time: play.clocks.left(play.mine).map(seconds),
            moves: play.limit,
            fen: fen::format(play.game.start()),
        }
    }
}

/// Rounds to milliseconds.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// `3:00.0`.
fn clock(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_minutes_seconds_and_tenths() {
        for (millis, text) in [
            (0, "0:00.0"),
            (59_990, "0:59.9"),
            (180_000, "3:00.0"),
            (59_940_000, "999:00.0"),
        ] {
            assert_eq!(clock(Duration::from_millis(millis)), text);
        }
    }
}
