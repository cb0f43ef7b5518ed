//! Files as a shell gives them: names that are not UTF-8, `-`, `/dev/stdin`, `<(command)`, pipes that nobody writes to.
#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const FEN: &str = "W:W27,32:B8,16";
const SUITE: &str = "W:W27,32:B8,16; bm 27-22; id shot\n";

fn damier(args: &[&std::ffi::OsStr], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Runs damier with words, of which `@` stands for a name, and `+` in a word for a blank.
fn run(words: &str, name: &Path, input: &str) -> Output {
    let args: Vec<OsString> = words
        .split(' ')
        .map(|word| match word {
            "@" => name.as_os_str().to_owned(),
            word => word.replace('+', " ").into(),
        })
        .collect();
    let args: Vec<_> = args.iter().map(OsString::as_os_str).collect();
    damier(&args, input)
}

fn succeeds(words: &str, name: &Path, input: &str) -> String {
    let output = run(words, name, input);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}: {said}");
    String::from_utf8(output.stdout).unwrap_or_else(|error| panic!("{words}: {error}"))
}

/// A name that is not UTF-8.
fn odd(folder: &Path, rest: &str) -> PathBuf {
    let mut name = b"caf\xe9-".to_vec();
    name.extend(rest.as_bytes());
    folder.join(OsString::from_vec(name))
}

#[test]
fn names_of_files_need_not_be_utf_8() {
    let folder = tempfile::tempdir().unwrap();
    let at = |rest: &str| odd(folder.path(), rest);
    fs::write(at("fen"), FEN).unwrap();
    fs::write(at("suite"), SUITE).unwrap();
    succeeds("bench --depth 2 --json @", &at("fen"), "");
    succeeds("suite --depth 9 --json @", &at("suite"), "");
    let games = at("games.dgr");
    succeeds("selfplay --games 4 --nodes 100 --json --out @", &games, "");
    for words in [
        "dataset stat --json @",
        "dataset show @",
        "dataset verify @",
    ] {
        succeeds(words, &games, "");
    }
    let merged = at("merged.dgr");
    let args = [
        "dataset".as_ref(),
        "merge".as_ref(),
        games.as_os_str(),
        "--out".as_ref(),
        merged.as_os_str(),
    ];
    assert!(damier(&args, "").status.success());
    assert_eq!(fs::read(&merged).unwrap(), fs::read(&games).unwrap());
    let weights = at("weights.dwt");
    let args = [
        "train".as_ref(),
        games.as_os_str(),
        "--epochs".as_ref(),
        "1".as_ref(),
        "--out".as_ref(),
        weights.as_os_str(),
    ];
    let trained = damier(&args, "");
    assert!(
        trained.status.success(),
        "{}",
        String::from_utf8_lossy(&trained.stderr)
    );
    assert!(at("weights.dwt.ckpt").exists());
    succeeds("eval --json --weights @", &weights, "");
    succeeds("hub --weights @", &weights, "hub\ninit\nquit\n");
    fs::create_dir(at("tables")).unwrap();
    // There is no table in it, which is said; but it is found.
    let probed = run("endgame stat --endgame-dir @", &at("tables"), "");
    assert!(String::from_utf8_lossy(&probed.stderr).contains("tables"));
    let refused = run("eval --weights @", &at("none"), "");
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&refused.stderr).lines().count(), 1);
}

#[test]
fn names_of_books_and_journals_need_not_be_utf_8() {
    let folder = tempfile::tempdir().unwrap();
    let at = |rest: &str| odd(folder.path(), rest);
    // Words, of which those with an `@` name files.
    let book = |words: &str| {
        let word = |word: &str| match word.strip_prefix('@') {
            Some(rest) => at(rest).into_os_string(),
            None => word.into(),
        };
        let args: Vec<OsString> = words.split(' ').map(word).collect();
        let args: Vec<_> = args.iter().map(OsString::as_os_str).collect();
        let output = damier(&[&["book".as_ref()], args.as_slice()].concat(), "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {said}");
        String::from_utf8(output.stdout).unwrap_or_else(|error| panic!("{words}: {error}"))
    };
    fs::write(
        at("games.pdn"),
        "[Result \"2-0\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n",
    )
    .unwrap();
    let built = book(
        "build @b.dbj --positions 20 --nodes 500 --round 4 --games @games.pdn --out @b.dbk --json",
    );
    assert!(built.contains("caf"), "{built}");
    book("build @b.dbj --round 4 --nodes 500 --shard 1/2");
    book("build @b.dbj --round 4 --nodes 500 --shard 2/2");
    assert!(at("b.dbj.1-of-2").exists() && at("b.dbk").exists());
    book("merge @b.dbj @b.dbj.1-of-2 @b.dbj.2-of-2 --json");
    for words in [
        "stat @b.dbj --json",
        "stat @b.dbk",
        "show --file @b.dbk",
        "verify @b.dbj @b.dbk --json",
        "export @b.dbj --out @b.json",
        "export @b.dbk --out @b.pdn",
        "import @b.json --out @again.dbk",
        "learn @games.pdn --file @b.dbk --out @learned.dbk --json",
        "openings --file @b.dbk --plies 2 --count 3 --out @openings.fen",
    ] {
        book(words);
    }
    for name in ["b.pdn", "learned.dbk", "openings.fen"] {
        assert!(at(name).exists(), "{name}");
    }
}

#[test]
fn what_is_read_once_may_be_stdin() {
    for name in ["-", "/dev/stdin"] {
        let name = Path::new(name);
        succeeds("bench --depth 2 @", name, FEN);
        let found = succeeds("suite --depth 9 @", name, SUITE);
        assert!(found.contains("shot"), "{found}");
    }
}

#[test]
fn what_is_read_once_may_come_from_a_command() {
    let shell = |line: &str| {
        let output = Command::new("bash")
            .args(["-c", line])
            .env("DAMIER", env!("CARGO_BIN_EXE_damier"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}: {said}");
        String::from_utf8(output.stdout).unwrap()
    };
    let found =
        shell("$DAMIER suite <(sleep 1; echo 'W:W27,32:B8,16; bm 27-22; id shot') --depth 9");
    assert!(found.contains("shot"), "{found}");
    let toml = "[[engine]]\\nname=\"A\"\\ncmd=\"$DAMIER hub\"\\n[[engine]]\\nname=\"B\"\\ncmd=\"$DAMIER hub\"\\n";
    let toml = toml.replace('"', "\\\"");
    let found = shell(&format!(
        "$DAMIER match --engines <(printf \"{toml}\") --openings <(echo W:W31-50:B1-20) --nodes 50 --games 2 --json"
    ));
    assert!(found.contains("\"games\":2"), "{found}");
}

/// Each of these waits for some seconds, so all of them wait together.
#[test]
fn nobody_waits_for_ever_on_a_pipe_without_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let engines = "match --engine name=a+cmd=a --engine name=b+cmd=b --nodes 5";
    let named = pipe.to_str().unwrap();
    let refused = |words: &str| {
        let output = run(words, &pipe, "");
        let said = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        assert!(matches!(code, Some(1 | 2)), "{words}: {code:?} {said}");
        assert!(output.stdout.is_empty(), "{words}");
        assert!(
            said.contains(named) && said.lines().count() <= 3,
            "{words}: {said}"
        );
    };
    std::thread::scope(|scope| {
        for words in [
            "bench @",
            "suite @",
            "match --engines @ --nodes 1",
            &format!("{engines} --engines @"),
            &format!("{engines} --openings @"),
            "dataset stat @",
            "eval --weights @",
            "eval --config @",
        ] {
            let words = words.to_owned();
            scope.spawn(move || refused(&words));
        }
    });
}
