//! Helpers of several test programs: positions from short texts, random positions, a plain perft.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod random;

use damier::board::{Bitboard, Color, Square};
use damier::rules::{Game, Move, Position, Setup};
use proptest::prelude::*;

/// Reads `W:WK1,31:B2,K3`; ranges and other dialects are not known here.
pub fn position(fen: &str) -> Position {
    let parts: Vec<&str> = fen.trim().split(':').collect();
    let color = |letter| match letter {
        Some('W') => Color::White,
        Some('B') => Color::Black,
        _ => panic!("no colour in {fen}"),
    };
    let mut setup = Setup::empty(color(parts[0].chars().next()));
    for part in &parts[1..] {
        let side = color(part.chars().next()).index();
        for piece in part[1..].split(',').filter(|piece| !piece.is_empty()) {
            let (set, number) = match piece.strip_prefix('K') {
                Some(number) => (&mut setup.kings[side], number),
                None => (&mut setup.men[side], piece),
            };
            *set |= Bitboard::of(number.parse().unwrap());
        }
    }
    Position::try_from(setup).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The inverse of [`position`].
pub fn fen(position: &Position) -> String {
    let side = |color: Color| {
        let kings = position.kings(color).map(|s| format!("K{s}"));
        let men = position.men(color).map(|s| s.to_string());
        kings.chain(men).collect::<Vec<_>>().join(",")
    };
    let [white, black] = Color::BOTH.map(side);
    format!("{}:W{white}:B{black}", position.turn().letter())
}

/// The legal moves in the full form of the Hub protocol, sorted, with a space between them.
pub fn moves(position: &Position) -> String {
    let mut moves: Vec<String> = position.legal_moves().iter().map(Move::to_string).collect();
    moves.sort();
    moves.join(" ")
}

/// The legal move with this text.
pub fn find(position: &Position, text: &str) -> Move {
    let moves = position.legal_moves();
    let found = moves.iter().find(|mv| mv.to_string() == text);
    *found.unwrap_or_else(|| panic!("{text} is not among {moves:?}"))
}

/// Plays moves, given in the full form with a space between them.
pub fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = find(game.position(), text);
        game.play(mv);
    }
}

/// Perft as anyone would write it: every move is generated and played.
pub fn plain_perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    moves
        .iter()
        .map(|&mv| plain_perft(&position.play(mv), depth - 1))
        .sum()
}

/// Positions with so many men and kings a side, both at most, anywhere; the men may all be about to promote.
pub fn positions(men: usize, kings: usize) -> impl Strategy<Value = Position> {
    let squares = Just(Square::all().collect::<Vec<_>>()).prop_shuffle();
    let counts = (0..=men, 0..=men, 0..=kings, 0..=kings);
    (squares, counts, any::<bool>()).prop_map(|(squares, (wm, bm, wk, bk), white)| {
        let turn = if white { Color::White } else { Color::Black };
        let mut setup = Setup::empty(turn);
        let mut squares = squares.into_iter();
        for (color, row, men, kings) in [
            (0, Bitboard::TOP_ROW, wm, wk),
            (1, Bitboard::BOTTOM_ROW, bm, bk),
        ] {
            let men: Bitboard = squares.by_ref().take(men).collect();
            setup.men[color] = men.without(row);
            setup.kings[color] = squares.by_ref().take(kings).collect();
        }
        Position::try_from(setup).unwrap()
    })
}
