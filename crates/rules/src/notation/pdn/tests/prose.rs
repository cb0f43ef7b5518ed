//! Words in lines of their own, and what pages and programs put around moves: each text with the games in it.

use super::*;
use crate::notation::moves;

const FOUR: &str = "1. 32-28 19-23 2. 28x19 14x23";

/// The plies, the result and the comments of each game, all of them sound.
fn found(text: &str) -> Vec<(usize, &'static str, String)> {
    let of = |game: Result<Game, PdnError>| {
        let game = game.unwrap_or_else(|error| panic!("{text}: {error}"));
        let comments = game.moves.iter().filter_map(|mv| mv.comment.as_deref());
        let comments: Vec<&str> = game
            .comment
            .as_deref()
            .into_iter()
            .chain(comments)
            .collect();
        (game.moves.len(), game.result.text(), comments.join(" "))
    };
    read(text).map(of).collect()
}

#[test]
fn words_are_told_where_they_begin() {
    let text = "\t, 3. Jansen - Durand\n1. 32-28 *";
    let game = read(text).next().expect("a game").expect("sound");
    let place = &game.unread.places[0];
    assert_eq!((place.line, place.column, game.moves.len()), (1, 4, 1));
    let streamed = super::super::Stream::new(text.as_bytes()).next_game();
    assert_eq!(streamed.expect("memory can be read"), Some(Ok(game)));
}

#[test]
fn full_width_signs_cost_no_more_than_plain_ones() {
    for text in [
        "1. 32-28 \u{ff04}5 19-23 2. 28x19 14x23",
        "\u{ff04} 1. 32-28 \u{ff04} 19-23 28x19 14x23",
    ] {
        assert_eq!(found(text)[0].0, 4, "{text}");
    }
    // A tag in full width that is longer than a game may be.
    let long = format!(
        "\u{ff3b}White \u{ff02}{}\u{ff02}\u{ff3d}\n{FOUR} *",
        "long ".repeat(400_000)
    );
    let first = super::super::Stream::new(long.as_bytes()).next_game();
    let damaged = first
        .expect("memory can be read")
        .expect("a game")
        .expect_err("too long");
    assert_eq!(damaged.error.kind, PdnErrorKind::TooLong);
}

#[test]
fn sides_before_moves_and_other_signs_between_squares_are_read() {
    for text in [
        "1. w32-28 b19-23 2. w28x19 b14x23 *",
        "W32-28! Z19-23 W28:19 Z14x23 *",
        "{before} w32-28 {after} b19-23 w28x19 b14x23",
        "32/28 19/23 28/19 14/23",
        "1. 32=28 19=23 2. 28x19 14=23 *",
        "1.32/28! 19/23 (18/23) 2.28/19 14/23 2-0",
    ] {
        let games = found(text);
        assert_eq!((games.len(), games[0].0), (1, 4), "{text}");
    }
    // A king's way over three squares.
    let game = "[FEN \"W:WK46:B41,31,27,17\"]\n1. 46/37/26/12 *";
    assert_eq!(found(game)[0].0, 1);
    // What is no move stays words.
    assert_eq!(found("[White \"A\"]\nB12-14 wit 3/4\n1. 32-28 *")[0].0, 1);
}

#[test]
fn a_line_without_moves_before_the_moves_is_a_title() {
    for title in [
        "12-05-2020",
        "12-5",
        "1973",
        "1250 - 1310",
        "1234 AB Den Haag",
        "3. Jansen - Durand",
        "* Partij 1",
        "*** Partij 1 ***",
        "Opening: 32-28 19-23",
        "# ronde 3",
    ] {
        let one = vec![(4, "*", title.to_owned())];
        assert_eq!(found(&format!("{title}\n\n{FOUR} *\n")), one, "{title}");
        assert_eq!(
            found(&format!("[White \"A\"]\n{title}\n{FOUR} *\n")),
            one,
            "{title}"
        );
    }
    for title in ["3. Jansen - Durand 2-0", "Jansen - Durand\n2 - 0"] {
        let all = found(&format!("{title}\n{FOUR}\n\n4. Piet - Klaas 1-1\n{FOUR}\n"));
        let results: Vec<&str> = all.iter().map(|game| game.1).collect();
        assert_eq!(results, ["2-0", "1-1"], "{title}");
    }
    // A move that is not legal is no title.
    for text in ["1. 32-27 19-23\n2. 37-31 *", "1. 99-88 19-23 *", "50-1 *"] {
        assert!(read(text).any(|game| game.is_err()), "{text}");
    }
}

#[test]
fn words_behind_the_result_are_of_the_game() {
    for words in [
        "(op tijd)",
        "(45-40 was beter)",
        "1. Jansen 12 punten",
        "\n1) goed\n2) beter 18-23",
        "\n--\nJan de Vries\nTel. 06-12345678",
        "\nNa 31-26 had wit beter gestaan.",
        "\n12-05-2020",
    ] {
        let all = found(&format!("{FOUR} 2-0 {words}\n"));
        let kept = words.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(all, [(4, "2-0", kept)], "{words}");
    }
}

#[test]
fn notes_between_the_moves_are_kept() {
    let start = "[FEN \"W:W15,25,26,K27:BK14,17\"]\n27-49 (17-22) 49-38 (14-23) 38-47";
    for note in [
        "A) 14-3 38-24",
        "a) 14-3 38-24",
        "(A) 14-3 38-24",
        "Var. A: 14-3 38-24",
        "- 14-3 38-24",
    ] {
        let text = format!("{start} W+\n{note}\n");
        let all: Vec<Game> = read(&text).map(|game| game.expect(note)).collect();
        assert_eq!((all.len(), all[0].moves.len()), (1, 5), "{note}");
        assert_eq!(all[0].goal(), Some(Outcome::White), "{note}");
    }
    let text = "1. 32-28 19-23\nNa 1... 20-25 2. 37-32 is wit beter.\n2. 28x19 14x23 *";
    assert_eq!(
        found(text),
        [(4, "*", "Na 1... 20-25 2. 37-32 is wit beter.".to_owned())]
    );
    let text = "1. 32-28 0:05 19-23 0:12 2. 28x19 1:03 14x23 0:10";
    assert_eq!(found(text), [(4, "*", "0:05 0:12 1:03 0:10".to_owned())]);
    // What is no note costs the rest of the game.
    assert!(read("1. 32-28 19-23\n2. 50-1 14x23\n3. 37-32 *").any(|game| game.is_err()));
}

#[test]
fn moves_that_count_from_one_again_are_another_game() {
    let plies = |text: &str| found(text).iter().map(|game| game.0).collect::<Vec<_>>();
    assert_eq!(
        plies(&format!("{FOUR}\n\n1. 31-26 20-25 2. 36-31\n")),
        [4, 3]
    );
    assert_eq!(
        plies(&format!("{FOUR} 3. 37-32\n\nPartij B\n1. 31-26 20-25\n")),
        [5, 2]
    );
    assert_eq!(
        plies(&format!("{FOUR} wit wint\n\n1. 31-26 20-25\n")),
        [4, 2]
    );
}

#[test]
fn signs_of_pages_and_programs_around_moves_are_read() {
    let wanted = "32-28 19-23 28x19 14x23";
    for text in [
        "1 . 32-28 19-23 2 .28x19 14x23",
        "1.&nbsp;32&ndash;28&nbsp;19&#8211;23 2. 28&times;19 14&#xD7;23",
        "1. 32-&shy;28 19&minus;23 2. 28x19 14x23",
        "1. **32-28** *19-23* **2.** _28x19_ `14x23`",
        "**1. 32-28** 19-23 **2. 28x19** 14x23",
        "[\"32-28\", \"19-23\", \"28x19\", \"14x23\"]",
        "1. 32.28 19.23 2. 28x19 14x23",
        "1. 32-28, 19-23; 2. 28x19, 14x23.",
        "1. 32-28 19-23; 2. 28x19\n14x23",
        "1;32-28;19-23\n2;28x19;14x23\n",
        "1. 32-28 19-23 2. 28x19x 14x23",
        "1. 32-28 19-23 2. 28::19 14\u{ff5e}23",
    ] {
        let game = game(text);
        let mut position = game.start;
        let words = game.moves.iter().map(|annotated| {
            let word = moves::short(&position, annotated.mv);
            position = position.play(annotated.mv);
            word
        });
        assert_eq!(words.collect::<Vec<_>>().join(" "), wanted, "{text}");
    }
    let game = game("[White \"O&#39;Neill &amp; Co\"]\n1. 32-28 {a &amp; b} *");
    assert_eq!(game.tag("White"), Some("O'Neill & Co"));
    assert_eq!(game.moves[0].comment.as_deref(), Some("a &amp; b"));
    assert_eq!(found("1. 32-28 19-23 4-4"), [(2, "1-1", String::new())]);
    let noted = found("[Result \"2-0 (opgave)\"]\n1. 32-28 19-23 *");
    assert_eq!(noted, [(2, "2-0", "(opgave)".to_owned())]);
}
