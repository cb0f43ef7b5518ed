//! Moves and comments for people.

use damier_rules::board::Color;
use damier_rules::notation::moves;
use damier_rules::{Move, Position};

/// Moves in the short form with their numbers, `2... 14x23 3. 37-32`. `before`: the moves from `start` up to them.
pub fn numbered(start: &Position, before: &[Move], line: &[Move]) -> String {
    let mut position = *start;
    let mut number = 1;
    let mut words = Vec::new();
    for (index, &mv) in before.iter().chain(line).enumerate() {
        let turn = position.turn();
        if index >= before.len() {
            match turn {
                Color::White => words.push(format!("{number}.")),
                Color::Black if index == before.len() => words.push(format!("{number}...")),
                Color::Black => {}
            }
            words.push(moves::short(&position, mv));
        }
        number += usize::from(turn == Color::Black);
        position = position.play(mv);
    }
    words.join(" ")
}

/// A comment without what is meant for programs, such as `[%eval 0.12]`.
pub fn words(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        text.push_str(before);
        rest = command.split_once(']').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_for_programs_is_no_word() {
        assert_eq!(words("[%eval 0.12] good [%lost 0.3]"), "good");
        assert_eq!(words("a [b] [%clk"), "a [b]");
    }

    #[test]
    fn numbers_count_from_the_first_position() {
        let start = Position::start();
        let line = moves::parse_line(&start, "32-28 19-23 28x19 14x23").expect("legal");
        assert_eq!(
            numbered(&start, &[], &line),
            "1. 32-28 19-23 2. 28x19 14x23"
        );
        assert_eq!(
            numbered(&start, &line[..1], &line[1..3]),
            "1... 19-23 2. 28x19"
        );
        assert_eq!(numbered(&start, &line, &[]), "");
    }
}
