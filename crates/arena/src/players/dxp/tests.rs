//! The player against a scripted engine.

use super::*;
use crate::level::Remaining;
use std::io::{Read, Write};
use std::thread::JoinHandle;

/// An engine that accepts one connection, sends the lines marked `>`, and waits for those marked `<`.
fn engine(script: &'static [&'static str]) -> (DxpPlayer, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let engine = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        for line in script {
            match line.split_at(1) {
                (">", text) => {
                    let bytes = [text.as_bytes(), b"\0"].concat();
                    stream.write_all(&bytes).expect("a listener");
                }
                (_, text) => assert_eq!(heard(&mut stream), text),
            }
        }
    });
    let spec = DxpSpec {
        port,
        ..spec(DxpRole::Client)
    };
    let player = DxpPlayer::new(spec, Arc::default());
    (player, engine)
}

fn heard(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while stream.read_exact(&mut byte).is_ok() && byte != [0] {
        text.extend(byte);
    }
    String::from_utf8(text).expect("ASCII")
}

fn spec(role: DxpRole) -> DxpSpec {
    DxpSpec {
        name: "test".to_owned(),
        launch: None,
        host: "127.0.0.1".to_owned(),
        port: 0,
        role,
        stdin: Vec::new(),
    }
}

const ACCEPTED: &str = ">ATest                            0";
const CLOCK: GameLevel = GameLevel::Clock {
    moves: None,
    time: Duration::from_secs(90),
    increment: Duration::ZERO,
};

fn turn(game: &Game) -> Turn<'_> {
    Turn {
        game,
        level: CLOCK,
        remaining: Some(Remaining {
            time: Duration::from_secs(90),
            increment: Duration::ZERO,
            moves: None,
        }),
        patience: Duration::from_secs(2),
    }
}

fn begun(player: &mut DxpPlayer, color: Color) -> Game {
    let start = Position::start();
    player.begin(&start, color, CLOCK).expect("a game");
    Game::new(start)
}

fn make(game: &mut Game, text: &str) {
    let mv = damier_rules::notation::moves::parse(game.position(), text).expect(text);
    game.play(mv);
}

#[test]
fn a_game_is_played_and_ended_in_the_place_of_a_move() {
    let (mut player, engine) = engine(&[
        "<R01Damier arena                    Z1.5000A",
        ">CHello",
        ACCEPTED,
        "<M0000322800",
        ">CI think",
        ">B001W",
        "<K2",
        ">M0001192300",
        "<M000028190123",
        ">M0003142301",
    ]);
    let mut game = begun(&mut player, Color::Black);
    make(&mut game, "32-28");
    let thought = player.think(&turn(&game)).expect("a move");
    let Answer::Move(mv) = thought.answer else {
        panic!("{thought:?}")
    };
    assert_eq!(mv.to_string(), "19-23");
    game.play(mv);
    make(&mut game, "28x19");
    // It announces one captured piece and names none, which is not a valid message.
    let fault = player.think(&turn(&game)).expect_err("babble");
    assert!(
        matches!(&fault, EngineFault::Babble(why) if why.contains("captured piece")),
        "{fault}"
    );
    engine.join().expect("the script was kept to");
    let transcript = player.transcript();
    assert_eq!(transcript.last().map(String::as_str), Some("< M0003142301"));
    assert!(transcript[0].starts_with("> R01"));
    player.restart();
    assert_eq!(player.transcript(), transcript);
}

#[test]
fn the_engine_that_begins_is_not_told_anything_first() {
    let (mut player, engine) = engine(&[
        "<R01Damier arena                    W1.5000A",
        ACCEPTED,
        ">M0000322800",
        "<E10",
        ">E00",
        "<R01Damier arena                    W1.5000A",
        ACCEPTED,
        ">E21",
        "<E00",
    ]);
    let mut game = begun(&mut player, Color::White);
    let thought = player.think(&turn(&game)).expect("a move");
    let Answer::Move(mv) = thought.answer else {
        panic!("{thought:?}")
    };
    game.play(mv);
    player.finish(&game, GameResult::Win).expect("confirmed");
    let game = begun(&mut player, Color::White);
    let thought = player.think(&turn(&game)).expect("a claim");
    assert_eq!(thought.answer, Answer::Claim(Claim::Draw));
    // The engine has already ended the game.
    player
        .finish(&game, GameResult::Draw)
        .expect("nothing to say");
    engine.join().expect("the script was kept to");
}

#[test]
fn every_fault_has_its_name() {
    let fault = |script: &'static [&'static str]| {
        let (mut player, engine) = engine(script);
        let start = Position::start();
        let fault = player.begin(&start, Color::White, CLOCK).and_then(|()| {
            let game = Game::new(start);
            player.think(&turn(&game)).map(|_| ())
        });
        // A silent engine must not close its connection before the timeout.
        drop(player);
        engine.join().expect("the script was kept to");
        fault.expect_err("a fault")
    };
    const REQUEST: &str = "<R01Damier arena                    W1.5000A";
    let refused = fault(&[REQUEST, ">ATest                            3"]);
    assert_eq!(
        refused,
        EngineFault::Crash("it does not want to play".to_owned())
    );
    let illegal = fault(&[REQUEST, ACCEPTED, ">M0000322300", ">C", "<"]);
    let EngineFault::Illegal(why) = illegal else {
        panic!("{illegal:?}")
    };
    assert!(why.starts_with("32-23 in W:W31,"), "{why}");
    assert!(matches!(
        fault(&[REQUEST, ACCEPTED, ">nonsense", "<"]),
        EngineFault::Babble(_)
    ));
    assert!(matches!(fault(&[REQUEST, ACCEPTED]), EngineFault::Crash(_)));
    assert!(matches!(
        fault(&[REQUEST, ACCEPTED, "<"]),
        EngineFault::Silence(_)
    ));
    assert!(matches!(
        fault(&[REQUEST, ">R01Test                            W060000A", "<"]),
        EngineFault::Babble(_)
    ));
}

#[test]
fn what_cannot_be_started_is_a_crash() {
    let no_program = DxpSpec {
        launch: Some(Launch {
            command: vec!["/no/such/program".to_owned()],
            dir: None,
        }),
        ..spec(DxpRole::Client)
    };
    let mut player = DxpPlayer::new(no_program, Arc::default());
    let fault = player.begin(&Position::start(), Color::White, CLOCK);
    assert!(matches!(fault, Err(EngineFault::Crash(why)) if why.contains("/no/such/program")));
    // Nothing listens, and no process was started that could.
    let nobody = DxpSpec {
        port: free_port().expect("a port"),
        ..spec(DxpRole::Client)
    };
    let mut player = DxpPlayer::new(nobody, Arc::default());
    let fault = player.begin(&Position::start(), Color::White, CLOCK);
    assert!(matches!(fault, Err(EngineFault::Crash(why)) if why.contains("cannot connect")));
}

#[test]
fn a_game_that_the_opponent_could_not_begin_is_begun_anew() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let here = DxpSpec {
        port: listener.local_addr().expect("an address").port(),
        ..spec(DxpRole::Client)
    };
    let engine = thread::spawn(move || {
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().expect("a connection");
            assert!(heard(&mut stream).starts_with("R01Damier arena"));
            let bytes = [&ACCEPTED.as_bytes()[1..], b"\0"].concat();
            stream.write_all(&bytes).expect("a listener");
            assert_eq!(heard(&mut stream), "", "no second request in a game");
        }
    });
    let mut player = DxpPlayer::new(here, Arc::default());
    begun(&mut player, Color::White);
    begun(&mut player, Color::White);
    drop(player);
    engine.join().expect("the script was kept to");
}

#[test]
fn nothing_is_waited_for_when_the_match_is_over() {
    let (mut player, engine) = engine(&[
        "<R01Damier arena                    W1.5000A",
        ACCEPTED,
        "<",
    ]);
    let game = begun(&mut player, Color::White);
    let stop = Arc::clone(&player.stop);
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        stop.store(true, Relaxed);
    });
    let patience = Duration::from_secs(600);
    let turn = Turn {
        patience,
        ..turn(&game)
    };
    let fault = player.think(&turn).expect_err("no answer");
    assert_eq!(fault, EngineFault::interrupted());
    stopper.join().expect("no panic");
    drop(player);
    engine.join().expect("the script was kept to");
}

#[test]
fn minutes_never_exceed_the_clock() {
    let clock = |seconds| {
        minutes(GameLevel::Clock {
            moves: None,
            time: Duration::from_secs_f64(seconds),
            increment: Duration::ZERO,
        })
    };
    assert_eq!(clock(180.0).to_string(), "3");
    assert_eq!(clock(10.0).to_string(), "0.16");
    assert_eq!(clock(100.0).to_string(), "1.6");
    assert_eq!(minutes(GameLevel::Nodes(1000)), Minutes::MAX);
}
