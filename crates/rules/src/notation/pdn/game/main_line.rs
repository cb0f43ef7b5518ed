//! A line that was played becomes the main line of a game, and nothing of the game is lost.

use super::{Annotated, Game, Variation};
use crate::rules::Move;

impl Game {
    /// Makes moves the main line. What the game has beyond them stays behind them; where they leave the main line, it
    /// becomes a variation, and a variation that they follow becomes the main line. Each move is legal where it stands.
    ///
    /// The result is that of the old main line: it is for the caller to change it.
    pub fn set_main_line(&mut self, moves: &[Move]) {
        let line = std::mem::take(&mut self.moves);
        self.moves = led(line, moves);
    }
}

/// A line with its variations, changed so that it begins with `moves`. Calls itself once for each variation that the
/// moves go into: no deeper than the reader lets them nest.
fn led(mut line: Vec<Annotated>, moves: &[Move]) -> Vec<Annotated> {
    let together = line
        .iter()
        .zip(moves)
        .take_while(|(old, new)| old.mv == **new);
    let common = together.count();
    let moves = &moves[common..];
    let Some(first) = moves.first() else {
        return line;
    };
    let mut tail = line.split_off(common);
    let Some(old) = tail.first_mut() else {
        line.extend(moves.iter().map(|&mv| Annotated::from(mv)));
        return line;
    };
    let mut others = std::mem::take(&mut old.variations);
    others.insert(
        0,
        Variation {
            comment: None,
            moves: tail,
        },
    );
    let starts =
        |variation: &Variation| variation.moves.first().map(|found| &found.mv) == Some(first);
    let mut rest = match others.iter().position(starts) {
        Some(index) => followed(others.remove(index), moves),
        None => moves.iter().map(|&mv| Annotated::from(mv)).collect(),
    };
    others.append(&mut rest[0].variations);
    rest[0].variations = others;
    line.append(&mut rest);
    line
}

/// A variation as a main line that begins with `moves`. The comment before it has no place there: it goes behind the
/// first move.
fn followed(variation: Variation, moves: &[Move]) -> Vec<Annotated> {
    let mut line = led(variation.moves, moves);
    if let Some(before) = variation.comment {
        let comment = match line[0].comment.take() {
            Some(behind) => format!("{before} {behind}"),
            None => before,
        };
        line[0].comment = Some(comment);
    }
    line
}
