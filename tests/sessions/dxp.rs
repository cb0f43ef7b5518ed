//! DXP over real sockets, byte by byte: `damier dxp` in both roles at both ends, hostile programs, Damier against
//! itself.

use crate::dxp_peer::{Damier, NAME, Peer};
use damier::board::Color;
use damier::notation::{fen, moves};
use damier::protocol::dxp::{GameReq, Message, Minutes, Start};
use damier::rules::{Game, Move, Position, Status};
use serde_json::Value;
use std::net::TcpListener;
use std::time::{Duration, Instant};

fn play(game: &mut Game, text: &str) -> Move {
    let mv = moves::parse(game.position(), text).expect(text);
    game.play(mv);
    mv
}

pub fn game(text: &str) -> Game {
    Game::new(fen::parse(text).expect("a position"))
}

/// A board as DXP has it.
pub fn board(text: &str) -> String {
    let start = Start::Board(fen::parse(text).expect("a position"));
    let request = GameReq {
        name: Default::default(),
        follower: Color::White,
        minutes: Minutes::MAX,
        moves: Default::default(),
        start,
    };
    let bytes = Message::GameReq(request).encode();
    String::from_utf8(bytes[42..bytes.len() - 1].to_vec()).expect("ASCII")
}

#[test]
fn a_follower_that_listens_plays_game_after_game() {
    let (damier, port) = Damier::serve(&[]);
    let mut peer = Peer::connect(port);
    assert!(damier.line().starts_with("connected to 127.0.0.1:"));
    peer.asks('W', "001", "A");
    let mut game = Game::new(Position::start());
    peer.hears_move(&mut game);
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
    // At this side's turn, in the place of a move.
    peer.say("E00");
    peer.hears("E00");
    let line = damier.line();
    assert_eq!(
        line,
        "game 1: Damier (white) against Test (black), 1:00.0 each"
    );
    let line = damier.line();
    assert!(
        line.starts_with("     1. ") && line.contains(" s "),
        "{line}"
    );
    let line = damier.line();
    assert!(
        line.starts_with("   1... ") && line.ends_with(" left"),
        "{line}"
    );
    let end =
        "game 1: no result (the opponent ends it); 0 won, 0 drawn, 0 lost, 1 without a result";
    assert_eq!(damier.line_with("game 1: no"), end);
    // Black, half a minute, and the other program has the first move.
    peer.asks('Z', ".50", "A");
    let mut game = Game::new(Position::start());
    let mv = play(&mut game.clone(), "32-28");
    peer.plays(&mut game, mv);
    peer.hears_move(&mut game);
    peer.say("E10");
    peer.hears("E00");
    assert!(damier.line_with("game 2: Test").ends_with("0:30.0 each"));
    let end = "game 2: Damier (black) wins (the opponent resigns); 1 won, 0 drawn, 0 lost, 1 without a result";
    assert_eq!(damier.line_with("game 2: Damier"), end);
    // The other program has enough, and the next one may come.
    peer.say("E01");
    assert_eq!(peer.parting(), [""; 0]);
    Peer::connect(port).asks('W', "001", "A");
}

#[test]
fn a_follower_that_connects_plays_too() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let damier = Damier::start(&["--connect", &address, "--json"]);
    let mut peer = Peer::over(listener.accept().expect("a connection").0);
    peer.asks('Z', "000", &board("B:W50:B1"));
    let mut game = game("B:W50:B1");
    peer.hears_move(&mut game);
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
    // A claim that nothing bears out.
    peer.say("E31");
    peer.hears("E01");
    assert_eq!(peer.parting(), [""; 0]);
    let objects: Vec<Value> = damier
        .lines
        .iter()
        .map(|line| line.parse().expect("JSON"))
        .collect();
    let events: Vec<_> = objects
        .iter()
        .filter_map(|object| object["event"].as_str())
        .collect();
    assert_eq!(
        events,
        ["connected", "game", "move", "move", "move", "result"]
    );
    assert_eq!(objects[1]["fen"], "B:W50:B1");
    assert_eq!(objects[1]["time"], Value::Null);
    assert_eq!(
        (&objects[2]["color"], &objects[2]["ply"]),
        (&"black".into(), &1.into())
    );
    let result = &objects[5];
    assert_eq!(
        (&result["result"], &result["lost"]),
        (&"unknown".into(), &0.into())
    );
    assert!(
        result["reason"]
            .as_str()
            .is_some_and(|why| why.contains("win"))
    );
    assert_eq!(damier.wait(), (Some(0), String::new()));
}

#[test]
fn an_initiator_that_connects_swaps_colours() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let arguments = [
        "--connect",
        &address,
        "--initiator",
        "--games",
        "2",
        "--minutes",
        "0.05",
    ];
    let damier = Damier::start(&[&arguments[..], &["--moves", "0", "--color", "black"]].concat());
    let mut peer = Peer::over(listener.accept().expect("a connection").0);
    peer.hears("R01Damier                          W.05000A");
    peer.say(&format!("A{NAME}0"));
    let mut game = Game::new(Position::start());
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
    peer.say("E10");
    peer.hears("E00");
    peer.hears("R01Damier                          Z.05000A");
    peer.say(&format!("A{NAME}0"));
    let mut game = Game::new(Position::start());
    peer.hears_move(&mut game);
    peer.say("E20");
    // No stop code: programs that are sent one end themselves.
    peer.hears("E00");
    assert_eq!(peer.parting(), [""; 0]);
    assert!(
        damier
            .line_with("game 2: no result")
            .ends_with("1 won, 0 drawn, 0 lost, 1 without a result")
    );
    assert_eq!(damier.wait(), (Some(0), String::new()));
}

#[test]
fn an_initiator_that_listens_asks_whoever_connects() {
    let fen = "B:WK50,32:BK1,19";
    let (damier, port) = Damier::serve(&[
        "--initiator",
        "--fen",
        fen,
        "--minutes",
        "1.5",
        "--moves",
        "40",
        "--once",
    ]);
    let mut peer = Peer::connect(port);
    let request = format!("R01Damier                          Z1.5040{}", board(fen));
    peer.hears(&request);
    peer.say(&format!("A{NAME}2"));
    assert_eq!(peer.parting(), [""; 0]);
    let (code, errors) = damier.wait();
    assert_eq!(
        (code, errors.as_str()),
        (Some(1), "damier: it does not want to play this game\n")
    );
}

#[test]
fn who_cannot_move_says_that_it_has_lost() {
    let (damier, port) = Damier::serve(&[]);
    let mut peer = Peer::connect(port);
    let start = "W:W36:B22,27";
    peer.asks('W', "001", &board(start));
    let mut game = game(start);
    peer.hears_move(&mut game);
    let mv = play(&mut game.clone(), "27x36");
    peer.plays(&mut game, mv);
    peer.hears("E10");
    peer.say("E00");
    let end = "game 1: Test (black) wins (white has no legal move); 0 won, 0 drawn, 1 lost";
    assert_eq!(damier.line_with("game 1: Test"), end);
    // The other way round the other program says so, but the rules count more than what it says.
    peer.asks('Z', "001", &board("W:W36:B22,27"));
    let mut game = Game::new(*game.start());
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
    peer.say("E30");
    peer.hears("E00");
    let end = "game 2: Damier (black) wins (white has no legal move); 1 won, 0 drawn, 1 lost";
    assert_eq!(damier.line_with("game 2: Damier"), end);
}

#[test]
fn a_game_drawn_by_the_rules_is_ended_as_one() {
    let (damier, port) = Damier::serve(&[]);
    let mut peer = Peer::connect(port);
    let start = "W:WK46:BK1";
    peer.asks('W', "010", &board(start));
    let mut game = game(start);
    while game.status() == Status::Playing {
        peer.hears_move(&mut game);
        if game.status() == Status::Playing {
            peer.plays_safely(&mut game);
        }
    }
    assert!(
        matches!(game.status(), Status::Drawn(_)),
        "{:?}",
        game.status()
    );
    if game.position().turn() == Color::Black {
        // Playing on does not help.
        peer.plays_safely(&mut game);
    }
    peer.hears("E20");
    peer.say("E00");
    assert!(
        damier
            .line_with("game 1: draw")
            .ends_with("0 won, 1 drawn, 0 lost")
    );
}

#[test]
fn the_moves_agreed_end_a_game() {
    let (damier, port) = Damier::serve(&[]);
    let mut peer = Peer::connect(port);
    peer.say(&format!("R01{NAME}W001002A"));
    peer.hears("ADamier                          0");
    let mut game = Game::new(Position::start());
    for _ in 0..2 {
        peer.hears_move(&mut game);
        peer.plays_safely(&mut game);
    }
    peer.hears("E00");
    // The next request is as good as a confirmation.
    peer.asks('W', "001", "A");
    assert!(
        damier
            .line_with("game 1: no result")
            .contains("(the agreed 2 moves are played)")
    );
}

#[test]
fn moves_are_taken_back_when_asked_for() {
    let (damier, port) = Damier::serve(&[]);
    let mut peer = Peer::connect(port);
    peer.asks('Z', "001", "A");
    let mut game = Game::new(Position::start());
    for _ in 0..3 {
        peer.plays_safely(&mut game);
        peer.hears_move(&mut game);
    }
    // White's second move again.
    peer.say("B002W");
    peer.hears("K0");
    damier.line_with("moves taken back; the game continues at 2.");
    while game.moves().len() > 2 {
        game.take_back();
    }
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
    // Black's first one: it is Damier's turn then.
    peer.say("B001Z");
    peer.hears("K0");
    while game.moves().len() > 1 {
        game.take_back();
    }
    peer.hears_move(&mut game);
    for beyond in ["B009W", "B000W"] {
        peer.say(beyond);
        peer.hears("Cthere is no such move to go back to");
        peer.hears("K2");
    }
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
    peer.say("E00");
    peer.hears("E00");
    peer.say("B001W");
    peer.hears("K2");
}

#[test]
fn moves_are_not_taken_back_when_that_is_not_wanted() {
    let (_damier, port) = Damier::serve(&["--back", "refuse"]);
    let mut peer = Peer::connect(port);
    peer.asks('Z', "001", "A");
    let mut game = Game::new(Position::start());
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
    peer.say("B001W");
    peer.hears("K2");
    peer.plays_safely(&mut game);
    peer.hears_move(&mut game);
}

#[test]
fn chats_are_shown_and_questions_answered() {
    let (damier, port) = Damier::serve(&[]);
    let mut peer = Peer::connect(port);
    peer.say("CHello");
    peer.say("CWho are you?");
    peer.hears("CI only play draughts; ask me about my last move.");
    peer.asks('W', "001", "A");
    let mut game = Game::new(Position::start());
    peer.hears_move(&mut game);
    peer.raw(b"CWhat do you think \xe9\x1b[2J?\0");
    let answer = peer.hear().expect("an answer");
    assert!(answer.starts_with("CI made my last move at "), "{answer}");
    assert_eq!(damier.line_with("chat"), "chat: Hello");
    assert_eq!(damier.line_with("chat"), "chat: Who are you?");
    assert_eq!(damier.line_with("chat"), "chat: What do you think ??[2J?");
}

/// pydraughts takes all that it reads at once for one message; but a pause costs the opponent's time.
#[test]
fn only_messages_that_nothing_answers_are_apart() {
    let (_damier, port) = Damier::serve(&[]);
    let mut peer = Peer::connect(port);
    peer.asks('Z', "001", "A");
    let mut game = Game::new(Position::start());
    // On a busy machine some take longer, or are heard of late: one such move shows that there is no pause, or is one.
    let at_once = (0..12).any(|_| {
        peer.plays_safely(&mut game);
        let sent = Instant::now();
        peer.hears_move(&mut game);
        sent.elapsed() < Duration::from_millis(40)
    });
    assert!(at_once);
    // An answer and a move are apart, though a move came in between.
    let apart = (0..12).any(|_| {
        peer.say("CWhat do you think?");
        peer.plays_safely(&mut game);
        let answer = peer.hear().expect("an answer");
        let heard = Instant::now();
        assert!(answer.starts_with('C'), "{answer}");
        peer.hears_move(&mut game);
        heard.elapsed() > Duration::from_millis(25)
    });
    assert!(apart);
}

#[test]
fn damier_plays_whole_games_against_itself() {
    let (server, port) = Damier::serve(&["--once", "--games", "2"]);
    let address = format!("127.0.0.1:{port}");
    let client = Damier::start(&[
        "--connect",
        &address,
        "--initiator",
        "--games",
        "2",
        "--moves",
        "0",
    ]);
    let results = |damier: &Damier| -> Vec<String> {
        let wins_or_draws = |line: &String| line.contains(" (") && line.contains(" lost");
        damier.lines.iter().filter(wins_or_draws).collect()
    };
    let (ours, theirs) = (results(&client), results(&server));
    assert_eq!((ours.len(), theirs.len()), (2, 2), "{ours:?} {theirs:?}");
    for (one, other) in ours.iter().zip(&theirs) {
        let verdict = |line: &str| line.split("; ").next().map(str::to_owned);
        assert_eq!(verdict(one), verdict(other));
        assert!(!one.contains("no result"), "{one}");
    }
    assert_eq!(client.wait(), (Some(0), String::new()));
    assert_eq!(server.wait(), (Some(0), String::new()));
}

#[test]
fn a_game_by_the_clock_ends_in_time_with_ponder() {
    let server = Damier::with(&["--ponder", "true"], &["--port", "0", "--once"]);
    let address = format!("127.0.0.1:{}", server.port());
    let arguments = [
        "--connect",
        &address,
        "--initiator",
        "--minutes",
        ".03",
        "--moves",
        "60",
        "--ponder",
        "true",
    ];
    let began = Instant::now();
    let client = Damier::with(&[], &arguments);
    assert_eq!(client.wait(), (Some(0), String::new()));
    assert_eq!(server.wait(), (Some(0), String::new()));
    // Two seconds each, and what two busy processes lose on the way.
    assert!(
        began.elapsed() < Duration::from_secs(50),
        "{:?}",
        began.elapsed()
    );
}

/// Time that a process has had a processor, in hundredths of a second.
#[cfg(target_os = "linux")]
fn processor_time(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("a process");
    // After the name, which may hold anything: user time is the twelfth field, system time the next.
    let (_, fields) = text.rsplit_once(')').expect("a name");
    let fields = fields.split_whitespace().skip(11).take(2);
    fields
        .map(|field| field.parse::<u64>().expect("a number"))
        .sum()
}

#[cfg(target_os = "linux")]
#[test]
fn it_thinks_in_the_time_of_the_other_if_it_is_to() {
    for ponder in [true, false] {
        let text = ponder.to_string();
        let options = ["--ponder", &text];
        let damier = Damier::with(&options, &["--port", "0", "--once"]);
        let mut peer = Peer::connect(damier.port());
        peer.asks('W', "001", "A");
        peer.hears_move(&mut Game::new(Position::start()));
        // What it still has to do for its own move.
        std::thread::sleep(Duration::from_millis(200));
        let (began, before) = (Instant::now(), processor_time(damier.id()));
        let used = || processor_time(damier.id()) - before;
        let patience = Duration::from_secs(if ponder { 30 } else { 1 });
        while used() < 20 && began.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(used() >= 20, ponder, "{} hundredths of a second", used());
    }
}
