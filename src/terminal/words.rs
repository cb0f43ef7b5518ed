//! How the sessions put into words what the engine found.

use crate::board::Color;
use crate::book::Entry;
use crate::endgame::Advice;
use crate::eval::{Score, Wdl};
use crate::notation::moves;
use crate::rules::{Game, Move, Position, Status};
use crate::search::Report;

/// Maximum number of moves of a line that is repeated at every depth.
const SHOWN_MOVES: usize = 10;

/// Moves one after the other from a position, in the short form, with move numbers left out.
pub(super) fn line(position: &Position, moves: &[Move]) -> String {
    let mut position = *position;
    let mut out = Vec::with_capacity(moves.len());
    for &mv in moves {
        out.push(moves::short(&position, mv));
        position = position.play(mv);
    }
    out.join(" ")
}

/// The head of the table that [`row`] makes.
pub(super) fn head(ranked: bool) -> String {
    let rank = if ranked { " rank" } else { "" };
    format!("depth{rank}   score        nodes      time   Mnps  line")
}

/// One line of the table: what is known after a depth. `ranked`: with the rank of the line.
pub(super) fn row(position: &Position, report: &Report, ranked: bool) -> String {
    let shown = &report.pv[..report.pv.len().min(SHOWN_MOVES)];
    let more = if shown.len() < report.pv.len() {
        " ..."
    } else {
        ""
    };
    let rank = match ranked {
        true => format!(" {:>4}", report.rank),
        false => String::new(),
    };
    format!(
        "{:>5}{rank} {:>7} {:>12} {:>7.2} s {:>6.2}  {}{more}",
        report.depth,
        signed(report.score),
        report.nodes,
        report.time.as_secs_f64(),
        report.nps() / 1e6,
        line(position, shown),
    )
}

/// The moves of a book with their scores: `32-28 +0.02, 31-26 +0.01`.
pub(super) fn book(position: &Position, entry: &Entry) -> String {
    let moves = entry.moves.iter().map(|mv| {
        let score = signed(Score::new(mv.score));
        format!("{} {score}", moves::short(position, mv.mv))
    });
    moves.collect::<Vec<_>>().join(", ")
}

/// A score with its sign: `+0.12`.
pub(super) fn signed(score: Score) -> String {
    let plus = if score > Score::DRAW { "+" } else { "" };
    format!("{plus}{score}")
}

/// What a score means: `+0.12 men for white`, `white wins in 5 moves`.
pub(super) fn meaning(score: Score, turn: Color) -> String {
    let winner = if score > Score::DRAW { turn } else { !turn };
    match score.end_in() {
        Some(plies) => {
            let moves = plies.div_ceil(2);
            let plural = if moves == 1 { "" } else { "s" };
            format!("{winner} wins in {moves} move{plural}")
        }
        None if !score.is_eval() => format!("{winner} wins (endgame tables)"),
        None => format!("{} men for {turn}", signed(score)),
    }
}

/// The chances of the side to move: `win 12 %, draw 80 %, loss 8 %`.
pub(super) fn chances(wdl: Wdl) -> String {
    let [win, draw, loss] = wdl.per_mille().map(|share| f64::from(share) / 10.0);
    format!("win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %")
}

/// What the endgame tables say of a position: `win in 13 plies, a draw under the FMJD rules`.
pub(super) fn advice(advice: &Advice) -> String {
    let mut text = match advice.value.distance {
        Some(1) => format!("{} in 1 ply", advice.value.value),
        Some(plies) => format!("{} in {plies} plies", advice.value.value),
        None => advice.value.value.to_string(),
    };
    if advice.ruled.value != advice.value.value {
        text.push_str(&format!(", {} under the FMJD rules", advice.ruled.value));
    }
    if !advice.certain {
        text.push_str(" (not certain)");
    }
    text
}

/// Why a game is over, as a sentence; `None` when it is not.
pub(super) fn verdict(game: &Game) -> Option<String> {
    match game.status() {
        Status::Playing => None,
        Status::WonBy(color) => Some(format!("{color} has won: {} has no legal move", !color)),
        Status::Drawn(rule) => Some(format!("draw: {rule}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_a_meaning() {
        assert_eq!(meaning(Score::new(12), Color::Black), "+0.12 men for black");
        assert_eq!(
            meaning(Score::new(-12), Color::White),
            "-0.12 men for white"
        );
        assert_eq!(
            meaning(Score::win_in(1), Color::White),
            "white wins in 1 move"
        );
        assert_eq!(
            meaning(Score::loss_in(4), Color::White),
            "black wins in 2 moves"
        );
    }
}
