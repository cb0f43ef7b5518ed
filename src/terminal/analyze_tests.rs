use super::*;
use crate::engine::{Engine, Options};
use serde_json::Value;

fn analyse(job: &Job, texts: &[&str], input: Option<&[u8]>) -> (usize, String, String) {
    let options = Options {
        tt_size: 16,
        ..Options::default()
    };
    let mut engine = Engine::new(options).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut output = Output {
        out: &mut out,
        err: &mut err,
    };
    let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
    let failed = match input {
        Some(mut input) => lines(&mut engine, job, &mut input, &mut output),
        None => positions(&mut engine, job, &texts, &mut output),
    };
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (failed.unwrap(), text(out), text(err))
}

fn to_depth(depth: i32) -> Job {
    Job {
        level: Level::depth(depth),
        ..Job::default()
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
fn results_are_told_and_unreadable_positions_are_passed_over() {
    let texts = ["W:WK1:BK50", "W:W31:Bx", "W:W:B1", "W:W5:B20"];
    let (failed, out, err) = analyse(&to_depth(3), &texts, None);
    assert_eq!(failed, 2);
    assert!(
        out.contains("black has won: white has no legal move"),
        "{out}"
    );
    assert_eq!(
        err,
        "damier: FEN, character 8: expected a square, as 31 or K31, found x\n\
         damier: FEN: a white man on 5, its promotion row (a king is K5)\n"
    );
    let job = Job {
        moves: "1-6 50-45 6-1 45-50 1-6 50-45 6-1 45-50 1-6 50-45".to_owned(),
        ..to_depth(2)
    };
    let (_, out, _) = analyse(&job, &["W:WK1:BK50"], None);
    assert!(out.contains("draw: "), "{out}");
}

#[test]
fn json_has_one_object_for_every_position() {
    let input = b"# comment\n\nW:W31-50:B1-20\nW:Wx:B1\n\xff\xff\"\nB:W31:B\nW:W28:B23,14\n";
    let job = Job {
        json: true,
        ..to_depth(4)
    };
    let (failed, out, err) = analyse(&job, &[], Some(input));
    assert_eq!((failed, err.as_str()), (2, ""));
    let objects: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 5);
    assert_eq!(objects[0]["status"], "playing");
    assert_eq!(objects[0]["depth"], 4);
    assert!(objects[0]["best"].is_string() && objects[0]["score"].is_number());
    assert_eq!(objects[1]["line"], 4);
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
    let job = Job {
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
    let mut engine = Engine::new(Options::default()).unwrap();
    let (mut out, mut err) = (Closing(700), Vec::new());
    let mut output = Output {
        out: &mut out,
        err: &mut err,
    };
    let unlimited = Job::default();
    let result = positions(&mut engine, &unlimited, &["start".to_owned()], &mut output);
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}
