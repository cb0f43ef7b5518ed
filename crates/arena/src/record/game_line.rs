//! A game as a line of the journal.

use super::{Ending, FaultKind, FaultRecord, GameId, GameOutcome, GameRecord, PlyRecord};
use damier_engine::search::Detections;
use damier_rules::Position;
use damier_rules::board::Color;
use damier_rules::notation::{fen, moves};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game as a JSON object.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct GameLine {
    /// The number of the game, from 0.
    game: GameId,
    /// When it began, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    began: Option<u64>,
    plies: Vec<PlyLine>,
    /// The winner; null for a draw.
    won: Option<Side>,
    ending: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<FaultLine>,
}

/// The number of a game; the rest of the line is ignored.
#[derive(Deserialize, Debug)]
pub(super) struct GameNumber {
    pub game: GameId,
}

/// A move in full form, score, depth, nodes, time and overshoot, the last two in microseconds; null if unknown. Behind
/// them the detections, if there are any.
#[derive(Serialize, Deserialize, Debug)]
struct PlyLine(
    String,
    Option<f64>,
    Option<f64>,
    Option<u64>,
    u64,
    Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<String>,
);

#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "lowercase")]
enum Side {
    White,
    Black,
}

#[derive(Serialize, Deserialize, Debug)]
struct FaultLine {
    side: Side,
    kind: FaultKind,
    what: String,
    fen: String,
    lines: Vec<String>,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl From<&GameRecord> for GameLine {
    fn from(game: &GameRecord) -> GameLine {
        let ply = |ply: &PlyRecord| {
            PlyLine(
                ply.mv.to_string(),
                ply.score,
                ply.depth,
                ply.nodes,
                micros(ply.elapsed),
                ply.overshoot.map(micros),
                ply.detections.any().then(|| ply.detections.to_string()),
            )
        };
        let fault = |fault: &FaultRecord| FaultLine {
            side: fault.color.into(),
            kind: fault.kind,
            what: fault.what.clone(),
            fen: fen::format(&fault.position),
            lines: fault.lines.clone(),
        };
        GameLine {
            game: game.id,
            began: game.began,
            plies: game.plies.iter().map(ply).collect(),
            won: match game.outcome {
                GameOutcome::Won(winner) => Some(winner.into()),
                GameOutcome::Drawn => None,
            },
            ending: game.ending.name().to_owned(),
            fault: game.fault.as_ref().map(fault),
        }
    }
}

impl GameLine {
    /// The game, which began at `start`. None if its moves are not legal from there.
    pub(super) fn game(self, start: &Position) -> Option<GameRecord> {
        let mut position = *start;
        let mut plies = Vec::with_capacity(self.plies.len());
        for PlyLine(mv, score, depth, nodes, elapsed, overshoot, detections) in self.plies {
            let detections = detections.map_or(Ok(Detections::default()), |text| text.parse());
            let mv = moves::parse(&position, &mv).ok()?;
            position = position.play(mv);
            plies.push(PlyRecord {
                mv,
                score,
                depth,
                nodes,
                detections: detections.ok()?,
                elapsed: Duration::from_micros(elapsed),
                overshoot: overshoot.map(Duration::from_micros),
            });
        }
        let fault = |fault: FaultLine| {
            Some(FaultRecord {
                color: fault.side.into(),
                kind: fault.kind,
                what: fault.what,
                position: fen::parse(&fault.fen).ok()?,
                lines: fault.lines,
            })
        };
        Some(GameRecord {
            id: self.game,
            began: self.began,
            plies,
            outcome: self
                .won
                .map_or(GameOutcome::Drawn, |side| GameOutcome::Won(side.into())),
            ending: Ending::from_name(&self.ending)?,
            fault: match self.fault {
                Some(line) => Some(fault(line)?),
                None => None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_rules::DrawRule;

    fn read(text: &str, start: &Position) -> Option<GameRecord> {
        let line: GameLine = serde_json::from_str(text).ok()?;
        line.game(start)
    }

    fn text(game: &GameRecord) -> String {
        serde_json::to_string(&GameLine::from(game)).expect("JSON")
    }

    #[test]
    fn a_game_survives_the_journal() {
        let start = Position::start();
        let mv = start.legal_moves()[0];
        let game = GameRecord {
            id: GameId(7),
            began: Some(1_700_000_000),
            plies: vec![PlyRecord {
                mv,
                score: Some(-0.25),
                depth: Some(9.0),
                nodes: None,
                detections: Detections {
                    count: 2,
                    decisive: true,
                },
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
        assert_eq!(read(&text(&game), &start), Some(game.clone()));
        let drawn = GameRecord {
            outcome: GameOutcome::Drawn,
            ending: Ending::Rule(DrawRule::TwoVsKing),
            fault: None,
            ..game.clone()
        };
        assert_eq!(read(&text(&drawn), &start), Some(drawn));
        let other = start.flipped();
        assert_eq!(read(&text(&game), &other), None, "another game's moves");
        assert_eq!(read("{\"game\": 1}", &start), None);
    }

    #[test]
    fn games_of_older_journals_are_read() {
        let start = Position::start();
        let lost = r#"{"ending":"fault","fault":{"fen":"W:W31-50:B1-20","kind":"silence","lines":["> go think"],
            "side":"black","what":"no answer after 1.500 s"},"game":3,
            "plies":[["32-28",0.1,3.0,100,1234,null]],"won":"white"}"#;
        let game = read(lost, &start).expect("a game");
        assert_eq!(
            (game.id, game.began, game.plies.len()),
            (GameId(3), None, 1)
        );
        assert_eq!(game.outcome, GameOutcome::Won(Color::White));
        let fault = game.fault.expect("a fault");
        assert_eq!(
            (fault.color, fault.kind),
            (Color::Black, FaultKind::Silence)
        );
        let drawn =
            r#"{"ending":"max-moves","game":0,"plies":[["32-28",null,null,null,1,0]],"won":null}"#;
        let game = read(drawn, &start).expect("a game");
        assert_eq!(game.outcome, GameOutcome::Drawn);
        assert_eq!(game.plies[0].overshoot, Some(Duration::ZERO));
    }
}
