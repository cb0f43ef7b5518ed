//! What people leave out, leave open or put in twice: each text with what comes of it.

use super::dialects::one;
use super::*;
use crate::notation::moves;

/// The moves as short text, each with its comment.
fn line(game: &Game) -> String {
    let mut position = game.start;
    let words = game.moves.iter().map(|annotated| {
        let word = moves::short(&position, annotated.mv);
        position = position.play(annotated.mv);
        match &annotated.comment {
            Some(comment) => format!("{word} {{{comment}}}"),
            None => word,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_other_sides_moves_stand_in_brackets_of_any_kind_with_words_beside_them() {
    let first = "[FEN \"W:W15,25,26,K27:BK14,17\"]\n";
    let second = "[FEN \"W:W32,36,50:B23,10,26\"]\n";
    let five = "32-28 23x32 36-31 26x37 50-45";
    for (moves, expected) in [
        (
            "1. 27-49 (17-22 A) 2. 49-38 (14-23, forced) 3. 38-47 +",
            "27-49 17-22 {A} 49-38 14-23 {forced} 38-47 {+}",
        ),
        (
            "27-49 [17-22] 49-38 [14-23] 38-47",
            "27-49 17-22 49-38 14-23 38-47",
        ),
        (
            "27-49! [17-22A] 49-38! [14-23*] 38-47",
            "27-49 17-22 {A} 49-38 14-23 38-47",
        ),
        (
            "27-49 (17-22 of 17-21) 49-38 (14-23) 38-47",
            "27-49 17-22 {of 17-21} 49-38 14-23 38-47",
        ),
        (
            "27-49 (17-22 if 14-3 49-38) 49-38 (14-23) 38-47",
            "27-49 17-22 {if 14-3 49-38} 49-38 14-23 38-47",
        ),
        (
            "27-49, 17-22; 49-38, 14-23; 38-47",
            "27-49 17-22 49-38 14-23 38-47",
        ),
        (
            "27-49 17-22 [or (17-21) 49-38] 49-38 14-23 38-47",
            "27-49 17-22 {[or (17-21) 49-38]} 49-38 14-23 38-47",
        ),
        (
            "27-49 (17-22; not 17-21) 49-38",
            "27-49 17-22 {not 17-21} 49-38",
        ),
    ] {
        assert_eq!(line(&one(&format!("{first}{moves}"))), expected, "{moves}");
    }
    for moves in [
        "32-28, x, 36-31, x, 50-45",
        "32-28 (x) 36-31 (x) 50-45",
        "32-28 (23x) 36-31 (x37) 50-45",
        "32-28 (ad lib) 36-31 x 50-45",
        "32-28 <23x32> 36-31 <26x37> 50-45",
        "32-28 «23x32» 36-31 «26x37» 50-45",
        "1. 32-28/23x32 2. 36-31/26x37 3. 50-45",
        "32-28, 36-31, 50-45",
    ] {
        assert_eq!(line(&one(&format!("{second}{moves}"))), five, "{moves}");
    }
    let left_out = one(&format!("{second}32-28, 36-31, 50-45"));
    assert_eq!(left_out.unread.count, 2);
    assert!(
        left_out
            .unread
            .to_string()
            .contains("23x32x28, is not written and is added")
    );
    // A capture by its sign at once; notes below the moves; a word about a move.
    let capture = "[FEN \"W:W26,45:B21,12,5\"]\n";
    for (moves, expected) in [
        ("x 5-10 45-40", "26x8 5-10 45-40"),
        (
            "26x8 5-10 (A) 45-40 +\nA) 5-9 2. 45-40",
            "26x8 5-10 {(A)} 45-40 {+ A) 5-9 2. 45-40}",
        ),
        ("26x8 beter dan 26x17 5-10", "26x8 {beter dan 26x17} 5-10"),
    ] {
        assert_eq!(
            line(&one(&format!("{capture}{moves}"))),
            expected,
            "{moves}"
        );
    }
    // A variation stays one.
    let game = one("1. 32-28 (31-27) 19-23 (1... 18-23, beter) 2. 28x19 *");
    let counts: Vec<usize> = game
        .moves
        .iter()
        .map(|annotated| annotated.variations.len())
        .collect();
    assert_eq!(counts, [1, 1, 0]);
}

#[test]
fn what_is_not_closed_goes_on_to_the_end_of_the_game() {
    let next = "\n\n[White \"B\"]\n1. 33-29 *\n";
    for (text, expected, told) in [
        (
            "1. 32-28 {open 19-23\n\n2. 28x19",
            "32-28 {open 19-23 2. 28x19}",
            "no closing brace",
        ),
        ("1. 32-28 19-23 {", "32-28 19-23", "no closing brace"),
        (
            "1. 32-28 (19-23 2. 28x19 14x23 *",
            "32-28 19-23 28x19 14x23",
            "closing parenthesis is missing",
        ),
        (
            "1. 32-28 (31-27 19-23",
            "32-28",
            "closing parenthesis is missing",
        ),
        (
            "1. 32-28 (31-27 {x) 19-23",
            "32-28",
            "closing parenthesis is missing",
        ),
    ] {
        let games: Vec<Game> = read(&format!("[White \"A\"]\n{text}{next}"))
            .flatten()
            .collect();
        let [game, other] = games.as_slice() else {
            panic!("{text}: {games:?}")
        };
        assert_eq!(
            (line(game).as_str(), line(other).as_str()),
            (expected, "33-29"),
            "{text}"
        );
        assert!(
            game.unread.to_string().contains(told),
            "{text}: {}",
            game.unread
        );
    }
    // What is not taken is not told.
    let text = "1. 32-28 *\n[Site \"a\"]\n{open\n[White \"B\"]\n1. 33-29 *";
    let games: Vec<Game> = read(text).flatten().collect();
    let counts: Vec<usize> = games.iter().map(|game| game.unread.count).collect();
    assert_eq!(counts, [0, 1, 0]);
    assert_eq!(
        one("{intro\n[White \"A\"]\n1. 32-28 *").comment.as_deref(),
        Some("intro")
    );
}

#[test]
fn results_of_teams_and_by_forfeit_stand_behind_the_moves() {
    for end in [
        "8-12",
        "11-9",
        "+:-",
        "-:+",
        "+ -",
        "- +",
        "-:-",
        "1\u{bd}-\u{bd}",
        "10-6",
    ] {
        for next in [
            "",
            "\n\n1. 33-29 19-24 *",
            "\n\n[White \"B\"]\n1. 33-29 19-24 *",
            "\nJan won.\n\n1. 33-29 19-24 *",
        ] {
            let text = format!("1. 32-28 19-23 2. 28x19 14x23 {end}{next}");
            let games: Vec<Game> = read(&text).flatten().collect();
            assert_eq!(games.len(), if next.is_empty() { 1 } else { 2 }, "{text}");
            let found = (games[0].tag("Result"), games[0].moves.len());
            assert_eq!(found, (Some(end), 4), "{text}");
            assert!(
                games[0]
                    .unread
                    .to_string()
                    .contains("is not known and is kept"),
                "{text}"
            );
        }
        let alone = one(&format!(
            "[White \"A\"]\n[Black \"B\"]\n[Result \"{end}\"]\n\n*\n"
        ));
        assert_eq!(alone.tag("Result"), Some(end));
    }
    for (end, result) in [
        ("(2-0)", Outcome::White),
        ("[1-1]", Outcome::Draw),
        ("remise (1-1)", Outcome::Draw),
    ] {
        assert_eq!(
            one(&format!("1. 32-28 19-23 {end}")).result,
            result,
            "{end}"
        );
    }
    // An illegal move that is no result stays an error.
    assert!(read("1. 32-28 19-23 2. 1-2 *").all(|game| game.is_err()));
}

#[test]
fn an_asterisk_is_a_sign_where_the_moves_go_on_and_notes_follow_a_result() {
    for (text, expected) in [
        ("1. 32-28 19-23 * 14-3", "32-28 19-23 {14-3}"),
        (
            "1. 32-28 19-23 2-0 3 14-3! 20-24",
            "32-28 19-23 {3 14-3! 20-24}",
        ),
    ] {
        assert_eq!(line(&one(text)), expected, "{text}");
    }
    for (text, forced) in [
        (
            "1. 32-28 *19-23 2. 28x19 * 14x23",
            [false, true, false, true],
        ),
        (
            "1. 32-28 19-23 * 2. 28x19 14x23 *",
            [false, false, true, false],
        ),
    ] {
        let game = one(text);
        let marks = game.moves.iter().map(|annotated| annotated.nags == [7]);
        assert_eq!(marks.collect::<Vec<_>>(), forced, "{text}");
    }
    let counts = |text: &str| {
        read(text)
            .map(|game| game.unwrap().moves.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(counts("1. 32-28 19-23 * 1. 31-26 17-22 *"), [2, 2]);
    assert_eq!(counts("1. 32-28 19-23 * 33-29 19-23 *"), [2, 2]);
}

#[test]
fn squares_may_have_a_blank_or_any_stroke_between() {
    for text in [
        "1. 32 28 19 23 2. 28 19 14 23",
        "1 32 28 19 23\n2 28 19 14 23",
        "1. 32_28 19_23 2. 28~19 14>23",
        "1\\. 32\\-28 19\\-23 2\\. 28x19 14x23",
    ] {
        assert_eq!(line(&one(text)), "32-28 19-23 28x19 14x23", "{text}");
    }
}

#[test]
fn words_behind_a_result_are_of_its_game() {
    for (text, comments) in [
        (
            "1. 32-28 2-0\nZwart gaf op.\nMooi!\n\n1. 33-29 *",
            [Some("Zwart gaf op. Mooi!"), None],
        ),
        (
            "1. 32-28 2-0 Zwart gaf op.\n[White \"B\"]\n1. 33-29 *",
            [Some("Zwart gaf op."), None],
        ),
        (
            "1. 32-28 2-0\nna 45 minuten\n[White \"B\"]\n1. 33-29 *",
            [Some("na 45 minuten"), None],
        ),
        (
            "1. 32-28 2-0\n\nRonde 2\n1. 33-29 *",
            [None, Some("Ronde 2")],
        ),
        ("1. 32-28 2-0\nRonde 2\n1. 33-29 *", [None, Some("Ronde 2")]),
    ] {
        let games: Vec<Game> = read(text).flatten().collect();
        let found: Vec<Option<&str>> = vec![
            games[0].moves[0].comment.as_deref(),
            games[1].comment.as_deref(),
        ];
        assert_eq!(found, comments, "{text}");
    }
}

#[test]
fn marks_of_one_sign_and_numbers_that_are_none_are_kept() {
    let game = one("1. 32\u{2192}28\u{203c} 19->23\u{2049} 2. 28x19\u{2048} 14x23\u{2047} *");
    let nags: Vec<u8> = game
        .moves
        .iter()
        .flat_map(|annotated| annotated.nags.clone())
        .collect();
    assert_eq!((nags.as_slice(), game.unread.count), (&[3, 5, 6, 4][..], 0));
    let game = one("1. 32-28 $ 19-23 $-1 2. 28x19 $300 14x23 $ 5 *");
    assert_eq!(line(&game), "32-28 {$} 19-23 {$-1} 28x19 {$300} 14x23");
    assert_eq!(
        (game.moves[3].nags.as_slice(), game.unread.count),
        (&[5][..], 1)
    );
    let text = "\u{ff3b}White \u{ff02}A\u{ff02}\u{ff3d}\n1\u{ff0e}32\u{ff0d}28\u{ff01}\u{ff5b}ok\u{ff5d}\
        19\u{ff0d}23\u{ff1b}28\u{d7}19\u{ff0c}14\u{d7}23\u{ff0a}";
    let game = one(text);
    assert_eq!(
        (game.tag("White"), line(&game).as_str()),
        (Some("A"), "32-28 {ok} 19-23 28x19 14x23")
    );
}

#[test]
fn a_bad_header_costs_only_itself() {
    for header in [
        "[White \"A\" Black \"B\"]",
        "[White \"A\", Black \"B\"; Result \"*\"]",
        "[White=\"A\" Black='B']",
        "[White\"A\"][Black\"B\"]",
        "[White \"A\"]\n[White \"A\"]\n[BLACK \"B\"]\n[Black \"B\"]",
        "[White \"?\"]\n[White \"A\"]\n[Black \"\"]\n[Black \"B\"]",
        "White: A\nBlack: B",
        "[White \"A\" [Black \"B\"]",
    ] {
        let game = one(&format!("{header}\n\n1. 32-28 19-23 *"));
        let names = (game.tag("White"), game.tag("Black"), game.moves.len());
        assert_eq!(names, (Some("A"), Some("B"), 2), "{header}");
        assert_eq!(game.comment, None, "{header}");
    }
    let quoted = one("[Event \"x\" White \"Jan \"de\" Vries\" Black \"B\"]\n1. 32-28 *");
    assert_eq!(quoted.tag("White"), Some("Jan \"de\" Vries"));
    // A position that is none, with moves of the initial one.
    let game = one("[White \"A\"]\n[FEN \"W:W31-99:B1-20\"]\n\n1. 32-28 19-23 2-0");
    assert_eq!(
        (game.tag("White"), game.tag("FEN"), game.moves.len()),
        (Some("A"), None, 2)
    );
    assert_eq!(game.comment.as_deref(), Some("[FEN W:W31-99:B1-20]"));
    assert!(game.unread.to_string().contains("99 is no square"));
}

#[test]
fn headers_and_text_of_a_game_that_cannot_be_read_stay() {
    for (text, comment) in [
        (
            "[FEN \"X:rubbish\"]\n[Black \"B\"]\n\n{a} 1. 33-17 {kept?} 19-23 2-0",
            "a 1. 33-17 {kept?} 19-23 2-0",
        ),
        (
            "[Black \"B\"]\n1. 33-17 {kept?} 19-23 2-0",
            "33-17 {kept?} 19-23 2-0",
        ),
        ("1. 33-17 19-23 2-0\n[Black \"B\"]", "33-17 19-23 2-0"),
    ] {
        let text = format!("[White \"A\"]\n{text}\n\n[White \"C\"]\n1. 32-28 *");
        let mut stream = Stream::new(text.as_bytes());
        let damaged = stream
            .next_game()
            .expect("readable")
            .expect("a game")
            .expect_err("damaged");
        let kept = damaged.sound.expect("its tags");
        assert_eq!(kept.tag("White"), Some("A"), "{text}");
        assert_eq!(
            (kept.comment.as_deref(), kept.moves.len()),
            (Some(comment), 0),
            "{text}"
        );
        let out = kept.to_string();
        assert_eq!(
            out.contains("[FEN \"X:rubbish\"]"),
            text.contains("X:rubbish"),
            "{out}"
        );
        let next = stream.next_game().expect("readable").expect("a game");
        assert!(next.is_ok(), "{text}");
    }
}

#[test]
fn marks_stand_behind_the_squares_of_a_capture() {
    let start = "[FEN \"W:W32,50:B28,19,3\"]\n";
    for (moves, marks) in [
        ("1. 32! x 23! x 14! (3-8) 2. 50-45!", vec![1]),
        ("1. 32 ! x 23 x 14!? 3-8 2. 50-45 *", vec![1, 5]),
    ] {
        let game = one(&format!("{start}{moves}"));
        assert_eq!(line(&game), "32x14 3-8 50-45", "{moves}");
        assert_eq!(game.moves[0].nags, marks, "{moves}");
    }
}
