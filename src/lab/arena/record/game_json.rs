//! Games as JSON, for the journal.
//!
//! A game is an object: `game` (its number from 0), `plies` (an array for each move: the move in full form, score, depth,
//! nodes, time in microseconds, overshoot in microseconds; null where it is not known), `won` (`white`, `black` or null),
//! `ending`, and `fault` where there is one.

use crate::board::Color;
use crate::lab::arena::record::{
    Ending, FaultKind, FaultRecord, GameId, GameOutcome, GameRecord, PlyRecord,
};
use crate::notation::{fen, moves};
use crate::rules::Position;
use serde_json::{Value, json};
use std::time::Duration;

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn color(value: &Value) -> Option<Color> {
    Color::BOTH
        .into_iter()
        .find(|&color| value.as_str() == Some(color_name(color)))
}

/// A game as an object.
pub(super) fn to_json(game: &GameRecord) -> Value {
    let ply = |ply: &PlyRecord| {
        json!([
            ply.mv.to_string(),
            ply.score,
            ply.depth,
            ply.nodes,
            micros(ply.elapsed),
            ply.overshoot.map(micros)
        ])
    };
    let won = match game.outcome {
        GameOutcome::Won(winner) => Value::from(color_name(winner)),
        GameOutcome::Drawn => Value::Null,
    };
    let mut object = json!({
        "game": game.id.0,
        "plies": game.plies.iter().map(ply).collect::<Vec<_>>(),
        "won": won,
        "ending": game.ending.name(),
    });
    if let Some(fault) = &game.fault {
        object["fault"] = json!({
            "side": color_name(fault.color),
            "kind": fault.kind.name(),
            "what": fault.what,
            "fen": fen::format(&fault.position),
            "lines": fault.lines,
        });
    }
    object
}

/// The number of the game of an object, without reading the rest.
pub(super) fn id(object: &Value) -> Option<GameId> {
    object["game"].as_u64().map(GameId)
}

/// Reads a game that began with `start`. None when the object is no such game.
pub(super) fn from_json(object: &Value, start: &Position) -> Option<GameRecord> {
    let mut position = *start;
    let mut plies = Vec::new();
    for item in object["plies"].as_array()? {
        let ply = read_ply(item, &position)?;
        position = position.play(ply.mv);
        plies.push(ply);
    }
    let outcome = match &object["won"] {
        Value::Null => GameOutcome::Drawn,
        value => GameOutcome::Won(color(value)?),
    };
    let fault = match object.get("fault") {
        Some(fault) => Some(read_fault(fault)?),
        None => None,
    };
    Some(GameRecord {
        id: id(object)?,
        plies,
        outcome,
        ending: Ending::from_name(object["ending"].as_str()?)?,
        fault,
    })
}

fn read_ply(item: &Value, position: &Position) -> Option<PlyRecord> {
    let overshoot = match &item[5] {
        Value::Null => None,
        value => Some(Duration::from_micros(value.as_u64()?)),
    };
    Some(PlyRecord {
        mv: moves::parse(position, item[0].as_str()?).ok()?,
        score: item[1].as_f64(),
        depth: item[2].as_f64(),
        nodes: item[3].as_u64(),
        elapsed: Duration::from_micros(item[4].as_u64()?),
        overshoot,
    })
}

fn read_fault(fault: &Value) -> Option<FaultRecord> {
    let kind = fault["kind"].as_str()?;
    let lines = fault["lines"].as_array()?;
    Some(FaultRecord {
        color: color(&fault["side"])?,
        kind: FaultKind::ALL.into_iter().find(|k| k.name() == kind)?,
        what: fault["what"].as_str()?.to_owned(),
        position: fen::parse(fault["fen"].as_str()?).ok()?,
        lines: lines
            .iter()
            .map(|line| line.as_str().map(str::to_owned))
            .collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::DrawRule;

    #[test]
    fn a_game_survives_the_journal() {
        let start = Position::start();
        let mv = start.legal_moves()[0];
        let game = GameRecord {
            id: GameId(7),
            plies: vec![PlyRecord {
                mv,
                score: Some(-0.25),
                depth: Some(9.0),
                nodes: None,
                elapsed: Duration::from_micros(1234),
                overshoot: Some(Duration::from_micros(5)),
            }],
            outcome: GameOutcome::Won(Color::Black),
            ending: Ending::Fault,
            fault: Some(FaultRecord {
                color: Color::White,
                kind: FaultKind::Babble,
                what: "a \"quoted\" thing\n".to_owned(),
                position: start.play(mv),
                lines: vec!["< x".to_owned()],
            }),
        };
        let text = to_json(&game).to_string();
        let read: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(from_json(&read, &start), Some(game.clone()));
        let drawn = GameRecord {
            outcome: GameOutcome::Drawn,
            ending: Ending::Rule(DrawRule::TwoVsKing),
            fault: None,
            ..game
        };
        assert_eq!(from_json(&to_json(&drawn), &start), Some(drawn));
        let other = start.flipped();
        assert_eq!(from_json(&read, &other), None, "another game's moves");
        assert_eq!(from_json(&json!({"game": 1}), &start), None);
    }
}
