//! The base of games in the browser: `damier serve --base`, and its messages.

use crate::web_client::{LONG, Page, Server};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

const GAMES: &str = "[White \"Sijbrands, T.\"]\n[Black \"Wiersma, H.\"]\n[Event \"Brinta\"]\n[Date \"1973.05.01\"]\n\
    [Result \"2-0\"]\n1. 32-28 19-23 2. 28x19 14x23 {usual} 3. 37-32 2-0\n\n\
    [White \"Raphaël\"]\n[Black \"Sijbrands, T.\"]\n[Date \"1969\"]\n[Result \"1-1\"]\n1. 32-28 18-22 1-1\n\n";

/// A base of two games, in a folder of its own.
fn base() -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let base = folder.path().join("my.games");
    let pdn = folder.path().join("in.pdn");
    fs::write(&pdn, GAMES).expect("written");
    let imported = import(&pdn, &base).wait_with_output().expect("damier");
    assert!(imported.status.success(), "{imported:?}");
    (folder, base)
}

fn import(pdn: &Path, base: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command
        .args(["games", "import"])
        .arg(pdn)
        .arg("--base")
        .arg(base);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().expect("damier")
}

fn serve(base: &Path) -> Server {
    Server::start(&["--base", base.to_str().expect("a plain path")])
}

/// The numbers of the games that are found.
fn found(page: &mut Page, request: Value) -> Vec<u64> {
    let mut ask = json!({"type": "base_search", "limit": 50});
    let fields = request.as_object().expect("an object").clone();
    ask.as_object_mut().expect("an object").extend(fields);
    let answer = page.answer(ask);
    assert_eq!(answer["type"], "base_games", "{answer}");
    let games = answer["games"].as_array().expect("a list");
    games
        .iter()
        .filter_map(|game| game["game"].as_u64())
        .collect()
}

fn message(page: &mut Page, request: Value) -> String {
    let answer = page.answer(request);
    assert_eq!(answer["type"], "error", "{answer}");
    answer["message"].as_str().expect("words").to_owned()
}

#[test]
fn a_base_is_searched_explored_and_added_to() {
    let (_folder, base) = base();
    let server = serve(&base);
    let origin = format!("http://127.0.0.1:{}", server.port);
    let mut page = server.try_page("/ws", Some(&origin)).expect("a page");
    assert_eq!(page.hear()["base"], "my.games");
    let content = page.answer(json!({"type": "base"}));
    assert_eq!(
        (&content["name"], &content["games"], &content["players"]),
        (&json!("my.games"), &json!(2), &json!(3))
    );
    for (wanted, games) in [
        (json!({}), &[1, 2][..]),
        (json!({"players": ["raphael"]}), &[2]),
        (json!({"players": ["sijbrands"], "result": "win"}), &[1]),
        (json!({"players": ["sijbrands", "wiersma"]}), &[1]),
        (json!({"white": "sijbrands", "black": "wiersma"}), &[1]),
        (json!({"result": "1-1"}), &[2]),
        (json!({"from": "1970", "to": "1973.05"}), &[1]),
        (json!({"event": "brinta"}), &[1]),
        (json!({"opening": "1. 32-28 18-22"}), &[2]),
        (json!({"material": "19x19"}), &[1]),
        (json!({"material": "1x1"}), &[]),
    ] {
        assert_eq!(
            found(&mut page, json!({"wanted": wanted})),
            games,
            "{wanted}"
        );
    }
    let position = json!({"moves": ["32-28", "19-23"]});
    let answer = page.answer(json!({"type": "base_search", "position": position, "limit": 50}));
    let game = &answer["games"][0];
    assert_eq!(
        (&answer["found"], &game["ply"], &game["next"]),
        (&json!(1), &json!(2), &json!("28x19"))
    );
    assert_eq!(found(&mut page, json!({"newest": true, "offset": 1})), [2]);
    let explored = page.answer(json!({"type": "base_explore", "moves": ["32-28"]}));
    let moves = explored["moves"].as_array().expect("a list");
    let score = |text: &str| {
        moves
            .iter()
            .find(|mv| mv["move"] == text)
            .map(|mv| mv["score"].clone())
    };
    assert_eq!(
        (score("19-23"), score("18-22")),
        (Some(json!(0.0)), Some(json!(0.5)))
    );
    let game = page.answer(json!({"type": "base_game", "game": 1}));
    assert_eq!(game["white"], "Sijbrands, T.");
    assert!(
        game["pdn"].as_str().expect("text").contains("{usual}"),
        "{game}"
    );
    // Nothing is added unasked; what is there already is not added again.
    let text = format!("{GAMES}[White \"New\"]\n1. 33-28 *\n\n[White \"Bad\"]\n1. 33-17 *\n");
    let added = page.answer(json!({"type": "base_import", "name": "new.pdn", "text": text}));
    assert_eq!(
        (&added["games"], &added["duplicates"], &added["left_out"]),
        (&json!(1), &json!(2), &json!(1))
    );
    assert!(
        added["error"].as_str().expect("why").contains("33-17"),
        "{added}"
    );
    assert_eq!(found(&mut page, json!({"wanted": {"white": "new"}})), [3]);
    // Those of a file are a collection, if the page asks for it.
    let text = "[White \"New\"]\n1. 33-28 *\n\n[White \"Other\"]\n1. 33-29 *\n";
    page.answer(
        json!({"type": "base_import", "name": "a.pdn", "text": text, "collection": "a.pdn"}),
    );
    assert_eq!(
        found(&mut page, json!({"wanted": {"collection": "a.pdn"}})),
        [3, 4]
    );
    let collections = &page.answer(json!({"type": "base"}))["collections"];
    let of_the_shell = json!({"name": "in.pdn", "games": 2});
    assert_eq!(
        collections,
        &json!([{"name": "a.pdn", "games": 2}, of_the_shell])
    );
}

#[test]
fn what_cannot_be_answered_is_told_and_the_next_request_is_answered() {
    let (_folder, base) = base();
    let server = serve(&base);
    let mut page = server.page();
    for (request, words) in [
        (
            json!({"type": "base_search", "wanted": {"from": "yesterday"}, "limit": 1}),
            "date: expected a date",
        ),
        (
            json!({"type": "base_search", "wanted": {"result": "lost"}, "limit": 1}),
            "result: expected 2-0",
        ),
        (
            json!({"type": "base_search", "wanted": {"material": "many"}, "limit": 1}),
            "pieces: ",
        ),
        (
            json!({"type": "base_search", "wanted": {"opening": "32-23"}, "limit": 1}),
            "opening: ",
        ),
        (
            json!({"type": "base_search", "wanted": {"players": [" "]}, "limit": 1}),
            "no word",
        ),
        (
            json!({"type": "base_search", "wanted": {"result": "win"}, "limit": 1}),
            "need a player",
        ),
        (json!({"type": "base_explore", "moves": ["1-2"]}), "1"),
        (
            json!({"type": "base_game", "game": 9}),
            "my.games: no game 9",
        ),
        (
            json!({"type": "base_import", "name": "a", "text": "words"}),
            "no game in a",
        ),
    ] {
        let said = message(&mut page, request.clone());
        assert!(
            said.contains(words) && !said.contains('/'),
            "{request}: {said}"
        );
    }
    assert_eq!(found(&mut page, json!({"offset": u64::MAX})), [0_u64; 0]);
    // While the base answers, so does the rest; more than a few requests at once are too many.
    let asked: Vec<u64> = (0..40)
        .map(|_| page.ask(json!({"type": "base_explore"})))
        .collect();
    let mut answered = 0;
    let mut refused = 0;
    for _ in &asked {
        let answer = page.hear();
        match answer["type"].as_str() {
            Some("base_explored") => answered += 1,
            _ => refused += u64::from(answer["message"].to_string().contains("wait for the base")),
        }
    }
    assert!(
        answered >= 8 && answered + refused == 40,
        "{answered}, {refused}"
    );
    let without = Server::start(&[]);
    let mut page = without.page();
    let said = message(&mut page, json!({"type": "base"}));
    assert!(said.contains("damier serve --base"), "{said}");
    // The games of a page are looked through without a base.
    let games: Vec<&str> = GAMES.split_inclusive("\n\n").collect();
    let answer =
        page.answer(json!({"type": "games_with", "games": games, "moves": ["32-28", "18-22"]}));
    assert_eq!(answer["found"], json!([{"index": 1, "ply": 2}]));
    let answer = page.answer(
        json!({"type": "games_with", "games": ["", "x", "1. 32-23 *"], "moves": ["32-28"]}),
    );
    assert_eq!(answer["found"], json!([]));
}

#[test]
fn a_base_in_use_is_an_error_until_it_is_free() {
    let (_folder, base) = base();
    let server = serve(&base);
    let mut page = server.page();
    let mut other = import(Path::new("-"), &base);
    let began = Instant::now();
    let ask = json!({"type": "base_search", "limit": 1});
    loop {
        let answer = page.answer(ask.clone());
        if answer["type"] == "error" {
            assert_eq!(answer["message"], "my.games: in use by another process");
            break;
        }
        assert!(began.elapsed() < LONG, "the import locks the base");
        sleep(Duration::from_millis(20));
    }
    // A position does not wait for the base.
    let id = page.ask(ask);
    assert_eq!(page.answer(json!({"type": "position"}))["type"], "position");
    assert_eq!(page.hear()["id"], id);
    let start = refused(&base);
    assert!(
        start.contains("in use by another process; try again"),
        "{start}"
    );
    drop(other.stdin.take());
    other.wait().expect("an end");
    assert_eq!(found(&mut page, json!({})), [1, 2]);
}

/// One line, with which the server does not start.
fn refused(base: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command
        .args([
            "serve",
            "--no-open",
            "--port",
            "0",
            "--tt-size",
            "16",
            "--base",
        ])
        .arg(base);
    let Output {
        status,
        stderr,
        stdout,
    } = command.output().expect("damier");
    let said = String::from_utf8_lossy(&stderr).into_owned();
    assert!(
        status.code() == Some(1) && stdout.is_empty() && said.trim_end().lines().count() == 1,
        "{status} {said}"
    );
    said
}

#[test]
fn a_base_that_cannot_be_read_is_one_line_at_the_start() {
    let (folder, base) = base();
    let at = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        path
    };
    let sound = fs::read(&base).expect("there");
    let mut newer = sound.clone();
    newer[60..64].copy_from_slice(&7_u32.to_be_bytes());
    let mut damaged = sound.clone();
    damaged[4096..].fill(0x55);
    for (path, words) in [
        (folder.path().join("none"), "no such base"),
        (folder.path().to_owned(), "not a regular file"),
        (
            at("text", b"[White \"A\"]\n\n1. 32-28 *\n"),
            "not a base of games",
        ),
        (at("newer", &newer), "written by a newer version"),
        (at("short", &sound[..sound.len() / 2]), "damaged: "),
        (at("damaged", &damaged), "damaged: "),
    ] {
        let said = refused(&path);
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(fs::read(&base).expect("there"), sound);
}

/// Each request of docs/web.md, and the type of the last message with its number: its answer.
fn documented() -> Vec<(Value, String)> {
    // The collection of the base here.
    let page = include_str!("../../docs/web.md").replace("club.pdn", "in.pdn");
    let blocks = page.split("```json\n").skip(1);
    let blocks = blocks.map(|block| block.split("\n```").next().expect("an end"));
    let blocks = blocks.map(|text| serde_json::from_str::<Value>(text).expect(text));
    let mut found: Vec<(Value, String)> = Vec::new();
    for message in blocks.filter(|message| message["id"].is_u64()) {
        let kind = message["type"].as_str().expect("a type").to_owned();
        let of_it = |(request, _): &&mut (Value, String)| request["id"] == message["id"];
        match found.iter_mut().find(of_it) {
            Some((_, answer)) => *answer = kind,
            None => found.push((message, kind)),
        }
    }
    found
}

#[test]
fn each_documented_request_has_its_documented_answer() {
    let (_folder, base) = base();
    let server = serve(&base);
    let origin = format!("http://127.0.0.1:{}", server.port);
    let mut page = server.try_page("/ws", Some(&origin)).expect("a page");
    let requests = documented();
    assert!(requests.len() > 15, "{requests:?}");
    for (request, answer) in requests {
        match request["type"].as_str() {
            // Has no answer, or is one.
            Some("stop" | "error") => continue,
            // Without an end of its own. One that is stopped before it begins has no best move.
            Some("analyse") => {
                page.ask(request);
                page.hear_a("info");
                page.ask(json!({"type": "stop"}));
            }
            // Its messages are those of analyse.
            Some("think") => {
                page.ask(request);
                page.hear_a("best");
                continue;
            }
            _ => {
                page.ask(request);
            }
        }
        page.hear_a(&answer);
    }
}
