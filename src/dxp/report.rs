//! What happens, on one line each: for a person, or as JSON.

use super::play::{Outcome, Play, Verdict};
use crate::notation::{fen, moves};
use crate::rules::{Move, Position};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::time::Duration;

/// Something that happened.
pub(super) enum Event<'a> {
    /// Programs can connect there.
    Listening(SocketAddr),
    /// One has, or this one has.
    Connected(SocketAddr),
    /// A game begins.
    Begins(&'a Play),
    /// A move was played.
    Moved(Moved<'a>),
    /// Moves were taken back.
    TakenBack(&'a Play),
    /// The other program chats.
    Chat(&'a str),
    /// A game is over.
    Ended(&'a Play, &'a Verdict, Tally),
    /// The other program has left, as is its right.
    Left,
    /// The conversation came to a bad end.
    Parted(String),
}

/// A move that was played.
pub(super) struct Moved<'a> {
    /// The game, the move being its last one.
    pub play: &'a Play,
    /// The position before.
    pub before: &'a Position,
    pub mv: Move,
    pub used: Duration,
    /// Whether the own engine found it.
    pub own: bool,
}

/// Games of a conversation by what they came to.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub unknown: u32,
}

impl Tally {
    pub fn count(&mut self, outcome: Outcome) {
        let counter = match outcome {
            Outcome::Won => &mut self.won,
            Outcome::Drawn => &mut self.drawn,
            Outcome::Lost => &mut self.lost,
            Outcome::Unknown => &mut self.unknown,
        };
        *counter += 1;
    }
}

/// Writes events.
pub(super) struct Report<'a> {
    out: &'a mut dyn Write,
    json: bool,
}

impl<'a> Report<'a> {
    pub fn new(out: &'a mut dyn Write, json: bool) -> Report<'a> {
        Report { out, json }
    }

    /// Writes a line, at once.
    pub fn tell(&mut self, event: &Event<'_>) -> io::Result<()> {
        let line = if self.json {
            object(event).to_string()
        } else {
            sentence(event)
        };
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}

fn sentence(event: &Event<'_>) -> String {
    match event {
        Event::Listening(address) => format!("listening on {address}"),
        Event::Connected(address) => format!("connected with {address}"),
        Event::Begins(play) => begins(play),
        Event::Moved(moved) => moved.sentence(),
        Event::TakenBack(play) => {
            let next = play.label(play.game.moves().len());
            format!("moves taken back: {next} is to be played again")
        }
        Event::Chat(text) => format!("chat: {text}"),
        Event::Ended(play, verdict, tally) => {
            let unknown = match tally.unknown {
                0 => String::new(),
                games => format!(", {games} without a result"),
            };
            let Tally {
                won, drawn, lost, ..
            } = tally;
            let result = result(play, verdict.outcome);
            let why = &verdict.why;
            format!(
                "game {}: {result} ({why}); {won} won, {drawn} drawn, {lost} lost{unknown}",
                play.number
            )
        }
        Event::Left => "the other program has left".to_owned(),
        Event::Parted(why) => format!("the conversation is over: {why}"),
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

fn result(play: &Play, outcome: Outcome) -> String {
    let winner = match outcome {
        Outcome::Won => play.mine,
        Outcome::Lost => !play.mine,
        Outcome::Drawn => return "draw".to_owned(),
        Outcome::Unknown => return "no result".to_owned(),
    };
    format!("{} ({winner}) wins", play.names[winner.index()])
}

impl Moved<'_> {
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
        if let Some((score, depth)) = self.thought() {
            line.push_str(&format!("  {score:+.2} depth {depth}"));
        }
        line.trim_end().to_owned()
    }

    /// Score in men for the side that moved, and depth, where the engine searched.
    fn thought(&self) -> Option<(f64, u32)> {
        let report = self.play.thought.as_ref().filter(|_| self.own)?;
        let men = f64::from(report.score.centimen()) / 100.0;
        (report.depth > 0).then_some((men, report.depth))
    }

    fn object(&self) -> Value {
        let side = self.before.turn();
        let left = self.play.clocks.left(side).map(seconds);
        let mut object = json!({
            "event": "move", "game": self.play.number, "ply": self.play.game.moves().len(), "color": side.to_string(),
            "move": self.mv.to_string(), "time": seconds(self.used), "left": left,
        });
        if let Some((score, depth)) = self.thought() {
            object["score"] = json!(score);
            object["depth"] = json!(depth);
        }
        object
    }
}

fn object(event: &Event<'_>) -> Value {
    match event {
        Event::Listening(address) => json!({"event": "listening", "address": address.to_string()}),
        Event::Connected(address) => json!({"event": "connected", "address": address.to_string()}),
        Event::Begins(play) => {
            let [white, black] = play.names.each_ref().map(ToString::to_string);
            json!({
                "event": "game", "game": play.number, "white": white, "black": black, "color": play.mine.to_string(),
                "time": play.clocks.left(play.mine).map(seconds), "moves": play.limit, "fen": fen::format(play.game.start()),
            })
        }
        Event::Moved(moved) => moved.object(),
        Event::TakenBack(play) => {
            json!({"event": "taken-back", "game": play.number, "ply": play.game.moves().len()})
        }
        Event::Chat(text) => json!({"event": "chat", "text": text}),
        Event::Ended(play, verdict, tally) => {
            let outcome = match verdict.outcome {
                Outcome::Won => "win",
                Outcome::Drawn => "draw",
                Outcome::Lost => "loss",
                Outcome::Unknown => "unknown",
            };
            json!({
                "event": "result", "game": play.number, "result": outcome, "reason": verdict.why,
                "won": tally.won, "drawn": tally.drawn, "lost": tally.lost, "unknown": tally.unknown,
            })
        }
        Event::Left => json!({"event": "left"}),
        Event::Parted(why) => json!({"event": "parted", "reason": why}),
    }
}

/// Rounded to milliseconds.
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
