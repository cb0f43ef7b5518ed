//! The codec byte by byte, against the examples of the protocol's description and against what programs do.

use super::*;
use damier_rules::Position;
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::notation::fen;
use std::time::Duration;

const NAME: &str = "Tornado voor Windows 4.0        ";

fn square(number: u8) -> Square {
    Square::new(number).expect("a square")
}

fn squares(numbers: &[u8]) -> Bitboard {
    numbers.iter().map(|&number| square(number)).collect()
}

fn read(text: &str) -> Message {
    Message::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What is read from the text, and written again, is the text.
fn both_ways(text: &str) -> Message {
    let message = read(text);
    let written = message.encode();
    assert_eq!(written.last(), Some(&0), "{text}");
    assert_eq!(std::str::from_utf8(&written[..written.len() - 1]), Ok(text));
    message
}

fn wrong(text: &[u8]) -> (Field, usize, Problem) {
    let error = Message::parse(text).expect_err("an error");
    let shown = error.to_string();
    assert!(
        shown.len() < 200 && shown.is_ascii() && !shown.contains(['"', '\n']),
        "{shown}"
    );
    (error.field, error.column, error.problem)
}

fn minutes(hundredths: u32) -> Minutes {
    Minutes::from_hundredths(hundredths).expect("minutes that can be said")
}

#[test]
fn a_game_request_from_the_start_position() {
    let Message::GameReq(request) = both_ways(&format!("R01{NAME}W060065A")) else {
        panic!("another message")
    };
    assert_eq!(request.name.as_str(), "Tornado voor Windows 4.0");
    assert_eq!(request.follower, Color::White);
    assert_eq!(request.minutes, minutes(60 * 100));
    assert_eq!(request.moves.get(), Some(65));
    assert_eq!(request.start, Start::Usual);
    let Message::GameReq(request) = both_ways(&format!("R01{NAME}Z.05000A")) else {
        panic!("another message")
    };
    assert_eq!(request.follower, Color::Black);
    assert_eq!(request.minutes.duration(), Duration::from_secs(3));
    assert_eq!(request.moves.get(), None);
}

#[test]
fn a_game_request_with_a_board() {
    let text = format!(
        "R01{NAME}Z001075BZ{}",
        "zWeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeZw"
    );
    let Message::GameReq(request) = both_ways(&text) else {
        panic!("another message")
    };
    let expected = fen::parse("B:W50,K2:B1,K49").expect("a position");
    assert_eq!(request.start, Start::Board(expected));
    assert_eq!(request.start.position().turn(), Color::Black);
    let usual = format!(
        "R01{NAME}W001000BW{}{}{}",
        "z".repeat(20),
        "e".repeat(10),
        "w".repeat(20)
    );
    let Message::GameReq(request) = both_ways(&usual) else {
        panic!("another message")
    };
    assert_eq!(request.start.position(), Position::start());
    assert_eq!(Start::from_position(&Position::start()), Start::Usual);
}

#[test]
fn errors_of_a_game_request_name_field_and_column() {
    let good = format!(
        "R01{NAME}W060065BW{}{}{}",
        "z".repeat(20),
        "e".repeat(10),
        "w".repeat(20)
    );
    let broken = |column: usize, with: &str| {
        let mut bytes = good.clone().into_bytes();
        bytes[column - 1..column - 1 + with.len()].copy_from_slice(with.as_bytes());
        wrong(&bytes)
    };
    let expected = |wanted, found: &str| Problem::Expected(wanted, found.to_owned());
    let number = |found: &str| Problem::NotANumber(found.to_owned());
    assert_eq!(broken(2, "02"), (Field::Version, 2, Problem::Version(2)));
    assert_eq!(broken(2, "x1"), (Field::Version, 2, number("x1")));
    assert_eq!(
        broken(36, "B"),
        (Field::FollowerColor, 36, expected("W or Z", "B"))
    );
    assert_eq!(broken(37, "1-5"), (Field::Minutes, 37, number("1-5")));
    assert_eq!(broken(37, "..5"), (Field::Minutes, 37, number("..5")));
    assert_eq!(broken(40, " 75"), (Field::Moves, 40, number(" 75")));
    assert_eq!(
        broken(43, "C"),
        (Field::StartKind, 43, expected("A or B", "C"))
    );
    assert_eq!(
        broken(44, "B"),
        (Field::SideToMove, 44, expected("W or Z", "B"))
    );
    assert_eq!(
        broken(94, "b"),
        (Field::Board, 94, expected("one of w z W Z e", "b"))
    );
    let (field, column, problem) = broken(45, "w");
    assert_eq!((field, column), (Field::Board, 45));
    assert!(
        matches!(problem, Problem::Setup(_)),
        "a man on its promotion row"
    );
    // Cut anywhere, it is incomplete, and the column is not behind the end.
    for length in 1..good.len() {
        let (_, column, problem) = wrong(&good.as_bytes()[..length]);
        assert_eq!(problem, Problem::Missing, "{length}");
        assert!(column <= length + 1, "{length}");
    }
    let trailing = Problem::Trailing("x".to_owned());
    assert_eq!(
        wrong(format!("{good}x").as_bytes()),
        (Field::End, 95, trailing)
    );
}

#[test]
fn a_game_acceptance() {
    for (digit, code) in [
        ('0', Acceptance::Accepted),
        ('1', Acceptance::Version),
        ('2', Acceptance::NotThisGame),
        ('3', Acceptance::NoGames),
    ] {
        let name = Name::from_text("Tornado voor Windows 4.0");
        let expected = Message::GameAcc(GameAcc { name, code });
        assert_eq!(both_ways(&format!("A{NAME}{digit}")), expected);
    }
    let (field, column, _) = wrong(format!("A{NAME}4").as_bytes());
    assert_eq!((field, column), (Field::Code, 34));
    assert_eq!(
        wrong(format!("A{NAME}").as_bytes()),
        (Field::Code, 34, Problem::Missing)
    );
    assert_eq!(wrong(b"A"), (Field::Name, 2, Problem::Missing));
}

#[test]
fn a_move() {
    let Message::Move(quiet) = both_ways("M0012061100") else {
        panic!("another message")
    };
    assert_eq!(quiet.time.get(), 12);
    assert_eq!((quiet.from, quiet.to), (square(6), square(11)));
    assert!(quiet.captured.is_empty());
    // The description's own example, the captured pieces in an order that is not ours.
    let Message::Move(capture) = read("M001205250422122320") else {
        panic!("another message")
    };
    assert_eq!((capture.from, capture.to), (square(5), square(25)));
    assert_eq!(capture.captured, squares(&[12, 20, 22, 23]));
    assert_eq!(both_ways("M001205250412202223"), Message::Move(capture));
    let twenty: String = (1..=20).map(|number| format!("{number:02}")).collect();
    both_ways(&format!("M9999504920{twenty}"));
}

#[test]
fn errors_of_a_move_name_field_and_column() {
    let not_square = |found: &str| Problem::NotASquare(found.to_owned());
    let number = |found: &str| Problem::NotANumber(found.to_owned());
    assert_eq!(wrong(b"M12"), (Field::Time, 2, Problem::Missing));
    assert_eq!(wrong(b"M-001061100"), (Field::Time, 2, number("-001")));
    assert_eq!(wrong(b"M0012001100"), (Field::From, 6, not_square("00")));
    assert_eq!(wrong(b"M0012065100"), (Field::To, 8, not_square("51")));
    assert_eq!(wrong(b"M001206 900"), (Field::To, 8, not_square(" 9")));
    assert_eq!(
        wrong(b"M00120611"),
        (Field::CapturedCount, 10, Problem::Missing)
    );
    assert_eq!(
        wrong(b"M0012061121"),
        (Field::CapturedCount, 10, Problem::TooMany(21))
    );
    assert_eq!(
        wrong(b"M00120525021"),
        (Field::Captured, 12, Problem::Missing)
    );
    assert_eq!(
        wrong(b"M001205250212"),
        (Field::Captured, 14, Problem::Missing)
    );
    assert_eq!(
        wrong(b"M00120525021212"),
        (Field::Captured, 14, Problem::Twice(square(12)))
    );
    let trailing = Problem::Trailing("23".to_owned());
    assert_eq!(wrong(b"M001205250023"), (Field::End, 12, trailing));
}

#[test]
fn a_game_end() {
    let reasons = [Reason::Unknown, Reason::Loss, Reason::Draw, Reason::Win];
    for (digit, reason) in reasons.into_iter().enumerate() {
        for (code, stop) in [(0, false), (1, true)] {
            let expected = Message::GameEnd(GameEnd { reason, stop });
            assert_eq!(both_ways(&format!("E{digit}{code}")), expected);
        }
    }
    let expected = |wanted, found: &str| Problem::Expected(wanted, found.to_owned());
    assert_eq!(wrong(b"E"), (Field::Reason, 2, Problem::Missing));
    assert_eq!(wrong(b"E0"), (Field::StopCode, 3, Problem::Missing));
    assert_eq!(
        wrong(b"E40"),
        (Field::Reason, 2, expected("a digit from 0 to 3", "4"))
    );
    assert_eq!(wrong(b"E02"), (Field::StopCode, 3, expected("0 or 1", "2")));
    assert_eq!(
        wrong(b"E000"),
        (Field::End, 4, Problem::Trailing("0".to_owned()))
    );
}

#[test]
fn a_chat() {
    let text = "What do you think about move 35?";
    assert_eq!(
        both_ways(&format!("C{text}")),
        Message::Chat(ChatText::from_text(text))
    );
    assert_eq!(read("C"), Message::Chat(ChatText::default()));
    let Message::Chat(foreign) = Message::parse(b"Cd\xe9j\xe0 vu\n\t!").expect("a chat") else {
        panic!("another message")
    };
    assert_eq!(foreign.as_str(), "d?j? vu? !");
    let long = ChatText::from_text(&"é".repeat(1000));
    assert_eq!(long.as_str(), "?".repeat(126));
    assert_eq!(Message::Chat(long).encode().len(), MAX_MESSAGE + 1);
}

#[test]
fn a_wish_to_go_back_and_its_answer() {
    let expected = Message::BackReq(BackReq {
        number: MoveNumber::new(5).expect("small"),
        side: Color::Black,
    });
    assert_eq!(both_ways("B005Z"), expected);
    both_ways("B999W");
    let answers = [
        BackAnswer::Accepted,
        BackAnswer::NotSupported,
        BackAnswer::Refused,
    ];
    for (digit, answer) in answers.into_iter().enumerate() {
        assert_eq!(both_ways(&format!("K{digit}")), Message::BackAcc(answer));
    }
    assert_eq!(wrong(b"B05"), (Field::MoveNumber, 2, Problem::Missing));
    assert_eq!(wrong(b"B0x5W").0, Field::MoveNumber);
    assert_eq!(wrong(b"B005"), (Field::SideToMove, 5, Problem::Missing));
    assert_eq!(wrong(b"K3").0, Field::Code);
    assert_eq!(wrong(b"K"), (Field::Code, 2, Problem::Missing));
}

#[test]
fn a_wish_to_go_back_counts_the_plies_that_stay() {
    let plies = |number, side, first| {
        let number = MoveNumber::new(number).expect("small");
        BackReq { number, side }.plies(first)
    };
    let [white, black] = Color::BOTH;
    assert_eq!(plies(1, white, white), Some(0));
    assert_eq!(plies(1, black, white), Some(1));
    assert_eq!(plies(2, white, white), Some(2));
    // Where black begins, its first move has the number 1 and white's answer the number 2.
    assert_eq!(plies(1, black, black), Some(0));
    assert_eq!(plies(2, white, black), Some(1));
    assert_eq!(plies(1, white, black), None);
    assert_eq!(plies(0, black, white), None);
}

#[test]
fn what_is_no_message() {
    assert_eq!(wrong(b""), (Field::Header, 1, Problem::Empty));
    assert_eq!(wrong(b"X00").2, Problem::UnknownType("X".to_owned()));
    assert_eq!(wrong(b"r01").2, Problem::UnknownType("r".to_owned()));
    assert_eq!(
        wrong(&[0xff, b'"']).2,
        Problem::UnknownType("\\xff".to_owned())
    );
    assert_eq!(wrong(&[b'C'; 128]).2, Problem::TooLong(128));
    assert!(Message::parse(&[b'C'; 127]).is_ok());
    let error = Message::parse(b"M0012061151").expect_err("too many");
    let shown = "MOVE: number of captured pieces (character 10): 51, expected at most 20";
    assert_eq!(error.to_string(), shown);
}

#[test]
fn what_programs_are_known_to_do_is_read() {
    // Blanks and ends of line behind the last field.
    assert_eq!(read("E00 \r\n"), read("E00"));
    assert_eq!(read("M0012061100\n"), read("M0012061100"));
    // A time with a point.
    let Message::Move(mv) = read("M1.60061100") else {
        panic!("another message")
    };
    assert_eq!(mv.time.get(), 2);
    // Names.
    for (field, name) in [
        (" Scan 3.1                       ", "Scan 3.1"),
        ("                                ", ""),
    ] {
        let Message::GameAcc(answer) = read(&format!("A{field}0")) else {
            panic!("another message")
        };
        assert_eq!(answer.name.as_str(), name);
    }
}

#[test]
fn minutes_are_said_in_three_characters() {
    for (hundredths, field, shown) in [
        (0, "000", "0"),
        (5, ".05", "0.05"),
        (25, ".25", "0.25"),
        (50, "0.5", "0.5"),
        (100, "001", "1"),
        (150, "1.5", "1.5"),
        (990, "9.9", "9.9"),
        (1_000, "010", "10"),
        (99_900, "999", "999"),
    ] {
        assert_eq!(minutes(hundredths).field(), field);
        assert_eq!(minutes(hundredths).to_string(), shown);
    }
    for hundredths in [101, 999, 1_010, 1_150, 100_000, u32::MAX] {
        assert_eq!(Minutes::from_hundredths(hundredths), None, "{hundredths}");
    }
    for (text, hundredths) in [
        ("3", 300),
        ("0.50", 50),
        (".5", 50),
        ("1.5000", 150),
        ("12.", 1_200),
    ] {
        assert_eq!(Minutes::parse(text), Some(minutes(hundredths)), "{text}");
    }
    for text in [
        "",
        ".",
        "-1",
        "1e2",
        "1.25",
        "1,5",
        "0.001",
        "1000",
        "99999999999",
        "x",
        "nan",
    ] {
        assert_eq!(Minutes::parse(text), None, "{text}");
    }
    for (millis, hundredths) in [
        (0, 1),
        (599, 1),
        (1_799, 2),
        (60_000, 100),
        (89_999, 140),
        (659_999, 1_000),
        (u64::MAX, 99_900),
    ] {
        let rounded = Minutes::at_most(Duration::from_millis(millis));
        assert_eq!(rounded, minutes(hundredths), "{millis}");
    }
}

#[test]
fn seconds_are_rounded_and_bounded() {
    let nearest = |millis| Seconds::nearest(Duration::from_millis(millis)).get();
    assert_eq!(
        [nearest(0), nearest(499), nearest(500), nearest(12_400)],
        [0, 0, 1, 12]
    );
    assert_eq!(nearest(u64::MAX / 2), 9999);
}

#[test]
fn a_move_without_its_captured_pieces_is_the_only_one_it_can_be() {
    let position = fen::parse("W:W28:B22,23").expect("a position");
    let text = |captured| MoveMsg {
        time: Seconds::default(),
        from: square(28),
        to: square(19),
        captured,
    };
    let legal = text(squares(&[23])).legal(&position);
    assert!(legal.is_some());
    assert_eq!(text(Bitboard::EMPTY).legal(&position), legal);
    assert_eq!(text(squares(&[22])).legal(&position), None);
    // Two captures from 28 to 28 around the board: which one is not said.
    let two_ways = fen::parse("W:WK33:B13,14,23,24").expect("a position");
    for &mv in &two_ways.legal_moves() {
        assert_eq!(
            MoveMsg::new(mv, Seconds::default()).legal(&two_ways),
            Some(mv)
        );
    }
}

#[test]
fn a_stream_is_split_whatever_its_pieces() {
    let stream = b"E00\0\0CHello\0M0012061100\0";
    for size in 1..=stream.len() {
        let mut framer = Framer::new();
        let mut found = Vec::new();
        for mut piece in stream.chunks(size) {
            while let Some(message) = framer.next(&mut piece) {
                found.push(String::from_utf8(message.expect("short")).expect("ASCII"));
            }
        }
        assert_eq!(found, ["E00", "CHello", "M0012061100"]);
        assert!(!framer.is_inside());
    }
}

#[test]
fn what_is_too_long_is_said_once_and_skipped() {
    let mut framer = Framer::new();
    let stream = [&[b'x'; 100_000][..], b"\0E00\0", &[b'C'; 127], b"\0E"].concat();
    let mut input = &stream[..];
    assert_eq!(framer.next(&mut input), Some(Err(TooLong)));
    assert_eq!(framer.next(&mut input), Some(Ok(b"E00".to_vec())));
    assert_eq!(framer.next(&mut input), Some(Ok(vec![b'C'; 127])));
    assert_eq!(framer.next(&mut input), None);
    assert!(framer.is_inside());
}
