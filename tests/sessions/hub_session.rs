//! Scripted Hub conversations with the engine: what clients need. Bad input is in `hub_faults`.

use crate::hub_client::{Client, board, engine, forced, info};
use damier::engine::{Engine, Options};
use damier::rules::{Game, Position};
use std::time::Duration;

const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
pub fn in_process() -> Client {
    let options = Options {
        tt_size: 16,
        book: false,
        ..Options::default()
    };
    Client::session(Engine::new(options).expect("a table"))
}

/// A game of moves chosen without sense, the same for the same seed.
fn random_game(mut seed: u64, plies: usize) -> Vec<String> {
    let mut game = Game::new(Position::start());
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            break;
        }
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        game.play(moves[(seed >> 33) as usize % moves.len()]);
    }
    game.moves().iter().map(ToString::to_string).collect()
}

/// Plays moves as written in full form; all must be legal.
fn play(position: Position, moves: &[String]) -> Position {
    moves.iter().fold(position, |position, text| {
        let found = position
            .legal_moves()
            .into_iter()
            .find(|mv| mv.to_string() == *text);
        position.play(found.unwrap_or_else(|| panic!("{text} is illegal")))
    })
}

#[test]
fn the_handshake_names_all_that_clients_look_for() {
    let mut client = engine();
    client.send("hub");
    let id = client.answer().line;
    let words: Vec<_> = id.splitn(4, ' ').collect();
    assert_eq!(words[..2], ["id", "name=Damier"], "{id}");
    assert_eq!(words[2], format!("version={}", env!("CARGO_PKG_VERSION")));
    assert!(words[3].starts_with("author=\""), "{id}");
    let params: Vec<_> = std::iter::repeat_with(|| client.answer().line)
        .take_while(|line| line != "wait")
        .collect();
    let names: Vec<_> = params
        .iter()
        .filter_map(|line| line.strip_prefix("param name=")?.split(' ').next())
        .collect();
    for name in [
        "book",
        "book-ply",
        "book-margin",
        "book-line",
        "ponder",
        "threads",
        "tt-size",
        "bb-size",
        "search",
        "multi-pv",
    ] {
        assert!(names.contains(&name), "{name}");
    }
    // What has no effect is not offered, nor what is for experiments.
    assert!(!names.contains(&"param"));
    assert!(params.contains(&"param name=variant value=normal type=enum values=normal".to_owned()));
    assert!(names.contains(&"line-gap"));
    for line in params.iter().filter(|line| line.contains("values=")) {
        let (_, values) = line.split_once(" values=").expect("values");
        assert_eq!(values.contains('"'), values.contains(' '), "{line}");
        assert!(values.ends_with('"') || !values.contains(' '), "{line}");
    }
    assert_eq!(client.ask("init").line, "ready");
    assert_eq!(client.ask("init").line, "ready");
    client.send("quit");
    let (status, errors, rest) = client.wait();
    assert!(status.success());
    assert_eq!((errors.as_str(), rest.len()), ("", 0));
}

#[test]
fn another_game_is_refused_until_it_is_set_back() {
    let mut client = engine();
    for name in ["frisian", "standard", "", "Normal"] {
        let answers = client.ask_all(format!("set-param name=variant value=\"{name}\""));
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(answers[0].contains("variant=normal"), "{answers:?}");
        client.send("pos\nlevel depth=2\ngo think");
        let (answer, done) = (client.answer().line, client.answer().line);
        assert!(
            answer.starts_with("error message=") && answer.contains(name),
            "{answer}"
        );
        assert_eq!(done, "done");
    }
    assert_eq!(
        client.ask_all("set-param name=variant value=normal"),
        [""; 0]
    );
    client.send("pos pos=W:W31\u{2013}35:B20 moves=\"31\u{2013}26\"\nlevel depth=2\ngo think");
    let done =
        std::iter::repeat_with(|| client.answer().line).find(|line| !line.starts_with("info"));
    assert!(done.is_some_and(|line| line.starts_with("done move=20")));
}

#[test]
fn params_come_at_any_time_and_are_checked() {
    let mut client = engine();
    let good = "set-param name=threads value=2\nset-param name=tt-size value=16\nset-param name=book value=false\n\
        set-param name=bb-size value=0\nset-param name=variant value=normal\nset-param name=nonsense value=1\n\
        set-param name=eval value=pst\nset-param name=book-ply value=8\nset-param name=book-margin value=4\n\
        set-param name=ponder value=true\nset-param name=search value=pvs";
    assert_eq!(client.ask_all(good), [""; 0]);
    assert_eq!(client.ask("init").line, "ready");
    client.send("pos");
    assert_eq!(client.ask_all(good), [""; 0]);
    for (name, value) in [
        ("threads", "0"),
        ("threads", "65"),
        ("threads", "two"),
        ("threads", ""),
        ("tt-size", "99"),
        ("tt-size", "-1"),
        ("tt-size", "99999999999999999999"),
        ("search", "minimax"),
        ("ponder", "maybe"),
        ("multi-pv", "0"),
        ("line-gap", "-1"),
    ] {
        let answers = client.ask_all(format!("set-param name={name} value=\"{value}\""));
        assert_eq!(answers.len(), 1, "{name} {value}: {answers:?}");
        assert!(
            answers[0].starts_with("error message=\"") && answers[0].contains(name),
            "{answers:?}"
        );
    }
    client.send("init\nlevel depth=5\ngo think");
    assert_eq!(client.answer().line, "ready");
    assert!(client.answer().line.starts_with("done move="));
}

#[test]
fn infos_are_full_and_lines_legal() {
    let mut client = engine();
    client.send("init");
    client.answer();
    let middle = random_game(3, 30);
    let won = board('W', "W7 W12 W18 w22 b40");
    for (pos, moves) in [
        (START, &[][..]),
        (START, &middle[..]),
        (&forced(), &[]),
        (&won, &[]),
    ] {
        for go in [
            "level depth=7\ngo think",
            "level nodes=20000\ngo analyze",
            "level move-time=0.05\ngo think",
        ] {
            client.send(format!("pos pos={pos} moves=\"{}\"\n{go}", moves.join(" ")));
            let answer = client.answer();
            let root = play(
                damier::notation::hub_board::parse(pos).expect("a position"),
                moves,
            );
            for line in &answer.infos {
                let info = info(line);
                assert!(!info.pv.is_empty() && info.depth > Some(0), "{line}");
                play(root, &info.pv);
            }
            let last = answer.last_info();
            assert_eq!(last.pv[0], answer.best(), "{}", answer.line);
            let depths: Vec<_> = answer.infos.iter().map(|line| info(line).depth).collect();
            assert!(depths.is_sorted(), "{depths:?}");
        }
    }
}

#[test]
fn a_position_without_moves_gets_a_bare_done() {
    let mut client = engine();
    for pos in [
        board('W', "w31 b26 b27 b21 b22 b36 b37"),
        board('W', "b20"),
        board('B', "W20"),
    ] {
        let pos = if pos.contains("w") {
            board('W', "w46 b41 b37")
        } else {
            pos
        };
        for go in [
            "level depth=3\ngo think",
            "go analyze",
            "level move-time=1\ngo ponder",
        ] {
            assert_eq!(
                client.ask(format!("pos pos={pos}\n{go}")).line,
                "done",
                "{pos} {go}"
            );
        }
    }
}

#[test]
fn moves_are_read_in_every_usual_form() {
    let mut client = engine();
    let after = "34-29 19-23 40-34 14-19 45-40 10-14 50-45 5-10";
    for moves in ["32-28", "32x28", "032-028", "32:28", "32X28"] {
        assert_eq!(
            client.ask_all(format!("pos moves={moves}")),
            [""; 0],
            "{moves}"
        );
    }
    assert_eq!(client.ask_all(format!("pos moves=\"{after}\"")), [""; 0]);
    for take in ["28x19", "28x19x23", "28:19", "28X19X23", "28x019x023"] {
        assert_eq!(
            client.ask_all(format!("pos pos={} moves={take}", forced())),
            [""; 0],
            "{take}"
        );
    }
    let two = board('W', "w41 b37 b28 b2 w50");
    for take in ["41x23", "41x23x37x28", "41x23x28x37", "41x32x23"] {
        assert_eq!(
            client.ask_all(format!("pos pos={two} moves={take}")),
            [""; 0],
            "{take}"
        );
    }
}

#[test]
fn after_an_illegal_move_no_other_position_is_searched() {
    let mut client = engine();
    for pos in [
        "pos moves=\"32-28 32-28\"".to_owned(),
        "pos moves=99-1".into(),
        "pos moves=\"hello world\"".into(),
        format!("pos pos={} moves=28-22", forced()),
        "pos pos=W".into(),
        format!("pos pos={START}e"),
        format!("pos pos=X{}", &START[1..]),
        format!("pos pos=Ww{}", "e".repeat(49)),
        "pos pos=".into(),
        "pos moves=\"32-28".into(),
        "pos moves=32-28 17-22".into(),
        "pos =".into(),
    ] {
        let answers = client.ask_all(&pos);
        assert_eq!(answers.len(), 1, "{pos}: {answers:?}");
        assert!(
            answers[0].starts_with("error message=\""),
            "{pos}: {answers:?}"
        );
        assert_eq!(answers[0].matches('"').count(), 2, "{answers:?}");
        for go in ["level depth=3\ngo think", "go analyze", "go ponder", "go"] {
            assert_eq!(client.ask(go).line, "done", "{pos}");
        }
        assert!(
            client
                .ask("pos\nlevel depth=3\ngo think")
                .line
                .starts_with("done move=")
        );
    }
    let named = client.ask("pos moves=\"32-28 17-22 40-1 1-2\"").line;
    assert!(named.contains("40-1"), "{named}");
}

#[test]
fn a_search_before_init_works() {
    assert!(
        engine()
            .ask("level depth=3\ngo think")
            .line
            .starts_with("done move=")
    );
}

#[test]
fn a_whole_game_may_be_sent_at_once() {
    let mut client = in_process();
    let game = random_game(11, 80);
    let mut script = String::from("hub\ninit\nnew-game\n");
    for length in 0..game.len() {
        let moves = game[..length].join(" ");
        let level = [
            "depth=4",
            "nodes=3000",
            "move-time=0.002",
            "moves=10 time=0.2 inc=0.01",
        ][length % 4];
        script += &format!("pos pos={START} moves=\"{moves}\"\nlevel {level}\nping\ngo think\n");
    }
    client.send(script);
    let mut best = Vec::new();
    while best.len() < game.len() {
        let answer = client.answer();
        if answer.line.starts_with("done") {
            best.push(answer.best());
        }
    }
    for (length, mv) in best.into_iter().enumerate() {
        play(play(Position::start(), &game[..length]), &[mv]);
    }
    assert!(client.is_silent(Duration::from_millis(50)));
}

#[test]
fn weights_are_chosen_while_the_session_goes_on() {
    let mut client = in_process();
    client.ask("hub");
    while !client.answer().line.starts_with("wait") {}
    assert_eq!(client.ask("init").line, "ready");
    let think = format!("new-game\npos pos={START}\nlevel depth=6\ngo think");
    let score = |client: &mut Client| {
        let answer = client.ask(&think);
        (answer.best(), answer.last_info().nodes)
    };
    let before = score(&mut client);
    for bad in ["/no/such/file", "Cargo.toml", "src", "x"] {
        let answers = client.ask_all(format!("set-param name=weights value={bad}"));
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(
            answers[0].starts_with("error") && answers[0].contains(bad),
            "{answers:?}"
        );
    }
    // What was there stays.
    assert_eq!(score(&mut client), before);
    assert_eq!(
        client.ask_all("set-param name=weights value=material"),
        [""; 0]
    );
    assert_ne!(score(&mut client).1, before.1);
}

#[test]
fn several_lines_come_with_their_rank_and_only_when_asked_for() {
    let mut client = in_process();
    let ranks = |client: &Client| {
        let infos = client.answer().infos;
        let rank = |line: &String| line.split(" multi-pv=").nth(1).map(str::to_owned);
        infos
            .iter()
            .rev()
            .take(3)
            .rev()
            .map(rank)
            .collect::<Vec<_>>()
    };
    client.send("set-param name=line-gap value=0\npos\nlevel depth=6\ngo analyze");
    assert!(ranks(&client).iter().all(Option::is_none));
    client.send("set-param name=multi-pv value=3\npos\nlevel depth=6\ngo analyze");
    assert_eq!(ranks(&client), [None, Some("2".into()), Some("3".into())]);
}

#[test]
fn a_search_parameter_changes_the_search_and_is_not_declared() {
    let nodes = |param: &str| {
        let mut client = in_process();
        client.send(format!("hub\n{param}\nlevel depth=9\ngo think"));
        let hello: Vec<String> = std::iter::repeat_with(|| client.answer().line)
            .take_while(|line| line != "wait")
            .collect();
        assert!(hello.iter().all(|line| !line.contains("name=param ")));
        client
            .answer()
            .last_info()
            .nodes
            .expect("a number of nodes")
    };
    let usual = nodes("");
    assert_ne!(nodes("set-param name=param value=\"lmr_base=90\""), usual);
}
