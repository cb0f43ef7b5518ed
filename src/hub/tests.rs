//! Sessions with a scripted engine: the behaviour of the session alone.

mod script;

use std::time::{Duration, Instant};

use super::Exit;
use script::{Client, GAP, OVER, Scripted};

fn client() -> Client {
    Client::new(Scripted::default())
}

/// Keeps of each error only that it is one: its wording is not tested.
fn without_messages(lines: Vec<String>) -> Vec<String> {
    let kind = |line: String| match line.starts_with("error message=\"") {
        true => "error".to_owned(),
        false => line,
    };
    lines.into_iter().map(kind).collect()
}

#[test]
fn the_handshake_in_any_order_and_number() {
    let mut client = client();
    client.send("set-param name=threads value=2\nhub\ninit\ninit\nhub");
    let hello = |client: &Client| {
        let first = client.answer();
        assert!(first.starts_with("id name=Damier version="), "{first}");
        let params: Vec<String> = std::iter::repeat_with(|| client.answer())
            .take_while(|line| line != "wait")
            .collect();
        assert!(params.iter().all(|line| line.starts_with("param name=")));
        let threads = "param name=threads value=2 type=int min=1 max=64";
        assert!(params.iter().any(|line| line == threads), "{params:?}");
    };
    hello(&client);
    assert_eq!(client.answers(2), ["ready", "ready"]);
    hello(&client);
    assert_eq!(client.quit(), (vec!["threads=2".into()], vec![]));
}

#[test]
fn lines_on_a_pipe_keep_their_gap() {
    let mut client = client();
    let begun = Instant::now();
    client.send(&"init\n".repeat(12));
    let times: Vec<_> = (0..12).map(|_| client.line().1).collect();
    assert!(times[11] - begun >= 11 * GAP);
    client.send("set-param name=line-gap value=x\nset-param name=line-gap value=-1\nset-param name=line-gap value=0");
    let errors = client.answers(2);
    assert!(
        errors
            .iter()
            .all(|line| line.starts_with("error message=\"") && line.contains("line-gap"))
    );
    client.send("hub");
    let shown = std::iter::repeat_with(|| client.answer())
        .take_while(|line| line != "wait")
        .any(|line| line.starts_with("param name=line-gap value=0 "));
    assert!(shown);
}

#[test]
fn problems_are_told_once_with_the_parameters() {
    let setting = super::HubSettings {
        problems: vec!["hub.ini: line 3: no option foo".into()],
        safe: false,
    };
    let mut client = Client::with_setting(Scripted::default(), setting);
    client.send("hub\nhub\ninit");
    let all: Vec<String> = std::iter::repeat_with(|| client.answer())
        .take_while(|line| line != "ready")
        .collect();
    let told = all
        .iter()
        .filter(|line| line.starts_with("error message=") && line.contains("foo"));
    assert_eq!(told.count(), 1, "{all:?}");
}

#[test]
fn a_safe_session_sets_no_files_and_no_memory() {
    let setting = super::HubSettings {
        safe: true,
        ..super::HubSettings::default()
    };
    let mut client = Client::with_setting(Scripted::default(), setting);
    for name in ["weights", "endgame-dir", "tt-size", "threads"] {
        client.send(&format!("set-param name={name} value=17"));
        let answer = client.answer();
        assert!(
            answer.starts_with("error message=") && answer.contains(name),
            "{answer}"
        );
    }
    client.send("set-param name=ponder value=true\ninit");
    assert_eq!(client.answer(), "ready");
    assert_eq!(client.quit().0.len(), 1);
}

#[test]
fn a_search_that_dies_is_an_error_and_the_game_goes_on() {
    let mut client = Client::new(Scripted {
        mortal: true,
        ..Scripted::default()
    });
    for _ in 0..2 {
        client.send("pos\nlevel depth=3\ngo think");
        assert!(
            client
                .answer()
                .starts_with("error message=\"the search failed")
        );
        assert!(client.answer().starts_with("done move="));
    }
}

#[test]
fn a_flood_of_lines_is_answered_in_full() {
    let mut client = client();
    client.send("set-param name=line-gap value=0\ngo analyze");
    client.line();
    // More than the backlog holds, in one piece.
    let flood = "ping\n".repeat(30_000);
    let mut input = client.input.take().expect("open");
    let sender =
        std::thread::spawn(move || std::io::Write::write_all(&mut input, flood.as_bytes()));
    let pongs = std::iter::repeat_with(|| client.line().0)
        .filter(|line| line == "pong")
        .take(30_000);
    assert_eq!(pongs.count(), 30_000);
    sender
        .join()
        .expect("no panic")
        .expect("a session that reads");
}

#[test]
fn bad_lines_get_one_error_each_and_harm_nothing() {
    let mut client = client();
    client.send("\n \nfoo bar\nPING\nset-param\nset-param name=threads\nset-param name=threads value=x\nlevel \
    depth=abc");
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
        ["Think  depth=3 move-time=5", "Analyse  depth=2", "Think "]
    );
    assert!(rest.is_empty());
}

#[test]
fn no_search_after_a_bad_position_until_a_good_one() {
    let mut client = client();
    client.send("pos moves=\"32-28 bad\"\nlevel depth=1\ngo think\ngo analyze\ngo ponder\npos\nlevel depth=1\ngo \
    think");
    assert_eq!(
        without_messages(client.answers(5)),
        ["error", "done", "done", "done", "done move=32-28"]
    );
    client.send(
        &"pos pos=WWW\nlevel depth=1\ngo think\npos moves=\"unclosed\ngo\npos pos=OVER\ngo think"
            .replace("OVER", OVER),
    );
    assert_eq!(without_messages(client.answers(2)), ["error", "done"]);
    assert!(
        client
            .answer()
            .starts_with("error message=\"pos: unclosed double quote")
    );
    assert_eq!(client.answers(2), ["done", "done"]);
    client.send("pos\npos moves=32-28 17-22\ngo\npos\nlevel depth=1\ngo");
    assert!(
        client
            .answer()
            .starts_with("error message=\"pos: '17-22' is outside")
    );
    assert_eq!(client.answers(2), ["done", "done move=32-28"]);
    assert_eq!(client.quit().1, [""; 0]);
}

#[test]
fn a_limited_search_lets_lines_wait() {
    let mut client = client();
    let begun = Instant::now();
    client.send(
        "level move-time=0.5\ngo think\npos moves=32-28\nlevel depth=2\nlevel depth=x\ngo \
    think\nhub\nping",
    );
    // A ping does not wait for the search.
    assert_eq!(client.answer(), "pong");
    assert_eq!(client.answer(), "done move=32-28");
    assert!(begun.elapsed() >= Duration::from_millis(500));
    assert!(client.answer().starts_with("error"));
    assert_eq!(client.answer(), "done move=32-28");
    assert!(client.answer().starts_with("id"));
    assert_eq!(
        client.quit().0,
        ["Think  move-time=0.5", "Think 32-28 depth=2"]
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
        client.send("pos moves=32-28\nlevel depth=1\ngo think");
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
    assert_eq!(client.quit().0.len(), 60);
}

#[test]
fn stop_answers_once_and_is_silent_when_idle() {
    let mut client = client();
    client.send("stop\nponder-hit\nstop");
    assert!(client.is_silent());
    client.send("go analyze");
    assert!(client.is_silent());
    client.send("stop\nstop\nstop");
    assert_eq!(client.answer(), "done move=32-28");
    assert!(client.is_silent());
    client.send("go think\nstop");
    assert_eq!(client.answer(), "done move=32-28");
}

#[test]
fn stop_ends_all_that_was_asked_before_it() {
    let mut client = client();
    client.send("level move-time=60\ngo think\npos\nlevel infinite\ngo analyze\npos\nlevel move-time=60\ngo \
    think\nstop");
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
        client.send(&format!("pos pos={OVER}\ngo ponder"));
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
    client.send("level time=-3\ngo think");
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
    assert!(last.starts_with("info depth=40 "), "{last}");
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
    client.send("hub\nlevel move-time=60\ngo think\npos\ngo analyze\npos moves=bad\ngo\nset-param name=threads \
    value=3");
    let (heard, rest) = client.quit();
    assert_eq!(heard.last().map(String::as_str), Some("threads=3"));
    let from = rest.len() - 4;
    assert_eq!(
        without_messages(rest[from..].to_vec()),
        ["done move=32-28", "done move=32-28", "error", "done"]
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
