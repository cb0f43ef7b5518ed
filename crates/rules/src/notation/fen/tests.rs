use super::*;
use crate::board::Bitboard;
use proptest::prelude::*;

fn same(text: &str, canonical: &str) {
    match parse(text) {
        Ok(position) => assert_eq!(format(&position), canonical, "{text}"),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[test]
fn reads_every_dialect() {
    let start = format(&Position::start());
    assert!(start.starts_with("W:W31,32,") && start.ends_with(",19,20"));
    for text in [
        "W:W31-50:B1-20",
        "W:B1-20:W31-50",
        "w:w31-50:b1-20.",
        " W : W 31 - 50 : B 1 - 20 . ",
        "[FEN \"W:W31-50:B1-20\"]",
        "[FEN \"W:W31-50:B1-20.\"]",
        "\"W:W31-50:B1-20\"",
        "W:W31-50:B1-20:H0:F1",
        "W:W31-50,G22:B1-20,P23:H12:F7",
        "W:W31-40,41,42,43-50:B20-1:",
        "W:W031-0050:B1 2 3 4 5,6-20",
        "W:W31-50:B1-20:+0+0",
        "W:W31-50:B1-20:H12:F30:+2W14+1",
        "W:W:W31-50:B1-20",
        "[FEN \"W:W:W31-50:B1-20\"]",
        "B:W:W31-50:B1-20:H0:F1",
        "W:W:31-50:B:1-20",
        "W:W31\u{2013}50:B1\u{2014}20",
        "W:W31--50:B1 \u{2212} 20",
        "W:W31..50:B1\u{2026}20",
        "W;W31-40;41;42;43-50;B1-20",
        "W:W31-40.41.42.43-50.:B1.2.3.4.5-20.",
        "W.W31-50.B1-20.",
        "White: Wit 31-50: Zwart 1-20",
        "W:W31-50:Z1-20",
        "fen = \u{201c}W:W31-50:B1-20\u{201d}",
        "['W:W31-50:B1-20']",
        "\u{ff37}\u{ff1a}W\u{ff13}\u{ff11}-50:\u{412}1-20",
        "W:\u{200b}W31-50,\u{a0}:B1-20,",
        "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
        "W:bbbbbbbbbbbbbbbbbbbb..........wwwwwwwwwwwwwwwwwwww",
        "pos=Wzzzzzzzzzzzzzzzzzzzzeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
        "bbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww W",
        "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
        "W bbbbb/bbbbb/bbbbb/bbbbb/...../...../wwwww/wwwww/wwwww/wwwww",
        "W:W:W31-50:B:B1-20",
        "W:31-50:1-20",
        "W:1-20:31-50",
        "W:31-50:B1-20",
        "W31-50:B1-20:W",
        "B1-20 W31-50 white to move",
        "Wit: 31-50. Zwart: 1-20. Wit aan zet.",
        "W/W(31-50)/B=1-20",
        "W:Blancs 31-50:Noirs 1-20",
        "W:Белые 31-50:Чёрные 1-20",
        "W:W31→50:B1-20:0:1",
    ] {
        same(text, &start);
    }
    same("W:WK1-5,6:BK50", "W:W6,K1,K2,K3,K4,K5:BK50");
    same("W:WK1-K3,k4..K5,6:B\u{41a}50", "W:W6,K1,K2,K3,K4,K5:BK50");
    same("W:B:W50:B", "B:W50:B");
    same("W:W:W31,32:B10,11", "W:W31,32:B10,11");
    same("Z:W31:ZK5", "B:W31:BK5");
    same("B:1-3:W31-33", "B:W31,32,33:B1,2,3");
    same("B:28:19", "B:W28:B19");
    same("W:WD31,32:BD5", "W:W32,K31:BK5");
}

#[test]
fn kings_have_a_word_in_every_language() {
    for text in [
        "Белые: 31, 32. Чёрные: 1, Д2. Ход белых",
        "Белые: 31, 32. Черные: 1, дамка 2. Ход белых",
        "Б:Б31,32:Ч1,Д2",
        "Wit: 31, 32. Zwart: 1, dam 2. Wit aan zet",
        "Blancs: 31, 32. Noirs: 1, dame 2. Trait aux blancs",
        "White: 31, 32. Black: 1, king 2. White to move",
        "`W:W31,32:B1,K2`",
    ] {
        same(text, "W:W31,32:B1,K2");
    }
}

#[test]
fn sides_may_be_empty_or_missing_or_crowded() {
    same("W:W31", "W:W31:B");
    same("B:B1:W", "B:W:B1");
    same("W:", "W:W:B");
    same("W:W:B", "W:W:B");
    let crowd = parse("B:W26-50:B1-25").unwrap();
    assert_eq!(crowd.occupied().len(), 50);
}

#[test]
fn errors_say_what_and_where() {
    for (text, column, message) in [
        ("", 1, "the FEN is empty; expected one like W:W31-50:B1-20"),
        (
            "X:W31",
            1,
            "FEN, character 1: expected the side to move, W or B, found X",
        ),
        (
            "?:W31:B1",
            1,
            "FEN, character 1: the side to move is ?, write W or B",
        ),
        (
            "W",
            2,
            "FEN, character 2: expected : and the pieces, as in W:W31-50:B1-20, found the end",
        ),
        (
            "W:W31,51",
            7,
            "FEN, character 7: 51 is no square; squares are numbers from 1 to 50",
        ),
        (
            "W:W31,x",
            7,
            "FEN, character 7: expected a square, as 31 or K31, found x",
        ),
        (
            "W:W31-:B1",
            7,
            "FEN, character 7: expected a square, as 31 or K31, found :",
        ),
        (
            "W:X31",
            3,
            "FEN, character 3: expected W or B and its squares, found X",
        ),
        (
            "W:W31:W32",
            7,
            "FEN, character 7: the pieces of white are given twice",
        ),
        ("W:W31:B31", 8, "FEN, character 8: square 31 is given twice"),
        (
            "W31-50:B1-20",
            1,
            "FEN, character 1: the side to move is missing, write W: or B: before the pieces",
        ),
        (
            "bbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
            1,
            "position: 50 squares without the side to move; put W or B before them",
        ),
        (
            "W:W⇑31:B1",
            4,
            "FEN, character 4: expected a square, as 31 or K31, found ⇑",
        ),
        (
            "W:Wd2,d4:Bd8",
            4,
            "FEN, character 4: this is a position of another game",
        ),
        (
            "W:W31:B1. e4",
            11,
            "FEN, character 11: expected the end, found e",
        ),
        (
            "W:W5:B20",
            4,
            "FEN, character 4: a white man on 5, its promotion row (a king is K5)",
        ),
        (
            "W:W31:B\u{ff15}\u{ff11}",
            8,
            "FEN, character 8: ５１ is no square; squares are numbers from 1 to 50",
        ),
        (
            "W:Wc1,Ke3:Bb8",
            4,
            "FEN, character 4: this is a position of another game, on a board of 64 squares (a1 to h8); expected \
             squares from 1 to 50",
        ),
        (
            "W:W43-60,61-72:B1-30",
            7,
            "FEN, character 7: this is a position of another game",
        ),
        (
            "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
            1,
            "position: 33 characters are a board of 64 squares",
        ),
    ] {
        let error = parse(text).unwrap_err();
        let told = error.to_string();
        assert_eq!(error.column, column, "{text}: {told}");
        assert!(told.starts_with(message), "{text}: {told}");
    }
}

#[test]
fn fields_stand_behind_a_semicolon() {
    for (text, fen, fields) in [
        (
            "W:W27,32:B8,16; bm 27-22; id name",
            "W:W27,32:B8,16",
            " bm 27-22; id name",
        ),
        ("W:W27;32:B8;16;bm 27-22", "W:W27,32:B8,16", "bm 27-22"),
        (
            "W;W27;32;B8;K16; result draw",
            "W:W27,32:B8,K16",
            " result draw",
        ),
        ("W:W27:B8; 12 pieces", "W:W27:B8", " 12 pieces"),
        ("[FEN \"W:W27:B8.\"]; x", "W:W27:B8", " x"),
        ("W:W27:B8", "W:W27:B8", ""),
    ] {
        let (position, rest) =
            parse_with_fields(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((format(&position).as_str(), rest), (fen, fields), "{text}");
    }
    // Names that look like a side.
    for (text, fen) in [
        ("W:W31:B1; id n14", "W:W31:B1"),
        ("W:W31:B1; id b2 n14", "W:W31:B1"),
        ("N:B31:N1; id w2", "B:W31:B1"),
        ("B:NK1,2:B31,32; id w2 n14", "W:W31,32:B2,K1"),
        ("W:WD5:B1; id n14", "W:WK5:B1"),
        ("B:B5:W; id n14", "B:W:B5"),
    ] {
        let (position, _) =
            parse_with_fields(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(format(&position), fen, "{text}");
    }
    let board = crate::notation::hub_board::format(&Position::start());
    assert_eq!(
        parse_with_fields(&format!("{board}; id x")),
        Ok((Position::start(), " id x"))
    );
}

#[test]
fn pictures_are_read() {
    let position: Position = "B:W28,K46:B19,K5".parse().unwrap();
    let picture = |bottom| picture::draw(&position, bottom, true);
    let white = picture(Color::White);
    let framed: String = white
        .lines()
        .map(|line| format!("| {:<40} |\n", line))
        .collect();
    let frame = "+------------------+\n";
    let light: String = (0..10)
        .map(|row| {
            let cells = white.lines().nth(row).unwrap()[..24]
                .split_whitespace()
                .collect::<Vec<_>>();
            let pairs = cells.iter().map(|cell| {
                if row % 2 == 0 {
                    format!(". {cell} ")
                } else {
                    format!("{cell} . ")
                }
            });
            pairs.collect::<String>() + "\n"
        })
        .collect();
    let bars: String = light
        .lines()
        .map(|line| {
            format!(
                "| {} |\n",
                line.trim().replace(' ', " | ").replace('.', " ")
            )
        })
        .collect();
    for text in [
        format!("{white}B:W28,K46:B19,K5\nblack to move"),
        format!("B\n{}", picture(Color::Black)),
        format!("{frame}{framed}{frame}Zwart aan zet.\n"),
        format!("{light}black to move"),
        format!("{bars}black to move"),
        format!(
            "{}b",
            white
                .replace('W', "\u{26c1}")
                .replace('w', "\u{26c0}")
                .replace('.', "\u{b7}")
        ),
        format!(
            "{}b",
            white
                .replace('w', "o")
                .replace('b', "x")
                .replace('W', "O")
                .replace('B', "X")
        ),
        format!("{}b", white.replace(" w ", "(w)").replace(" B ", "(B)")),
        format!(
            "\u{250c}\u{2500}\u{2510}\r\n{}b",
            framed.replace('|', "\u{2502}").replace('\n', "\r\n")
        ),
    ] {
        assert_eq!(parse(&text), Ok(position), "{text}");
    }
    // White is to move unless it is said otherwise.
    assert_eq!(
        parse(&white).map(|position| position.turn()),
        Ok(Color::White)
    );
    for (text, message) in [
        (
            white.lines().skip(1).collect::<Vec<_>>().join("\n"),
            "picture, line 9: the board has 9 rows",
        ),
        (
            format!("{white}{white}"),
            "picture, line 11: the board has 20 rows",
        ),
        (
            white.replacen(".   .", ".", 1),
            "picture, line 1: the row has 4 squares",
        ),
        (
            white.replace('w', "o"),
            "picture, line 6: o is a piece of either side",
        ),
        (
            light.replacen(". .", "w .", 1),
            "picture, line 1: a piece on a light square, the one in column 1",
        ),
        (
            format!("{white}W:W31:B20"),
            "picture, line 11: the FEN is another position",
        ),
        (
            format!("{white}to move: me"),
            "picture, line 11: expected a row of the board",
        ),
        (
            "b.b.b.b.\n".repeat(8),
            "picture, line 8: this is a board of 64 squares",
        ),
    ] {
        let told = parse(&text).unwrap_err().to_string();
        assert!(told.starts_with(message), "{text}{told}");
    }
}

/// Positions of any pieces, as long as men are not on their promotion rows.
fn any_position() -> impl Strategy<Value = Position> {
    (prop::collection::vec(0..8u8, 50), any::<bool>()).prop_map(|(pieces, white)| {
        let mut setup = Setup::empty(if white { Color::White } else { Color::Black });
        for (square, piece) in Square::all().zip(pieces) {
            match piece {
                0 if square.row() > 0 => setup.men[0] |= Bitboard::of(square),
                1 if square.row() < 9 => setup.men[1] |= Bitboard::of(square),
                2 => setup.kings[0] |= Bitboard::of(square),
                3 => setup.kings[1] |= Bitboard::of(square),
                _ => {}
            }
        }
        Position::try_from(setup).unwrap()
    })
}

/// A FEN in another dialect.
fn dialect(position: &Position, number: usize) -> String {
    let fen = format(position);
    let side = |color: Color| match color {
        Color::White => "white to move",
        Color::Black => "black to move",
    };
    match number {
        0 => fen.replace(',', " , ").replace(':', " : "),
        1 => fen.replace(',', ";"),
        2 => fen.replace(',', ".") + ".",
        3 => fen.replace([',', ':'], ";"),
        4 => format!("[FEN \"W:{fen}\"]"),
        5 => fen.replace('B', "Z"),
        6 => fen.to_lowercase() + ":H3:F7:+0+0",
        7 => hub_board::format(position),
        8 => hub_board::format(position)
            .replace('b', "z")
            .replace('B', "Z"),
        9 => picture::draw(position, Color::White, false) + side(position.turn()),
        _ => side(position.turn()).to_owned() + "\n" + &picture::draw(position, Color::Black, true),
    }
}

proptest! {
    #[test]
    fn every_dialect_reads_back(position in any_position(), number in 0..11usize) {
        let text = dialect(&position, number);
        prop_assert_eq!(parse(&text), Ok(position), "{}", text);
    }

    #[test]
    fn lookalikes_of_signs_are_the_same_position(
        first in 6..=45u8,
        last in 6..=45u8,
        dash in prop::sample::select("-\u{2010}\u{2013}\u{2014}\u{2212}\u{ff0d}".chars().collect::<Vec<_>>()),
        colon in prop::sample::select(":\u{ff1a}\u{2236}".chars().collect::<Vec<_>>()),
        blank in prop::sample::select(vec!["", " ", "\u{a0}", "\u{200b}", "\u{feff}", "\u{3000}"]),
        zero in prop::sample::select("0\u{ff10}".chars().collect::<Vec<_>>()),
    ) {
        let number = |number: u8| {
            let digits = number.to_string();
            let wide = |c: char| char::from_u32(u32::from(c) - u32::from('0') + u32::from(zero)).unwrap();
            digits.chars().map(wide).collect::<String>()
        };
        let (a, b) = (number(first), number(last));
        let text = format!("{blank}W{colon}{blank}W{a}{blank}{dash}{blank}{b}{colon}B{blank}");
        prop_assert_eq!(parse(&text), parse(&format!("W:W{first}-{last}:B")), "{}", text);
    }
}
