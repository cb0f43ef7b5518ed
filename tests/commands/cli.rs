//! The binary as a user meets it: arguments in, output and exit code out.

use crate::messages::one_line;
use damier::engine::Options;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn damier(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Exit code, stdout and stderr.
fn run(command: &mut Command, input: &[u8]) -> (Option<i32>, String, String) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A child that ends without reading closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

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
fn what_makes_no_sense_is_said_in_one_line() {
    let one_line = |args: &[&str], wanted_code: i32, start: &str| {
        let (code, out, err) = run(&mut damier(args), b"");
        assert_eq!(
            (code, out.as_str()),
            (Some(wanted_code), ""),
            "{args:?} {err}"
        );
        assert!(err.starts_with(start), "{args:?} {err}");
        if wanted_code == 1 {
            assert_eq!(err.lines().count(), 1, "{args:?} {err}");
        }
    };
    one_line(
        &["analyze", "W:W31:Bx"],
        1,
        "damier: FEN, character 8: expected a square",
    );
    one_line(&["analyze", ""], 1, "damier: the FEN is empty");
    for name in ["no-such.fen", "games/none", "mygames.pdn"] {
        let wanted = format!("damier: {name}: no such file");
        one_line(&["analyze", name], 1, &wanted);
    }
    // A pipe that gave nothing.
    one_line(&["analyze", "-"], 1, "damier: stdin: no position in it");
    one_line(
        &["endgame", "probe", "-"],
        1,
        "damier: stdin: no position in it",
    );
    one_line(
        &["analyze", "--moves", "32-23"],
        1,
        "damier: move 1 (32-23): a man moves one step",
    );
    one_line(
        &["perft", "W:Q", "--depth", "3"],
        1,
        "damier: FEN, character 3",
    );
    one_line(&["play", "--fen", "x"], 1, "damier: FEN, character 1");
    one_line(
        &["eval", "--config", "no-such-file"],
        1,
        "damier: no-such-file: ",
    );
    let facts = |args: &[&str], wanted: &[&str]| {
        let (code, out, err) = run(&mut damier(args), b"");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?} {err}");
        for fact in wanted {
            assert!(err.contains(fact), "{args:?}: {fact}: {err}");
        }
        err
    };
    facts(&["--threads", "65", "hub"], &["--threads", "1 to 64", "65"]);
    facts(
        &["hub", "--set", "colour=red"],
        &["--set", "colour", "threads", "tt-size"],
    );
    facts(&["hub", "--set", "thread=2"], &["`threads`"]);
    facts(
        &["analyze", "--search", "best"],
        &["--search", "mtdfix", "pvs"],
    );
    facts(&["analyze", "--nodes", "1e6"], &["--nodes", "whole number"]);
    facts(&["perft", "--depth", "x"], &["--depth", "1 to 99"]);
    facts(
        &["dxp", "--minutes", "1.25", "--initiator"],
        &["--minutes", "minutes"],
    );
    facts(&["dxp", "--color", "black"], &["--color", "--initiator"]);
    facts(&["dxp", "--games", "x"], &["--games", "1000000"]);
    // No suggestion is refused when it is followed.
    let err = facts(&["analyse"], &["`analyze`"]);
    assert!(!err.contains("dataset"), "{err}");
    facts(&["nonsense"], &["analyze", "hub", "match"]);
    for option in ["--line-gap", "--ponder"] {
        facts(
            &["analyze", option, "1"],
            &["`analyze`", option, "--threads"],
        );
    }
    let (code, _, err) = run(&mut damier(&["eval", "--wieghts", "material"]), b"");
    assert!(code == Some(2) && err.contains("--weights"), "{err}");
    one_line(&["analyze", "--time", "-1"], 2, "error: invalid value");
    one_line(
        &["hub", "--log-level", "loud"],
        2,
        "error: invalid value 'loud' for '--log-level <LEVEL>': expected off, error,",
    );
}

#[test]
fn help_and_version_succeed() {
    let (code, out, _) = run(&mut damier(&["--help"]), b"");
    assert_eq!(code, Some(0));
    for word in [
        "play",
        "analyze",
        "perft",
        "hub",
        "--tt-size",
        "--line-gap",
        "Examples:",
    ] {
        assert!(out.contains(word), "{word}\n{out}");
    }
    let (code, out, _) = run(&mut damier(&["--version"]), b"");
    assert_eq!(code, Some(0));
    assert_eq!(out.trim(), format!("damier {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_help_of_a_command_lists_the_options_that_it_takes() {
    let takes = |command: &[&str], option: &str| {
        let (code, out, _) = run(&mut damier(&[command, &["--help"]].concat()), b"");
        assert_eq!(code, Some(0));
        out.contains(&format!("{option} <"))
    };
    for (command, taken, not_taken) in [
        (&["hub"][..], &["--ponder", "--config"][..], &[][..]),
        (&["analyze"], &["--threads", "--config"], &["--ponder"]),
        (&["eval"], &["--weights"], &["--threads", "--line-gap"]),
        (&["train"], &["--threads"], &["--tt-size", "--config"]),
        (&["match"], &[], &["--threads", "--set", "--config"]),
        (
            &["bench"],
            &["--search", "--param"],
            &["--threads", "--config"],
        ),
        (
            &["dxp"],
            &["--port", "--ponder", "--config"],
            &["--line-gap"],
        ),
        (&["dataset", "stat"], &[], &["--threads", "--config"]),
        (&["selfplay"], &["--weights"], &["--ponder", "--config"]),
        (
            &["endgame", "build"],
            &["--threads", "--config"],
            &["--tt-size"],
        ),
    ] {
        for option in taken {
            assert!(takes(command, option), "{command:?} {option}");
        }
        for option in not_taken {
            assert!(!takes(command, option), "{command:?} {option}");
        }
    }
    // What is not listed is refused by name.
    for (args, expected) in [
        (
            &["train", "games", "--out", "w", "--ponder", "true"][..],
            &["`train`", "--ponder"][..],
        ),
        (&["eval", "--set", "nonsense=1"], &["nonsense", "weights"]),
        (
            &["--set", "ponder=true", "eval", "--set", "weights=material"],
            &["`eval`", "--ponder", "--weights"],
        ),
        (
            &["--ponder", "true", "dataset", "stat", "x"],
            &["`dataset stat`", "--ponder"],
        ),
        (
            &["dataset", "stat", "games", "--config", "x"],
            &["`dataset stat`", "--config"],
        ),
        (&["--config", "x", "match"], &["`match`", "--config"]),
        (
            &["eval", "--threads", "2"],
            &["Usage: damier eval ", "`eval`", "--threads"],
        ),
        (&["bench", "--threads", "2"], &["`bench`", "--threads"]),
        (
            &["suite", "tactics", "--prove", "10", "--threads", "2"],
            &["`suite --prove`", "--threads"],
        ),
        (
            &["selfplay", "--games", "1", "--out", "x", "--log-file", "x"],
            &["x: a log needs a file of its own"],
        ),
        (
            &["train", "x", "--out", "y", "--log-file=y.ckpt"],
            &["y.ckpt: a log needs a file of its own"],
        ),
        (
            &["match", "--pdn=y", "--log-file", "./y.journal"],
            &["y.journal: a log needs a file of its own"],
        ),
    ] {
        let (code, out, err) = run(&mut damier(args), b"");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        for expected in expected {
            assert!(err.contains(expected), "{args:?} {err}");
        }
    }
    // Given above and below the command, both count.
    let args = ["--set", "threads=4", "hub", "--set", "tt-size=20"];
    let (_, out, _) = run(&mut damier(&args), b"hub\nquit\n");
    assert!(out.contains("name=threads value=4 "), "{out}");
    assert!(out.contains("name=tt-size value=20 "), "{out}");
}

/// An option that a command lists and does not look at would be taken with any value.
#[test]
fn every_option_that_a_command_lists_is_looked_at() {
    let folder = folder("listed");
    let [games, suite, out] = ["games", "suite", "out"].map(|name| {
        let path = folder.join(name);
        path.to_str().unwrap().to_owned()
    });
    fs::write(&suite, "W:W28:B23,14; bm 28x10; id own-01\n").unwrap();
    let play = ["selfplay", "--games", "8", "--nodes", "20", "--out", &games];
    assert_eq!(run(&mut damier(&play), b"").0, Some(0));
    let commands: [(&[&str], &[&str]); 13] = [
        (&["hub"], &[]),
        (&["play"], &[]),
        (&["analyze"], &["--depth", "1"]),
        (&["eval"], &[]),
        (&["perft"], &["--depth", "1"]),
        (&["bench"], &["--depth", "1"]),
        (&["suite"], &[&suite, "--nodes", "10"]),
        (&["selfplay"], &["--games", "1", "--out", &out]),
        (&["train"], &[&games, "--out", &out]),
        (&["endgame", "build"], &["--pieces", "2"]),
        (&["endgame", "verify"], &["--step", "1000000"]),
        (&["endgame", "probe"], &["W:WK26,K33:BK4"]),
        (&["endgame", "stat"], &[]),
    ];
    // No number, no word, and no file or folder either: it would lie in a file.
    let senseless = format!("{suite}/such");
    let mut tried = 0;
    for (command, arguments) in commands {
        let (_, help, _) = run(&mut damier(&[command, &["--help"]].concat()), b"");
        let words = help.split_whitespace();
        for spec in Options::specs() {
            let option = format!("--{}", spec.name);
            // Without a book the engine plays on: tests/search/book.rs. To analyze --book is a flag.
            let other = spec.name == "book-file" || spec.name == "book" && command[0] == "analyze";
            if other || !words.clone().any(|word| word == option) {
                continue;
            }
            tried += 1;
            let args = [command, arguments, &[&option, &senseless]].concat();
            let (code, _, err) = run(&mut damier(&args), b"");
            assert!(matches!(code, Some(1 | 2)), "{args:?}: {err}");
            let told =
                err.contains(&senseless) || err.contains(spec.name) || err.contains("search is");
            assert!(told, "{args:?}: {err}");
        }
    }
    assert!(tried >= 50, "{tried}");
    // What is wrong in the file of options does not matter where it means nothing.
    let file = folder.join("options");
    fs::write(&file, "endgame-dir = /no/such\n").unwrap();
    let args = ["eval", "--config", file.to_str().unwrap()];
    let (code, _, err) = run(&mut damier(&args), b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

#[test]
fn cpu_names_the_level_and_the_environment_chooses_one() {
    let cpu = |level: &str| run(damier(&["cpu"]).env("DAMIER_CPU", level), b"");
    let (code, out, err) = cpu("");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let first = out.lines().next().unwrap();
    assert!(
        first.ends_with(": the best that this processor has"),
        "{out}"
    );
    let mut nodes = Vec::new();
    for line in out.lines().skip(1) {
        let level = line.trim().split(' ').next().unwrap();
        let (code, chosen, err) = cpu(level);
        if line.contains(" lacks ") {
            assert_eq!((code, chosen.as_str()), (Some(1), ""));
            assert!(
                err.starts_with(&format!(
                    "damier: DAMIER_CPU={level}: this processor lacks "
                )),
                "{err}"
            );
            assert_eq!(err.lines().count(), 1);
            continue;
        }
        assert!(
            chosen.starts_with(&format!("{level}: DAMIER_CPU asks for it\n")),
            "{chosen}"
        );
        // The same search, and the same moves, on each.
        let mut bench = damier(&["bench", "--depth", "6"]);
        let (_, out, _) = run(bench.env("DAMIER_CPU", level), b"");
        let last = out
            .lines()
            .find(|line| line.starts_with("Bench: "))
            .unwrap();
        nodes.push(last.split(' ').nth(1).unwrap().to_owned());
        let mut perft = damier(&["perft", "--depth", "6"]);
        let (_, out, _) = run(perft.env("DAMIER_CPU", level), b"");
        assert!(out.contains("perft(6) 167140 "), "{out}");
    }
    assert!(
        !nodes.is_empty() && nodes.iter().all(|count| *count == nodes[0]),
        "{nodes:?}"
    );
    for command in [&["cpu"][..], &["hub"], &["perft", "--depth", "3"]] {
        let (code, out, err) = run(damier(command).env("DAMIER_CPU", "v1"), b"");
        assert_eq!((code, out.as_str(), err.lines().count()), (Some(1), "", 1));
        assert!(err.starts_with("damier: DAMIER_CPU=v1: expected "), "{err}");
    }
}

#[test]
fn perft_counts_and_divides() {
    let (code, out, _) = run(&mut damier(&["perft", "--depth", "5", "--divide"]), b"");
    assert_eq!(code, Some(0));
    assert!(out.lines().any(|line| line == "31-27 2585"), "{out}");
    let last = out.lines().last().unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    assert_eq!(
        (words[0], words[1], words[3], words[5]),
        ("perft(5)", "27117", "s", "Mnps")
    );
    let mut command = damier(&[
        "perft",
        "W:WK1:B25",
        "--depth",
        "3",
        "--threads",
        "2",
        "--hash",
        "1",
    ]);
    let (code, out, _) = run(&mut command, b"");
    assert_eq!((code, out.lines().count()), (Some(0), 3), "{out}");
}

#[test]
fn a_pipe_without_a_command_speaks_hub() {
    let (code, out, err) = run(&mut damier(&["--threads", "3"]), b"hub\nquit\n");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("id name="), "{out}");
    assert!(out.contains("name=threads value=3 "), "{out}");
    assert!(out.contains("\nwait"), "{out}");
}

#[test]
fn play_follows_a_script_and_ends_with_the_input() {
    let script = b"32-23\nmoves\n32-28\nback\n32-28\nhint\nfen\n";
    let (code, out, err) = run(&mut damier(&["play", "--depth", "2"]), script);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("a man moves one step only"), "{out}");
    assert_eq!(
        out.matches("The computer (black) plays").count(),
        2,
        "{out}"
    );
    let (code, out, _) = run(
        &mut damier(&["play", "--white", "computer", "--depth", "2"]),
        b"quit\n",
    );
    assert_eq!(code, Some(0));
    assert_eq!(
        out.matches("The computer (white) plays").count(),
        1,
        "{out}"
    );
}

#[test]
fn options_come_from_the_file_that_is_named_and_never_from_the_working_directory() {
    let folder = folder("options");
    let file = folder.join("hub.ini");
    let threads = |command: &mut Command| {
        let (code, out, err) = run(command.current_dir(&folder), b"hub\nquit\n");
        let line = out
            .lines()
            .find(|line| line.contains("name=threads"))
            .unwrap_or("");
        let value = line.split_once(" value=").map_or("", |(_, rest)| rest);
        (code, value.split(' ').next().unwrap_or("").to_owned(), err)
    };
    fs::write(&file, "threads = 5\n").unwrap();
    assert_eq!(
        threads(&mut damier(&["hub"])),
        (Some(0), "1".into(), String::new())
    );
    let named = ["hub", "--config", "hub.ini"];
    assert_eq!(
        threads(&mut damier(&named)),
        (Some(0), "5".into(), String::new())
    );
    let over = [&named[..], &["--set", "threads=6"]].concat();
    assert_eq!(
        threads(&mut damier(&over)),
        (Some(0), "6".into(), String::new())
    );
    // Over Hub a bad line is an error of the conversation; the other lines count.
    let none = folder.join("no-such.dwt");
    let none = none.to_str().unwrap();
    fs::write(
        &file,
        format!("# mine\nthreads = 5\nsped = 1\nbook-ply = 4\nweights = {none}\n"),
    )
    .unwrap();
    let (code, out, err) = run(damier(&named).current_dir(&folder), b"hub\ninit\nquit\n");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let errors: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("error "))
        .collect();
    assert_eq!(errors.len(), 2, "{out}");
    assert!(
        errors[0].contains("hub.ini, line 3") && errors[0].contains("sped"),
        "{errors:?}"
    );
    assert!(errors[1].contains("no-such.dwt"), "{errors:?}");
    assert!(
        out.starts_with("id ") && out.contains("name=threads value=5 "),
        "{out}"
    );
    assert!(out.contains("name=weights value=embedded "), "{out}");
    // On the command line it is an error, as is what the command line itself says.
    let (code, out, err) = run(
        damier(&["eval", "--config", "hub.ini"]).current_dir(&folder),
        b"",
    );
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(
        err.starts_with("damier: hub.ini, line 3: ") && err.contains("sped"),
        "{err}"
    );
    let args = ["hub", "--weights", none];
    assert_eq!(run(&mut damier(&args), b"hub\nquit\n").0, Some(1));

    for (bytes, message) in [
        (
            vec![0xe9; 100],
            "hub.ini, line 1: expected name = value, found ",
        ),
        (
            vec![0xff; 2 << 20],
            "hub.ini: too large: more than 1048576 bytes",
        ),
    ] {
        fs::write(&file, bytes).unwrap();
        let (code, _, err) = run(
            damier(&["eval", "--config", "hub.ini"]).current_dir(&folder),
            b"",
        );
        assert_eq!(code, Some(1));
        assert!(err.starts_with(&format!("damier: {message}")), "{err}");
        let (code, out, _) = run(damier(&named).current_dir(&folder), b"hub\nquit\n");
        assert!(code == Some(0) && out.contains(message), "{out}");
    }

    let copy = folder.join(format!("damier{}", std::env::consts::EXE_SUFFIX));
    // A link, not a copy: a file just written may still be open in a process that another test starts.
    fs::hard_link(env!("CARGO_BIN_EXE_damier"), &copy).unwrap();
    fs::write(&file, "threads = 7\n").unwrap();
    let beside = threads(&mut Command::new(&copy));
    assert_eq!(beside, (Some(0), "7".into(), String::new()));
}

#[test]
fn the_log_goes_where_it_is_wanted() {
    let file = folder("log").join("damier.log");
    let path = file.to_str().unwrap();
    for runs in 1..=2 {
        let (code, _, err) = run(
            &mut damier(&["analyze", "--depth", "2", "--log-file", path]),
            b"",
        );
        assert_eq!((code, err.as_str()), (Some(0), ""));
        // What the file held stays.
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches("INFO  damier ").count(), runs, "{text}");
    }
    let (_, _, err) = run(
        &mut damier(&["analyze", "--depth", "2", "--log-level", "info"]),
        b"",
    );
    assert!(err.contains("INFO"), "{err}");
    // Nothing is added to what is no log.
    let games = folder("log").join("games.pdn");
    fs::write(&games, "[Event \"?\"]\n*\n").unwrap();
    let args = [
        "analyze",
        "--depth",
        "2",
        "--log-file",
        games.to_str().unwrap(),
    ];
    let (code, out, err) = run(&mut damier(&args), b"");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    one_line(err, &["games.pdn"]);
    assert_eq!(fs::read_to_string(&games).unwrap(), "[Event \"?\"]\n*\n");
    let (code, _, err) = run(
        &mut damier(&["eval", "--log-file", env!("CARGO_TARGET_TMPDIR")]),
        b"",
    );
    assert_eq!(code, Some(1));
    one_line(err, &[env!("CARGO_TARGET_TMPDIR")]);
}

#[test]
fn a_message_does_nothing_to_the_terminal() {
    let (code, _, err) = run(&mut damier(&["suite", "no\u{1b}[2Jsuch\u{7}"]), b"");
    assert_eq!(code, Some(1));
    assert!(
        err.starts_with("damier: no\\u{1b}[2Jsuch\\u{7}: "),
        "{err:?}"
    );
}

#[test]
fn a_reader_that_leaves_is_no_accident() {
    let mut child = damier(&["analyze", "--time", "30"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    // Dropping the reader closed the pipe: long before its time is over, the search ends.
    let closed = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(closed.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn bench_and_suites_run() {
    let args = [
        "bench",
        "--depth",
        "2",
        "--search",
        "mtdfix,pvs",
        "--tt-size",
        "16",
    ];
    let (code, out, err) = run(&mut damier(&args), b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let last = out.lines().last().unwrap();
    assert!(
        last.starts_with("Bench: ") && last.ends_with(" nps"),
        "{last}"
    );
    let (code, _, err) = run(&mut damier(&["bench", "--search", "mtdfix,best"]), b"");
    assert_eq!(code, Some(2), "{err}");
    let suite = folder("suite").join("own.fen");
    fs::write(&suite, "W:W28:B23,14; bm 28x10; id own-01\n").unwrap();
    let path = suite.to_str().unwrap();
    let wanted = format!("damier: {path}, line 1: FEN, ");
    let args = ["suite", path, "--nodes", "100"];
    let (code, out, err) = run(&mut damier(&args), b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("own-01 "), "{out}");
    let (code, _, err) = run(&mut damier(&["suite", "no-such-suite"]), b"");
    assert_eq!(code, Some(1));
    assert!(err.starts_with("damier: no-such-suite: "), "{err}");
    let (code, _, err) = run(
        &mut damier(&["suite", path, "--prove", "10", "--depth", "2"]),
        b"",
    );
    assert_eq!(code, Some(2), "{err}");
    fs::write(&suite, b"W:W28:B23\xff").unwrap();
    for args in [["suite", path], ["bench", path]] {
        let (code, _, err) = run(&mut damier(&args), b"");
        // Before it the encoding is named.
        assert!(code == Some(1) && err.contains(&wanted), "{err}");
    }
}

#[test]
fn search_parameters_are_set_by_name() {
    let bench = |params: &[&str]| {
        let args = [
            &["bench", "--depth", "6", "--tt-size", "16", "--bb-size", "0"],
            params,
        ]
        .concat();
        let (code, out, err) = run(&mut damier(&args), b"");
        let nodes = out.lines().last().unwrap_or("").split(' ').nth(1);
        (code, nodes.unwrap_or("").to_owned(), err)
    };
    let (code, usual, _) = bench(&[]);
    assert_eq!(code, Some(0));
    assert_eq!(bench(&["--param", "lmr_base=30"]).1, usual, "the default");
    let (code, other, _) = bench(&["--param", "lmr_base=90", "--param", "one_reply=false"]);
    assert_eq!(code, Some(0));
    assert_ne!(other, usual);
    let (code, _, err) = bench(&["--param", "lmr_base=9999"]);
    assert!(code == Some(2) && err.contains("1000"), "{err}");
    let (code, _, err) = bench(&["--param", "lmr_bas=30"]);
    assert!(code == Some(2) && err.contains("lmr_base"), "{err}");
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

#[test]
fn the_log_tells_what_a_command_did_and_why_it_failed() {
    let folder = folder("log-of-commands");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let logged = |name: &str, args: &[&str]| {
        let log = path(name);
        let args = [args, &["--log-file", &log]].concat();
        run(&mut damier(&args), b"");
        fs::read_to_string(&log).unwrap()
    };
    let (games, weights, tables) = (path("games"), path("weights"), path("tables"));
    let log = logged(
        "selfplay.log",
        &["selfplay", "--games", "8", "--nodes", "20", "--out", &games],
    );
    assert!(log.contains("selfplay"), "{log}");
    let train = [
        "train",
        &games,
        "--out",
        &weights,
        "--epochs",
        "1",
        "--arch",
        "network-64",
        "--batch",
        "64",
    ];
    let log = logged("train.log", &train);
    assert!(
        log.contains("positions to train on") && log.contains("is done"),
        "{log}"
    );
    let log = logged("dataset.log", &["dataset", "verify", &games]);
    assert!(log.contains("8 games"), "{log}");
    let log = logged("failed.log", &["dataset", "verify", &weights]);
    assert!(log.contains("weights") && log.contains("failed"), "{log}");
    let log = logged(
        "endgame.log",
        &["endgame", "build", "--pieces", "2", "--dir", &tables],
    );
    assert!(
        log.contains("4 of 4 slices") && log.contains("is done"),
        "{log}"
    );
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

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let full = || {
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for args in [&["help"][..], &["analyze", "--help"], &["--version"]] {
        let status = damier(args)
            .stdout(full())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(1), "{args:?}");
    }
}
