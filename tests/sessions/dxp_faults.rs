//! DXP with programs that are hostile, silent or many.

use crate::dxp::{board, game};
use crate::dxp_peer::{Damier, NAME, Peer};
use damier::rules::{Game, Position};
use std::io::Write;
use std::net::TcpListener;
use std::time::{Duration, Instant};

#[test]
fn another_version_or_game_is_refused_in_the_words_of_the_protocol() {
    let (_damier, port) = Damier::serve(&[]);
    let mut peer = Peer::connect(port);
    peer.say(&format!("R02{NAME}W001000A and what nobody knows"));
    peer.hears("ADamier                          1");
    peer.say(&format!("R01{NAME}W001000{}", board("W:W:B1")));
    peer.hears("Cthere is no legal move in this position");
    peer.hears("ADamier                          2");
    peer.asks('Z', "001", "A");
    peer.say(&format!("R01{NAME}W001000A"));
    peer.hears("Ca game is being played already");
    peer.hears("ADamier                          2");
    // That game goes on.
    let mut game = Game::new(Position::start());
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
}

#[test]
fn hostile_programs_harm_nobody() {
    let (damier, port) = Damier::serve(&[]);
    let illegal = "M0000322200".as_bytes();
    let cases: [(&str, Vec<u8>); 9] = [
        (
            "no message",
            b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n\0".to_vec(),
        ),
        ("a long message", vec![b'C'; 1 << 20]),
        (
            "noise",
            (0..20_000u32).map(|n| ((n * 7919) >> 3) as u8).collect(),
        ),
        ("an illegal move", [illegal, b"\0"].concat()),
        ("a square that is none", b"M0000325100\0".to_vec()),
        ("a truncated move", b"M000032\0".to_vec()),
        ("a message without an end", b"M0000".to_vec()),
        ("an answer to nothing, and a bad end", b"AX\0".to_vec()),
        ("a flood of chats", b"CHello\0".repeat(10_000)),
    ];
    for (what, bytes) in cases {
        for in_game in [false, true] {
            let mut peer = Peer::connect(port);
            if in_game {
                peer.asks('Z', "001", "A");
            }
            // It may be cut off before it has said all.
            let _ = peer.stream.write_all(&bytes);
            let _ = peer.stream.shutdown(std::net::Shutdown::Write);
            let said = peer.parting();
            assert!(said.len() <= 2, "{what}: {said:?}");
            let parted = damier.line_with("the conversation is over");
            assert!(parted.len() < 200, "{what}: {parted}");
        }
    }
    // A game out of turn.
    let mut peer = Peer::connect(port);
    peer.asks('W', "999", "A");
    peer.say("M0000171400");
    peer.say("M0000171400");
    damier.line_with("the conversation is over");
    let mut game = Game::new(Position::start());
    let mut peer = Peer::connect(port);
    peer.asks('W', "001", "A");
    peer.hears_move(&mut game);
}

#[test]
fn a_vanished_or_silent_program_is_given_up() {
    let (damier, port) = Damier::serve(&["--patience", "0.3", "--idle", "2"]);
    let mut peer = Peer::connect(port);
    assert_eq!(peer.parting(), ["Cit asked for no game in time"]);
    let line = damier.line_with("over");
    assert_eq!(
        line,
        "the conversation is over: it asked for no game in time"
    );
    // 0.6 seconds on its clock, and 0.3 of patience.
    let mut peer = Peer::connect(port);
    peer.asks('Z', ".01", "A");
    let began = Instant::now();
    assert_eq!(peer.parting(), ["Cno move came in time"]);
    assert!(
        began.elapsed() >= Duration::from_millis(800),
        "{:?}",
        began.elapsed()
    );
    assert!(
        damier
            .line_with("game 1: no")
            .contains("(broken off: no move came in time)")
    );
    // A game that is over by the rules has its result, whether the other program says so or not.
    let mut peer = Peer::connect(port);
    peer.asks('Z', ".01", &board("W:W36:B22,27"));
    let mut game = game("W:W36:B22,27");
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
    drop(peer);
    damier.line_with("game 1: Damier (black) wins (white has no legal move)");
    let mut peer = Peer::connect(port);
    peer.asks('W', "001", "A");
}

#[test]
fn a_second_program_is_refused_and_the_first_one_plays_on() {
    let (_damier, port) = Damier::serve(&[]);
    let mut first = Peer::connect(port);
    first.asks('Z', "001", "A");
    let mut second = Peer::connect(port);
    second.say(&format!("R01{NAME}W001000A"));
    second.hears("Ca game with another program is going on here; try again later");
    second.hears("ADamier                          3");
    assert_eq!(second.parting(), [""; 0]);
    // Many at once, that say nothing.
    let crowd: Vec<Peer> = (0..40).map(|_| Peer::connect(port)).collect();
    let mut game = Game::new(Position::start());
    for _ in 0..5 {
        first.plays_safely(&mut game);
        first.hears_move(&mut game);
    }
    drop(crowd);
    first.say("E01");
    first.hears("E01");
    first.parting();
}

#[test]
fn a_silent_program_gives_way_to_one_that_asks_for_a_game() {
    let gives_way = |greeting: &str| {
        let (_damier, port) = Damier::serve(&["--idle", "16"]);
        let mut silent = Peer::connect(port);
        silent.raw(greeting.as_bytes());
        let mut second = Peer::connect(port);
        second.asks('W', "001", "A");
        second.hears_move(&mut Game::new(Position::start()));
        let said = silent.parting();
        assert!(
            said.len() == 1 && said[0] != "Cit asked for no game in time",
            "{said:?}"
        );
        second.say("E01");
        second.parting();
    };
    // It waits for some seconds.
    std::thread::scope(|scope| {
        scope.spawn(|| gives_way(""));
        gives_way("CHello\0");
    });
}

#[test]
fn a_program_is_answered_soon_after_a_flood_of_dead_ones() {
    let (_damier, port) = Damier::serve(&[]);
    for last in ["", "\0", "C", "X\0"] {
        // Whatever they said before they died.
        for _ in 0..200 {
            let mut dead = Peer::connect(port);
            let request = format!("R01{NAME}W001000A{last}");
            let _ = dead.stream.write_all(request.as_bytes());
        }
        let began = Instant::now();
        let mut peer = Peer::connect(port);
        peer.asks('W', "001", "A");
        let time = began.elapsed();
        assert!(time < Duration::from_secs(2), "{last:?}: {time:?}");
    }
}

#[test]
fn a_program_is_heard_among_many_that_say_half_a_request_or_nothing() {
    for greeting in ["R01", "", "CHello\0"] {
        let (_damier, port) = Damier::serve(&["--idle", "4"]);
        let silent = || {
            let mut peer = Peer::connect(port);
            peer.raw(greeting.as_bytes());
            peer
        };
        let _crowd: Vec<Peer> = (0..150).map(|_| silent()).collect();
        let began = Instant::now();
        let mut peer = Peer::connect(port);
        peer.asks('W', "001", "A");
        let time = began.elapsed();
        assert!(time < Duration::from_secs(5), "{greeting:?}: {time:?}");
    }
}

#[test]
fn what_cannot_be_done_is_said_in_a_line() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    for (arguments, code, text) in [
        (&["--port", &port][..], 1, "127.0.0.1:"),
        (&["--connect", "127.0.0.1:1"], 1, "127.0.0.1:1"),
        (&["--connect", "no such host"], 1, "no such host"),
        (&["--minutes", "1.25"], 2, "--minutes"),
        (&["--minutes", "0"], 2, "--minutes"),
        (&["--moves", "1000"], 2, "--moves"),
        (&["--port", "65536"], 2, "--port"),
        (&["--fen", "nonsense"], 2, "--fen"),
        (&["--color", "red"], 2, "--color"),
        (&["--connect", "127.0.0.1", "--host", "::1"], 2, "--host"),
    ] {
        let (found, errors) = Damier::start(arguments).wait();
        assert_eq!(found, Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(text), "{arguments:?}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    }
}
