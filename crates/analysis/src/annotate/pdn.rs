//! An annotated game as PDN.

use super::{AnnotatedGame, Mark, MoveJudgement};
use damier_engine::eval::Score;
use damier_rules::board::Color;
use damier_rules::notation::pdn::{Annotated, Game, Variation};
use damier_rules::{Move, Position};

/// Plies of a better line that are written.
const LINE: usize = 10;
/// What is written into comments; found there, it is replaced.
const COMMANDS: [&str; 5] = ["[%eval ", "[%lost ", "[%tables ", "[%missed ", "[%allowed "];
/// The tag of those who annotated.
const ANNOTATOR: &str = "Annotator";
/// The tags of the summary, after `White` and `Black`.
const TAGS: [&str; 3] = ["Accuracy", "PointsLost", "Blunders"];

impl AnnotatedGame {
    /// The game with a mark, an evaluation and the better line for each move that lost something. What it had before
    /// is kept; an older annotation of this kind is replaced. `by`, which begins with `Damier` and its version, goes
    /// into the tag `Annotator`, behind those who are named there.
    pub fn to_pdn(&self, by: &str) -> Game {
        let mut game = self.game.clone();
        self.tag(&mut game, by);
        game.moves.iter_mut().for_each(forget);
        let mut position = game.start;
        for (ply, judgement) in self.moves.iter().enumerate() {
            let Some(annotated) = game.moves.get_mut(ply) else {
                break;
            };
            if let Some(mark) = judgement.mark() {
                if !annotated.nags.contains(&mark.nag()) {
                    annotated.nags.push(mark.nag());
                }
                let after = self.evaluation(ply + 1).score;
                let after = eval(after, !position.turn());
                let mut text = comment(judgement, &after);
                for part in self.motifs(ply, &position).parts() {
                    text.push_str(&format!(" [%{part}]"));
                }
                annotated.comment = Some(joined(annotated.comment.as_deref(), &text));
                better(annotated, judgement, &position);
            }
            position = position.play(judgement.mv);
        }
        game
    }

    fn tag(&self, game: &mut Game, by: &str) {
        let is_of_player = |name: &str| {
            ["White", "Black"].iter().any(|color| {
                let rest = name.strip_prefix(color);
                rest.is_some_and(|rest| TAGS.contains(&rest))
            })
        };
        let mut annotators = None;
        game.tags.retain_mut(|(name, value)| {
            let is_annotator = name.eq_ignore_ascii_case(ANNOTATOR);
            if is_annotator {
                annotators.get_or_insert_with(|| std::mem::take(value));
            }
            !is_annotator && !is_of_player(name)
        });
        let annotators = with_annotator(&annotators.unwrap_or_default(), by);
        game.tags.push((ANNOTATOR.to_owned(), annotators));
        for (color, player) in ["White", "Black"].into_iter().zip(&self.players) {
            let Some(loss) = player.loss() else {
                continue;
            };
            let values = [
                player.accuracy().map(|accuracy| format!("{accuracy:.1}")),
                Some(format!("{loss:.4}")),
                Some(player.blunders.to_string()),
            ];
            for (name, value) in TAGS.into_iter().zip(values) {
                let tag = value.map(|value| (format!("{color}{name}"), value));
                game.tags.extend(tag);
            }
        }
    }
}

/// Annotators with us behind the others, instead of what an earlier annotation wrote of us.
fn with_annotator(old: &str, by: &str) -> String {
    let is_ours = |name: &str| {
        let rest = name
            .strip_prefix("Damier")
            .map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_other = |name: &&str| !is_ours(name.trim()) && !matches!(name.trim(), "" | "?" | "-");
    let others: Vec<&str> = old.split(';').filter(is_other).collect();
    match others.join(";").trim() {
        "" => by.to_owned(),
        others => format!("{others}; {by}"),
    }
}

/// A score as `[%eval ...]` has it, for white: men, or `#` and moves to the end.
fn eval(score: Score, turn: Color) -> String {
    let score = match turn {
        Color::White => score,
        Color::Black => -score,
    };
    match score.end_in() {
        Some(plies) => {
            let sign = if score < Score::DRAW { "-" } else { "" };
            format!("#{sign}{}", plies.div_ceil(2))
        }
        None => score.to_string(),
    }
}

fn comment(judgement: &MoveJudgement, after: &str) -> String {
    let mut text = format!("[%eval {after}] [%lost {:.2}]", judgement.loss);
    if let (Some(before), Some(played)) = (judgement.before.table, judgement.table) {
        text.push_str(&format!(" [%tables {played}, before {before}]"));
    }
    text
}

/// Takes the mark, the comment and the better line of an earlier annotation away.
fn forget(annotated: &mut Annotated) {
    let is_ours = |comment: &String| comment.contains(COMMANDS[1]);
    if annotated.comment.as_ref().is_some_and(is_ours) {
        // Ours is the one for the points that we said the move lost; others are somebody else's.
        let points = annotated.comment.as_deref().and_then(lost);
        // They are rounded there.
        let marks = points.map(|points| [points - 0.005, points + 0.005].map(Mark::of));
        let is_mark = |&nag: &u8| {
            let mut marks = marks.iter().flatten().flatten();
            marks.any(|mark| mark.nag() == nag)
        };
        if let Some(at) = annotated.nags.iter().rposition(is_mark) {
            annotated.nags.remove(at);
        }
        let rest = joined(annotated.comment.as_deref(), "");
        annotated.comment = Some(rest).filter(|rest| !rest.is_empty());
        annotated
            .variations
            .retain(|variation| !is_our_line(variation));
    }
}

/// The points that a move lost, by a comment of ours.
fn lost(comment: &str) -> Option<f64> {
    let (_, rest) = comment.split_once(COMMANDS[1])?;
    let (points, _) = rest.split_once(']')?;
    points.trim().parse().ok()
}

/// Whether a variation is a better line as [`better`] writes it: an evaluation and bare moves.
fn is_our_line(variation: &Variation) -> bool {
    let is_bare = |annotated: &Annotated| *annotated == Annotated::from(annotated.mv);
    let comment = variation.comment.as_deref().unwrap_or_default();
    let evaluated = comment.starts_with(COMMANDS[0]) && joined(Some(comment), "").is_empty();
    evaluated && variation.moves.iter().all(is_bare)
}

/// A comment behind ours, without what was ours before.
fn joined(old: Option<&str>, ours: &str) -> String {
    let mut rest = old.unwrap_or_default().to_owned();
    for command in COMMANDS {
        while let Some(begin) = rest.find(command) {
            let end = rest[begin..]
                .find(']')
                .map_or(rest.len(), |at| begin + at + 1);
            rest.replace_range(begin..end, "");
        }
    }
    let rest: Vec<&str> = rest.split_whitespace().collect();
    let parts = [ours.to_owned(), rest.join(" ")];
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.cloned().collect::<Vec<_>>().join(" ")
}

/// Adds the better line, unless the game has it already.
fn better(annotated: &mut Annotated, judgement: &MoveJudgement, position: &Position) {
    let Some(best) = judgement.better() else {
        return;
    };
    let begins = |variation: &Variation| variation.moves.first().is_some_and(|mv| mv.mv == best);
    if annotated.variations.iter().any(begins) {
        return;
    }
    let line = judgement.before.line.iter().take(LINE);
    let moves: Vec<Move> = line.copied().collect();
    let score = eval(judgement.before.score, position.turn());
    annotated.variations.push(Variation {
        comment: Some(format!("[%eval {score}]")),
        moves: moves.into_iter().map(Annotated::from).collect(),
    });
}
