//! Answers from the rules: legal moves, results, notation. The page does not implement the rules.

use super::messages::{LegalMove, Line, PositionInfo};
use damier_analysis::json::status;
use damier_rules::notation::moves::MoveError;
use damier_rules::notation::text::quoted;
use damier_rules::notation::{fen, hub_board, moves};
use damier_rules::{Color, DrawRule, Game, Move, Position, Status};
use thiserror::Error;

/// Maximum number of moves of a game.
pub(super) const MAX_MOVES: usize = 2000;
/// Maximum number of routes sent for one move, and for all moves of a position.
const MAX_ROUTES: usize = 64;
const MAX_TOTAL_ROUTES: usize = 2000;

/// Why a game is invalid.
#[derive(Debug, Error)]
pub(super) enum InvalidLine {
    /// The start position is invalid.
    #[error("{0}")]
    Start(String),
    /// Too many moves.
    #[error("a game of more than {MAX_MOVES} moves")]
    TooLong,
    /// A move is illegal; its number from 1.
    #[error("move {0} ({1}): {2}")]
    Move(usize, String, Box<MoveError>),
    /// The last move is illegal.
    #[error("{0}")]
    Last(Box<MoveError>),
}

/// Parses a position in any form.
pub(super) fn position(text: &str) -> Result<Position, InvalidLine> {
    fen::parse(text).map_err(|error| InvalidLine::Start(error.to_string()))
}

/// Plays through a game.
pub(super) fn game(line: &Line) -> Result<Game, InvalidLine> {
    let start = match &line.start {
        Some(text) => position(text)?,
        None => Position::start(),
    };
    if line.moves.len() > MAX_MOVES {
        return Err(InvalidLine::TooLong);
    }
    let mut game = Game::new(start);
    for (index, text) in line.moves.iter().enumerate() {
        let mv = moves::parse_typed(game.position(), text).map_err(|error| {
            match index + 1 == line.moves.len() {
                true => InvalidLine::Last(Box::new(error)),
                false => InvalidLine::Move(index + 1, quoted(text), Box::new(error)),
            }
        })?;
        game.play(mv);
    }
    Ok(game)
}

/// Position, status and legal moves of a game.
pub(super) fn position_info(game: &Game) -> PositionInfo {
    let position = game.position();
    let (status, reason) = status(game);
    let legal = position.legal_moves();
    let ways = (MAX_TOTAL_ROUTES / legal.len().max(1)).clamp(1, MAX_ROUTES);
    PositionInfo {
        start: fen::format(game.start()),
        moves: game.moves().iter().map(Move::to_string).collect(),
        last: last(game),
        fen: fen::format(position),
        board: hub_board::format(position),
        status: status.to_owned(),
        reason,
        reason_code: reason_code(game.status()).map(str::to_owned),
        repeated: game.occurrences(),
        plies_left: game.clock().plies_left(position),
        legal: legal
            .iter()
            .map(|&mv| legal_move(position, mv, ways))
            .collect(),
    }
}

/// Why a game is over, for programs; the page has a text for each in every language.
fn reason_code(status: Status) -> Option<&'static str> {
    match status {
        Status::Playing => None,
        Status::WonBy(Color::White) => Some("black-stuck"),
        Status::WonBy(Color::Black) => Some("white-stuck"),
        Status::Drawn(DrawRule::Repetition) => Some("repetition"),
        Status::Drawn(DrawRule::KingsOnly) => Some("kings"),
        Status::Drawn(DrawRule::ThreeVsKing) => Some("three-pieces"),
        Status::Drawn(DrawRule::TwoVsKing) => Some("two-pieces"),
    }
}

/// The moves of a line from a position, as players write them.
pub(super) fn texts(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = *position;
    let texts = line.iter().map(|&mv| {
        let text = moves::with_path(&position, mv);
        position = position.play(mv);
        text
    });
    texts.collect()
}

fn last(game: &Game) -> Option<LegalMove> {
    let mut before = game.clone();
    let mv = before.take_back()?;
    Some(legal_move(before.position(), mv, 1))
}

fn legal_move(position: &Position, mv: Move, most: usize) -> LegalMove {
    let ways = moves::ways(position, mv, most);
    let numbers =
        |squares: &Vec<damier_rules::board::Square>| squares.iter().map(|s| s.number()).collect();
    LegalMove {
        mv: mv.to_string(),
        text: moves::with_path(position, mv),
        captured: mv.captured().map(|square| square.number()).collect(),
        ways: ways.iter().map(numbers).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(start: &str, moves: &str) -> Line {
        Line {
            start: Some(start.to_owned()),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn a_capture_comes_with_all_its_ways() {
        // A round trip over four men, in either direction.
        let info = position_info(&game(&line("W:W43:B38,28,29,39", "")).unwrap());
        let [only] = info.legal.as_slice() else {
            panic!("{:?}", info.legal);
        };
        assert_eq!(
            (only.mv.as_str(), only.captured.len()),
            ("43x43x28x29x38x39", 4)
        );
        let mut ways = only.ways.clone();
        ways.sort();
        assert_eq!(ways, [[43, 32, 23, 34, 43], [43, 34, 23, 32, 43]]);
    }

    #[test]
    fn a_capture_is_written_with_its_way_where_two_end_on_a_square() {
        let start = "W:WK46:B41,31,27,17";
        let info = position_info(&game(&line(start, "")).unwrap());
        let texts: Vec<_> = info.legal.iter().map(|mv| mv.text.as_str()).collect();
        assert!(texts.contains(&"46x37x26x12"), "{texts:?}");
        for mv in &info.legal {
            let played = position_info(&game(&line(start, &mv.text)).unwrap());
            assert_eq!(played.moves, [mv.mv.as_str()]);
        }
    }

    #[test]
    fn the_end_of_a_game_is_reported() {
        let won = position_info(&game(&line("W:W28:B23", "28x19")).unwrap());
        assert_eq!((won.status.as_str(), won.legal.len()), ("white-wins", 0));
        assert_eq!(won.last.unwrap().text, "28x19");
        let shuffle = "16-21 35-40 21-16 40-35 ".repeat(2);
        let drawn = position_info(&game(&line("W:WK16:BK35", &shuffle)).unwrap());
        assert_eq!((drawn.status.as_str(), drawn.repeated), ("draw", 3));
        assert!(drawn.reason.unwrap().contains("third time"));
        assert_eq!(drawn.reason_code.as_deref(), Some("repetition"));
    }

    #[test]
    fn errors_name_the_move() {
        let error = |moves| {
            game(&line("W:W31-50:B1-20", moves))
                .unwrap_err()
                .to_string()
        };
        assert!(error("32-28 19-23 11-22 1-1").starts_with("move 3 (11-22):"));
        assert!(!error("32-28 19-23 33-29").starts_with("move"));
        assert!(game(&line("rubbish", "")).is_err());
        let long = "32-28 ".repeat(MAX_MOVES + 1);
        assert!(matches!(
            game(&line("start", "")),
            Err(InvalidLine::Start(_))
        ));
        assert!(matches!(
            game(&Line {
                start: None,
                ..line("", &long)
            }),
            Err(InvalidLine::TooLong)
        ));
    }
}
