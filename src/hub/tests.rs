//! Conversations with a scripted player: what the session does, whatever the engine.

use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::*;
use crate::protocol::hub::{GoMode, Id, Info, Param, ParamKind};
use crate::search::Control;

/// Nothing in these tests takes this long.
const LONG: Duration = Duration::from_secs(10);

/// Between two lines.
const GAP: Duration = Duration::from_micros(500);

/// Searches a depth each millisecond, a report each tenth of one; a move `bad` is illegal, after `end` there is none.
struct Scripted {
    gap: Duration,
    /// What it was told.
    heard: Arc<Mutex<Vec<String>>>,
    over: bool,
    /// Ends every search at once.
    hasty: bool,
}

impl Default for Scripted {
    fn default() -> Self {
        Self {
            gap: GAP,
            heard: Arc::default(),
            over: false,
            hasty: false,
        }
    }
}

impl Scripted {
    fn note(&self, what: String) {
        self.heard.lock().expect("no panic").push(what);
    }
}

impl Player for Scripted {
    fn id(&self) -> Id {
        Id {
            name: "Scripted".into(),
            version: "1".into(),
            author: "a b".into(),
            country: String::new(),
        }
    }

    fn params(&self) -> Vec<Param> {
        let int = |name: &str, value: u128, max| Param {
            name: name.into(),
            value: value.to_string(),
            kind: ParamKind::Int { min: 0, max },
        };
        vec![
            int("threads", 1, 64),
            int("line-gap", self.gap.as_micros(), 5000),
        ]
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.note(format!("{name}={value}"));
        match (name, value.parse()) {
            ("threads" | "line-gap", Err(_)) => Err(format!("{name} is no number")),
            ("line-gap", Ok(micros)) => {
                self.gap = Duration::from_micros(micros);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn line_gap(&self) -> Duration {
        self.gap
    }

    fn init(&mut self) -> Result<(), String> {
        self.note("init".into());
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), String> {
        self.note("new-game".into());
        Ok(())
    }

    fn set_position(&mut self, pos: Option<&str>, moves: &[String]) -> Result<(), String> {
        self.note(format!("pos {}", moves.join(" ")));
        if pos.is_some_and(|pos| pos.len() != 51) {
            return Err("bad position".into());
        }
        self.over = moves.iter().any(|text| text == "end");
        if moves.iter().any(|text| text == "bad") {
            Err("bad is illegal".into())
        } else {
            Ok(())
        }
    }

    fn think(
        &mut self,
        request: &Request,
        control: &Control,
        info: &mut dyn FnMut(Info),
    ) -> Outcome {
        self.note(format!("go {} {}", request.mode, request.level));
        if self.over {
            return Outcome::default();
        }
        let mut tenths = 0;
        let begun = Instant::now();
        loop {
            let now = Info {
                depth: Some(tenths / 10 + 1),
                score: Some(0.25),
                ..Info::default()
            };
            let hit = request.mode != GoMode::Ponder || !control.is_pondering();
            let time = request
                .level
                .move_time
                .filter(|_| hit)
                .is_some_and(|time| begun.elapsed() >= time.or_zero());
            let depth = request
                .level
                .depth
                .is_some_and(|depth| now.depth >= Some(depth));
            if time || depth || self.hasty || control.is_stopped() {
                return Outcome {
                    info: Some(now),
                    best: Some("32-28".into()),
                    ponder: None,
                };
            }
            info(now);
            thread::sleep(Duration::from_micros(100));
            tenths += 1;
        }
    }
}

/// The other end of a session.
struct Client {
    input: Option<PipeWriter>,
    lines: Receiver<(String, Instant)>,
    session: JoinHandle<Exit>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Client {
    fn new(player: Scripted) -> Self {
        let heard = Arc::clone(&player.heard);
        let (far_input, input) = pipe().expect("a pipe");
        let (output, far_output) = pipe().expect("a pipe");
        let session =
            thread::spawn(move || run(player, far_input, far_output, true).expect("threads"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send((line, Instant::now())).is_err() {
                    return;
                }
            }
        });
        Self {
            input: Some(input),
            lines,
            session,
            heard,
        }
    }

    fn send(&mut self, text: &str) -> Instant {
        let input = self.input.as_mut().expect("open");
        input
            .write_all(format!("{text}\n").as_bytes())
            .expect("a session that reads");
        Instant::now()
    }

    fn line(&self) -> (String, Instant) {
        self.lines.recv_timeout(LONG).expect("a line")
    }

    /// The next line that is no info.
    fn answer(&self) -> String {
        loop {
            let (line, _) = self.line();
            if !line.starts_with("info") {
                return line;
            }
        }
    }

    fn answers(&self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.answer()).collect()
    }

    /// Nothing but infos comes for a while.
    fn is_silent(&self) -> bool {
        let end = Instant::now() + Duration::from_millis(60);
        loop {
            match self
                .lines
                .recv_timeout(end.saturating_duration_since(Instant::now()))
            {
                Ok((line, _)) if line.starts_with("info") => {}
                Ok(_) => return false,
                Err(_) => return true,
            }
        }
    }

    /// Says goodbye and gives all that was told to the player, and all lines left but infos.
    fn quit(mut self) -> (Vec<String>, Vec<String>) {
        self.send("quit");
        assert_eq!(self.session.join().expect("no panic"), Exit::Quit);
        let rest = self
            .lines
            .iter()
            .map(|(line, _)| line)
            .filter(|line| !line.starts_with("info"))
            .collect();
        (self.heard.lock().expect("no panic").clone(), rest)
    }
}

fn client() -> Client {
    Client::new(Scripted::default())
}

#[test]
fn the_handshake_in_any_order_and_number() {
    let mut client = client();
    client.send("set-param name=threads value=2\nhub\ninit\ninit\nhub");
    let hello = [
        "id name=Scripted version=1 author=\"a b\"",
        "param name=threads value=1 type=int min=0 max=64",
        "param name=line-gap value=500 type=int min=0 max=5000",
        "wait",
    ];
    assert_eq!(client.answers(4), hello);
    assert_eq!(client.answers(2), ["ready", "ready"]);
    assert_eq!(client.answers(4), hello);
    assert_eq!(
        client.quit(),
        (
            vec!["threads=2".into(), "init".into(), "init".into()],
            vec![]
        )
    );
}

#[test]
fn lines_on_a_pipe_keep_their_gap() {
    let mut client = client();
    let begun = Instant::now();
    client.send("hub\nhub\nhub");
    let times: Vec<_> = (0..12).map(|_| client.line().1).collect();
    assert!(times[11] - begun >= 11 * GAP);
    client.send("set-param name=line-gap value=0\nset-param name=line-gap value=x\nset-param name=line-gap value=x1");
    assert!(
        client
            .answers(2)
            .iter()
            .all(|line| line.starts_with("error message=\"line-gap is "))
    );
    client.send("hub");
    assert_eq!(
        client.answers(4)[2],
        "param name=line-gap value=0 type=int min=0 max=5000"
    );
}

#[test]
fn bad_lines_get_one_error_each_and_harm_nothing() {
    let mut client = client();
    client.send("\n \nfoo bar\nPING\nset-param\nset-param name=threads\nset-param name=threads value=x\nlevel depth=abc");
    client.send("pos moves=\"a\npos pos=xyz\nset-param name=unknown value=1\nponder-hit\nstop\nlevel = 3\nping");
    let answers = client.answers(8);
    assert_eq!(
        answers
            .iter()
            .filter(|line| line.starts_with("error message=\""))
            .count(),
        7,
        "{answers:?}"
    );
    assert!(answers.contains(&"pong".to_owned()));
    assert!(client.is_silent());
}

#[test]
fn levels_accumulate_until_pos_or_done() {
    let mut client = client();
    client.send("level nodes=7\npos\nlevel depth=3\nlevel move-time=5\ngo think");
    assert_eq!(client.answer(), "done move=32-28");
    client.send("level depth=2\ngo analyze\ngo think");
    assert_eq!(client.answer(), "done move=32-28");
    assert!(client.is_silent());
    client.send("stop");
    assert_eq!(client.answer(), "done move=32-28");
    let (heard, rest) = client.quit();
    assert_eq!(
        heard,
        [
            "pos ",
            "go think level depth=3 move-time=5",
            "go analyze level depth=2",
            "go think level"
        ]
    );
    assert!(rest.is_empty());
}

#[test]
fn no_search_after_a_bad_position_until_a_good_one() {
    let mut client = client();
    client.send("pos moves=\"32-28 bad\"\nlevel depth=1\ngo think\ngo analyze\ngo ponder\npos\nlevel depth=1\ngo think");
    assert_eq!(
        client.answers(5),
        [
            "error message=\"bad is illegal\"",
            "done",
            "done",
            "done",
            "done move=32-28"
        ]
    );
    client.send(
        "pos pos=WWW\nlevel depth=1\ngo think\npos moves=\"unclosed\ngo\npos moves=end\ngo think",
    );
    assert_eq!(
        client.answers(2),
        ["error message=\"bad position\"", "done"]
    );
    assert!(
        client
            .answer()
            .starts_with("error message=\"pos: a double quote")
    );
    assert_eq!(client.answers(2), ["done", "done"]);
    client.send("pos\npos moves=32-28 17-22\ngo\npos\nlevel depth=1\ngo");
    assert!(
        client
            .answer()
            .starts_with("error message=\"pos: '17-22' stands outside")
    );
    assert_eq!(client.answers(2), ["done", "done move=32-28"]);
    assert_eq!(client.quit().1, [""; 0]);
}

#[test]
fn a_limited_search_lets_lines_wait() {
    let mut client = client();
    let begun = client.send("level move-time=0.1\ngo think\npos moves=1-2\nlevel depth=2\nlevel depth=x\ngo think\nhub\nping");
    let (pong, time) = std::iter::repeat_with(|| client.line())
        .find(|(line, _)| line == "pong")
        .expect("a pong");
    assert_eq!(pong, "pong");
    assert!(time - begun < Duration::from_millis(90));
    assert_eq!(client.answer(), "done move=32-28");
    assert!(begun.elapsed() >= Duration::from_millis(100));
    assert!(client.answer().starts_with("error"));
    assert_eq!(client.answer(), "done move=32-28");
    assert!(client.answer().starts_with("id"));
    assert_eq!(
        client.quit().0,
        [
            "go think level move-time=0.1",
            "pos 1-2",
            "go think level depth=2"
        ]
    );
}

#[test]
fn an_endless_search_takes_a_command_for_a_stop() {
    for go in [
        "level infinite\ngo think",
        "go analyze",
        "level move-time=0.01\ngo ponder",
        "level depth=1\ngo ponder",
    ] {
        let mut client = client();
        client.send(go);
        client.send("\nunknown\nlevel depth=zzz\nset-param name=\"x");
        assert!(
            client
                .answers(2)
                .iter()
                .all(|line| line.starts_with("error"))
        );
        assert!(client.is_silent());
        client.send("pos moves=1-2\nlevel depth=1\ngo think");
        assert_eq!(client.answers(2), ["done move=32-28", "done move=32-28"]);
        assert_eq!(client.quit().1, [""; 0], "{go}");
    }
}

#[test]
fn a_whole_pipelined_conversation_of_endless_searches() {
    let mut client = client();
    client.send(
        &"pos\ngo analyze\npos\nlevel infinite\ngo think\npos\nlevel depth=2\ngo think\n"
            .repeat(20),
    );
    assert_eq!(client.answers(60), ["done move=32-28"; 60]);
    assert!(client.is_silent());
    assert_eq!(client.quit().0.len(), 120);
}

#[test]
fn stop_answers_once_and_is_silent_when_idle() {
    let mut client = client();
    client.send("stop\nponder-hit\nstop");
    assert!(client.is_silent());
    client.send("go analyze");
    assert!(client.is_silent());
    let asked = client.send("stop\nstop\nstop");
    assert_eq!(client.answer(), "done move=32-28");
    assert!(asked.elapsed() < Duration::from_millis(200));
    assert!(client.is_silent());
    client.send("go think\nstop");
    assert_eq!(client.answer(), "done move=32-28");
}

#[test]
fn stop_ends_all_that_was_asked_before_it() {
    let mut client = client();
    client.send("level move-time=60\ngo think\npos\nlevel infinite\ngo analyze\npos\nlevel move-time=60\ngo think\nstop");
    assert_eq!(client.answers(3), ["done move=32-28"; 3]);
    client.send("level move-time=0.1\ngo think");
    assert!(client.is_silent());
    assert_eq!(client.answer(), "done move=32-28");
}

#[test]
fn ponder_waits_for_hit_or_stop() {
    for hasty in [false, true] {
        let mut client = Client::new(Scripted {
            hasty,
            ..Scripted::default()
        });
        client.send("level move-time=0.03\ngo ponder");
        assert!(client.is_silent());
        client.send("ponder-hit");
        assert_eq!(client.answer(), "done move=32-28");
        client.send("level depth=2\ngo ponder");
        assert!(client.is_silent());
        client.send("stop");
        assert_eq!(client.answer(), "done move=32-28");
        client.send("level depth=2\ngo ponder\nponder-hit");
        assert_eq!(client.answer(), "done move=32-28");
        client.send(
            "level move-time=0.01\ngo think\npos\nlevel move-time=0.01\ngo ponder\nponder-hit",
        );
        assert_eq!(client.answers(2), ["done move=32-28"; 2]);
        client.send("pos moves=end\ngo ponder");
        assert_eq!(client.answer(), "done");
        assert_eq!(client.quit().1, [""; 0]);
    }
}

#[test]
fn a_level_that_cannot_be_read_does_not_hang_the_game() {
    let mut client = client();
    client.send("pos\nlevel move-time=NaN\ngo think");
    assert!(
        client
            .answer()
            .starts_with("error message=\"level: move-time is 'NaN'")
    );
    assert_eq!(client.answer(), "done move=32-28");
    client.send("level move-time=-3\ngo think");
    assert_eq!(client.answer(), "done move=32-28");
}

#[test]
fn an_info_comes_last_before_done() {
    let mut client = client();
    client.send("level depth=40\ngo think");
    let mut last = client.line().0;
    loop {
        let line = client.line().0;
        if line.starts_with("done") {
            break;
        }
        last = line;
    }
    assert_eq!(last, "info depth=40 score=0.25");
}

#[test]
fn quit_and_the_end_of_input_end_a_search() {
    let mut client = client();
    client.send("level infinite\ngo think");
    assert!(client.is_silent());
    client.input = None;
    assert_eq!(client.session.join().expect("no panic"), Exit::EndOfInput);

    let mut client = self::client();
    client.send("go analyze");
    let (_, rest) = client.quit();
    assert_eq!(rest, ["done move=32-28"]);
}

#[test]
fn a_client_that_stops_reading_ends_the_session() {
    let mut client = client();
    client.send("go analyze");
    client.line();
    let Client {
        input,
        lines,
        session,
        ..
    } = client;
    drop(lines);
    assert_eq!(session.join().expect("no panic"), Exit::OutputClosed);
    drop(input);
}
