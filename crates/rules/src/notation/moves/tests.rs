use super::*;
use crate::board::Color;
use crate::notation::fen;
use crate::rules::Setup;
use proptest::prelude::*;

fn read(fen: &str, text: &str) -> Result<String, String> {
    let position = fen::parse(fen).unwrap();
    match parse(&position, text) {
        Ok(mv) => Ok(mv.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

const START: &str = "W:W31-50:B1-20";
/// One capture of two pieces.
const DOUBLE: &str = "W:W28,50:B23,14,1";
/// The king reaches 12, 8 and 3 over 41, then 31 or 27, then 17.
const TWO_WAYS: &str = "W:WK46:B41,31,27,17";

#[test]
fn reads_any_usual_notation() {
    for text in [
        "32-28",
        "32x28",
        "32X28",
        "32:28",
        "032-0028",
        " 32 - 28 ",
        "32 28",
        "32–28",
        "32\u{2212}28",
        "32-28!?",
    ] {
        assert_eq!(read(START, text), Ok("32-28".into()), "{text}");
    }
    for text in [
        "28x10",
        "28-10",
        "28x10x14x23",
        "28x10x23x14",
        "28x19x10",
        "28:19:10",
        "28 x 10 x 23 x 14",
    ] {
        assert_eq!(read(DOUBLE, text), Ok("28x10x14x23".into()), "{text}");
    }
}

#[test]
fn quotes_the_rule_that_a_move_breaks() {
    for (fen, text, message) in [
        (START, "30-25", "there is no piece on 30"),
        (
            START,
            "20-25",
            "the piece on 20 is black, and it is white's turn",
        ),
        (START, "37-32", "32 is not empty"),
        (START, "32-32", "the piece on 32 cannot end where it began"),
        (START, "32-27!", "ok"),
        (
            START,
            "32-29",
            "pieces move along diagonals, and 32 and 29 are not on one diagonal",
        ),
        (START, "32-23", "a man moves one step only"),
        (
            START,
            "37-28",
            "the piece on 32 is your own, it cannot be jumped",
        ),
        (
            "W:W28:B1",
            "28-32",
            "a man moves forward only (it may capture backward)",
        ),
        (
            "W:W28,23:B1",
            "28-19",
            "the piece on 23 is your own, it cannot be jumped",
        ),
        (
            "W:WK46,28:B1",
            "46-23",
            "your own piece on 28 is in the way",
        ),
        (
            "W:WK46:B28,23",
            "46-19",
            "a king takes one piece at a time, and 28 and 23 are both in the way",
        ),
        (DOUBLE, "50-45", "a capture is compulsory: 28x10x14x23"),
        (
            DOUBLE,
            "28x19",
            "the capture is not complete: this takes 1 piece, 2 can and must be taken: 28x10x14x23",
        ),
        (
            "W:W28,50:B23,14,44",
            "50x39",
            "you must take the most pieces: this takes 1 piece, 2 can be taken: 28x10x14x23",
        ),
        (DOUBLE, "28x10x14", "it takes other pieces: 28x10x14x23"),
        (
            DOUBLE,
            "28x17x10",
            "it cannot go that way; possible is 28x10x14x23",
        ),
        (
            "W:W:B1",
            "32-28",
            "white has no legal move, the game is over",
        ),
        (
            START,
            "51-1",
            "51 is no square; squares are numbers from 1 to 50",
        ),
        (
            START,
            "32",
            "a move names the square it leaves and the one it goes to, as 32-28",
        ),
        (
            START,
            "",
            "expected a move such as 32-28 or 28x19, found the end at character 1",
        ),
        (
            START,
            "32-28 e",
            "expected a move such as 32-28 or 28x19, found e at character 7",
        ),
        (
            START,
            "32-",
            "expected a move such as 32-28 or 28x19, found the end at character 4",
        ),
    ] {
        let got = read(fen, text).err().unwrap_or("ok".into());
        assert_eq!(got, message, "{fen} {text}");
    }
}

#[test]
fn ambiguous_text_lists_the_moves_and_more_text_settles_it() {
    let (by_31, by_27) = ("46x12x17x31x41", "46x12x17x27x41");
    let message = format!("it could be any of {by_31}, {by_27}");
    for text in ["46x12", "46-12", "46 12"] {
        let got = read(TWO_WAYS, text).unwrap_err();
        let other_order = format!("it could be any of {by_27}, {by_31}");
        assert!(got == message || got == other_order, "{text}: {got}");
    }
    for text in ["46x12x41x31x17", "46x37x26x12", "46x37x12", "46x26x12"] {
        assert_eq!(read(TWO_WAYS, text), Ok(by_31.into()), "{text}");
    }
    for text in ["46x12x27x17x41", "46x32x21x12", "46x32x12", "46x21x12"] {
        assert_eq!(read(TWO_WAYS, text), Ok(by_27.into()), "{text}");
    }
    let position = fen::parse(TWO_WAYS).unwrap();
    let full = parse(&position, by_27).unwrap();
    assert_eq!(short(&position, full), by_27);
    let position = fen::parse(DOUBLE).unwrap();
    assert_eq!(short(&position, position.legal_moves()[0]), "28x10");
}

#[test]
fn reads_lines_with_and_without_numbers() {
    let start = Position::start();
    let moves = |text: &str| parse_line(&start, text).map(|moves| format!("{moves:?}"));
    let line = Ok("[32-28, 19-23, 28x19x23, 14x23x19]".to_owned());
    for text in [
        "32-28 19-23 28x19 14x23",
        "1. 32-28 19-23 2. 28x19 14x23",
        "1.32-28 19-23 2.28x19 14x23 2-0",
        "1. 32-28 1... 19-23 2. 28x19x23 2... 14x23x19 *",
        " 32 - 28  19 - 23\n28x19! 14x23?? ",
    ] {
        assert_eq!(moves(text), line, "{text}");
    }
    assert_eq!(moves(""), Ok("[]".into()));
    let error = moves("32-28 19-23 33-29").unwrap_err();
    assert_eq!((error.ply, error.column, error.played.len()), (3, 13, 2));
    assert!(
        error
            .to_string()
            .starts_with("move 3 (33-29): a capture is compulsory: "),
        "{error}"
    );
    assert_eq!(moves("32-28 \"x").unwrap_err().text, "\"x");
    let error = moves("32-28\u{a0}19\u{2013}23\u{200b} 2\u{2026} 28\u{445}18").unwrap_err();
    assert_eq!(
        (error.ply, error.column, error.text.as_str()),
        (3, 17, "28\u{445}18")
    );
    assert_eq!(
        moves("1.32.--28. 19\u{2212}23. 28\u{d7}\u{ff11}\u{ff19}, 14*23 2:0")
            .map_err(|e| e.to_string()),
        moves("32-28 19-23 28x19 14x23").map_err(|e| e.to_string())
    );
    // What a wrong word begins with is no sign of the move before it.
    for (text, word, column) in [
        ("32-28 xx", "xx", 7),
        ("32-28  - x", "x", 10),
        ("32-28 x", "x", 7),
    ] {
        let error = moves(text).unwrap_err();
        assert_eq!(
            (error.ply, error.text.as_str(), error.column),
            (2, word, column)
        );
    }
}

#[test]
fn lines_are_read_as_those_of_a_game() {
    let start = Position::start();
    let moves = |text: &str| parse_line(&start, text);
    let line = moves("32-28 19-23 28x19 14x23").unwrap();
    for text in [
        "3228 1923 2819 1423",
        "32-28\u{25a1} 19-23 !? 28x19\u{b1} 14x23 $5",
        "1. 32-28 1. ... 19-23 2. 28x19 2.\u{2026} 14x23",
        "1. 32-28 (19-23) 2. 28x19 (14x23)",
        "32-28 {first; and 50% of it} 19-23 (19-24 28-23) 28x19 14x23 2-0 {won}",
        "32.-28. 19.-23. 28:19 14:23",
        "32\u{2014}28;19\u{2212}23;28\u{425}19;14\u{3c7}23",
        "\u{ff13}\u{ff12}-28\u{a0}19-23 28x1\u{200b}9 14x23",
        "[pdn] 1) 32-28 19-23 2) 28x19 14x23 [/pdn]",
        "32-28 - 19-23 28x19 - 14x23 and wins",
    ] {
        assert_eq!(moves(text).as_ref(), Ok(&line), "{text}");
    }
    assert_eq!(moves(" {nothing} *"), Ok(Vec::new()));
    // What a game would keep beside its moves is told, with the moves before it.
    for (text, count, word, says) in [
        ("32-28 hello 19-23", 1, "hello", "found h at character 7"),
        ("32-28 19-23 12-8", 2, "12-8", "the piece on 12 is black"),
        ("32-28 12-8", 1, "12-8", "is not empty"),
        ("32-28 2-0 19-23", 1, "2-0", "found 2"),
        ("32-28 {open", 1, "{open", "an opening brace"),
        ("32-28 (19-23", 1, "(19-23", "an opening parenthesis"),
        ("32-28 (19-32) 19-23", 1, "19-32", "one step only"),
        ("(31-26 17-21) 32-28", 0, "(31-26", "an opening parenthesis"),
        ("[White \"A\"] 32-28", 0, "[White", "found ["),
        ("32-28 /FEN \"W:W31:B20\"/", 1, "/FEN", "found /"),
        ("32-28\n%19-23", 1, "%19-23", "found %"),
        ("c3-d4", 0, "c3-d4", "found c"),
        ("!? 32-28", 0, "!?", "found !"),
        ("32-28 (19-23) 28x99", 2, "28x99", "99 is no square"),
        (
            "32-28 (19-23) 33-29 (5-6)",
            2,
            "33-29",
            "a capture is compulsory",
        ),
        ("3299", 0, "3299", "99 is no square"),
    ] {
        let error = moves(text).expect_err(text);
        assert_eq!(
            (error.played.len(), error.ply),
            (count, count + 1),
            "{text}"
        );
        assert_eq!(error.text, word, "{text}");
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
    let two = fen::parse(TWO_WAYS).unwrap();
    let ambiguous = |text: &str| parse_line(&two, text).map_err(|error| error.error);
    assert!(
        matches!(ambiguous("1. 46x12"), Err(MoveError::Ambiguous(_))),
        "{:?}",
        ambiguous("1. 46x12")
    );
    let kings = fen::parse("W:WK46:BK45").unwrap();
    let endless = parse_line(&kings, &"46-41 45-50 41-46 50-45 ".repeat(4000));
    assert_eq!(
        endless.map_err(|error| error.error),
        Err(MoveError::TooManyMoves(10_000))
    );
}

#[test]
fn a_typed_move_may_be_written_as_one_of_a_game() {
    let start = Position::start();
    let typed = |text: &str| {
        parse_typed(&start, text)
            .map(|mv| mv.to_string())
            .map_err(|error| error.to_string())
    };
    for text in [
        "32-28",
        "32 28",
        "3228",
        "1. 32-28!?",
        "(32-28)",
        "1. ... 32-28",
        "{a} 32\u{2012}28 \u{25a1}",
        "32-28 {b}",
    ] {
        assert_eq!(typed(text), Ok("32-28".into()), "{text}");
    }
    for (text, says) in [
        ("3226", "not on one diagonal"),
        ("1. 32-22", "not on one diagonal"),
        ("1. foo", "found f at character 4"),
        ("", "found the end"),
        ("32", "a move names the square"),
        ("51-46", "51 is no square"),
        ("32-28 19-23", "a single move"),
    ] {
        assert!(
            typed(text).is_err_and(|error| error.contains(says)),
            "{text}: {:?}",
            typed(text)
        );
    }
}

fn random_position(choices: &[u8]) -> Position {
    choices.iter().fold(Position::start(), |position, &choice| {
        let moves = position.legal_moves();
        match moves.len() {
            0 => position,
            n => position.play(moves[choice as usize % n]),
        }
    })
}

/// Any pieces anywhere, as in a composition.
fn composition() -> impl Strategy<Value = Position> {
    let density = prop::sample::select(vec![1u8, 2, 4, 8]);
    let squares = prop::collection::vec(any::<u8>(), 50);
    (density, squares, any::<bool>()).prop_map(|(density, squares, white)| {
        let turn = if white { Color::White } else { Color::Black };
        let mut setup = Setup::empty(turn);
        for (square, choice) in Square::all().zip(squares) {
            let one = Bitboard::of(square);
            match (choice % (4 * density), square.row()) {
                (0, 1..) => setup.men[0] |= one,
                (1, ..9) => setup.men[1] |= one,
                (2, _) if choice < 128 => setup.kings[0] |= one,
                (3, _) if choice < 128 => setup.kings[1] |= one,
                _ => {}
            }
        }
        Position::try_from(setup).unwrap()
    })
}

proptest! {
    #[test]
    fn compositions_read_back(position in composition(), from in 1..=50u8, to in 1..=50u8) {
        prop_assert_eq!(fen::parse(&fen::format(&position)), Ok(position));
        let hub = crate::notation::hub_board::format(&position);
        prop_assert_eq!(crate::notation::hub_board::parse(&hub), Ok(position));
        for mv in position.legal_moves() {
            prop_assert_eq!(parse(&position, &mv.to_string()), Ok(mv));
            prop_assert_eq!(parse(&position, &short(&position, mv)), Ok(mv));
        }
        if let Err(error) = parse(&position, &format!("{from}x{to}")) {
            let message = error.to_string();
            prop_assert!(!message.is_empty() && message.len() < 500, "{}", message);
        }
    }

    #[test]
    fn every_legal_move_reads_back(choices in prop::collection::vec(any::<u8>(), 0..150)) {
        let position = random_position(&choices);
        for mv in position.legal_moves() {
            prop_assert_eq!(parse(&position, &mv.to_string()), Ok(mv));
            prop_assert_eq!(parse(&position, &short(&position, mv)), Ok(mv));
        }
        prop_assert_eq!(fen::parse(&fen::format(&position)), Ok(position));
        let hub = crate::notation::hub_board::format(&position);
        prop_assert_eq!(crate::notation::hub_board::parse(&hub), Ok(position));
    }

    #[test]
    fn every_other_pair_of_squares_is_explained(
        choices in prop::collection::vec(any::<u8>(), 0..150),
        from in 1..=50u8,
        to in 1..=50u8,
    ) {
        let position = random_position(&choices);
        let legal = position.legal_moves();
        let exists = legal.iter().any(|mv| (mv.from().number(), mv.to().number()) == (from, to));
        match parse(&position, &format!("{from}-{to}")) {
            Ok(mv) => prop_assert!(legal.contains(&mv)),
            Err(MoveError::Ambiguous(moves)) => prop_assert!(exists && moves.len() > 1),
            Err(error) => {
                prop_assert!(!exists, "{}", error);
                prop_assert!(!error.to_string().contains('"') && error.to_string().len() < 500);
            }
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC*", moves in "[0-9x: .*!-]{0,60}", fen in "[WBKG0-9:,.? \\-]{0,60}") {
        let start = Position::start();
        for text in [&text, &moves, &fen] {
            let error = parse(&start, text).err().map(|e| e.to_string());
            let line = parse_line(&start, text).err().map(|e| e.to_string());
            let setup = fen::parse(text).err().map(|e| e.to_string());
            let board = crate::notation::hub_board::parse(text).err().map(|e| e.to_string());
            for message in [error, line, setup, board].into_iter().flatten() {
                prop_assert!(message.len() < 500 && !message.contains(['\n', '\r']), "{}", message);
            }
        }
    }
}

#[test]
fn the_majority_rule_names_how_many_are_taken_and_how_many_must_be() {
    for (fen, text, message) in [
        // Another piece takes more.
        (
            "W:W32,44:B27,29,39",
            "32x21",
            "you must take the most pieces: this takes 1 piece, 2 can be taken: 44x24x29x39",
        ),
        // A king counts as one piece.
        (
            "W:W32,44:BK27,29,39",
            "32x21x27",
            "you must take the most pieces: this takes 1 piece, 2 can be taken: 44x24x29x39",
        ),
        // All ways that take the most are named.
        (
            "W:WK1,45:B7,8,19",
            "1x12",
            "the capture is not complete: this takes 1 piece, 2 can and must be taken: 1x3x7x8, 1x5x7x19, \
             1x10x7x19, 1x14x7x19",
        ),
        // A capture that ends where it began.
        (
            "W:W28:B12,13,22,23",
            "28x8",
            "the capture is not complete: this takes 2 pieces, 4 can and must be taken: 28x28x12x13x22x23",
        ),
        // With the pieces that it says it takes.
        (
            "W:W28:B12,13,22,23",
            "28x8x13x23",
            "the capture is not complete: this takes 2 pieces, 4 can and must be taken: 28x28x12x13x22x23",
        ),
        // A quiet move beside it, and a capture that is none.
        (
            "W:W32,44:B27,29,39",
            "32-28",
            "a capture is compulsory: 44x24x29x39",
        ),
        (
            "W:W28:B22,23,13",
            "28x17x6",
            "no capture leads from 28 to 6; possible is 28x8x13x23",
        ),
    ] {
        assert_eq!(read(fen, text), Err(message.into()), "{fen} {text}");
    }
}
