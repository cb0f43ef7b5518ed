//! The binary as a user meets it: arguments in, output and exit code out.

use crate::program::{damier, folder, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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
fn cpu_names_the_level_and_the_environment_chooses_one() {
    let cpu = |level: &str| run(damier(&["cpu"]).env("DAMIER_CPU", level), b"");
    let (code, out, err) = cpu("");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let first = out.lines().next().unwrap();
    assert!(
        first.contains(": the best that this processor has"),
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
            chosen.starts_with(&format!("{level}: DAMIER_CPU asks for it")),
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
        assert!(
            err.starts_with("damier: DAMIER_CPU=\"v1\": expected "),
            "{err}"
        );
    }
    let (code, _, err) = run(damier(&["cpu"]).env("DAMIER_CPU", "v3\n"), b"");
    assert!(
        code == Some(1) && err.starts_with("damier: DAMIER_CPU=\"v3\\n\": expected "),
        "{err}"
    );
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
