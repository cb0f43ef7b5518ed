//! Variations, with comments and marks.

use super::*;

#[test]
fn comments_marks_and_variations_are_kept() {
    let text = "[Event \"x\"]\r\n{before} 1. 32-28! {[%clock w0:03:00 B0:03:00]} ({so} 33-28 $6 19-23?! (18-23) \
    {then} 28x19) \
        (31-27 2-0) {after} 19-23 (!) (?) $0 (17-22 {taken} 28x17 12x21 (11x22)) 2. 28x19 14x23 (bad 1-7) ( ) *";
    let game = game(text);
    assert_eq!(game.comment.as_deref(), Some("before"));
    assert_eq!(
        line(&game),
        "32-28 {[%clock w0:03:00 B0:03:00] after} 19-23 28x19x23 14x23x19 {(bad 1-7)}"
    );
    let nags: Vec<&[u8]> = game.moves.iter().map(|mv| mv.nags.as_slice()).collect();
    assert_eq!(nags, [&[1][..], &[1, 2, 0], &[], &[]]);
    let expected = "[Event \"x\"]\n[Result \"*\"]\n[GameType \"20,W,10,10,N2,0\"]\n\n\
        {before} 1. 32-28 $1 {[%clock w0:03:00 B0:03:00] after} ({so} 1. 33-28 $6 19-23\n\
        $6 {then} (1... 18-23) 2. 28x19) (1. 31-27) 19-23 $1 $2 $0 (1... 17-22 {taken}\n\
        2. 28x17 12x21 (2... 11x22)) 2. 28x19 14x23 {(bad 1-7)} *\n\n";
    assert_eq!(game.to_string(), expected);
    let read: Vec<Game> = read(expected).map(Result::unwrap).collect();
    assert_eq!(read[0].moves, game.moves);
}

/// The moves as they are written, in one line.
fn moves_written(game: &Game) -> String {
    let text = game.to_string();
    let moves = text.split_once("\n\n").unwrap().1;
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_no_move_in_a_variation_is_kept_as_a_comment_and_told() {
    for (text, expected, remarks) in [
        // The first move, with what follows it.
        (
            "1. 32-28 19-23 (1... 50-1 {lost?}) 2. 28x19 *",
            "1. 32-28 19-23 {(1... 50-1 (lost?))} 2. 28x19 *",
            &["character 22: the rest of a variation is kept as a comment: ply 2 (50-1): "][..],
        ),
        // A later one; variations and comments behind it, braces closed in the line of a semicolon.
        (
            "1. 32-28 ({a} 31-27 {b} 19-23 27-21 {c} 28x19 (12-18 {d}) ; e )\n) 1... 19-23 *",
            "1. 32-28 ({a} 1. 31-27 {b} 19-23 2. 27-21 {c 28x19 (12-18 (d)) (e )]}) 19-23 *",
            &["ply 4 (28x19)"],
        ),
        // In a variation of a variation.
        (
            "32-28 (31-27 19-23 (19-24 1-2 (18-23) {x}) 27-22) 19-23 (17-21 45-46) *",
            "1. 32-28 (1. 31-27 19-23 (1... 19-24 {1-2 (18-23) (x)}) 2. 27-22) 19-23 (1... 17-21 {45-46}) *",
            &["ply 3 (1-2)", "ply 3 (45-46)"],
        ),
        // Words are no variation, but stay.
        (
            "1. 32-28 (better is 31-27, says (so (B.)) {he}) 19-23 ( ) ({only words}) *",
            "1. 32-28 {(better is 31-27, says (so (B.)) (he))} 19-23 {only words} *",
            &[],
        ),
        // Words behind moves, and a tag, which is none there.
        (
            "1. 32-28 (31-27 19-23 and so on) (33-29 [White \"x\"] 19-23) 19-23 *",
            "1. 32-28 (1. 31-27 19-23 {and so on}) (1. 33-29 {[White \"x\"] 19-23}) 19-23 *",
            &["words are kept as a comment: and so on", "expected a move"],
        ),
        (
            "(31-27 19-23) 1. 32-28 *",
            "{(31-27 19-23)} 1. 32-28 *",
            &["before the first move"],
        ),
    ] {
        let read = game(text);
        assert_eq!(moves_written(&read), expected, "{text}");
        let told: Vec<String> = read.unread.places.iter().map(ToString::to_string).collect();
        assert_eq!(
            (told.len(), read.unread.count),
            (remarks.len(), remarks.len()),
            "{told:?}"
        );
        for (told, remark) in told.iter().zip(remarks) {
            assert!(
                told.contains(remark) && told.starts_with("game 1, line "),
                "{told}"
            );
        }
        // What is written is read as it is written.
        let again = game(&read.to_string());
        assert_eq!(
            (moves_written(&again).as_str(), again.unread.count),
            (expected, 0)
        );
    }
    let read = game(&format!("1. 32-28 {} 19-23 *", "(31-27 1-2)\n".repeat(30)));
    let unread = &read.unread;
    assert_eq!((unread.count, unread.places.len()), (30, 10));
    assert!(unread.to_string().ends_with("; and 29 more such places"));
    assert_eq!(unread.places[9].line, 10);
}

#[test]
fn variations_that_lie_too_deep_are_kept_as_a_comment_and_told() {
    const INNER: usize = 50_000;
    let text = format!(
        "32-28 {}{{in}}{} 19-23",
        "(32-27 ".repeat(INNER),
        ")".repeat(INNER)
    );
    let read = game(&text);
    assert_eq!(line(&read), "32-28 19-23");
    let mut lines = &read.moves[0].variations;
    let (mut depth, mut comment) = (0, &None);
    while let [variation] = lines.as_slice() {
        depth += 1;
        let last = &variation.moves[0];
        (lines, comment) = (&last.variations, &last.comment);
    }
    assert_eq!(depth, MAX_DEPTH);
    let left = comment.as_deref().unwrap_or_default();
    assert_eq!(left.matches("(32-27").count(), INNER - MAX_DEPTH);
    assert!(left.contains("{in}"));
    assert_eq!(
        read.unread.to_string(),
        "game 1, line 1, character 231: a variation inside 32 others is kept as a comment"
    );
}

/// The game with another main line, read again: its moves as text.
fn led_by(text: &str, line: &str) -> String {
    let mut game = read(text).next().unwrap().unwrap();
    let moves = crate::notation::moves::parse_line(&game.start, line).unwrap();
    game.set_main_line(&moves);
    let text = game.to_string();
    let again = read(&text).next().unwrap().unwrap();
    assert_eq!(again.moves, game.moves);
    assert!(again.plain_moves().starts_with(&moves));
    let moves = text.split_once("\n\n").unwrap().1;
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_line_that_is_played_becomes_the_main_line_and_nothing_is_lost() {
    let text = "1. 32-28 {a} ({b} 1. 33-29 {c} 19-23 $1 (1... 17-21 2. 29-24) 2. 39-33) (1. 31-27) 19-23! \
                2. 28x19 14x23 {d} *";
    let kept = "1. 32-28 {a} ({b} 1. 33-29 {c} 19-23 $1 (1... 17-21 2. 29-24) 2. 39-33) (1. 31-27) 19-23 $1 \
                2. 28x19 14x23 {d}";
    // The same moves, fewer, more.
    assert_eq!(led_by(text, "32-28 19-23"), format!("{kept} *"));
    assert_eq!(led_by(text, ""), format!("{kept} *"));
    let more = "32-28 19-23 28x19 14x23 35-30";
    assert_eq!(led_by(text, more), format!("{kept} 3. 35-30 *"));
    // Moves that no line has.
    assert_eq!(
        led_by(text, "32-28 18-23 38-32"),
        "1. 32-28 {a} ({b} 1. 33-29 {c} 19-23 $1 (1... 17-21 2. 29-24) 2. 39-33) (1. 31-27) 18-23 \
         (1... 19-23 $1 2. 28x19 14x23 {d}) 2. 38-32 *"
    );
    // A variation, and one of its own.
    assert_eq!(
        led_by(text, "31-27 19-23"),
        "1. 31-27 (1. 32-28 {a} 19-23 $1 2. 28x19 14x23 {d}) \
         ({b} 1. 33-29 {c} 19-23 $1 (1... 17-21 2. 29-24) 2. 39-33) 19-23 *"
    );
    assert_eq!(
        led_by(text, "33-29 17-21 29-24 20x29"),
        "1. 33-29 {b c} (1. 32-28 {a} 19-23 $1 2. 28x19 14x23 {d}) (1. 31-27) 17-21 (1... 19-23 $1 2. 39-33) \
         2. 29-24 20x29 *"
    );
}
