//! `damier solve`, `damier mine`, `damier losses` and `damier analyze --explain` as commands.

use crate::messages::one_line;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SOUND: &str = "W:W6,7,40:B19,30,33";
const COOKED: &str = "W:W22,27,31,32,43:B10,13,23,28,33";
const SHOT: &str =
    "W:W28,29,31,32,35,36,37,38,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,15,17,18,20,24";

fn damier(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    let command = command.args(args).current_dir(folder);
    command.output().expect("damier")
}

fn solve(folder: &Path, args: &[&str]) -> (Vec<Value>, Option<i32>, String) {
    let options = "solve --json --nodes 5000 --tt-size 16 --bb-size 3".split(' ');
    let all: Vec<&str> = options.chain(args.iter().copied()).collect();
    let output = damier(folder, &all);
    (objects(&output), output.status.code(), text(&output.stderr))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn objects(output: &Output) -> Vec<Value> {
    let text = text(&output.stdout);
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn the_exit_code_says_whether_all_are_sound() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    for (position, verdict, code) in [(SOUND, "sound", 0), (COOKED, "cook", 1)] {
        let (found, exit, _) = solve(path, &[position]);
        assert_eq!(found[0]["verdict"], verdict);
        assert_eq!(exit, Some(code));
    }
    let positions = format!("# Problems\n{SOUND}; anything\n\n{COOKED}\n");
    fs::write(path.join("positions.fen"), positions).expect("written");
    let (found, exit, _) = solve(path, &["positions.fen"]);
    let verdicts: Vec<_> = found
        .iter()
        .map(|object| object["verdict"].as_str())
        .collect();
    assert_eq!(verdicts, [Some("sound"), Some("cook")]);
    assert_eq!(exit, Some(1));
}

#[test]
fn what_holds_no_problem_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    fs::write(path.join("empty.pdn"), "").expect("written");
    fs::write(path.join("empty.fen"), "# none yet\n").expect("written");
    for (name, wanted) in [("empty.pdn", "game"), ("empty.fen", "position")] {
        let (found, exit, error) = solve(path, &[name]);
        assert_eq!((found.len(), exit), (0, Some(2)));
        one_line(error, &["damier: ", name, wanted]);
        let output = damier(path, &["mine", name]);
        assert_eq!(output.status.code(), Some(1));
    }
    let output = damier(path, &["analyze", "empty.pdn"]);
    one_line(text(&output.stderr), &["damier: ", "empty.pdn"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn pdn_has_solutions_and_what_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let games = format!(
        "[Event \"right\"]\n[FEN \"{SOUND}\"]\n[Result \"2-0\"]\n1. 40-34 30x39 2. 7-2 2-0\n\n\
         [Event \"wrong\"]\n[FEN \"{SOUND}\"]\n[Result \"2-0\"]\n1. 7-2 2-0\n\n\
         [Event \"a draw\"]\n[FEN \"W:W24,43:B11,K25\"]\n[Result \"1-1\"]\n1. 24-19 1-1\n\n"
    );
    fs::write(path.join("in.pdn"), &games).expect("written");
    let (found, exit, complaints) = solve(path, &["in.pdn"]);
    let verdicts: Vec<_> = found
        .iter()
        .map(|object| object["verdict"].as_str())
        .collect();
    assert_eq!(verdicts, [Some("sound"), Some("refuted"), Some("sound")]);
    assert_eq!((exit, complaints.as_str()), (Some(1), ""));
    assert_eq!(found[1]["refuted_at"], 1);
    assert_eq!(found[2]["goal"], "draw");
    // An illegal solution is named, and no verdict.
    fs::write(
        path.join("bad.pdn"),
        format!("[FEN \"{SOUND}\"]\n1. 40-34 19-24 *"),
    )
    .expect("written");
    let (found, exit, complaints) = solve(path, &["bad.pdn"]);
    assert!(
        found.is_empty() && complaints.contains("19-24"),
        "{complaints}"
    );
    assert_eq!(exit, Some(2));
    assert_eq!(solve(path, &["none.pdn"]).1, Some(2));
}

#[test]
fn white_wins_with_black_to_move_unless_it_is_said_otherwise() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let fen = "B:WK11,34,40,44,48:B17,33,35,K50";
    let game = format!("[FEN \"{fen}\"]\n1. ... 50x30 2. 11x25 35x44 3. 25-39 44x33 4. 48-43 *\n");
    fs::write(path.join("in.pdn"), &game).expect("written");
    let (found, exit, complaints) = solve(path, &["in.pdn"]);
    assert_eq!((exit, complaints.as_str()), (Some(0), ""));
    for (key, wanted) in [
        ("turn", "black"),
        ("side", "white"),
        ("goal", "win"),
        ("goal_source", "convention"),
        ("verdict", "sound"),
    ] {
        assert_eq!(found[0][key], wanted, "{key}");
    }
    let output = damier(path, &["solve", "in.pdn", "--nodes", "5000"]);
    let said = text(&output.stdout);
    assert!(
        said.contains("\nblack to move, white wins (the convention"),
        "{said}"
    );
    for (goal, side, is_reached) in [
        ("white-wins", "white", true),
        ("white-draws", "white", true),
        ("black-wins", "black", false),
        ("black-draws", "black", false),
        ("win", "black", false),
        ("draw", "black", false),
    ] {
        let (found, _, _) = solve(path, &[fen, "--goal", goal]);
        assert_eq!(
            (&found[0]["side"], &found[0]["goal_source"]),
            (&side.into(), &"given".into())
        );
        assert_eq!(
            found[0]["verdict"] != "refuted",
            is_reached,
            "{goal}: {found:?}"
        );
        assert_eq!(
            found[0]["refutation"].is_object(),
            !is_reached,
            "{goal}: {found:?}"
        );
    }
    // The result says otherwise.
    fs::write(path.join("in.pdn"), game.replace('*', "0-2")).expect("written");
    let (found, exit, _) = solve(path, &["in.pdn"]);
    assert_eq!((&found[0]["side"], exit), (&"black".into(), Some(1)));
    assert_eq!(found[0]["goal_source"], "result");
}

#[test]
fn a_refuted_solution_names_the_defence() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = [SOUND, "--moves", "7-2"];
    let (found, exit, _) = solve(folder.path(), &args);
    assert_eq!((exit, &found[0]["refuted_at"]), (Some(1), &1.into()));
    let refutation = &found[0]["refutation"];
    assert_eq!(
        (&refutation["ply"], &refutation["after"][0]),
        (&2.into(), &"7-2".into())
    );
    let first = refutation["line"][0].as_str().expect("a move");
    let options = [
        "solve",
        "--nodes",
        "5000",
        "--tt-size",
        "16",
        "--bb-size",
        "3",
    ];
    let output = damier(folder.path(), &[&options[..], &args[..]].concat());
    let said = text(&output.stdout);
    let wanted = format!(
        "1. 7-2 does not reach the goal, because of 1... {first}\nrefutation 1... {first} 2. "
    );
    assert!(said.contains(&wanted), "{wanted}: {said}");
}

fn mine(folder: &Path, args: &[&str]) -> Output {
    let options = "mine --nodes 2000 --tt-size 14 --bb-size 3".split(' ');
    let all: Vec<&str> = options.chain(args.iter().copied()).collect();
    damier(folder, &all)
}

#[test]
fn each_position_is_mined_once_in_every_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let game = format!("[White \"A\"]\n[FEN \"{SHOT}\"]\n1. 31-26 *\n\n");
    let damaged = "[White \"B\"]\n1. 32-28 19-23 2. 50-1 *\n";
    fs::write(path.join("in.pdn"), format!("{}{damaged}", game.repeat(3))).expect("written");
    let output = mine(path, &["in.pdn", "--json"]);
    let puzzles = objects(&output);
    assert_eq!(puzzles.len(), 1, "{puzzles:?}");
    assert_eq!(puzzles[0]["solution"][0], "28-23");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("50-1"));
    let output = mine(path, &["in.pdn", "--suite", "--out", "shots.fen"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!path.join("shots.fen.journal").exists());
    let suite = fs::read_to_string(path.join("shots.fen")).expect("a suite");
    assert_eq!(suite.matches("bm 28-23").count(), 1);
    let solved = damier(path, &["suite", "shots.fen", "--nodes", "5000", "--json"]);
    assert_eq!(objects(&solved)[0]["solved"], true);
    // What is written as PDN can be mined again.
    mine(path, &["in.pdn", "--out", "puzzles.pdn"]);
    let again = mine(path, &["puzzles.pdn", "--json"]);
    assert_eq!(objects(&again)[0]["fen"], SHOT);
    assert!(again.status.success());
}

#[test]
fn shards_and_a_journal_give_the_same_puzzles() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let made = damier(
        path,
        &[
            "selfplay",
            "--games",
            "3",
            "--nodes",
            "60",
            "--seed",
            "2",
            "--out",
            "games.dgr",
        ],
    );
    assert!(made.status.success(), "{made:?}");
    let whole = mine(path, &["games.dgr", "--json"]);
    let whole = objects(&whole);
    assert!(!whole.is_empty());
    let mut parts = Vec::new();
    for shard in ["1/2", "2/2"] {
        parts.extend(objects(&mine(
            path,
            &["games.dgr", "--json", "--shard", shard],
        )));
    }
    parts.sort_by_key(|puzzle| (puzzle["game"].as_u64(), puzzle["ply"].as_u64()));
    assert_eq!(parts, whole);
    // Other work does not go on with a journal.
    fs::write(path.join("out.json.journal"), "notes\n").expect("written");
    let refused = mine(path, &["games.dgr", "--json", "--out", "out.json"]);
    assert!(!refused.status.success());
    fs::remove_file(path.join("out.json.journal")).expect("removed");
    assert!(
        mine(path, &["games.dgr", "--json", "--out", "out.json"])
            .status
            .success()
    );
    let written = fs::read_to_string(path.join("out.json")).expect("a file");
    assert_eq!(written.lines().count(), whole.len());
}

/// 19-24 loses to 28-23.
const BEFORE: &str =
    "B:W28,29,31,32,35,36,37,38,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,15,17,18,19,20";

#[test]
fn losing_moves_are_a_suite_each_position_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let losses = |args: &[&str]| {
        let options = "losses --nodes 5000 --tt-size 14 --bb-size 3".split(' ');
        let all: Vec<&str> = options.chain(args.iter().copied()).collect();
        damier(path, &all)
    };
    let game = |black: &str, result: &str| {
        format!(
            "[White \"W\"]\n[Black \"{black}\"]\n[FEN \"{BEFORE}\"]\n19-24 28-23 24x42 23x21 {result}\n\n"
        )
    };
    let damaged = "[White \"W\"]\n1. 32-28 19-23 2. 50-1 2-0\n";
    let games = [
        game("A", "2-0"),
        game("b", "2-0"),
        game("A", "1-1"),
        damaged.to_owned(),
    ];
    fs::write(path.join("in.pdn"), games.concat()).expect("written");
    // Two games were lost by the same move; what is read of the damaged one has no result.
    let output = losses(&["in.pdn"]);
    assert_eq!(output.status.code(), Some(1));
    let suite = text(&output.stdout);
    assert_eq!(suite.lines().count(), 1, "{suite}");
    assert!(suite.starts_with(&format!("{BEFORE}; am 19-24; id 1-0; ")));
    let said = text(&output.stderr);
    assert!(said.contains("50-1"), "{said}");
    assert!(
        said.contains("1 losing move in 2 lost games, of 4 games read, 1 of them without a result"),
        "{said}"
    );
    let output = losses(&["in.pdn", "--player", "B", "--out", "lost.fen"]);
    assert!(text(&output.stderr).contains("1 losing move in 1 lost game, of 4 games read"));
    assert!(!path.join("lost.fen.journal").exists());
    let solved = damier(path, &["suite", "lost.fen", "--nodes", "5000", "--json"]);
    let solved = &objects(&solved)[0];
    assert_eq!(
        (&solved["wanted"], &solved["solved"]),
        (&"not 19-24".into(), &true.into())
    );
    let proven = damier(path, &["suite", "lost.fen", "--prove", "5000"]);
    let line = text(&proven.stdout);
    let scores = line
        .split("not 19-24: best other ")
        .nth(1)
        .expect("the scores");
    let (other, avoided) = scores.trim().split_once(", avoided at most ").expect("two");
    let men = |score: &str| score.parse::<f64>().expect("men");
    assert!(men(other) > -0.5 && men(avoided) < -1.0, "{line}");
    let output = losses(&["in.pdn", "--player", "nobody", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && text(&output.stderr).contains("nobody"));
    // One line, not one for each position.
    let output = losses(&["lost.fen"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("lost.fen: holds positions, not games") && said.lines().count() == 1,
        "{said}"
    );
    let output = losses(&["in.pdn", "--json"]);
    let found = &objects(&output)[0];
    assert_eq!(
        (&found["fen"], &found["played"][0]),
        (&BEFORE.into(), &"19-24".into())
    );
    // An input is not written over.
    let refused = losses(&["in.pdn", "--out", "in.pdn"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(fs::read_to_string(path.join("in.pdn")).is_ok_and(|text| text == games.concat()));
}

#[test]
fn analyze_explains() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "32-28 18-23 34-30 23x32 37x28 20-25 40-34 14-20 44-40 12-18";
    let args = [
        "analyze",
        "--moves",
        line,
        "--explain",
        "--nodes",
        "20000",
        "--json",
    ];
    let found = objects(&damier(folder.path(), &args));
    assert!(
        found[0]["last_move"]["lost"].as_f64() > Some(0.05),
        "{found:?}"
    );
    assert!(found[0]["last_move"]["better"].is_array());
    // The majority rule.
    let args = [
        "analyze",
        "W:W32,44:B27,29,39",
        "--moves",
        "32x21",
        "--explain",
        "--nodes",
        "1000",
        "--json",
    ];
    let output = damier(folder.path(), &args);
    let found = objects(&output);
    let reason = found[0]["illegal"]["reason"].as_str().expect("a reason");
    assert!(
        reason.contains("most pieces") && output.status.success(),
        "{reason}"
    );
    assert_eq!(found[0]["illegal"]["move"], "32x21");
    // Ctrl-C leaves no time for it.
    for endless in [&["--infinite"][..], &["--time", "0"]] {
        let args = [&["analyze", "--explain"], endless].concat();
        let output = damier(folder.path(), &args);
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(why.contains("--explain"), "{why}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
}

#[test]
fn solve_names_results_that_contradict_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let problem = "[Result \"2-0\"]\n[FEN \"W:W6,7,40:B19,30,33\"]\n\n1. 40-34 0-2\n";
    fs::write(folder.path().join("in.pdn"), problem).expect("written");
    let output = damier(folder.path(), &["solve", "in.pdn", "--nodes", "2000"]);
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        why.starts_with("damier: in.pdn: game 1, line 4, character 10: "),
        "{why}"
    );
    assert!(why.contains("0-2") && why.contains("2-0"), "{why}");
}
