mod dialects;
mod hostile;
mod people;
mod prose;
mod variations;

use super::*;
use crate::notation::fen;
use crate::notation::moves;
use crate::rules::Position;

fn games(text: &[u8]) -> Vec<Result<Game, PdnError>> {
    read(&decode(text)).collect()
}

fn game(text: &str) -> Game {
    match games(text.as_bytes()).as_slice() {
        [Ok(game)] => game.clone(),
        other => panic!("{text}: {other:?}"),
    }
}

/// The moves in the full form, with comments in braces.
fn line(game: &Game) -> String {
    let word = |annotated: &Annotated| match &annotated.comment {
        Some(comment) => format!("{} {{{comment}}}", annotated.mv),
        None => annotated.mv.to_string(),
    };
    game.moves.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn position(text: &str) -> Position {
    fen::parse(text).unwrap()
}

#[test]
fn reads_the_same_game_in_every_dialect() {
    let wanted = "32-28 19-23 28x19x23 14x23x19";
    for text in [
        "1. 32-28 19-23 2. 28x19 14x23 *",
        "1.32-28 19-23 2.28x19 14x23",
        "1. 32-28 1... 19-23 2. 28x19 2... 14x23 2-0",
        "1. 32-28 1. ... 19-23 2. 28:19 \u{2026} 14:23 1-0",
        "1 32-28 19-23 2 28x19 14x23 1/2-1/2",
        "01. 32 - 28 19 - 23 02. 28 x 19 14 x 23 0-0",
        "3228 1923 2819 1423 \u{bd}-\u{bd}",
        "1. 32-28! 19-23? 2. 28x19!? (?) 14x23(!)*",
        "1. 32-28 $1 19-23$7 2. 28x19* 14x23 *",
        "32-28 (32-27 (33-28 {a (b} 18-23) 18-22) 19-23 (*) 28x19 ( ) 14x23",
        "% a line\n32-28\r\n19-23 \r28x19\x0c14x23\x1a",
        "\u{feff}[Event \"x\"]\n[Result \"2-0\"]\n1. 32-28 19-23 2. 28x19 14\u{d7}23 *",
        "[Event \"x\"] [Site \"y\"]1.32-28 19-23 2.28x19 14X23",
        "/FEN \"W:W31-50:B1-20\"/ 32\u{2013}28 19-23 28x19 14x23",
    ] {
        assert_eq!(line(&game(text)), wanted, "{text}");
    }
    assert_eq!(
        line(&game("32-28 {a} {b\n  c} 19-23 ;d\n{e} *")),
        "32-28 {a b c} 19-23 {d e}"
    );
}

#[test]
fn captures_are_read_in_pieces_and_by_their_squares() {
    // A king takes four.
    let tag = "[FEN \"B:W32,28,14,13,9,29:BK47\"]\n";
    let path = position("B:W32,28,14,13,9,29:BK47").legal_moves();
    for mv in &path {
        let text = moves::with_path(&position("B:W32,28,14,13,9,29:BK47"), *mv);
        let read = game(&format!("{tag}1... {text} *"));
        assert_eq!(read.moves[0].mv, *mv, "{text}");
        let pieces: Vec<&str> = text.split('x').collect();
        let pieces: Vec<String> = pieces.windows(2).map(|pair| pair.join("x")).collect();
        let read = game(&format!("{tag}1... {} *", pieces.join(" ")));
        assert_eq!(read.moves[0].mv, *mv, "{pieces:?}");
    }
    assert!(!path.is_empty());
}

#[test]
fn results_are_read_from_tag_and_terminator() {
    for (text, result) in [
        ("32-28 2-0", Outcome::White),
        ("32-28 1-0", Outcome::White),
        ("32-28 1-1", Outcome::Draw),
        ("32-28 1/2", Outcome::Draw),
        ("32-28 2 - 0", Outcome::White),
        ("32 - 28 19 - 23 1/2 - 1/2", Outcome::Draw),
        ("[Result \"0 - 2\"]\n32-28", Outcome::Black),
        ("[Result \"1/2\"]\n32-28 *", Outcome::Draw),
        ("32-28 0-1", Outcome::Black),
        ("32-28 0-0", Outcome::Nobody),
        ("32-28", Outcome::Unknown),
        ("[Result \"0-2\"]\n32-28 *", Outcome::Black),
        ("[Result \"1/2-1/2\"]\n32-28", Outcome::Draw),
        ("[Result \"*\"]\n32-28 1-1", Outcome::Draw),
        ("[Result \"1+ - 1-\"]\n32-28 1+ - 1-\n", Outcome::Unknown),
    ] {
        assert_eq!(game(text).result, result, "{text}");
    }
    // The tag is kept where the moves end with another result, and that is told.
    for (text, told) in [
        (
            "[Result \"2-0\"]\n1. 32-28 19-23 0-2",
            Some(
                "game 1, line 2, character 16: the moves end with the result 0-2, the tag Result says 2-0 and is kept",
            ),
        ),
        ("[Result \"2-0\"]\n1. 32-28 19-23 1-0", None),
        ("[Result \"2-0\"]\n1. 32-28 (31-27 0-2) 19-23 *", None),
        ("[Result \"*\"]\n1. 32-28 19-23 0-2", None),
    ] {
        let unread = game(text).unread;
        let place = unread.other_result().map(ToString::to_string);
        assert_eq!(place.as_deref(), told, "{text}");
        assert_eq!(unread.count, usize::from(told.is_some()), "{text}");
    }
    let both = game("[Result \"2-0\"]\n1. 32-28 19-23 0-2");
    assert_eq!(
        (both.result, both.tag("Result")),
        (Outcome::White, Some("2-0"))
    );
    // A move is no result, though it begins like one.
    let black = game("[FEN \"B:W50:B1,11\"]\n1... 1-7 50-45 2. 11-16 0-2");
    assert_eq!(line(&black), "1-7 50-45 11-16");
}

#[test]
fn games_are_told_apart() {
    let text = "[White \"a\"]\n\n32-28 19-23\n\n[White \"b\"]\n[White \"c\"]\n1. 32-28 1-1\n 32-27 * 31-27 * *\n; \
    end\n";
    let all: Vec<Game> = games(text.as_bytes())
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let seen: Vec<(Option<&str>, String)> = all.iter().map(|g| (g.tag("White"), line(g))).collect();
    let expected = [
        (Some("a"), "32-28 19-23"),
        (Some("b"), ""),
        (Some("c"), "32-28"),
        (None, "32-27"),
        (None, "31-27 {end}"),
    ];
    assert_eq!(seen, expected.map(|(white, line)| (white, line.to_owned())));
    assert!(games(b" \n * 1-0 {nothing} ").is_empty());
}

#[test]
fn comments_around_a_game_and_second_tags_are_kept() {
    for (text, kept) in [
        ("{intro} [White \"A\"]\n1. 32-28 *", "{intro} 32-28"),
        (
            "[White \"A\"]\n{intro}\n[Black \"B\"]\n1. 32-28 *",
            "{intro} 32-28",
        ),
        ("1. 32-28 19-23 * {slot}\n", "32-28 19-23 {slot}"),
        ("1. 32-28 19-23 2-0 ; resigned\n", "32-28 19-23 {resigned}"),
        (
            "[White \"A\"]\n[Event \"X\"]\n[Event \"Y\"]\n[Result \"2-0\"]\n\n32-28 *",
            "{[Event Y]} 32-28",
        ),
    ] {
        let game = game(text);
        let before = game.comment.as_ref().map(|text| format!("{{{text}}} "));
        assert_eq!(before.unwrap_or_default() + &line(&game), kept, "{text}");
    }
    // One in the line of a result is of that game.
    let two = games(b"1. 32-28 19-23 2-0 {fine}\n{other}\n1. 33-28 *");
    let lines: Vec<_> = two.into_iter().map(|game| line(&game.unwrap())).collect();
    assert_eq!(lines, ["32-28 19-23 {fine}", "33-28"]);
}

#[test]
fn an_illegal_move_in_the_middle_is_no_other_game() {
    let text = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 23-28 4. 32x23 12-16 *";
    for text in [text, &text[text.find('1').unwrap()..]] {
        let error = read(text).next().unwrap().unwrap_err();
        assert!(
            matches!(error.kind, PdnErrorKind::Move { ply: 8, .. }),
            "{error}"
        );
    }
}

#[test]
fn lookalikes_of_a_slash_end_nothing() {
    // U+2215 stands for a slash and has three bytes.
    for text in [
        "(\u{2215}\u{2020}) ",
        "1. 32-28 \u{2044}\u{2215} 19-23 *",
        "\u{ff0f}",
    ] {
        games(text.as_bytes());
    }
    assert_eq!(line(&game("1. 32-28 \u{2215}19-23 *")), "32-28 19-23");
}

#[test]
fn doubled_signs_of_captures_are_one() {
    for sign in ["xx", "\u{d7}\u{d7}", "\u{445}x", "x-", "-x"] {
        assert_eq!(
            line(&game(&format!("1. 32-28 19-23 2. 28{sign}19 *"))),
            "32-28 19-23 28x19x23"
        );
    }
}

#[test]
fn tags_are_read_whatever_their_quotes_and_letters() {
    let read = |text: &str| game(text).tags[0].1.clone();
    assert_eq!(read(r#"[White "a \"b\" \\ c"]"#), r#"a "b" \ c"#);
    assert_eq!(read(r#"[White "Jan "de" Vries"]"#), r#"Jan "de" Vries"#);
    assert_eq!(read(r#"[Path "C:\games\"]"#), r"C:\games\");
    assert_eq!(read("[ White  \"\u{e9}\u{416}\" ]"), "\u{e9}\u{416}");
    let latin = games(b"[White \"Andr\xe9\"]\xa032-28 {\xe9} 19-23 28\xd719 *");
    let latin = latin[0].as_ref().unwrap();
    assert_eq!(
        (latin.tag("White"), line(latin).as_str()),
        (Some("Andr\u{e9}"), "32-28 {\u{e9}} 19-23 28x19x23")
    );
    let windows = games(b"[White \"van \x92t Hart\"]\n32-28 {\x84caf\xe9\x94 \x96 \x85} *");
    let windows = windows[0].as_ref().unwrap();
    assert_eq!(windows.tag("White"), Some("van \u{2019}t Hart"));
    let comment = windows.moves[0].comment.as_deref();
    assert_eq!(comment, Some("\u{201e}caf\u{e9}\u{201d} \u{2013} \u{2026}"));
}

#[test]
fn a_damaged_game_is_named_and_the_next_is_read() {
    let text = "[White \"1\"]\n[GameType \"40,W,10,10,N2,0\"]\n\n1. 32-28 *\n\
        [White \"2\"]\n[FEN \"X:W1\"]\n1. 31-22 2-0\n\n\
        [White 3]\n[GameType \"20\"]\n1. 32-28 *\n\
        [White \"4\"]\n1. 32-28 19-23 2. 28x18 {1-0} 17-22 3. 1-1 2-0\n\
        33-28 {open\n[White \"6\"]\n1. 32-28 (32-27 *\n[White \"7\"]\n/FEN \"W:W28:B1\"/ 28-23 /FEN \"W:W28:B1\"/ *\n\
        [White \"8\"]\n32-28 word *\n[White \"9\"]\n c3-d4 1-0\n[White \"10\"]\n[Variant \"Breakthrough\"]\n32-28 *\n\
        [White \"11\"]\n  32-28 1-1";
    let all = games(text.as_bytes());
    let errors: Vec<String> = all
        .iter()
        .filter_map(|game| game.as_ref().err().map(PdnError::to_string))
        .collect();
    let expected = [
        "game 1, line 4, character 1: a game of Frisian draughts; only international draughts (type 20) can be read",
        "game 2, line 6, character 7: FEN, character 1: expected the side to move, W or B, found X",
        "game 4, line 13, character 19: ply 3 (28x18): 28 and 18",
        "game 7, line 18, character 24: a position is set up in the middle of the game",
        "game 9, line 22, character 2: a game of draughts on a board of 64 squares, such as Russian or Brazilian; only \
         international draughts (type 20) can be read",
        "game 10, line 25, character 1: a game of breakthrough; only international draughts (type 20) can be read",
    ];
    assert_eq!(errors.len(), expected.len(), "{errors:#?}");
    for (error, expected) in errors.iter().zip(expected) {
        let same = error == expected
            || expected.ends_with("28 and 18") && error.starts_with(&expected[..45]);
        assert!(same, "{error}\n{expected}");
    }
    assert_eq!(all.len(), 11);
    let last = all[10].as_ref().unwrap();
    assert_eq!(
        (last.tag("White"), line(last).as_str(), last.result),
        (Some("11"), "32-28", Outcome::Draw)
    );
}

#[test]
fn a_game_has_its_longest_length() {
    let king = "[FEN \"W:WK47:BK4\"]\n1. ";
    let moves = "47-42 4-10 42-47 10-4 ".repeat(MOST_PLIES / 4);
    assert_eq!(game(&format!("{king}{moves} *")).moves.len(), MOST_PLIES);
    let all = games(format!("{king}{moves} 47-42 *\n32-28 *").as_bytes());
    let kind = all[0].as_ref().expect_err("a ply more").kind.clone();
    assert_eq!((kind, all.len()), (PdnErrorKind::TooManyPlies, 2));
    let comment = "x".repeat(LONGEST - 100);
    assert_eq!(
        line(&game(&format!("32-28 19-23 {{{comment}}} 28x19 *"))).len(),
        LONGEST - 100 + 23
    );
    let all = games(format!("32-28 {{{comment}}} {{{comment}}} 19-23 *\n31-26 *").as_bytes());
    let kind = all[0].as_ref().expect_err("too long").kind.clone();
    assert_eq!((kind, all.len()), (PdnErrorKind::TooLong, 2));
    assert_eq!(all[1].as_ref().map(line).as_deref(), Ok("31-26"));
}

#[test]
fn what_is_written_is_pdn_3() {
    let mut game = game("1. 32-28 {0.12 (best)} 19-23 2. 28x19 14x23 3. 37-32 1-0");
    game.tags = vec![
        ("white player".to_owned(), "a\"b\\\n".to_owned()),
        ("Result".to_owned(), "0-2".to_owned()),
        ("1".to_owned(), "no name".to_owned()),
    ];
    game.moves[2].comment = Some("a) :-) {b {c}".to_owned());
    game.moves[3].comment = Some("} (: a 1-0 | * [2-0] b".to_owned());
    game.moves[4].variations = vec![Variation {
        comment: Some("d) (e)".to_owned()),
        moves: vec![game.moves[4].clone()],
    }];
    let expected = "[Whiteplayer \"a\\\"b\\\\ \"]\n[Result \"2-0\"]\n[GameType \"20,W,10,10,N2,0\"]\n\n\
        1. 32-28 {0.12 (best)} 19-23 2. 28x19 {a) :-) [b (c)} 14x23 {) [: a (1-0) | (*) [(2-0)]\n\
        b} 3. 37-32 ({d] (e)} 3. 37-32) *\n\n";
    assert_eq!(game.to_string(), expected);
}

#[test]
fn a_position_of_black_begins_with_three_dots() {
    let mut game = Game::new(position("B:W28,32:B19,14"));
    game.moves = vec![moves::parse(&game.start, "19-23").unwrap().into()];
    game.result = Outcome::Draw;
    let expected = "[Result \"1-1\"]\n[GameType \"20,W,10,10,N2,0\"]\n[FEN \"B:W28,32:B14,19\"]\n\n1... 19-23 *\n\n";
    assert_eq!(game.to_string(), expected);
    let mut draw = self::game("[FEN \"W:WK1:BK50\"]\n1. 1-18 50-45 2. 18-1 45-50 3. 1-12 1-1");
    assert!(
        draw.to_string()
            .ends_with("\n1. 01-18 50-45 2. 18-1 45-50 3. 01-12 *\n\n")
    );
    draw.result = Outcome::White;
    assert!(
        draw.to_string()
            .ends_with("\n1. 1-18 50-45 2. 18-1 45-50 3. 1-12 *\n\n")
    );
    let other = self::game("[Result \"1+ - 1-\"]\n32-28 *");
    assert!(other.to_string().starts_with("[Result \"1+ - 1-\"]\n"));
}

/// The example of the standard.
#[test]
fn an_ambiguous_capture_names_every_square_where_it_turns() {
    let start = position("B:W42,33,19,14,27:BK47");
    let mut texts: Vec<String> = start
        .legal_moves()
        .iter()
        .filter(|mv| mv.to().number() == 36)
        .map(|&mv| {
            let text = moves::with_path(&start, mv);
            assert_eq!(moves::parse(&start, &text), Ok(mv), "{text}");
            text
        })
        .collect();
    texts.sort();
    assert_eq!(texts, ["47x38x20x9x36", "47x38x24x13x36"]);
    assert_eq!(
        moves::with_path(&Position::start(), Position::start().legal_moves()[0]).len(),
        5
    );
}

#[test]
fn games_of_variants_and_of_endless_tags_are_named() {
    for (tags, message) in [
        (
            "[GameType \"20\"]\n[Variant \"Killer\"]\n",
            "a game of killer",
        ),
        (
            "[GameType \"20,W,8,8,A0,0\"]\n",
            "a game of draughts on 8 by 8 squares",
        ),
        ("[GameType \"50\"]\n", "a game of Othello"),
        (
            "[Variant \"Russian draughts (checkers)\"]\n",
            "a game of russian",
        ),
    ] {
        let all = games(format!("{tags}\n1. 32\u{2014}28 *").as_bytes());
        let error = all[0].as_ref().expect_err(tags).to_string();
        assert!(error.contains(message), "{error}");
    }
    for variant in ["Standard (international) checkers", "From position", ""] {
        let text = format!("[Variant \"{variant}\"]\n1. 32\u{2014}28 *");
        assert_eq!(
            games(text.as_bytes())[0].as_ref().map(line).as_deref(),
            Ok("32-28")
        );
    }
    // Time that grows with the square of the tags would be minutes.
    let tags = (0..100_000).map(|number| format!("[T{number} \"\"]\n"));
    let text = tags.collect::<String>() + "1. 32-28 *\n[White \"2\"]\n1. 32-28 *";
    let all = games(text.as_bytes());
    assert_eq!(all.len(), 2);
    let error = all[0].as_ref().expect_err("many tags");
    assert_eq!(error.kind, PdnErrorKind::TooManyTags);
    assert!(all[1].is_ok());
}

#[test]
fn games_of_variants_without_a_header_are_named_by_their_moves() {
    let small = "draughts on a board of 64 squares, such as Russian or Brazilian";
    for (text, name) in [
        (
            "[White \"A\"]\n1. 43-37 26-32 2. 49-43 20-26 *",
            "Canadian draughts",
        ),
        (
            "[GameType \"100\"]\n1. 55-49 19-25 2. 61-55 *",
            "Canadian draughts",
        ),
        ("1. cd4 dc5 2. bc3 fg5 3. cb4 gh4 *", small),
        ("Partij 1\n\n1.\u{441}3-d4 d6-\u{441}5 2.b2-c3", small),
        ("[White \"A\"]\n1. c3:e5:g7 h8:f6 *", small),
        (
            "1. 11-15 23-19 2. 8-11 22-17 *",
            "draughts on a board of 64 squares, such as English",
        ),
        (
            "1. e2-e4 e7-e5 *",
            "chess, or another on squares from a1 to h8",
        ),
    ] {
        let errors: Vec<_> = read(text)
            .filter_map(Result::err)
            .map(|error| error.kind)
            .collect();
        assert_eq!(errors, [PdnErrorKind::Variant(name.to_owned())], "{text}");
    }
    // One short word is no move.
    assert_eq!(
        read("1. 32-28 {as on d4} 19-23 cd4 2. 28x19 14x23 *")
            .filter(Result::is_ok)
            .count(),
        1
    );
}
