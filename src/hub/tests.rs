//! Conversations with a scripted player: what the session does, whatever the engine.

mod script;

use std::time::{Duration, Instant};

use super::Exit;
use script::{Client, GAP, Scripted};

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
fn what_was_asked_before_quit_is_answered() {
    let mut client = client();
    client.send("hub\nlevel move-time=60\ngo think\npos\ngo analyze\npos moves=bad\ngo\nset-param name=threads value=3");
    let (heard, rest) = client.quit();
    assert_eq!(heard.last().map(String::as_str), Some("threads=3"));
    assert_eq!(rest.len(), 8, "{rest:?}");
    assert_eq!(
        rest[4..],
        [
            "done move=32-28",
            "done move=32-28",
            "error message=\"bad is illegal\"",
            "done"
        ]
    );
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
