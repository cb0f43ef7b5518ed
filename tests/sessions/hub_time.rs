//! Limits, clocks and latencies of Hub conversations with the binary.

use std::time::{Duration, Instant};

use crate::hub_client::{LONG, engine, forced, info};

#[test]
fn limits_of_depth_and_nodes_are_exact() {
    let mut client = engine();
    for mode in ["think", "analyze"] {
        for depth in [1, 2, 5, 9] {
            let answer = client.ask(format!("pos\nlevel depth={depth}\ngo {mode}"));
            assert_eq!(answer.last_info().depth, Some(depth));
        }
        for nodes in [1000, 54_321] {
            let answer = client.ask(format!("new-game\npos\nlevel nodes={nodes}\ngo {mode}"));
            assert_eq!(answer.last_info().nodes, Some(nodes));
        }
    }
    for (level, limit) in [
        ("depth=0", 1),
        ("depth=1000000 nodes=10", 99),
        ("nodes=0", 1),
        ("nodes=1", 1),
    ] {
        let answer = client.ask(format!("pos\nlevel {level}\ngo think"));
        assert!(answer.last_info().depth <= Some(limit), "{level}");
    }
}

#[test]
fn forced_moves_are_played_at_once_and_with_a_full_info() {
    let mut client = engine();
    for level in [
        "",
        "level infinite\n",
        "level move-time=30\n",
        "level depth=60\n",
        "level time=9000\n",
    ] {
        let begun = client.send(format!("pos pos={}\n{level}go think", forced()));
        let answer = client.answer();
        assert!(answer.at - begun < Duration::from_secs(3), "{level}");
        assert_eq!(answer.best(), "28x19x23");
        assert_eq!(answer.last_info().pv[0], "28x19x23");
    }
}

#[test]
fn no_time_means_at_once() {
    let mut client = engine();
    for level in [
        "move-time=0",
        "move-time=-5",
        "time=0",
        "time=-1.0 inc=2.0",
        "time=-1",
        "moves=3 time=-2 inc=0",
    ] {
        let begun = client.send(format!("pos\nlevel {level}\ngo think"));
        let answer = client.answer();
        assert!(answer.at - begun < Duration::from_secs(3), "{level}");
        assert!(answer.last_info().depth >= Some(1));
        answer.best();
    }
}

#[test]
fn the_end_of_input_or_quit_ends_a_search() {
    for quit in [false, true] {
        for go in ["go analyze", "level move-time=100\ngo think", "go ponder"] {
            let mut client = engine();
            client.send(format!("hub\ninit\npos\n{go}"));
            while client.answer().line != "ready" {}
            assert!(client.is_silent(Duration::from_millis(30)));
            let begun = Instant::now();
            if quit {
                client.send("quit");
            }
            client.close();
            let (status, errors, _) = client.wait();
            assert!(status.success());
            assert_eq!(errors, "");
            assert!(begun.elapsed() < Duration::from_secs(5));
        }
    }
}

#[test]
fn pondering_ends_with_the_hit_or_a_stop() {
    let mut client = engine();
    client.send("init\npos moves=\"32-28 20-25\"\nlevel move-time=0.1\ngo ponder");
    assert_eq!(client.answer().line, "ready");
    assert!(client.is_silent(Duration::from_millis(300)));
    let hit = client.send("ponder-hit");
    let answer = client.answer();
    let spent = answer.at - hit;
    assert!(
        spent >= Duration::from_millis(80) && spent < Duration::from_secs(3),
        "{spent:?}"
    );
    answer.best();
    client.send("pos\nlevel time=60\ngo ponder");
    assert!(client.is_silent(Duration::from_millis(50)));
    client.ask("stop").best();
    client.send(format!("pos pos={}\nlevel depth=1\ngo ponder", forced()));
    assert!(client.is_silent(Duration::from_millis(50)));
    client.ask("pos\nlevel depth=3\ngo think").best();
    client.answer().best();
    assert!(client.is_silent(Duration::from_millis(50)));
}

#[test]
fn time_is_kept() {
    let mut client = engine();
    client.ask("init");
    for time in [0.02, 0.1, 0.3] {
        let limit = Duration::from_secs_f64(time);
        let begun = client.send(format!("pos\nlevel move-time={time}\ngo think"));
        let spent = client.answer().at - begun;
        assert!(
            spent >= limit.mul_f64(0.8) && spent < limit + Duration::from_secs(3),
            "{spent:?}"
        );
    }
}

#[test]
fn ping_and_stop_are_answered_quickly_during_a_search() {
    let mut client = engine();
    client.ask("init");
    let (mut pings, mut stops) = (Vec::new(), Vec::new());
    for _ in 0..30 {
        client.send("pos\nlevel infinite\ngo analyze");
        for _ in 0..5 {
            let asked = client.send("ping");
            let pong = client.answer();
            assert_eq!(pong.line, "pong");
            pings.push(pong.at - asked);
        }
        let asked = client.send("stop");
        let done = client.answer();
        done.best();
        done.last_info();
        stops.push(done.at - asked);
    }
    pings.sort();
    stops.sort();
    // Generous: other tests run at the same time, perhaps on one core.
    for times in [pings, stops] {
        assert!(times[times.len() / 2] < Duration::from_secs(2), "{times:?}");
        assert!(times[times.len() - 1] < LONG / 2, "{times:?}");
    }
}

#[test]
fn getting_ready_never_takes_long() {
    let mut client = engine();
    client.ask("init");
    for size in [16, 24, 26, 16] {
        client.send(format!(
            "set-param name=tt-size value={size}\nset-param name=threads value=3"
        ));
        let begun = client.send("init");
        let mut answer = client.answer();
        // A machine with little memory may refuse, but not die.
        if answer.line.starts_with("error") {
            answer = client.answer();
        }
        assert_eq!(answer.line, "ready");
        assert!(answer.at - begun < Duration::from_secs(3), "{size}");
        client.ask("pos\nlevel depth=8\ngo think").best();
        let begun = client.send("new-game\nping");
        assert!(
            client.answer().at - begun < Duration::from_secs(3),
            "{size}"
        );
    }
}

#[test]
fn shallow_infos_are_merged_on_a_pipe_and_kept_apart() {
    let mut client = engine();
    let with_gap =
        client.ask("init\nset-param name=line-gap value=5000\npos\nlevel depth=8\ngo think");
    assert_eq!(with_gap.line, "ready");
    let merged = client.answer();
    let all = client.ask("set-param name=line-gap value=0\nnew-game\npos\nlevel depth=8\ngo think");
    assert!(merged.infos.len() < all.infos.len());
    let depths: Vec<_> = all
        .infos
        .iter()
        .map(|line| info(line).depth.unwrap_or(0))
        .collect();
    assert!((1..=8).all(|depth| depths.contains(&depth)), "{depths:?}");
}

/// As py-draughts on Linux: a client that wakes for a line and reads all there is must not find two.
#[test]
#[cfg(target_os = "linux")]
fn a_client_that_wakes_late_finds_one_line() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(["hub", "--set", "book=false"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary");
    let mut input = child.stdin.take().expect("piped");
    let mut output = child.stdout.take().expect("piped");
    input
        .write_all(b"hub\ninit\npos\nlevel depth=8\ngo think\n")
        .expect("an engine that listens");
    let (mut text, mut reads) = (String::new(), 0);
    let mut buffer = [0; 8192];
    while !text.contains("\ndone move=") {
        std::thread::sleep(Duration::from_millis(5));
        let count = output.read(&mut buffer).expect("lines");
        text += std::str::from_utf8(&buffer[..count]).expect("text");
        reads += 1;
    }
    drop(input);
    child.wait().expect("an end");
    let lines = text.lines().count();
    assert!(lines - reads <= lines / 4, "{lines} lines in {reads} reads");
}
