//! The codec against what real clients and engines write, and against anything else.

use super::*;
use std::time::Duration;

fn command(line: &str) -> Command {
    Command::parse(line.as_bytes()).expect(line)
}

fn wrong(line: &str) -> Problem {
    let error = Command::parse(line.as_bytes()).expect_err(line);
    assert!(line.starts_with(error.command));
    error.problem
}

fn level(line: &str) -> LevelArgs {
    match command(line) {
        Command::Level(level, None) => level,
        other => panic!("{line} is {other:?}"),
    }
}

/// The arguments of a `level` that count, and what is wrong with another.
fn faulty_level(line: &str) -> (LevelArgs, Problem) {
    match command(line) {
        Command::Level(level, Some(problem)) => (level, problem),
        other => panic!("{line} is {other:?}"),
    }
}

fn pos(line: &str) -> (Option<String>, Vec<String>) {
    match command(line) {
        Command::Pos { pos, moves } => (pos, moves),
        other => panic!("{line} is {other:?}"),
    }
}

#[test]
fn commands_without_arguments_ignore_what_follows() {
    for (word, expected) in [
        ("hub", Command::Hub),
        ("init", Command::Init),
        ("new-game", Command::NewGame),
        ("ping", Command::Ping),
        ("ponder-hit", Command::PonderHit),
        ("stop", Command::Stop),
        ("quit", Command::Quit),
    ] {
        for line in [
            word.to_string(),
            format!("  {word}\r\n"),
            format!("\u{feff}{word} foo=1 bar \"x"),
        ] {
            assert_eq!(command(&line), expected, "{line:?}");
        }
    }
}

#[test]
fn blank_and_unknown_lines_are_no_errors() {
    for line in ["", "\n", "\r\n", " \t ", "\u{feff}\r\n"] {
        assert_eq!(command(line), Command::Empty, "{line:?}");
    }
    for line in [
        "PING",
        "Hub",
        "uci",
        "isready",
        "foo = \" =",
        "= =",
        "\"",
        "\u{1F600}",
        "\0",
    ] {
        assert!(matches!(command(line), Command::Unknown(_)), "{line:?}");
    }
    assert!(matches!(
        Command::parse(b"\xff\xfe\x00"),
        Ok(Command::Unknown(_))
    ));
}

#[test]
fn set_param_has_a_name_and_a_value() {
    for line in [
        "set-param name=threads value=4",
        "set-param name = threads value = 4",
        "set-param value=4 name=threads",
        "set-param name=\"threads\" value=\"4\" extra=1 flag",
    ] {
        assert_eq!(
            command(line),
            Command::SetParam {
                name: "threads".into(),
                value: "4".into()
            },
            "{line}"
        );
    }
    for (line, value) in [
        ("set-param name=s value=\"a = b\"", "a = b"),
        ("set-param name=s value=\"\"", ""),
        ("set-param name=s value=", ""),
    ] {
        assert_eq!(
            command(line),
            Command::SetParam {
                name: "s".into(),
                value: value.into()
            },
            "{line}"
        );
    }
    let missing = |argument| Problem::MissingArgument { argument };
    assert_eq!(wrong("set-param name=threads"), missing("value"));
    assert_eq!(wrong("set-param value=3"), missing("name"));
    assert_eq!(wrong("set-param"), missing("name"));
    assert_eq!(wrong("set-param name= value=3"), missing("name"));
    assert_eq!(
        wrong("set-param name=\"threads value=4"),
        Problem::UnclosedQuote
    );
    assert!(matches!(
        wrong("set-param name=th\"r value=4"),
        Problem::QuoteInWord { .. }
    ));
    assert_eq!(wrong("set-param name==threads"), Problem::MissingName);
    assert_eq!(wrong("set-param =4"), Problem::MissingName);
    assert_eq!(wrong("set-param name=a=b value=4"), Problem::MissingName);
}

#[test]
fn positions_of_clients() {
    let board = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
    assert_eq!(pos("pos"), (None, vec![]));
    assert_eq!(pos("pos start"), (None, vec![]));
    assert_eq!(pos("pos pos=start"), (None, vec![]));
    assert_eq!(
        pos(&format!("pos pos={board}")),
        (Some(board.into()), vec![])
    );
    assert_eq!(
        pos(&format!("pos pos={board} moves=\"\"")),
        (Some(board.into()), vec![])
    );
    assert_eq!(
        pos(&format!("pos pos={board} moves=")),
        (Some(board.into()), vec![])
    );
    assert_eq!(pos("pos moves=32-28"), (None, vec!["32-28".into()]));
    assert_eq!(
        pos("pos moves = \" 32-28  17-22 28x17x22 \" wolf=\"W12=2 B7=1\""),
        (
            None,
            vec!["32-28".into(), "17-22".into(), "28x17x22".into()]
        )
    );
    assert_eq!(
        pos("pos moves=\"３２-28\u{200b}17\u{2013}22\u{a0}28x17\""),
        (
            None,
            vec!["３２-28".into(), "17\u{2013}22".into(), "28x17".into()]
        )
    );
    assert!(matches!(
        wrong("pos moves=32-28 １７-22"),
        Problem::UnquotedMoves { .. }
    ));
    assert_eq!(pos("pos moves= pos=start"), (None, vec![]));
    assert_eq!(wrong("pos moves=\"32-28 17-22"), Problem::UnclosedQuote);
    assert!(matches!(
        wrong("pos moves=32-28 17-22"),
        Problem::UnquotedMoves { .. }
    ));
    assert!(matches!(wrong("pos pos"), Problem::MissingArgument { .. }));
}

#[test]
fn levels_of_clients() {
    let seconds = |s| Seconds::new(s);
    assert_eq!(
        level("level depth=20"),
        LevelArgs {
            depth: Some(20),
            ..Default::default()
        }
    );
    assert_eq!(level("level nodes=5000000").nodes, Some(5_000_000));
    assert_eq!(
        level("level moves=75 time=300.5 inc=1"),
        LevelArgs {
            moves: Some(75),
            time: seconds(300.5),
            inc: seconds(1.0),
            ..Default::default()
        }
    );
    assert_eq!(level("level time=-1.0 inc=2.0").time, seconds(-1.0));
    assert_eq!(
        level("level infinite"),
        LevelArgs {
            infinite: true,
            ..Default::default()
        }
    );
    assert_eq!(
        level("level depth=20level move-time=1000"),
        LevelArgs {
            depth: Some(20),
            move_time: seconds(1000.0),
            ..Default::default()
        }
    );
    assert_eq!(
        level("level handicap=3 ply=2 ponder"),
        LevelArgs {
            handicap: Some(3),
            ply: Some(2),
            ..Default::default()
        }
    );
    assert_eq!(level("level"), LevelArgs::default());
    for line in [
        "level depth=abc",
        "level depth",
        "level depth=",
        "level move-time=NaN",
        "level time=inf",
    ] {
        assert!(matches!(wrong(line), Problem::NotANumber { .. }), "{line}");
    }
    for line in [
        "level depth=-3",
        "level nodes=-1",
        "level nodes=1e30",
        "level move-time=1e300",
        "level inc=-1e99",
    ] {
        assert!(matches!(wrong(line), Problem::OutOfRange { .. }), "{line}");
    }
}

#[test]
fn an_argument_of_a_level_that_cannot_count_is_named_and_the_others_count() {
    for line in [
        "level foo=1 depth=9",
        "level depth=9 foo",
        "level depth=9 nodes= moves=-1",
        "level infinite=false depth=9",
    ] {
        let (level, _) = faulty_level(line);
        assert_eq!(level.to_string(), "level depth=9", "{line}");
    }
    let message = wrong("level movetime=5 moves=-1").to_string();
    assert!(
        message.contains("'movetime'") && message.contains("move-time"),
        "{message}"
    );
    assert!(level("level infinite=true").infinite);
}

#[test]
fn level_lines_accumulate() {
    let mut sum = level("level depth=10 time=5");
    sum.merge(level("level move-time=3 depth=8"));
    sum.merge(level("level infinite"));
    assert_eq!(sum.to_string(), "level depth=8 move-time=3 time=5 infinite");
    assert!(sum.is_limited());
    assert!(!level("level infinite").is_limited());
}

#[test]
fn an_unknown_mode_is_think() {
    for (line, mode) in [
        ("go think", GoMode::Think),
        ("go", GoMode::Think),
        ("go mcts", GoMode::Think),
        ("go ponder", GoMode::Ponder),
        ("go analyze", GoMode::Analyze),
        ("go analyse", GoMode::Analyze),
    ] {
        assert_eq!(command(line), Command::Go(mode), "{line}");
    }
}

#[test]
fn replies_as_scan_writes_them() {
    let info = Info {
        depth: Some(12),
        mean_depth: Some(9.84),
        score: Some(-0.004),
        nodes: Some(123_456),
        time: Some(Duration::from_micros(51_400)),
        nps: Some(2.44),
        pv: vec!["32-28".into(), "17-22".into(), "28x17x22".into()],
        extra: vec![],
    };
    let one_move = Info {
        pv: vec!["31-27".into()],
        score: Some(99.13),
        nps: Some(0.0),
        ..info.clone()
    };
    let id = Id {
        name: "Damier".into(),
        version: "0.1.0".into(),
        author: "The authors".into(),
        country: "".into(),
    };
    let param = |name: &str, value: &str, kind| {
        Reply::Param(Param {
            name: name.into(),
            value: value.into(),
            kind,
        })
    };
    let done = |best: Option<&str>, ponder: Option<&str>| Reply::Done {
        best: best.map(str::to_owned),
        ponder: ponder.map(str::to_owned),
    };
    for (reply, line) in [
        (
            Reply::Id(id),
            "id name=Damier version=0.1.0 author=\"The authors\"",
        ),
        (
            param("book", "true", ParamKind::Bool),
            "param name=book value=true type=bool",
        ),
        (
            param(
                "variant",
                "normal",
                ParamKind::Enum {
                    values: vec!["normal".into()],
                },
            ),
            "param name=variant value=normal type=enum values=normal",
        ),
        (
            param(
                "search",
                "mtdfix",
                ParamKind::Enum {
                    values: vec!["mtdfix".into(), "pvs".into()],
                },
            ),
            "param name=search value=mtdfix type=enum values=\"mtdfix pvs\"",
        ),
        (
            param("threads", "1", ParamKind::Int { min: 1, max: 64 }),
            "param name=threads value=1 type=int min=1 max=64",
        ),
        (Reply::Wait, "wait"),
        (Reply::Ready, "ready"),
        (Reply::Pong, "pong"),
        (
            Reply::Info(info),
            "info depth=12 mean-depth=9.8 score=0.00 nodes=123456 time=0.051 nps=2.4 pv=\"32-28 17-22 28x17x22\"",
        ),
        (
            Reply::Info(one_move),
            "info depth=12 mean-depth=9.8 score=99.13 nodes=123456 time=0.051 nps=0.0 pv=31-27",
        ),
        (
            done(Some("32-28"), Some("17-22")),
            "done move=32-28 ponder=17-22",
        ),
        (done(Some("32-28"), None), "done move=32-28"),
        (done(None, None), "done"),
        (
            Reply::error("say \"no\"\r\n\u{e9}"),
            "error message=\"say 'no'  \u{e9}\"",
        ),
        (Reply::error("no"), "error message=no"),
        (Reply::error(""), "error message=\"\""),
    ] {
        assert_eq!(reply.to_string(), line);
        if !line.starts_with("info depth=12 mean-depth=9.8 score=0") {
            assert_eq!(
                Reply::parse(line.as_bytes()).map(|reply| reply.to_string()),
                Ok(line.to_owned())
            );
        }
    }
}

#[test]
fn replies_of_other_engines() {
    let scan = "info score=-0.01 pv=34-30";
    let Ok(Reply::Info(info)) = Reply::parse(scan.as_bytes()) else {
        panic!("{scan}")
    };
    assert_eq!(
        (info.score, info.depth, info.pv),
        (Some(-0.01), None, vec!["34-30".to_owned()])
    );
    let noise = "Loading tables ... \"50%";
    assert!(matches!(
        Reply::parse(noise.as_bytes()),
        Ok(Reply::Unknown(_))
    ));
    let param = "param name=\"name\" value=\"\" type=string";
    let Ok(Reply::Param(param)) = Reply::parse(param.as_bytes()) else {
        panic!("{param}")
    };
    assert_eq!((param.value.as_str(), param.kind), ("", ParamKind::String));
    assert!(Reply::parse(b"info depth=x").is_err());
    assert!(Reply::parse(b"param type=int").is_err());
}

#[test]
fn lookalikes_of_signs_are_read_and_other_letters_refused() {
    let moves = vec!["32-28".to_owned(), "19-23".to_owned()];
    let expected = Command::Pos { pos: None, moves };
    for line in [
        "pos\u{a0}pos=start moves=\"32-28 19-23\"",
        "\u{200b}pos start moves=\u{201c}32-28 19-23\u{201d}",
        "pos pos\u{ff1d}start\u{3000}moves \u{ff1d} \u{ab}32-28\u{a0}19-23\u{bb}\u{feff}",
        "pos \u{ff4d}oves=\"32-28 19-23\"",
    ] {
        assert_eq!(command(line), expected, "{line}");
    }
    assert!(matches!(
        command("level depth=\u{ff15}"),
        Command::Level(LevelArgs { depth: Some(5), .. }, None)
    ));
    // Inside the quotes of ASCII they are text.
    let set = Command::SetParam {
        name: "book-file".to_owned(),
        value: "a\u{201d}\u{a0}\u{ff1d}b".to_owned(),
    };
    assert_eq!(command(&set.to_string()), set);
    // Cyrillic letters: ignored like an unknown argument, it would be another position.
    let error = Command::parse("pos \u{440}\u{43e}s=start".as_bytes()).expect_err("no argument");
    assert_eq!(
        error.to_string(),
        "pos: no argument '\u{440}\u{43e}s'; known are pos, start, moves"
    );
    assert_eq!(
        Reply::error("\u{43f}\u{1b}[2J\u{202e}\u{2028}").to_string(),
        "error message=\"\u{43f}\\u{1b}[2J\\u{202e} \""
    );
}
