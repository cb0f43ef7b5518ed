use super::*;
use crate::engine::Options;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::Receiver;

/// Positions that could not be read, output, complaints. The positions are those of the input, or else the texts.
fn analyse(
    job: &AnalysisJob,
    texts: &[&str],
    input: Option<&'static [u8]>,
) -> (usize, String, String) {
    let (summary, out, err) = interrupted_by(&|| false, job, texts, input);
    assert!(!summary.interrupted);
    (summary.failed, out, err)
}

fn interrupted_by(
    asked_to_end: &(dyn Fn() -> bool + Sync),
    job: &AnalysisJob,
    texts: &[&str],
    input: Option<&'static [u8]>,
) -> (Summary, String, String) {
    let mut engine = engine();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let output = AnalysisOutput {
        out: &mut out,
        err: &mut err,
    };
    let mut analysis = Analysis::new(&mut engine, job, output, asked_to_end);
    if let Some(input) = input {
        analysis.lines(None, input).unwrap();
    }
    for (index, text) in texts.iter().enumerate() {
        let number = (texts.len() > 1).then_some(index + 1);
        analysis.position(number, text).unwrap();
    }
    let summary = analysis.summary();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (summary, text(out), text(err))
}

fn engine() -> Engine {
    let options = Options {
        tt_size: 16,
        ..Options::default()
    };
    Engine::new(options).unwrap()
}

fn objects(out: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).unwrap();
    out.lines().map(parse).collect()
}

fn to_depth(depth: i32) -> AnalysisJob {
    AnalysisJob {
        level: Level::depth(depth),
        ..AnalysisJob::default()
    }
}

#[test]
fn the_start_position_gives_a_board_a_line_per_depth_and_the_best_move() {
    let (failed, out, err) = analyse(&to_depth(6), &["start"], None);
    assert_eq!((failed, err.as_str()), (0, ""));
    assert_eq!(
        out.lines().next(),
        Some("    b   b   b   b   b    1  2  3  4  5")
    );
    let depths = out.lines().filter(|line| line.contains(" s ")).count();
    assert!(depths >= 6, "{out}");
    assert!(
        out.contains("white to move") && out.contains("\nbest move "),
        "{out}"
    );
}

#[test]
fn a_proven_line_is_shown_once_however_deep_the_search_goes() {
    let (failed, out, _) = analyse(&to_depth(40), &["B:WK10,K29:B22,K44,K47"], None);
    assert_eq!(failed, 0);
    assert!(out.contains("black wins in 1 move"), "{out}");
    let rows = out.lines().filter(|line| line.contains(" s ")).count();
    assert!((1..5).contains(&rows), "{out}");
}

#[test]
fn results_are_shown_and_unreadable_positions_skipped() {
    let texts = ["W:WK1:BK50", "W:W31:Bx", "W:W:B1", "W:W5:B20"];
    let (failed, out, err) = analyse(&to_depth(3), &texts, None);
    assert_eq!(failed, 2);
    assert!(
        out.contains("black has won: white has no legal move"),
        "{out}"
    );
    let complaints: Vec<&str> = err.lines().collect();
    assert_eq!(complaints.len(), 2, "{err}");
    assert!(complaints[0].starts_with("damier: line 2: FEN, character 8"));
    assert!(complaints[1].starts_with("damier: line 4: FEN"));
    let job = AnalysisJob {
        moves: "1-6 50-45 6-1 45-50 1-6 50-45 6-1 45-50 1-6 50-45".to_owned(),
        ..to_depth(2)
    };
    let (_, out, _) = analyse(&job, &["W:WK1:BK50"], None);
    assert!(out.contains("draw: "), "{out}");
}

#[test]
fn json_has_one_object_for_every_position() {
    let input = b"# comment\n\nW:W31-50:B1-20\nW:Wx:B1\n\xff\xff\"\nB:W31:B\nW:W28:B23,14\n";
    let job = AnalysisJob {
        json: true,
        ..to_depth(4)
    };
    let (failed, out, err) = analyse(&job, &[], Some(input));
    assert_eq!((failed, err.as_str()), (2, ""));
    let objects = objects(&out);
    assert_eq!(objects.len(), 5);
    let lines: Vec<&Value> = objects.iter().map(|object| &object["line"]).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7].map(|line| json!(line)).each_ref());
    let inputs: Vec<&Value> = objects.iter().map(|object| &object["input"]).collect();
    let expected = [
        "W:W31-50:B1-20",
        "W:Wx:B1",
        "\u{fffd}\u{fffd}\"",
        "B:W31:B",
        "W:W28:B23,14",
    ];
    assert_eq!(inputs, expected.map(|input| json!(input)).each_ref());
    assert_eq!(objects[0]["status"], "playing");
    assert_eq!(objects[0]["depth"], 4);
    assert!(objects[0]["best"].is_string() && objects[0]["score"].is_number());
    assert!(
        objects[1]["error"]
            .as_str()
            .unwrap()
            .starts_with("FEN, character 4")
    );
    assert!(objects[2]["error"].is_string());
    assert_eq!(
        (&objects[3]["status"], &objects[3]["loss_in"]),
        (&"white-wins".into(), &0.into())
    );
    assert_eq!(objects[3]["best"], Value::Null);
    assert_eq!(
        (&objects[4]["best"], &objects[4]["win_in"]),
        (&"28x10x14x23".into(), &1.into())
    );
}

#[test]
fn illegal_moves_before_the_position_are_explained() {
    let job = AnalysisJob {
        moves: "1. 32-28 19-23 2. 33-29".to_owned(),
        ..to_depth(2)
    };
    let (failed, _, err) = analyse(&job, &["start"], None);
    assert_eq!(failed, 1);
    assert!(
        err.starts_with("damier: move 3 (33-29): a capture is compulsory: "),
        "{err}"
    );
}

/// An output that closes after some bytes.
struct Closing(usize);

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_ends_the_search() {
    let mut engine = engine();
    let (mut out, mut err) = (Closing(700), Vec::new());
    let output = AnalysisOutput {
        out: &mut out,
        err: &mut err,
    };
    let unlimited = AnalysisJob::default();
    let mut analysis = Analysis::new(&mut engine, &unlimited, output, &|| false);
    let result = analysis.position(None, "start");
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

#[test]
fn an_argument_of_several_has_its_place_and_one_alone_has_none() {
    let job = AnalysisJob {
        json: true,
        ..to_depth(1)
    };
    let (_, out, _) = analyse(&job, &["start", "W:W31:B1"], None);
    let both = objects(&out);
    assert_eq!((&both[0]["line"], &both[1]["line"]), (&json!(1), &json!(2)));
    let (_, out, _) = analyse(&job, &["start"], None);
    let object = &objects(&out)[0];
    assert_eq!(
        (&object["line"], &object["input"]),
        (&Value::Null, &json!("start"))
    );
}

#[test]
fn endgame_tables_that_know_the_position_are_quoted() {
    let job = AnalysisJob {
        json: true,
        ..to_depth(1)
    };
    let texts = ["W:W28:B23,14", "W:W31-50:B1-20", "W:WK1:BK50"];
    let (_, out, _) = analyse(&job, &texts, None);
    let [win, unknown, draw] = objects(&out).try_into().unwrap();
    assert_eq!(win["table"]["value"], "win");
    assert_eq!(win["table"]["fmjd"], "win");
    assert!(
        win["table"]["distance"]
            .as_u64()
            .is_some_and(|plies| plies > 0)
    );
    assert_eq!(unknown["table"], Value::Null);
    assert_eq!(draw["table"]["value"], "draw");
    let (_, out, _) = analyse(&to_depth(1), &texts[..1], None);
    let line = out.lines().find(|line| line.starts_with("tables"));
    assert!(line.is_some_and(|line| line.contains("win in ")), "{out}");
}

#[test]
fn the_user_ends_an_endless_analysis_and_gets_the_best_move_so_far() {
    for json in [true, false] {
        let job = AnalysisJob {
            json,
            ..AnalysisJob::default()
        };
        let asked = AtomicUsize::new(0);
        // A few looks after the search has begun.
        let asked_to_end = || asked.fetch_add(1, Relaxed) > 3;
        let (summary, out, _) = interrupted_by(&asked_to_end, &job, &["start", "W:W31:B1"], None);
        assert!(summary.interrupted);
        if json {
            let [object] = objects(&out).try_into().unwrap();
            assert_eq!(object["interrupted"], true);
            assert!(object["best"].is_string() && object["score"].is_number());
        } else {
            assert_eq!(out.matches("best move").count(), 1, "{out}");
        }
    }
}

/// An input that gives nothing.
struct Silent(Receiver<()>);

impl io::Read for Silent {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.recv().map_err(io::Error::other)?;
        Ok(0)
    }
}

#[test]
fn the_user_ends_an_analysis_that_waits_for_its_input() {
    let (mut engine, job) = (engine(), AnalysisJob::default());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let output = AnalysisOutput {
        out: &mut out,
        err: &mut err,
    };
    let asked = AtomicUsize::new(0);
    let asked_to_end = || asked.fetch_add(1, Relaxed) > 2;
    let mut analysis = Analysis::new(&mut engine, &job, output, &asked_to_end);
    let (_sender, receiver) = channel();
    let silent = io::BufReader::new(Silent(receiver));
    analysis.lines(None, silent).unwrap();
    assert!(analysis.summary().interrupted);
}

#[test]
fn several_lines_have_their_ranks() {
    let job = AnalysisJob {
        lines: 3,
        ..to_depth(4)
    };
    let (_, out, _) = analyse(&job, &["start"], None);
    let rows = out.lines().filter(|line| line.contains(" s "));
    let ranks: Vec<&str> = rows
        .filter(|row| row.trim_start().starts_with("4 "))
        .filter_map(|row| row.split_whitespace().nth(1))
        .collect();
    assert_eq!(ranks, ["1", "2", "3"], "{out}");
    for rank in 1..=3 {
        assert_eq!(out.matches(&format!("\nline {rank} ")).count(), 1, "{out}");
    }
}
