//! `analyze` and `eval`: positions in, lines and values out.

use crate::program::{damier, run};
use serde_json::Value;

#[test]
fn analyze_shows_the_board_a_line_per_depth_and_the_best_move() {
    let (code, out, err) = run(&mut damier(&["analyze", "--depth", "6"]), b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(
        out.lines().filter(|line| line.contains(" b   ")).count(),
        4,
        "{out}"
    );
    assert!(
        out.lines().filter(|line| line.contains(" s ")).count() >= 6,
        "{out}"
    );
    assert!(
        out.contains("\nbest move ") && out.contains("\nline "),
        "{out}"
    );
}

#[test]
fn analyze_gives_json_for_many_positions_and_goes_on_after_a_bad_one() {
    let input = b"W:W31-50:B1-20\nnonsense\nWbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww\n";
    let mut command = damier(&[
        "analyze",
        "-",
        "--json",
        "--nodes",
        "2000",
        "--threads",
        "2",
    ]);
    let (code, out, err) = run(&mut command, input);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    let objects: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[1]["line"], 2);
    assert!(objects[1]["error"].is_string());
    for object in [&objects[0], &objects[2]] {
        assert!(object["fen"].as_str().unwrap().starts_with("W:W31,32,"));
        for key in ["best", "pv", "score", "depth", "nodes", "time", "nps"] {
            assert!(!object[key].is_null(), "{key} {object}");
        }
    }
}

#[test]
fn eval_says_what_each_piece_is_worth() {
    let fen = "W:W31,32,K50:B1,2,K5";
    let (code, out, _) = run(
        &mut damier(&["eval", fen, "--weights", "material", "--json"]),
        b"",
    );
    assert_eq!(code, Some(0));
    let judged: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (judged["score"].as_f64(), judged["turn"].as_str()),
        (Some(0.0), Some("white"))
    );
    let worth = |square: u64| {
        let pieces = judged["pieces"].as_array().unwrap();
        let piece = pieces.iter().find(|piece| piece["square"] == square);
        piece.and_then(|piece| piece["worth"].as_f64())
    };
    assert_eq!(judged["pieces"].as_array().map(Vec::len), Some(6));
    for (square, men) in [
        (31, 1.0),
        (32, 1.0),
        (50, 3.0),
        (1, 1.0),
        (2, 1.0),
        (5, 3.0),
    ] {
        assert_eq!(worth(square), Some(men), "{square}");
    }
    // One white piece only: without it there is no game.
    let (code, out, _) = run(
        &mut damier(&["eval", "B:WK50:B1,2", "--weights", "material"]),
        b"",
    );
    assert_eq!(code, Some(0));
    assert!(
        out.contains("W-") && out.contains("b100") && out.contains("score -1.00 men for black"),
        "{out}"
    );
    let (code, out, err) = run(&mut damier(&["eval", "x"]), b"");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(
        err.starts_with("damier: ") && err.lines().count() == 1,
        "{err}"
    );
    let (code, _, err) = run(&mut damier(&["eval", "--weights", "no such file"]), b"");
    assert_eq!(code, Some(1));
    assert!(err.starts_with("damier: weights no such file: "), "{err}");
}

#[cfg(unix)]
#[test]
fn positions_that_are_not_utf_8_are_an_error_in_plain_words() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"no\xffname");
    let (code, out, err) = run(damier(&["eval"]).arg(name), b"");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("UTF-8") && err.contains("name"), "{err}");
}
