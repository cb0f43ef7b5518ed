//! The board in the browser: pages and messages that are refused, and clients that send bad input or do not read.

use crate::web_client::Server;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::Message;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};

#[test]
fn the_page_comes_with_a_strict_policy_and_nothing_else_does() {
    let server = Server::start(&[]);
    let page = server.get("/");
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("text/html"),
        "{page}"
    );
    for line in [
        "default-src 'none'",
        "script-src 'self'",
        "x-content-type-options: nosniff",
        "no-referrer",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
    assert!(!page.contains("unsafe"), "{page}");
    for path in [
        "/etc/passwd",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/index.html/..",
        "//",
    ] {
        let answer = server.get(path);
        assert!(
            answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 400"),
            "{path}: {answer}"
        );
    }
    let host = format!(
        "Host: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
        server.port
    );
    assert!(
        server
            .http(&format!("POST / HTTP/1.1\r\n{host}"))
            .starts_with("HTTP/1.1 405")
    );
    let rebound = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert!(server.http(rebound).starts_with("HTTP/1.1 421"));
    assert!(server.http("rubbish\r\n\r\n").starts_with("HTTP/1.1 400"));
}

#[test]
fn other_sites_get_no_socket() {
    let server = Server::start(&[]);
    for origin in [
        "http://evil.example",
        "null",
        "http://127.0.0.1:1",
        "https://127.0.0.1",
    ] {
        assert_eq!(
            server.try_page("/ws", Some(origin)).err(),
            Some(403),
            "{origin}"
        );
    }
    // A program that is no browser.
    assert!(server.try_page("/ws", None).is_ok());
}

#[test]
fn outside_of_this_machine_the_token_is_needed() {
    let server = Server::start(&["--host", "0.0.0.0"]);
    let token = server.token.clone().expect("a token");
    assert_eq!(server.try_page("/ws", None).err(), Some(403));
    assert_eq!(server.try_page("/ws?token=0", None).err(), Some(403));
    assert!(server.try_page(&format!("/ws?token={token}"), None).is_ok());
}

#[test]
fn whatever_is_sent_is_answered_or_ends_that_page_alone() {
    let server = Server::start(&[]);
    let mut page = server.page();
    for bad in [
        "",
        "{}",
        "null",
        "[1]",
        r#"{"id":7}"#,
        r#"{"id":7,"type":"rm"}"#,
        r#"{"id":-1,"type":"stop"}"#,
    ] {
        page.say(bad);
        let answer = page.hear();
        assert_eq!(answer["type"], "error", "{bad}: {answer}");
    }
    for bad in [
        json!({"type": "position", "start": "<script>"}),
        json!({"type": "position", "moves": ["32-27x"]}),
        json!({"type": "analyse", "moves": ["1-1"], "lines": 3}),
        json!({"type": "read_game", "text": ""}),
        json!({"type": "write_game", "game": {"moves": [{"move": "1-50"}]}}),
    ] {
        assert_eq!(page.answer(bad)["type"], "error");
    }
    let nested = "[".repeat(100_000);
    page.say(&format!(r#"{{"id":1,"type":"write_game","game":{nested}"#));
    assert_eq!(page.hear()["type"], "error");
    // What ends a page says why, and another one is served.
    let text = |bytes: &[u8], is_final| {
        let code = OpCode::Data(Data::Text);
        Message::Frame(Frame::message(bytes.to_vec(), code, is_final))
    };
    for (bad, code, why) in [
        (
            vec![Message::binary(vec![0, 1, 2])],
            CloseCode::Unsupported,
            "only text",
        ),
        (
            vec![Message::text("x".repeat(9 << 20))],
            CloseCode::Size,
            "1 MiB",
        ),
        (vec![text(b"\"\xff\"", true)], CloseCode::Invalid, "UTF-8"),
        // A text begins before the last one has ended.
        (
            vec![text(b"{", false), text(b"{", false)],
            CloseCode::Protocol,
            "protocol",
        ),
    ] {
        let mut page = server.page();
        for message in bad {
            page.socket.send(message).expect("a reader");
        }
        let (closed, reason) = page.closed();
        assert_eq!(closed, code, "{reason}");
        assert!(reason.contains(why), "{reason}");
    }
    let place = server.page().answer(json!({"type": "position"}));
    assert_eq!(place["legal"].as_array().map(Vec::len), Some(9));
}

#[test]
fn silent_connections_shut_nobody_out() {
    let server = Server::start(&[]);
    let connect = || TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    let mut silent: Vec<TcpStream> = (0..515).map(|_| connect()).collect();
    let began = Instant::now();
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    server.page();
    // Without waiting for their time to be over.
    assert!(
        began.elapsed() < Duration::from_secs(9),
        "{:?}",
        began.elapsed()
    );
    // The oldest have made room.
    silent[0]
        .set_read_timeout(Some(crate::web_client::LONG))
        .expect("a time");
    assert!(matches!(silent[0].read(&mut [0]), Ok(0) | Err(_)));
}

#[test]
fn an_address_has_as_many_connections_as_it_is_given() {
    let server = Server::start(&["--per-address", "3"]);
    let pages: Vec<_> = (0..3).map(|_| server.page()).collect();
    let mut refused = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let answer = refused
        .write_all(request.as_bytes())
        .and_then(|()| refused.read(&mut [0]));
    assert!(matches!(answer, Ok(0) | Err(_)), "{answer:?}");
    drop(pages);
    let began = Instant::now();
    while !TcpStream::connect(("127.0.0.1", server.port)).is_ok_and(|mut stream| {
        let written = stream.write_all(request.as_bytes());
        written
            .and_then(|()| stream.read(&mut [0]))
            .is_ok_and(|count| count > 0)
    }) {
        assert!(began.elapsed() < crate::web_client::LONG);
    }
}

#[test]
fn pages_that_do_not_read_take_little_memory() {
    let server = Server::start(&[]);
    let variations = "(1. 33-28) ".repeat(6_000);
    let ask = json!({"type": "read_game", "text": format!("1. 32-28 {variations}*")});
    let bytes = server.page().answer(ask.clone()).to_string().len();
    assert!(bytes > 700_000, "{bytes}");
    let Some(before) = server.memory() else {
        return;
    };
    let mut pages: Vec<_> = (0..40).map(|_| server.page()).collect();
    for page in &mut pages {
        for _ in 0..3 {
            page.ask(ask.clone());
        }
    }
    // Small requests are answered meanwhile.
    let place = server.page().answer(json!({"type": "position"}));
    assert_eq!(place["type"], "position");
    let mut most = 0;
    for _ in 0..20 {
        most = most.max(server.memory().unwrap_or_default());
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(most < before + 150, "{before} MiB, then {most} MiB");
    // One that reads at last gets all.
    for page in pages.iter_mut().take(2) {
        for _ in 0..3 {
            assert_eq!(page.hear()["type"], "game");
        }
    }
}
