//! The board in the browser, over real sockets: games, analysis, files and matches. Refusals are in `web_faults`.

use crate::web_client::Server;
use damier::analysis::Stop;
use damier::analysis::annotate::Annotator;
use damier::engine::{Engine, Level, Options};
use damier::notation::moves;
use damier::rules::{Game, Position};
use damier::text::{Encoding, decode};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tungstenite::protocol::frame::coding::CloseCode;

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list");
    list.iter()
        .map(|text| text.as_str().expect("text").to_owned())
        .collect()
}

fn game_of_one() -> Value {
    json!({"moves": [{"move": "32-28"}]})
}

#[test]
fn a_game_is_played_to_its_end() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let start = "W:W28,32,33,37,38:B8,12,13,18,19";
    let mut moves: Vec<String> = Vec::new();
    let mut game = Game::new(damier::notation::fen::parse(start).expect("a position"));
    loop {
        let place = page.answer(json!({"type": "position", "start": start, "moves": moves}));
        assert_eq!(place["type"], "position", "{place}");
        let mut legal: Vec<_> = game
            .position()
            .legal_moves()
            .iter()
            .map(ToString::to_string)
            .collect();
        let mut told: Vec<_> = place["legal"].as_array().expect("a list").iter().collect();
        told.sort_by_key(|mv| mv["move"].to_string());
        legal.sort();
        assert_eq!(
            told.iter()
                .map(|mv| mv["move"].as_str().expect("text"))
                .collect::<Vec<_>>(),
            legal
        );
        if place["status"] != "playing" {
            assert!(place["reason"].is_string() && moves.len() > 10, "{place}");
            return;
        }
        let limit = json!({"nodes": 300});
        page.ask(
            json!({"type": "think", "start": start, "moves": moves, "limit": limit, "book": true}),
        );
        let best = page.hear_a("best");
        let text = best["best"].as_str().expect("a move");
        game.play(moves::parse(game.position(), text).expect("a legal move"));
        moves.push(text.to_owned());
    }
}

#[test]
fn a_level_plays_weaker_and_one_beyond_the_ladder_is_refused() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let mut nodes = |elo: Value| {
        // Out of the opening book of every level.
        let moves = ["32-28", "17-22", "28x17", "11x22", "37-32", "6-11"];
        page.ask(json!({"type": "think", "moves": moves, "limit": {"nodes": 60_000}, "elo": elo}));
        let best = page.hear_a("best");
        assert!(best["best"].is_string(), "{best}");
        best["nodes"].as_u64().expect("a number")
    };
    let (weak, full) = (nodes(json!(800)), nodes(json!(null)));
    assert!(weak < 5_000 && full >= 50_000, "{weak} {full}");
    for elo in [0, 799, 2801] {
        let refused = page.answer(json!({"type": "think", "limit": {"nodes": 100}, "elo": elo}));
        assert_eq!(refused["type"], "error", "{refused}");
        let message = refused["message"].as_str().expect("words");
        assert!(
            message.contains("800") && message.contains("2800"),
            "{message}"
        );
    }
}

#[test]
fn an_analysis_has_its_lines_until_it_is_stopped() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let id = page.ask(json!({"type": "analyse", "moves": ["32-28"], "lines": 3}));
    let mut depth = 0;
    while depth < 9 {
        let info = page.hear_a("info");
        assert_eq!(info["id"], id);
        let now = info["depth"].as_u64().expect("a number");
        assert!(now >= depth, "{now} after {depth}");
        depth = now;
        let lines = info["lines"].as_array().expect("a list");
        assert!(lines.len() <= 3);
        let mut position = Game::new(Position::start());
        position.play(moves::parse(position.position(), "32-28").expect("legal"));
        for line in lines {
            let mut game = position.clone();
            for text in texts(&line["text"]) {
                let mv = moves::parse(game.position(), &text).expect("a legal line");
                game.play(mv);
            }
            let points = line["points"].as_f64().expect("a number");
            let wdl: Vec<f64> = serde_json::from_value(line["wdl"].clone()).expect("numbers");
            assert!((wdl[0] + wdl[1] / 2.0 - points).abs() < 2e-3, "{line}");
        }
    }
    page.ask(json!({"type": "stop"}));
    let best = page.hear_a("best");
    assert!((1..=9).contains(&best["safe"].as_u64().expect("a number")));
    assert_eq!(
        (best["id"].as_u64(), best["lines"].as_array().map(Vec::len)),
        (Some(id), Some(3))
    );
}

#[test]
fn pages_share_one_engine_and_one_that_leaves_frees_it() {
    let server = Server::start(&[]);
    let mut first = server.page();
    let mut second = server.page();
    first.ask(json!({"type": "analyse", "lines": 1}));
    first.hear_a("info");
    // A move to play does not wait for an analysis without end.
    let began = Instant::now();
    second.ask(json!({"type": "think", "limit": {"time": 0.1}}));
    second.hear_a("best");
    assert!(began.elapsed() < Duration::from_secs(20));
    // Two analyses take turns, and both get deeper.
    second.ask(json!({"type": "analyse", "lines": 2}));
    let mut pages = [first, second];
    for turn in 0..4 {
        let page = &mut pages[turn % 2];
        let before = page.hear_a("info")["nodes"].as_u64();
        while page.hear_a("info")["nodes"].as_u64() <= before {}
    }
    drop(pages);
    let mut third = server.page();
    third.ask(json!({"type": "think", "limit": {"time": 0.1}}));
    third.hear_a("best");
}

#[test]
fn a_game_is_judged_as_annotate_does_it() {
    let server = Server::start(&[]);
    let mut page = server.page();
    // Black gives a man for nothing.
    let start = "B:W33,38,48,47:B24,3,2,8";
    let moves = ["24-29", "33x24", "8-12"].map(|mv| json!({"move": mv}));
    let game = json!({"start": start, "tags": [["White", "A"]], "result": "*", "moves": moves});
    page.ask(json!({"type": "annotate", "game": game, "nodes": 3000}));
    assert_eq!(page.hear_a("progress")["total"], 4);
    let found = page.hear_a("annotated");
    assert_eq!(found["positions"].as_array().map(Vec::len), Some(4));
    let first = &found["game"]["moves"][0];
    assert!(first["nags"][0].is_number(), "{first}");
    assert!(first["variations"][0]["moves"][0]["move"].is_string());
    let pdn = page.answer(json!({"type": "write_game", "game": found["game"]}));
    let pdn = pdn["text"].as_str().expect("text");
    // The same as the command finds.
    let options = Options {
        tt_size: 16,
        ..Options::default()
    };
    let engine = Engine::new(options).expect("an engine");
    let mut annotator = Annotator::new(engine, Level::nodes(3000));
    let game = damier::notation::pdn::read(pdn).next();
    let game = game.expect("a game").expect("a sound one");
    let annotated = annotator.annotate(&game, &Stop::new(), &mut |_, _| {});
    let by = concat!("Damier ", env!("CARGO_PKG_VERSION"));
    let again = annotated.expect("not stopped").to_pdn(by);
    assert_eq!(again.to_string(), pdn);
    // One that leaves does not hold up the next one.
    let long = json!({"moves": [{"move": "32-28"}, {"move": "19-23"}]});
    page.ask(json!({"type": "annotate", "game": long, "nodes": 20_000_000}));
    drop(page);
    let mut other = server.page();
    other.ask(json!({"type": "annotate", "game": game_of_one(), "nodes": 100}));
    other.hear_a("annotated");
}

#[test]
fn games_are_read_and_written() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let file = "[White \"A\"]\n[Black \"B\"]\n\n1. 32-28 {one} (1. 33-28 $2) 19-23 *\n\n[White \"C\"]\n\n1. 31-26 *\n";
    let games = page.answer(json!({"type": "read_games", "text": file}));
    let games = games["games"].as_array().expect("a list");
    assert_eq!((games.len(), &games[1]["white"]), (2, &json!("C")));
    let game = page.answer(json!({"type": "read_game", "text": file}));
    assert_eq!(
        game["game"]["moves"][0]["variations"][0]["moves"][0]["nags"],
        json!([2])
    );
    let pdn = page.answer(json!({"type": "write_game", "game": game["game"]}));
    let text = pdn["text"].as_str().expect("text");
    assert!(
        text.contains("(1. 33-28 $2)") && text.contains("{one}"),
        "{text}"
    );
}

#[test]
fn bytes_are_decoded_as_the_commands_read_them() {
    let server = Server::start(&[]);
    let mut page = server.page();
    // In CP866: what comes first decides, and is named for the rest.
    let latin = |bytes: &[u8]| decode(bytes, Some(Encoding::Windows1252)).text.into_owned();
    let bytes = b"[White \"\x88\xa2\xa0\xad\xae\xa2\"]\n";
    let first = page.answer(json!({"type": "decode", "text": latin(bytes)}));
    assert_eq!(first["text"], json!("[White \"Иванов\"]\n"));
    assert_eq!(first["encoding"], json!("CP866"));
    let rest = json!({"type": "decode", "text": latin(b"\x8f"), "encoding": first["encoding"]});
    assert_eq!(page.answer(rest)["text"], json!("П"));
    let plain = page.answer(json!({"type": "decode", "text": latin("é".as_bytes())}));
    assert_eq!(
        (&plain["text"], &plain["encoding"]),
        (&json!("é"), &json!("UTF-8"))
    );
    let error = page.answer(json!({"type": "decode", "text": "", "encoding": "?"}));
    assert_eq!(error["type"], json!("error"), "{error}");
}

/// An engine of a match.
fn engine(name: &str) -> String {
    let binary = env!("CARGO_BIN_EXE_damier");
    format!("name={name} cmd=\"'{binary}' hub\" tt-size=16 line-gap=0 book=false")
}

#[test]
fn a_match_is_shown_while_it_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let pdn = folder.path().join("games.pdn");
    let pdn = pdn.to_str().expect("a plain path");
    let (a, b) = (engine("A"), engine("B"));
    let games = ["--engine", &a, "--engine", &b, "--games", "2", "--pdn", pdn];
    let server = Server::of_match(&[&games[..], &["--tc", "60+0.1"]].concat());
    let mut page = server.page();
    let began = Instant::now();
    let mut seen = 0;
    while seen < 3 {
        assert!(began.elapsed() < crate::web_client::LONG, "moves are seen");
        let found = page.answer(json!({"type": "match"}));
        assert_eq!(found["standings"], Value::Null, "{found}");
        let game = &found["live"]["games"][0];
        if let Some(plies) = game["plies"].as_u64() {
            let names = (&game["white"], &game["black"], &found["live"]["total"]);
            assert_eq!(names, (&json!("A"), &json!("B"), &json!(2)));
            let is_clock = |clock: &Value| clock.as_f64().is_some_and(|left| left < 62.0);
            assert!(plies < 3 || is_clock(&game["clocks"][0]), "{game}");
            seen = plies;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(server);
}

#[test]
fn a_short_match_is_watched_to_its_end_and_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let pdn = folder.path().join("games.pdn");
    let pdn = pdn.to_str().expect("a plain path");
    let (a, b) = (engine("A"), engine("B"));
    let arguments = [
        "--engine", &a, "--engine", &b, "--games", "6", "--nodes", "100", "--pdn", pdn,
    ];
    let server = Server::of_match(&arguments);
    let mut page = server.page();
    page.ask(json!({"type": "match", "follow": true}));
    let mut played = 0;
    loop {
        let found = page.hear_a("match");
        let now = found["standings"]["revision"].as_u64().unwrap_or_default();
        assert!(now >= played, "{found}");
        played = now;
        if played == 6 && found["live"].is_null() {
            let points = found["standings"]["players"][0]["against"][1].as_u64();
            assert!(points.is_some_and(|points| points >= 6), "{found}");
            break;
        }
    }
    // The server still serves, and has all games.
    let found = server
        .page()
        .answer(json!({"type": "match_games", "before": 6}));
    let games = found["games"].as_array().expect("a list");
    assert_eq!((games.len(), &found["more"]), (5, &json!(false)));
    for (game, number) in games.iter().zip([5, 4, 3, 2, 1]) {
        assert_eq!(game["number"], number);
        let read = page.answer(json!({"type": "read_game", "text": game["pdn"]}));
        assert_eq!(
            read["game"]["moves"].as_array().map(Vec::len),
            game["plies"].as_u64().map(|n| n as usize)
        );
    }
    if cfg!(unix) {
        server.interrupt();
        assert!(server.wait().success());
        assert_eq!(page.closed().0, CloseCode::Away);
    }
    let arguments = [&arguments[..], &["--resume", "--serve-for", "2"]].concat();
    let server = Server::of_match(&arguments);
    let mut page = server.page();
    assert!(server.wait().success());
    if cfg!(unix) {
        assert_eq!(page.closed().0, CloseCode::Away);
    }
}

#[test]
fn the_board_offers_the_levels_that_there_are() {
    use damier::engine::{HIGHEST_ELO, LOWEST_ELO};
    let script = include_str!("../../crates/web/src/assets/play.js");
    let levels = format!("const ELO = {{ min: {LOWEST_ELO}, max: {HIGHEST_ELO}, ");
    assert!(script.contains(&levels), "{levels}");
}
