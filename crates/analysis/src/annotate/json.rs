//! An annotated game as JSON.

use super::{AnnotatedGame, MoveJudgement, Named, PlayerSummary};
use crate::Motif;
use crate::json::short_texts;
use damier_rules::Position;
use damier_rules::notation::{fen, moves};
use serde::Serialize;
use std::collections::BTreeMap;

/// A game as an object; docs/json.md describes the fields.
#[derive(Serialize)]
pub struct GameObject<'a> {
    /// Number in the input, from 1.
    pub game: u64,
    tags: BTreeMap<&'a str, &'a str>,
    result: &'static str,
    fen: String,
    moves: Vec<MoveObject>,
    players: Players,
    /// Why it ends before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Where its variations could not be read, and are kept as comments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Serialize)]
struct Players {
    white: PlayerObject,
    black: PlayerObject,
}

#[derive(Serialize)]
struct PlayerObject {
    judged: u32,
    loss: Option<f64>,
    counted: u32,
    accuracy: Option<f64>,
    dubious: u32,
    mistakes: u32,
    blunders: u32,
}

#[derive(Serialize)]
struct MoveObject {
    ply: usize,
    #[serde(rename = "move")]
    mv: String,
    judged: &'static str,
    score: f64,
    wdl: [f64; 3],
    depth: u32,
    line: Vec<String>,
    loss: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missed: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allowed: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableObject>,
}

#[derive(Serialize)]
struct TableObject {
    before: String,
    after: String,
}

impl AnnotatedGame {
    /// The game as an object to be serialised.
    pub fn to_json(
        &self,
        number: u64,
        problem: Option<String>,
        note: Option<String>,
    ) -> GameObject<'_> {
        let game = &self.game;
        let mut position = game.start;
        let moves = self.moves.iter().enumerate().map(|(index, judgement)| {
            let named = self.motifs(index, &position);
            let object = MoveObject::new(index + 1, &position, judgement, &named);
            position = position.play(judgement.mv);
            object
        });
        let moves = moves.collect();
        let [white, black] = self.players.each_ref().map(PlayerObject::new);
        GameObject {
            game: number,
            tags: game
                .tags
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect(),
            result: game.result.text(),
            fen: fen::format(&game.start),
            moves,
            players: Players { white, black },
            problem,
            note,
        }
    }
}

impl PlayerObject {
    fn new(player: &PlayerSummary) -> PlayerObject {
        PlayerObject {
            judged: player.judged,
            loss: player.loss().map(|loss| rounded(loss, 1e5)),
            counted: player.counted,
            accuracy: player.accuracy().map(|accuracy| rounded(accuracy, 10.0)),
            dubious: player.dubious,
            mistakes: player.mistakes,
            blunders: player.blunders,
        }
    }
}

impl MoveObject {
    fn new(
        ply: usize,
        position: &Position,
        judgement: &MoveJudgement,
        named: &Named,
    ) -> MoveObject {
        let names = |motifs: &[Motif]| motifs.iter().map(|motif| motif.name()).collect();
        let before = &judgement.before;
        let table = before.table.zip(judgement.table);
        MoveObject {
            ply,
            mv: moves::short(position, judgement.mv),
            judged: judgement.judged.name(),
            score: before.score.men(),
            wdl: before.wdl.rounded(),
            depth: before.depth,
            line: short_texts(position, &before.line),
            loss: rounded(judgement.loss, 1e3),
            mark: judgement.mark().map(|mark| mark.to_string()),
            missed: names(&named.missed),
            allowed: names(&named.allowed),
            table: table.map(|(before, after)| TableObject {
                before: before.to_string(),
                after: after.to_string(),
            }),
        }
    }
}

fn rounded(value: f64, by: f64) -> f64 {
    (value * by).round() / by
}
