//! Which other game of draughts a text is, by its rules, where no header says it.

mod board;

use super::signs;
use crate::board::Color;
use crate::rules::{Move, Position};
use board::Board;

const WHITE_ON_64: &str = "draughts on a board of 64 squares, such as Russian or Brazilian";
const BLACK_ON_64: &str = "draughts on a board of 64 squares, such as English";

/// The game whose squares are named in a text that is no FEN of international draughts.
pub fn of_fen(text: &str) -> Option<&'static str> {
    let words = || words(text);
    if words().filter(|word| is_named(word)).count() > 1 {
        return Some("on a board of 64 squares (a1 to h8)");
    }
    let numbers = || {
        words().filter_map(|word| {
            word.trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .parse()
                .ok()
        })
    };
    let is_large = |number: &u32| (51..=72).contains(number);
    if numbers().filter(is_large).count() > 1 && numbers().all(|number| (1..=72).contains(&number))
    {
        return Some("Canadian draughts or another on a board of 144 squares");
    }
    None
}

/// Names and numbers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// Whether a square is named as in chess.
fn is_named(word: &str) -> bool {
    let word = word.as_bytes();
    let square = word.len().checked_sub(2).map(|at| &word[at..]);
    square.is_some_and(|square| matches!(square, [b'a'..=b'h', b'1'..=b'8']))
}

/// The game of moves whose squares are named as in chess: those of draughts are dark.
pub(super) fn of_named(text: &str) -> &'static str {
    let is_light = |word: &str| match word.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (file - b'a' + rank - b'1') % 2 == 1,
        _ => false,
    };
    match words(&latin(text)).any(is_light) {
        true => "chess, or another on squares from a1 to h8",
        false => WHITE_ON_64,
    }
}

/// How many squares a move names as in chess, perhaps behind its number: `c3-d4`, `c3:e5:g7`; one in short, `cd4`,
/// `c:e5`. None where a word is no such move.
pub(super) fn named_squares(word: &str) -> usize {
    /// Longer than a move.
    const LONGER: usize = 64;
    if word.len() < 3 || word.len() > LONGER {
        return 0;
    }
    let word = latin(word);
    let word = word.trim_end_matches(['!', '?', '.', ',', ';']);
    let word = word.rsplit_once('.').map_or(word, |(_, word)| word);
    let square = |text: &str| text.len() == 2 && is_named(text);
    let parts: Vec<&str> = word.split(['-', 'x', ':']).collect();
    match parts[..] {
        [file, to] if is_file(file) && square(to) => 1,
        [short] => match short.split_at_checked(1) {
            Some((file, to)) if is_file(file) && square(to) => 1,
            _ => 0,
        },
        _ if parts.iter().all(|part| square(part)) => parts.len(),
        _ => 0,
    }
}

fn is_file(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'h'])
}

/// A plain text, with Latin letters for the Cyrillic ones that look so.
fn latin(text: &str) -> String {
    let letter = |c| match c {
        'а' => 'a',
        'в' => 'b',
        'с' => 'c',
        'е' => 'e',
        c => c,
    };
    signs::plain(text).chars().map(letter).collect()
}

/// Most moves that are followed to know a game.
const MOST_FOLLOWED: usize = 6;
/// Moves from a position in a file that show a smaller board.
const SURE: usize = 3;

/// The game whose rules allow the moves of a text (with or without their numbers and comments), the first of which is
/// illegal behind those played from the start.
///
/// ```
/// use damier_rules::notation::variant;
/// use damier_rules::Position;
///
/// let start: Position = "W:W28,38:B3,18".parse()?;
/// assert_eq!(variant::of_moves(&start, &[], "1. 28x8 3x12"), Some("Frisian draughts"));
/// assert_eq!(variant::of_moves(&Position::start(), &[], "1. 43-37 26-32"), Some("Canadian draughts"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_moves(start: &Position, played: &[Move], text: &str) -> Option<&'static str> {
    let text = signs::plain(text);
    let squares = || moves(&text).flatten();
    let is_large = played.is_empty()
        && squares().all(|square| square <= 72)
        && squares().filter(|&square| square > 50).count() > 1;
    if is_large {
        return Some("Canadian draughts");
    }
    let moves: Vec<Vec<u8>> = moves(&text).take(MOST_FOLLOWED).collect();
    if moves.is_empty() {
        let is_named = words(&text).filter(|word| is_named(word)).count() > 1;
        return is_named.then(|| of_named(&text));
    }
    let before = played
        .iter()
        .map(|mv| vec![mv.from().number(), mv.to().number()]);
    let all: Vec<Vec<u8>> = before.chain(moves.iter().cloned()).collect();
    let highest = all.iter().flatten().max().copied().unwrap_or_default();
    let is_legal = |mut board: Board| all.iter().all(|squares| board.play(squares).is_some());
    if *start == Position::start() {
        if (all.len() > 1 || highest > 50) && is_legal(Board::start(12, Color::White)) {
            return Some("Canadian draughts");
        }
        let small = [(Color::White, WHITE_ON_64), (Color::Black, BLACK_ON_64)];
        let small = small
            .into_iter()
            .find(|&(turn, _)| is_legal(Board::start(8, turn)));
        if let Some((_, name)) = small {
            return Some(name);
        }
    } else if highest > 50 {
        return is_legal(Board::of(start, 12)).then_some("Canadian draughts");
    } else if all.len() >= SURE && Board::is_small(start) && is_legal(Board::of(start, 8)) {
        return Some("draughts on a board of 64 squares");
    }
    let position = played
        .iter()
        .fold(*start, |position, &mv| position.play(mv));
    let mut board = Board::of(&position, 10).with_straight();
    let mut is_frisian = false;
    for squares in &moves {
        is_frisian |= board.play(squares)?;
    }
    is_frisian.then_some("Frisian draughts")
}

/// The squares of each move of a plain text.
fn moves(text: &str) -> impl Iterator<Item = Vec<u8>> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')'));
    words.filter_map(|word| {
        let (_, word) = word.rsplit_once('.').unwrap_or(("", word));
        let word = word.trim_end_matches(['!', '?', ',', ';', '*']);
        let squares: Result<Vec<u8>, _> =
            word.split(['-', 'x', 'X', ':']).map(str::parse).collect();
        squares
            .ok()
            .filter(|squares| squares.len() > 1 && !squares.contains(&0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_is_illegal_here_tells_the_game() {
        let frisian = Some("Frisian draughts");
        let [white, black] = [WHITE_ON_64, BLACK_ON_64].map(Some);
        let small = Some("draughts on a board of 64 squares");
        let canadian = Some("Canadian draughts");
        for (position, text, expected) in [
            // Along a row, along a column, a king from afar, and round a corner.
            ("W:W28:B27", "28x26", frisian),
            (
                "W:W28,38:B3,18",
                "1. 28\u{d7}8 {zo} 3x12 2. 38-33 *",
                frisian,
            ),
            ("B:W34,49:BK5", "... 5x46", None),
            ("B:W25:BK5", "1... 5x45", frisian),
            ("W:W28:B18,9", "28x10", frisian),
            ("W:W28:B18,9", "28x15", None),
            ("W:W38:B28,13", "38x18x9", frisian),
            // What follows cannot be played.
            ("W:W28,38:B3,18", "1. 28x8 3x14", None),
            // No capture in either game.
            ("W:W28:B17", "28x26", None),
            ("W:W28:B22,17", "28x6", None),
            // The majority is not taken, as in many games of beginners.
            ("W:W32,44:B27,29,39", "32x21", None),
            ("W:W31-50:B1-20", "1. 11-15 23-19 2. 8-11 22-17", black),
            ("W:W31-50:B1-20", "1. 9-13 24-20", black),
            ("W:W31-50:B1-20", "1. 22-18 11-15 2. 18x11 8x15", white),
            ("W:W31-50:B1-20", "1. 11-15 33-29", None),
            ("W:W31-50:B1-20", "1. c3-d4 d6-c5", white),
            (
                "W:W31-50:B1-20",
                "1. e2-e4 e7-e5",
                Some("chess, or another on squares from a1 to h8"),
            ),
            ("W:W31-50:B1-20", "1. 43-37 26-32 2. 37x26 25x38", None),
            ("W:W31-50:B1-20", "1. 43-37 26-32 2. 49-43 20-26", canadian),
            ("W:W31-50:B1-20", "1. 50-44", None),
            ("W:W31-50:B1-20", "33-55", None),
            ("W:W40:B8", "1. 40-34 8-14 2. 34-28 14-51", None),
            (
                "W:W31-50:B1-20",
                "1. 44-39 30-35 2. 50-44 24-30 3. 56-50 58-52 *",
                canadian,
            ),
            ("W:WK40:B8", "1. 40-60 8-14", canadian),
            // Men of 64 squares.
            ("W:W21-32:B1-12", "1. 22-18 11-15 2. 18x11", small),
            (
                "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
                "12-19 10-14 19-23",
                None,
            ),
            ("W:W27,32:B8,16", "27-23", None),
            ("W:W31-50:B1-20", "1. 32-29", None),
            ("W:W31-50:B1-20", "", None),
        ] {
            let position: Position = position.parse().unwrap();
            assert_eq!(
                of_moves(&position, &[], text),
                expected,
                "{position:?} {text}"
            );
        }
    }
}
