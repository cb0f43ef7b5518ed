//! Valid and invalid engine descriptions.

use super::*;
use crate::level::GameLevel;
use std::path::PathBuf;
use std::time::Duration;

#[test]
fn the_matchs_own_keys_are_kept_from_the_engine() {
    let spec = parse(r#"name=A cmd="./damier hub" dir=/x protocol=hub nodes=2000 threads=1"#);
    let launch = Launch {
        command: vec!["./damier".to_owned(), "hub".to_owned()],
        dir: Some(PathBuf::from("/x")),
    };
    let connection = Connection::Hub {
        launch,
        params: vec![("threads".to_owned(), "1".to_owned())],
    };
    let expected = EngineSpec {
        name: "A".to_owned(),
        connection,
        level: Some(GameLevel::Nodes(2000)),
    };
    assert_eq!(spec.expect("a description"), expected);
}

#[test]
fn dxp_has_its_keys() {
    let spec = parse(r#"name=M protocol=dxp cmd="mobydam -t 22" port=27540 stdin="time 100""#);
    let Ok(EngineSpec { connection, .. }) = spec else {
        panic!("{spec:?}")
    };
    let Connection::Dxp(dxp) = connection else {
        panic!("not DXP")
    };
    let launch = dxp.launch.expect("a command");
    assert_eq!(launch.command, ["mobydam", "-t", "22"]);
    assert_eq!((dxp.host.as_str(), dxp.port), ("127.0.0.1", 27540));
    assert_eq!(
        (dxp.stdin[0].as_str(), dxp.role),
        ("time 100", DxpRole::Client)
    );
}

#[test]
fn what_is_wrong_is_said() {
    for (text, expected) in [
        ("", "name is missing"),
        ("name=A", "cmd is missing"),
        ("cmd=x", "name is missing"),
        ("name=A cmd=x cmd=y", "cmd is given twice"),
        ("name=A cmd=x threads=1 threads=2", "threads is given twice"),
        ("name=A cmd=x threads", "threads has no value"),
        ("name=A cmd=\"x", "quote"),
        ("name=A cmd=\"x 'y\"", "quote"),
        ("name=A cmd=\" \"", "no program"),
        ("name=A\u{1b}[31m cmd=x", "U+001B"),
        ("name=A cmd=x nodes=0", "nodes"),
        ("name=A cmd=x nodes=1 depth=3", "exclude each other"),
        ("name=A cmd=x protocol=uci", "hub or dxp"),
        ("name=A cmd=x port=7", "protocol=hub does not use port"),
        ("name=A protocol=dxp port=65536", "port is a number"),
        ("name=A protocol=dxp role=x", "server or client"),
        (
            "name=A protocol=dxp threads=2",
            "protocol=dxp does not use threads",
        ),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_port_is_used_once() {
    let engine = |text: &str| parse(text).expect(text);
    let dxp = |name: &str, port: u16| engine(&format!("name={name} protocol=dxp port={port}"));
    let hub = engine("name=H cmd=x");
    let error = check(&[dxp("A", 7), dxp("B", 7)], 1).expect_err("one port");
    assert!(
        error
            .to_string()
            .starts_with("A and B cannot both use port 7")
    );
    let error = check(&[dxp("A", 7), hub.clone()], 2).expect_err("two games");
    assert!(matches!(
        error,
        SpecError::OnePort {
            port: 7,
            games: 2,
            ..
        }
    ));
    for (engines, games) in [
        ([dxp("A", 7), dxp("B", 8)], 1),
        ([dxp("A", 0), dxp("B", 0)], 2),
        ([dxp("A", 7), hub], 1),
    ] {
        assert!(check(&engines, games).is_ok());
    }
}

#[test]
fn a_file_of_engines_is_read_from_where_it_lies() {
    let folder = std::env::temp_dir().join(format!("damier-spec-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("engines.toml");
    let text = "[[engine]]\nname = \"A\"\ncmd = [\"./a b\", \"hub\"]\nmove-time = 0.1\nbook = false\n\
                [[engine]]\nname = \"B\"\ncmd = \"b hub\"\ndir = \"sub\"\n";
    std::fs::write(&file, text).expect("a file");
    let engines = load(&file).expect("good engines");
    assert_eq!(
        engines[0].level,
        Some(GameLevel::MoveTime(Duration::from_millis(100)))
    );
    let Connection::Hub { launch, params } = &engines[0].connection else {
        panic!("not Hub")
    };
    assert_eq!(launch.command, ["./a b", "hub"]);
    assert_eq!(launch.dir.as_deref(), Some(folder.as_path()));
    assert_eq!(params[..], [("book".to_owned(), "false".to_owned())]);
    let Connection::Hub { launch, .. } = &engines[1].connection else {
        panic!("not Hub")
    };
    assert_eq!(launch.dir, Some(folder.join("sub")));
    let good = "[[engine]]\nname = \"A\"\ncmd = \"x\"\n";
    for encoding in ["UTF-16LE", "windows-1252", "UTF-8"] {
        let encoding: damier_text::Encoding = encoding.parse().expect("known");
        std::fs::write(&file, encoding.bytes_of(&good.replace('A', "Été"))).expect("a file");
        assert_eq!(load(&file).expect("good engines")[0].name, "Été");
    }
    for (bad, expected) in [
        ("x", "line 1"),
        ("a = 1", "`a`"),
        ("engine = 1", "line 1"),
        ("[[engine]]\nname = \"A\"\ncmd = {}\n", "line 3"),
        (
            "[[engine]]\nname = [\"A\"]\ncmd = \"x\"\n",
            "engine 1: name",
        ),
        (&format!("{good}book = \"a\\nquit\"\n"), "engine 1: book"),
        (
            &format!("{good}[[engine]]\nname = \"B\"\n"),
            "engine 2: cmd",
        ),
        (&format!("{good}nodes = 1\ndepth = 2\n"), "nodes and depth"),
        // Names go into reports and files.
        (
            "[[engine]]\nname = \"A\\nB\"\ncmd = \"x\"\n",
            "engine 1: name",
        ),
        (
            "[[engine]]\nname = \"A\\u001b[2J\"\ncmd = \"x\"\n",
            "engine 1: name",
        ),
    ] {
        std::fs::write(&file, bad).expect("a file");
        let error = load(&file).expect_err(bad).to_string();
        let is_clear = error.contains("engines.toml") && error.contains(expected);
        assert!(
            is_clear && error.lines().count() == 1,
            "{expected}: {error}"
        );
        assert!(!error.contains('\u{1b}'), "{error:?}");
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(load(&file).is_err());
}
