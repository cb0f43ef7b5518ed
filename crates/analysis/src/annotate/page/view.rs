//! The moves of a game as HTML, and what the script of the page shows for each.

use super::number;
use crate::annotate::{AnnotatedGame, MoveJudgement};
use crate::diagram::escape;
use crate::{Language, meaning, words};
use damier_endgame::Value;
use damier_rules::board::Color;
use damier_rules::notation::pdn::{Annotated, Variation};
use damier_rules::notation::{hub_board, moves};
use damier_rules::{Move, Position};
use serde::Serialize;
use std::fmt::Write;

/// What the script shows.
#[derive(Serialize, Default)]
pub(super) struct Data {
    /// The squares 1 to 50 after each ply, as Hub has them.
    boards: Vec<String>,
    /// Squares of the move that led there.
    marks: Vec<Option<[u8; 2]>>,
    /// What is known of each position, in words.
    states: Vec<String>,
    lines: Vec<PageLine>,
}

/// A variation.
#[derive(Serialize)]
struct PageLine {
    /// The ply of the game from which it goes, or the place in the line around it: its first board comes instead of the
    /// one there.
    from: usize,
    /// The line around it; none: the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    around: Option<usize>,
    boards: Vec<String>,
    marks: Vec<[u8; 2]>,
}

/// Where a variation goes from.
#[derive(Clone, Copy)]
struct Branch {
    /// The line around it; none: the game.
    line: Option<usize>,
    /// The place there of the move that it replaces.
    at: usize,
    /// Plies of the game and of the lines around it before that.
    ply: usize,
}

/// The moves as HTML, and what they show.
pub(super) struct View<'a> {
    annotated: &'a AnnotatedGame,
    language: Language,
    start: Position,
    pub(super) data: Data,
    pub(super) text: String,
}

impl<'a> View<'a> {
    pub(super) fn new(
        annotated: &'a AnnotatedGame,
        game: &damier_rules::notation::pdn::Game,
        language: Language,
    ) -> View<'a> {
        let mut view = View {
            annotated,
            language,
            start: game.start,
            data: Data::default(),
            text: String::new(),
        };
        view.data.boards.push(board(&game.start));
        view.data.marks.push(None);
        let mut turn = game.start.turn();
        for ply in 0..=annotated.moves.len() {
            view.data.states.push(state(annotated, ply, turn, language));
            turn = !turn;
        }
        if let Some(comment) = &game.comment {
            view.comment(comment);
        }
        view
    }

    pub(super) fn write_moves(&mut self, start: &Position, moves: &[Annotated]) {
        let mut position = *start;
        for (ply, mv) in moves.iter().enumerate() {
            let judgement = self.annotated.moves.get(ply);
            let class = judgement
                .and_then(MoveJudgement::mark)
                .map_or(String::new(), |mark| format!(" {mark}"));
            if position.turn() == Color::White || ply == 0 {
                let _ = write!(
                    self.text,
                    "<span class=\"number\">{}</span> ",
                    number(&self.start, ply)
                );
            }
            let (text, signs) = (moves::short(&position, mv.mv), signs(mv));
            let at = ply + 1;
            let _ = writeln!(
                self.text,
                "<button type=\"button\" class=\"mv{class}\" data-at=\"{at}\">{text}{signs}</button>"
            );
            let next = position.play(mv.mv);
            self.data.boards.push(board(&next));
            self.data.marks.push(Some(squares(mv.mv)));
            if let Some(lost) = judgement.filter(|mv| mv.mark().is_some()) {
                let named = self.annotated.motifs(ply, &position);
                let points = format!("{:.2}", lost.loss);
                let mut parts = vec![self.language.filled("lost", &[("points", &points)])];
                for (key, motifs) in [("missed", &named.missed), ("allowed", &named.allowed)] {
                    let names: Vec<&str> = motifs.iter().map(|motif| motif.name()).collect();
                    if !names.is_empty() {
                        let names = names.join(", ");
                        parts.push(self.language.filled(key, &[("names", &names)]));
                    }
                }
                self.comment(&parts.join(", "));
            }
            if let Some(comment) = &mv.comment {
                self.comment(comment);
            }
            for variation in &mv.variations {
                let from = Branch {
                    line: None,
                    at: ply,
                    ply,
                };
                self.variation(&position, from, variation);
            }
            position = next;
        }
    }

    /// A variation from a position.
    fn variation(&mut self, position: &Position, from: Branch, variation: &Variation) {
        let line = self.data.lines.len();
        let (mut boards, mut marks, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = *position;
        // The place of the line: variations inside it come after it.
        self.data.lines.push(PageLine {
            from: from.at,
            around: from.line,
            boards: Vec::new(),
            marks: Vec::new(),
        });
        let _ = write!(self.text, "<span class=\"variation\">");
        if let Some(comment) = &variation.comment {
            self.comment(comment);
        }
        for (index, mv) in variation.moves.iter().enumerate() {
            let ply = from.ply + index;
            if at.turn() == Color::White || index == 0 {
                let shown = number(&self.start, ply);
                let _ = write!(self.text, "<span class=\"number\">{shown}</span> ");
            }
            let (text, signs) = (moves::short(&at, mv.mv), signs(mv));
            let _ = writeln!(
                self.text,
                "<button type=\"button\" class=\"mv\" data-line=\"{line}\" data-at=\"{index}\">{text}{signs}</button>"
            );
            let inside = Branch {
                line: Some(line),
                at: index,
                ply,
            };
            after.extend(mv.variations.iter().map(|inner| (at, inside, inner)));
            at = at.play(mv.mv);
            boards.push(board(&at));
            marks.push(squares(mv.mv));
            if let Some(comment) = &mv.comment {
                self.comment(comment);
            }
        }
        self.data.lines[line].boards = boards;
        self.data.lines[line].marks = marks;
        for (position, inside, inner) in after {
            self.variation(&position, inside, inner);
        }
        // No space before the closing bracket.
        self.text.truncate(self.text.trim_end().len());
        self.text.push_str("</span>\n");
    }

    fn comment(&mut self, comment: &str) {
        let text = words(comment);
        if !text.is_empty() {
            let _ = writeln!(
                self.text,
                "<span class=\"comment\">{}</span>",
                escape(&text)
            );
        }
    }
}

/// The marks behind a move.
fn signs(mv: &Annotated) -> String {
    let sign = |nag: &u8| match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "\u{25a1}",
        _ => "",
    };
    mv.nags.iter().map(sign).collect()
}

fn board(position: &Position) -> String {
    hub_board::format(position)[1..].to_owned()
}

fn squares(mv: Move) -> [u8; 2] {
    [mv.from().number(), mv.to().number()]
}

/// What is known of a position: score and chances as white sees them.
fn state(annotated: &AnnotatedGame, ply: usize, turn: Color, language: Language) -> String {
    let known = annotated.evaluation(ply);
    let (score, wdl) = match turn {
        Color::White => (known.score, known.wdl),
        Color::Black => (-known.score, known.wdl.swapped()),
    };
    let [win, draw, loss] = meaning::percentages(wdl);
    let side = language.text(match turn {
        Color::White => "side-white",
        Color::Black => "side-black",
    });
    let table = known.table.map_or(String::new(), |verdict| {
        let key = match verdict.value {
            Value::Win => "tables-win",
            Value::Draw => "tables-draw",
            Value::Loss => "tables-loss",
        };
        let plies = verdict.distance.map_or(String::new(), |plies| {
            let plies = language.filled("plies", &[("plies", &plies.to_string())]);
            format!(", {plies}")
        });
        format!("; {}{plies}", language.filled(key, &[("side", side)]))
    });
    let last = ply.checked_sub(1).and_then(|ply| annotated.moves.get(ply));
    let lost = last.filter(|mv| mv.mark().is_some());
    let lost = lost.map_or(String::new(), |mv| {
        let percent = format!("{:.0}", mv.loss * 100.0);
        format!(
            "; {}",
            language.filled("gave-away", &[("percent", &percent)])
        )
    });
    let sign = if score.centimen() > 0 { "+" } else { "" };
    let [win, draw, loss] = [win, draw, loss].map(|share| share.to_string());
    let values = [("win", &*win), ("draw", &*draw), ("loss", &*loss)];
    let chances = language.filled("chances", &values);
    format!("{sign}{score} \u{b7} {chances}{table}{lost}")
}
