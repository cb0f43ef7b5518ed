//! What people write: each text with what comes of it.

use super::*;

pub(super) const FOUR: &str = "32-28 19-23 28x19 14x23";

/// For each game its moves, its result, and what is told of it.
pub(super) fn read_all(text: &str) -> Vec<(String, Outcome, String)> {
    let games = read(text).map(|game| match game {
        Ok(game) => {
            let mut position = game.start;
            let words = game.moves.iter().map(|annotated| {
                let word = crate::notation::moves::short(&position, annotated.mv);
                position = position.play(annotated.mv);
                word
            });
            let words: Vec<String> = words.collect();
            let told: Vec<String> = game
                .unread
                .places
                .iter()
                .map(|place| place.kind.to_string())
                .collect();
            (words.join(" "), game.result, told.join("; "))
        }
        Err(error) => ("error".to_owned(), Outcome::Unknown, error.to_string()),
    });
    games.collect()
}

/// The only game of a text, written and read again without a change.
pub(super) fn one(text: &str) -> Game {
    let games: Vec<_> = read(text).collect();
    let [Ok(game)] = games.as_slice() else {
        panic!("{text}: {games:?}");
    };
    let again = game.to_string();
    let read: Vec<_> = read(&again).collect();
    let [Ok(same)] = read.as_slice() else {
        panic!("{again}: {read:?}");
    };
    assert_eq!(
        (same.start, &same.moves, same.result),
        (game.start, &game.moves, game.result),
        "{again}"
    );
    assert_eq!(same.to_string(), again);
    game.clone()
}

#[test]
fn headers_cost_no_more_than_themselves() {
    for (header, told) in [
        ("[Event Club]\n[White A. B, C]\n[Result 2-0]\n", "tag Event"),
        (
            "[Event \"Club]\n[White \"A. B, C\"]\n[Result \"2-0\"]\n",
            "tag Event",
        ),
        (
            "[Event \u{201c}Club\u{201d}]\n[White \u{ab}A. B, C\u{bb}]\n[Result 'White wins']\n",
            "tag Event",
        ),
        (
            "[Event 'Club']\n[White ''A. B, C'']\n[Result `2:0`]\n",
            "tag Event",
        ),
        (
            "[Event Club\"] [White A. B, C] [Result \"2\u{2013}0\"]\n",
            "tag Event",
        ),
        (
            "[pdn]\n[Event \"Club\"]\n[White \"A. B, C\"]\n[Result \"2 - 0\"]\n",
            "",
        ),
        (
            "[code][Event \"Club\"]\n\n[White \"A. B, C\"]\n\n[Result \"12-0\"]\n",
            "",
        ),
        (
            "[Event \"Club\"\n[White \"A. B, C\"]\n[Result \"wit wint\"]\n",
            "tag Event",
        ),
    ] {
        let game = one(&format!(
            "{header}\n1. 32-28 19-23 2. 28x19 14x23 2-0\n[/pdn]\n"
        ));
        assert_eq!(
            (game.tag("Event"), game.tag("White")),
            (Some("Club"), Some("A. B, C")),
            "{header}"
        );
        assert_eq!(
            (game.result, game.moves.len()),
            (Outcome::White, 4),
            "{header}"
        );
        let told_now = game.unread.to_string();
        assert!(
            told_now.contains(told) && game.unread.count == usize::from(!told.is_empty()),
            "{told_now}"
        );
    }
    for header in [
        "[White: \"A\"]\n[Black = \"B\"]\n",
        "[white \"A\"]\n[BLACK \"B\"]\n",
        "[quote=\"Jan\"][pgn]\n[White \u{201e}A\u{201c}]\n[Black \u{2039}B\u{203a}]\n",
        "\u{feff}\u{feff}[White A]\n[Black B]\n",
    ] {
        let game = one(&format!("{header}\n1. 32-28 *\n[/pgn]"));
        let names = (game.tag("White"), game.tag("Black"));
        assert_eq!(names, (Some("A"), Some("B")), "{header}");
        assert_eq!(game.moves[0].comment, None, "{header}");
    }
    // Tags behind the moves, between them, and alone.
    for text in [
        "1. 32-28 19-23 2. 28x19 14x23 1-1\n\n[White \"A\"]\n[Black \"B\"]\n",
        "[White \"A\"]\n1. 32-28 19-23 2. 28x19 14x23 1-1\n[Black \"B\"]",
        "[White \"A\"]\n1. 32-28 19-23 [Black \"B\"] 2. 28x19 14x23 1-1\n[White \"A\"]",
        "[White \"A\"]\n[Black \"B\"]\n1. 32-28 19-23 2. 28x19 14x23 [Result \"1-1\"]",
    ] {
        let game = one(text);
        assert_eq!(
            (game.tag("White"), game.tag("Black")),
            (Some("A"), Some("B")),
            "{text}"
        );
        assert_eq!(
            (game.moves.len(), game.result),
            (4, Outcome::Draw),
            "{text}"
        );
    }
    let again = one("[White \"A\"]\n1. 32-28 *\n[White \"C\"]\n");
    assert_eq!(again.moves[0].comment.as_deref(), Some("[White C]"));
    assert_eq!(
        again.unread.to_string(),
        "game 1, line 3, character 1: a second tag White is kept as a comment"
    );
    // Headers alone are games, the next one's too.
    let forfeits = "[White \"A\"]\n[Black \"B\"]\n[Result \"2-0\"]\n\n2-0\n\n".repeat(3);
    let text =
        format!("[White \"A\"]\n1. 32-28 *\n\n{forfeits}[White \"A\"]\n1. 32-28 *\n\n{forfeits}");
    assert_eq!(
        read(&text)
            .filter(|game| game.as_ref().is_ok_and(|game| game.moves.is_empty()))
            .count(),
        6
    );
    assert_eq!(read(&text).count(), 8);
    // No games.
    for text in [
        "[pdn]\n[/pdn]",
        "Just words.\nAnd more (12).",
        "A - B 2-0",
        "\u{feff}",
        "[CODE]\n* [/CODE]",
    ] {
        assert_eq!(read_all(text), [], "{text}");
    }
}

#[test]
fn words_are_kept_and_told_once() {
    for (text, comment, goal) in [
        (
            "A Jansen - B Durand (20-06-2025)\n\n1. 32-28 19-23 2. 28x19 14x23 1-1",
            "before",
            None,
        ),
        (
            "Ronde 3. Bord 12: A-B\nUtrecht\n[White \"A\"]\n1. 32-28 19-23 2. 28x19 14x23 *",
            "before",
            None,
        ),
        ("Analyse: 1. 32-28 19-23 2. 28x19 14x23 *", "before", None),
        ("1. 32-28 sterk 19-23 2. 28x19 14x23 *", "sterk", None),
        (
            "1. 32-28 19-23 2. 28x19 14x23 , wit wint",
            "wit wint",
            Some(Outcome::White),
        ),
        (
            "1. 32-28 19-23 2. 28x19 14x23 and wins *",
            "and wins",
            Some(Outcome::White),
        ),
        (
            "1. 32-28 19-23 2. 28x19 14x23 les noirs gagnent",
            "les noirs gagnent",
            Some(Outcome::Black),
        ),
        (
            "1. 32-28 19-23 2. 28x19 14x23 \u{431}\u{435}\u{43b}\u{44b}\u{435} \
             \u{432}\u{44b}\u{438}\u{433}\u{440}\u{44b}\u{432}\u{430}\u{44e}\u{442}.",
            "\u{432}",
            Some(Outcome::White),
        ),
        (
            "1. 32-28 19-23 2. 28x19 14x23 Wei\u{df} gewinnt!",
            "gewinnt",
            Some(Outcome::White),
        ),
        (
            "1. 32-28 19-23 2. 28x19 14x23 remise",
            "remise",
            Some(Outcome::Draw),
        ),
        (
            "1. 32-28 19-23 2. 28x19 14x23 W+",
            "W+",
            Some(Outcome::White),
        ),
        (
            "1. 32-28 19-23 2. 28x19 14x23 x.",
            "x.",
            Some(Outcome::White),
        ),
        ("1. 32-28 19-23 2. 28x19 14x23+", "+", Some(Outcome::White)),
    ] {
        let game = one(text);
        assert_eq!(game.moves.len(), 4, "{text}");
        assert_eq!(game.goal(), goal, "{text}");
        assert_eq!(
            game.unread.count,
            usize::from(goal.is_none()),
            "{text}: {}",
            game.unread
        );
        let comments = game
            .moves
            .iter()
            .filter_map(|annotated| annotated.comment.as_deref());
        match comment {
            "before" => assert!(game.comment.is_some(), "{text}"),
            comment => assert!({ comments }.any(|it| it.contains(comment)), "{text}"),
        }
    }
    let many = one("1. 32-28 a b 19-23 c 2. 28x19 d 14x23 *");
    assert_eq!(
        many.unread.to_string(),
        "game 1, line 1, character 10: words are kept as a comment: a b"
    );
}

#[test]
fn results_and_types_are_read_or_kept() {
    for end in [
        "1-1",
        "1\u{2013}1",
        "1:1",
        "1 \u{2212} 1",
        "0.5-0.5",
        "0,5-0,5",
        "1\u{bd}-1\u{bd}",
        "\u{bd}\u{2014}\u{bd}",
        "1/2:1/2",
        "6-6",
    ] {
        let game = one(&format!("1. 32-28 19-23 2. 28x19 14x23 {end}"));
        assert_eq!((game.moves.len(), game.result), (4, Outcome::Draw), "{end}");
    }
    for (end, result) in [
        ("12-0", Outcome::White),
        ("0\u{2013}20", Outcome::Black),
        ("0:0", Outcome::Nobody),
    ] {
        assert_eq!(one(&format!("1. 32-28 {end}")).result, result, "{end}");
        assert_eq!(
            one(&format!("[Result \"{end}\"]\n1. 32-28 *")).result,
            result,
            "{end}"
        );
    }
    for text in [
        "[Result \"8-4\"]\n1. 32-28 *",
        "1. 32-28 8-4\n",
        "[Result \"8-4\"]\n1. 32-28 8-4\n",
    ] {
        let game = one(text);
        assert_eq!(
            (game.tag("Result"), game.result),
            (Some("8-4"), Outcome::Unknown),
            "{text}"
        );
        assert!(
            game.unread
                .to_string()
                .contains("the result 8-4 is not known"),
            "{text}: {}",
            game.unread
        );
    }
    // Points that are no result and no move stay, whatever stands behind the moves.
    for (points, is_tag_only) in [
        ("1\u{bd}-\u{bd}", false),
        ("1,5-0,5", false),
        ("0.5:1.5", false),
        ("2-0F", false),
        ("12-8", false),
        ("+:-", true),
    ] {
        let tagged = one(&format!("[Result \"{points}\"]\n1. 32-28 2-0"));
        let found = (tagged.tag("Result"), tagged.result);
        assert_eq!(found, (Some(points), Outcome::White), "{points}");
        if !is_tag_only {
            let last = one(&format!("1. 32-28 19-23 {points}"));
            let found = (last.tag("Result"), last.result, last.moves.len());
            assert_eq!(found, (Some(points), Outcome::Unknown, 2), "{points}");
        }
    }
    // Moves behind commas and numbers are none.
    assert_eq!(
        one("1.33-28,18-23,2.39-33,12-18,3.44-39,7-12").moves.len(),
        6
    );
    one("[GameType \"20,W,10,0,N2,0\"]\n1. 32-28 *");
    for kind in ["100", "19", "60", "club", "Frisian", "Frysk!"] {
        let game = one(&format!("[GameType \"{kind}\"]\n1. 32-28 *"));
        assert_eq!((game.tag("GameType"), game.unread.count), (Some(kind), 1));
    }
    for kind in ["20", "20,W,10,10,N2,0", "International", ""] {
        assert_eq!(
            one(&format!("[GameType \"{kind}\"]\n1. 32-28 *"))
                .unread
                .count,
            0,
            "{kind}"
        );
    }
    for kind in ["21", "40,W,10,10,N2,0", "96", "97", "98"] {
        assert!(
            read(&format!("[GameType \"{kind}\"]\n1. 32-28 *"))
                .next()
                .is_some_and(|game| game.is_err())
        );
    }
}

#[test]
fn marks_are_kept_as_numbers() {
    for (mark, nag) in [
        ("\u{25a1}", 7),
        ("=", 10),
        ("\u{221e}", 13),
        ("\u{2a72}", 14),
        ("\u{2a71}", 15),
        ("\u{b1}", 16),
        ("\u{2213}", 17),
        ("+-", 18),
        ("-+", 19),
        ("+\u{2212}", 18),
        ("\u{2212}+", 19),
        ("\u{2a00}", 22),
        ("N", 146),
        ("$146", 146),
        ("+/-", 16),
    ] {
        for space in ["", " "] {
            let game = one(&format!(
                "1. 32-28{space}{mark} 19-23 2. 28x19 14x23{space}{mark} *"
            ));
            assert_eq!((game.moves.len(), game.unread.count), (4, 0), "{mark}");
            assert_eq!(
                (game.moves[0].nags.as_slice(), game.moves[3].nags.as_slice()),
                (&[nag][..], &[nag][..]),
                "{mark}"
            );
        }
    }
    let game = one("1. 32-28!!! $300 19-23 # 2. 28x19 14x23 *");
    assert_eq!(
        (
            game.moves[0].nags.as_slice(),
            game.moves[0].comment.as_deref()
        ),
        (&[3, 1][..], Some("$300"))
    );
    assert_eq!(game.moves[1].comment.as_deref(), Some("#"));
}

#[test]
fn solutions_are_read_as_compositions_write_them() {
    let position = "[FEN \"W:W15,25,26,K27:BK14,17\"]\n";
    for (moves, plies) in [
        ("1. 27-49 (17-22) 2. 49-38 (14-23) 3. 38-47 *", 5),
        ("27-49(17-22)49-38(14-23)38-47+", 5),
        ("1. 27-49 ( 17-22 ) 2. 49-38 (14-23) *", 4),
        // A variation and a remark as before.
        ("1. 27-49 (27-43 17-22) 17-22 2. 49-38 *", 3),
        ("1. 27-49 (17-22) 17-21 *", 2),
    ] {
        assert_eq!(
            one(&format!("{position}{moves}")).moves.len(),
            plies,
            "{moves}"
        );
    }
    // What is captured, in parentheses or on the way.
    for capture in [
        "26x(21,12)8",
        "26x8(21,12)",
        "26x(21)17x(12)8",
        "26x21x12x8",
        "26x8x21x12",
        "26:17:8",
        "26 x 17 x 8",
        "26x17 17x8",
        "26\u{d7}(12, 21)\u{d7}8",
    ] {
        let text = format!("[FEN \"W:W26,45:B21,12,5\"]\n1. {capture} 5-10 2. 45-40 *");
        assert_eq!(one(&text).moves.len(), 3, "{capture}");
    }
    // Numbers of moves and strokes between them.
    for text in [
        "1: 32-28 19-23 2: 28x19 14x23",
        "1 - 32-28 19-23\n2 - 28x19 14x23",
        "1) 32-28 19-23 2) 28x19 14x23",
        "1. 32-28/19-23 2. 28x19/14x23",
        "| 1 | 32-28 | 19-23 |\n| 2 | 28x19 | 14x23 |",
        "1. 32-28 1... 19-23 2. 28x19 2.. 14x23",
    ] {
        assert_eq!(one(text).moves.len(), 4, "{text}");
    }
    // Forced captures by their sign.
    for text in [
        "32-28 (x) 2. 50-45",
        "32-28 x 2. 50-45",
        "32-28 : 50-45 *",
        "32-28 (\u{d7}) 50-45",
    ] {
        let text = format!("[FEN \"W:W32,50:B23,10\"]\n1. {text}");
        assert_eq!(one(&text).moves.len(), 3, "{text}");
    }
    // Two captures, and the next move says which; or it does not.
    let ways = "[FEN \"W:WK46:B41,31,27,17,9\"]\n";
    let known = one(&format!("{ways}1. 46x14 27-32 *"));
    assert_eq!(known.moves[0].mv.to_string(), "46x14x9x17x31x41");
    let known = one(&format!("{ways}1. 46x14 31-36 *"));
    assert_eq!(known.moves[0].mv.to_string(), "46x14x9x17x27x41");
    assert!(
        known
            .unread
            .to_string()
            .contains("several captures fit 46x14")
    );
}
