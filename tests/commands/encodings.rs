//! Text in any encoding, and names of files, which stay out of what is published.

use damier::text::Encoding;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn damier(folder: &Path, args: &[&str]) -> (Output, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    let output = command.args(args).current_dir(folder).output();
    let output = output.expect("damier");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, errors)
}

fn annotated(folder: &Path, more: &[&str]) -> (String, String) {
    let limits = ["annotate", "in.pdn", "--nodes", "10", "--tt-size", "10"];
    let (output, errors) = damier(folder, &[&limits, more].concat());
    assert!(output.status.success(), "{errors}");
    (String::from_utf8(output.stdout).expect("UTF-8"), errors)
}

fn game(name: &str) -> String {
    format!("[White \"{name}\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n")
}

#[test]
fn every_encoding_is_read_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mark = "\u{feff}";
    for (name, encoding) in [
        ("René Jansen", Encoding::Utf8),
        ("René Jansen", Encoding::Windows1252),
        ("René Jansen", Encoding::Cp850),
        ("Иванов", Encoding::Windows1251),
        ("Чижов А.", Encoding::Koi8R),
        ("Гантварг", Encoding::Cp866),
        ("Jānis Иванов", Encoding::Utf16Le),
        ("Jānis Иванов", Encoding::Utf16Be),
    ] {
        let wide = [Encoding::Utf16Le, Encoding::Utf16Be].contains(&encoding);
        let text = format!("{}{}", if wide { mark } else { "" }, game(name));
        fs::write(folder.join("in.pdn"), encoding.bytes_of(&text)).expect("written");
        let (pdn, errors) = annotated(folder, &[]);
        assert!(
            pdn.contains(&format!("[White \"{name}\"]")),
            "{encoding}: {pdn}"
        );
        let told = format!("damier: in.pdn: read as {encoding}; --encoding names another\n");
        assert_eq!(
            errors,
            if encoding == Encoding::Utf8 {
                ""
            } else {
                &told
            }
        );
        let (output, errors) = damier(folder, &["analyze", "in.pdn", "--nodes", "10", "--json"]);
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
        assert_eq!(
            errors,
            if encoding == Encoding::Utf8 {
                ""
            } else {
                &told
            }
        );
    }
}

#[test]
fn an_encoding_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for (name, encoding) in [
        ("Włodzimierz Świątek", Encoding::Windows1250),
        ("Jānis Bērziņš", Encoding::Windows1257),
    ] {
        fs::write(folder.join("in.pdn"), encoding.bytes_of(&game(name))).expect("written");
        let (pdn, errors) = annotated(folder, &["--encoding", encoding.name()]);
        assert!(pdn.contains(name) && errors.is_empty(), "{pdn}{errors}");
    }
    let (output, errors) = damier(folder, &["annotate", "in.pdn", "--encoding", "klingon"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors.contains("klingon") && errors.contains("windows-1257"),
        "{errors}"
    );
}

#[test]
fn stdin_may_be_in_another_encoding() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("in");
    let comment = "# диаграмма: белые выигрывают\nW:W28:B19\n";
    fs::write(&file, Encoding::Koi8R.bytes_of(comment)).expect("written");
    for command in ["analyze", "solve", "mine"] {
        for (given, is_told) in [(&[][..], true), (&["--encoding", "koi8-r"][..], false)] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_damier"));
            child.args([command, "-", "--nodes", "10"]).args(given);
            let input = fs::File::open(&file).expect("a file");
            let output = child.stdin(input).output().expect("damier");
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            let told = "damier: stdin: read as KOI8-R; --encoding names another\n";
            assert_eq!(
                errors.matches(told).count(),
                usize::from(is_told),
                "{errors}"
            );
            assert!(is_told || !errors.contains("read as"), "{errors}");
        }
    }
}

#[test]
fn games_of_several_encodings_stand_in_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mixed = [
        game("Jörg").into_bytes(),
        Encoding::Windows1252.bytes_of(&game("André")),
    ];
    fs::write(folder.join("in.pdn"), mixed.concat()).expect("written");
    let (pdn, _) = annotated(folder, &[]);
    assert!(pdn.contains("Jörg") && pdn.contains("André"), "{pdn}");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_opened_is_no_position() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    symlink("round", folder.join("round")).expect("a link");
    symlink("gone", folder.join("far")).expect("a link");
    symlink("W:W31", folder.join("W:W31")).expect("a link");
    fs::create_dir(folder.join("games")).expect("a folder");
    for command in ["annotate", "mine", "losses", "solve", "analyze"] {
        for (name, why) in [
            ("round", "links"),
            ("W:W31", "links"),
            ("far", "No such file"),
            ("games", "not a regular file"),
        ] {
            let (output, errors) = damier(folder, &[command, name]);
            assert!(!output.status.success(), "{command} {name}");
            let is_told = errors.starts_with(&format!("damier: {name}: ")) && errors.contains(why);
            assert!(
                is_told && errors.lines().count() == 1,
                "{command}: {errors}"
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_on_a_full_disk_is_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = "analyze W:W31-50:B1-20 --nodes 100 --log-file /dev/full --log-level trace";
    let args: Vec<&str> = words.split(' ').collect();
    let (output, errors) = damier(folder.path(), &args);
    assert!(output.status.success());
    assert!(errors.starts_with("damier: /dev/full: "), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn what_is_published_has_no_folder_of_an_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("in.pdn");
    let secret = folder
        .path()
        .file_name()
        .expect("a name")
        .to_str()
        .expect("text");
    let path = file.to_str().expect("text");
    let games = game("A")
        + "\n[White \"B\"]\n1. 32-28 19-23 2. 28x19 99-3 *\n\n\
        [White \"C\"]\n[Result \"2-0\"]\n1. 32-28 19-23 (1... 7-1) 2. 28x19 14x23 0-2\n";
    fs::write(&file, games).expect("written");
    let out = folder.path().join("out");
    for words in [
        "annotate @ --nodes 10",
        "annotate @ --nodes 10 --json",
        "annotate @ --nodes 10 --html out",
        "mine @ --nodes 10",
        "mine @ --nodes 10 --json --out out",
        "losses @ --nodes 10 --json",
        "solve @ --nodes 10 --json",
    ] {
        let args: Vec<&str> = words
            .split(' ')
            .map(|word| if word == "@" { path } else { word })
            .collect();
        let (output, errors) = damier(folder.path(), &args);
        let published = String::from_utf8_lossy(&output.stdout).into_owned();
        let written = fs::read_to_string(&out).unwrap_or_default();
        let _ = fs::remove_file(&out);
        assert!(!published.contains(secret), "{words}: {published}");
        assert!(!written.contains(secret), "{words}: {written}");
        assert!(
            errors.contains(&format!("{path}: game 2")),
            "{words}: {errors}"
        );
        if words.starts_with("annotate") {
            assert!((published + &written).contains("in.pdn: game 2"), "{words}");
        }
    }
}

#[test]
fn every_command_that_reads_games_takes_an_encoding() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(
        folder.join("in.pdn"),
        Encoding::Koi8R.bytes_of(&game("Чижов А.")),
    )
    .expect("written");
    let engine = |name: &str| {
        let program = env!("CARGO_BIN_EXE_damier");
        format!("name={name} cmd=\"'{program}' hub\" line-gap=0 book=false tt-size=12")
    };
    let (a, b) = (engine("a"), engine("b"));
    let openings = [
        "--openings",
        "in.pdn",
        "--opening-plies",
        "2",
        "--nodes",
        "10",
    ];
    let players = ["match", "--engine", &a, "--engine", &b, "--max-moves", "3"];
    let whole = [&players[..], &openings].concat();
    let import = [
        "dataset", "import", "in.pdn", "--out", "new.dgr", "--nodes", "10",
    ];
    for (number, command) in [
        &["book", "learn", "in.pdn", "--out", "new.dbk"][..],
        &whole,
        &import,
    ]
    .iter()
    .enumerate()
    {
        let told = "in.pdn: read as KOI8-R; --encoding names another\n";
        let (output, errors) = damier(folder, command);
        assert!(
            output.status.success() && errors.contains(told),
            "{number}: {errors}"
        );
        for made in ["new.dbk", "new.dgr"] {
            let _ = fs::remove_file(folder.join(made));
        }
        let (output, errors) = damier(folder, &[command, &["--encoding", "koi8-r"][..]].concat());
        assert!(
            output.status.success() && !errors.contains("read as"),
            "{number}: {errors}"
        );
    }
    // Games read otherwise may be others.
    let (output, errors) = damier(folder, &import);
    assert!(!output.status.success(), "{errors}");
}
