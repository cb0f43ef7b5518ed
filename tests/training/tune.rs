//! `damier tune`, as a user runs it.

use crate::messages::one_line;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn command(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.arg("tune").args(words.split(' '));
    command
}

fn tune(words: &str) -> Output {
    command(words).output().expect("the binary runs")
}

const QUICK: &str = "lmr_base=100 lmr_divisor=80 --nodes 300 --weights material --batch 4 --rate 0.2 --bb-size 0 \
                     --openings two-move";

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (one, two, plot) = (path("one"), path("two"), path("way.svg"));
    let whole = tune(&format!(
        "{QUICK} --games 160 --threads 1 --out {one} --json --plot {plot}"
    ));
    assert!(
        whole.status.success() && whole.stderr.is_empty(),
        "{whole:?}"
    );
    let mut killed = command(&format!("{QUICK} --games 160 --threads 2 --out {two}"))
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let began = Instant::now();
    let length = || fs::read(&two).map_or(0, |text| text.len());
    while length() < 700 && began.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(5));
    }
    killed.kill().expect("it runs");
    killed.wait().expect("it ends");
    let left = fs::read(&two).expect("a file");
    let again = tune(&format!(
        "{QUICK} --games 160 --threads 2 --out {two} --json"
    ));
    assert!(again.status.success(), "{again:?}");
    assert_eq!(again.stdout, whole.stdout);
    let all = fs::read(&two).expect("a file");
    assert_eq!(all, fs::read(&one).expect("a file"));
    assert!(left.len() < all.len(), "it was killed before its end");
    let found: Value = serde_json::from_slice(&whole.stdout).expect("JSON");
    assert_eq!(
        (&found["games"], &found["complete"]),
        (&160.into(), &true.into())
    );
    let moved = |index: usize| {
        let parameter = &found["parameters"][index];
        (parameter["value"].as_f64().expect("a number")
            - parameter["start"].as_f64().expect("a number"))
        .abs()
    };
    assert!(moved(0) > 0.0 && moved(1) > 0.0, "{found}");
    let svg = fs::read_to_string(&plot).expect("a plot");
    assert!(svg.contains("lmr_divisor, from 190 by 80"), "{svg}");
    // A whole file is only told again, and other settings do not touch it.
    let told = tune(&format!("{QUICK} --games 160 --threads 1 --out {one}"));
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(
        text.contains("after 160 games") && text.contains("\nparam=\"lmr_base="),
        "{text}"
    );
    let other = tune(&format!("{QUICK} --games 162 --out {one}"));
    let words = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(
        other.status.code() == Some(1) && words.contains(&one) && words.lines().count() == 1,
        "{words}"
    );
    assert_eq!(fs::read(&one).expect("a file"), all);
}

#[test]
fn what_cannot_be_tuned_is_said_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x").display().to_string();
    for (words, code, said) in [
        ("rfp_margin", 2, "--out"),
        ("rfp_margins --games 2 --out F", 2, "rfp_margin"),
        ("grain --games 2 --out F", 2, "grain"),
        ("threats --games 2 --out F", 2, "threats"),
        ("rfp_margin=0 --games 2 --out F", 2, "500"),
        ("rfp_margin --games 3 --out F", 2, "3"),
        ("rfp_margin --games 2 --rate 2 --out F", 2, "--rate"),
        ("rfp_margin --games 2 --nodes 0 --out F", 2, "--nodes"),
        ("rfp_margin --games 2 --out F --threads 0", 2, "--threads"),
        ("rfp_margin rfp_margin --games 2 --out F", 2, "rfp_margin"),
        (
            "rfp_margin --games 2 --out F --openings no/such",
            1,
            "no/such",
        ),
        (
            "rfp_margin --games 2 --out F --weights no/such",
            1,
            "no/such",
        ),
        (
            "rfp_margin --games 2 --openings start --out no/such/file",
            1,
            "no/such/file",
        ),
        (
            "rfp_margin --games 2 --out F --openings start --plot no/such/file",
            1,
            "no/such/file",
        ),
        (
            "rfp_margin --games 2 --out F --openings start --plot /",
            1,
            "/: ",
        ),
        ("clock_hard --games 2 --out F", 2, "clock_hard"),
        (
            "rfp_margin --games 2 --out F --openings start --score-window 50,60",
            1,
            "window",
        ),
    ] {
        let output = tune(&words.replace('F', &file));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words}: {error}");
        assert!(
            error.contains(&said.replace('F', &file)),
            "{words}: {error}"
        );
        assert!(output.stdout.is_empty(), "{words}");
    }
}

#[test]
fn what_is_no_picture_is_not_drawn_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (out, notes) = (path("out"), path("notes"));
    fs::write(&notes, "my notes").expect("written");
    let quick = format!("{QUICK} --games 8");
    for plot in [&notes, &out] {
        // The second time the file of the games is there.
        let _ = tune(&format!("{quick} --out {out}"));
        let before = fs::read(plot).expect("a file");
        let refused = tune(&format!("{quick} --out {out} --plot {plot}"));
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(
            refused.status.code() == Some(1) && error.contains(plot) && error.lines().count() == 1,
            "{error}"
        );
        assert_eq!(fs::read(plot).expect("a file"), before);
    }
    let plot = path("way.svg");
    for _ in 0..2 {
        assert!(
            tune(&format!("{quick} --out {out} --plot {plot}"))
                .status
                .success()
        );
        assert!(fs::read(&plot).expect("a plot").starts_with(b"<svg"));
    }
    // Other contents under the same name are other settings, and a rate with many digits is the same one.
    let openings = path("openings.fen");
    let long = format!(
        "{QUICK} --rate 0.09386049291464811 --openings {openings} --random-plies 1 --score-window 0,9"
    );
    let long = long.replace(
        " --rate 0.2 --bb-size 0 --openings two-move",
        " --bb-size 0",
    );
    let file = path("file");
    fs::write(&openings, "W:W31-50:B1-20\n").expect("written");
    for _ in 0..2 {
        let output = tune(&format!("{long} --games 8 --out {file}"));
        assert!(output.status.success(), "{output:?}");
    }
    fs::write(&openings, "W:W31-49:B1-20\n").expect("written");
    let refused = tune(&format!("{long} --games 8 --out {file}"));
    assert_eq!(refused.status.code(), Some(1));
    one_line(String::from_utf8_lossy(&refused.stderr), &[&file]);
}
