//! Scripted Hub conversations with the engine: what clients need, what a hostile one may do.

use std::time::Duration;

use crate::hub_client::{Client, board, engine, forced, info};
use damier::engine::{Engine, Options};
use damier::rules::{Game, Position};
use proptest::prelude::*;

const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
fn in_process() -> Client {
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
fn what_kills_other_engines_is_one_error_here() {
    let mut client = engine();
    for (line, errors) in [
        ("", 0),
        ("nonsense", 0),
        ("PING", 0),
        ("level depth=abc", 1),
        ("set-param name=threads", 1),
        ("set-param", 1),
        ("set-param name=threads value=\"4", 1),
        ("set-param name=variant value=standard", 1),
        ("set-param name=variant value=normal", 0),
        ("set-param name=param value=\"lmr=1\"", 1),
        ("set-param name=unheard-of value=7", 0),
        ("level move-time=NaN", 1),
        ("level time=inf inc=1", 1),
        ("level depth=-5", 1),
        ("level nodes=99999999999999999999999999", 1),
        ("level ponder", 0),
        ("level infinite", 0),
        ("level depth=20level move-time=1000", 0),
        ("level what=ever depth=20 inc", 1),
        ("level foo=1", 1),
        ("level foo", 1),
        ("level depth", 1),
        ("level move-time=-3", 0),
        ("level time=5 inc=-3", 0),
        ("level infinite=no", 1),
        ("level time=-3", 0),
        ("level handicap=0 ply=0", 0),
        ("level handicap=3 ply=4", 0),
        ("level handicap=1000000", 0),
        ("level handicap=strong", 1),
        ("level handicap=-2", 1),
        ("level ply=", 1),
        ("level ply=99999999999", 1),
        ("level handicap=3 ply=deep", 1),
        ("set-param name=elo value=1400", 0),
        ("set-param name=elo value=799", 1),
        ("set-param name=elo value=2801", 1),
        ("set-param name=elo value=-1", 1),
        ("set-param name=elo value=strong", 1),
        ("set-param name=elo value=0", 0),
        ("stop", 0),
        ("ponder-hit", 0),
        ("= = =", 0),
        ("pos pos=start wolf=\"W12=2 B7=1\" flag", 0),
        (
            "set-param name=book value=false\ninit\nset-param name=book value=true",
            0,
        ),
        ("new-game\nnew-game", 0),
        ("go\u{0}think", 0),
    ] {
        let answers = client.ask_all(line);
        let counted = answers
            .iter()
            .filter(|line| line.starts_with("error message="))
            .count();
        assert_eq!(counted, errors, "{line}: {answers:?}");
        assert!(
            answers
                .iter()
                .all(|line| line.starts_with("error") || line == "ready"),
            "{line}: {answers:?}"
        );
    }
    assert!(
        client
            .ask("pos\nlevel time=-3 inc=-1\ngo mcts")
            .line
            .starts_with("done move=")
    );
    assert!(
        client
            .ask("level depth=abc\ngo think")
            .line
            .starts_with("error")
    );
    assert!(client.answer().line.starts_with("done move="));
    // A misspelt limit does not make the search endless, and leaves the others in force.
    for line in ["level movetime=1", "level movetime=1 nodes=2000"] {
        let asked = client.ask(format!("set-param name=book value=false\n{line}\ngo think"));
        assert!(asked.line.starts_with("error"), "{line}: {}", asked.line);
        assert!(client.answer().line.starts_with("done move="), "{line}");
    }
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
fn lines_of_any_length() {
    let mut client = engine();
    let mega = "x".repeat(1 << 20);
    assert_eq!(client.ask_all(&mega), [""; 0]);
    for line in [
        format!("pos pos={mega}"),
        format!("pos moves={mega}"),
        format!("set-param name=threads value={mega}"),
    ] {
        let answers = client.ask_all(line);
        assert_eq!(answers.len(), 1);
        assert!(answers[0].len() < 400);
    }
    let there_and_back = "35-30 20-25 30-35 25-20 ";
    let kings = board('W', "W50 B1");
    let shuffle = "50-44 1-7 44-50 7-1 ".repeat(50_000);
    assert_eq!(
        client.ask_all(format!("pos pos={kings} moves=\"{shuffle}\"")),
        [""; 0]
    );
    assert!(
        client
            .ask("level depth=2\ngo think")
            .line
            .starts_with("done move=")
    );
    assert_eq!(
        client
            .ask_all(format!("pos moves=\"{}\"", there_and_back.repeat(50_000)))
            .len(),
        1
    );
    let answers = client.ask_all(format!("pos moves=\"{}", "1-7 ".repeat(3 << 20)));
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(client.ask("go think").line, "done");
}

#[test]
fn bytes_of_any_kind() {
    let mut client = engine();
    let all: Vec<u8> = (0..=255).filter(|&byte| byte != b'\n').collect();
    assert_eq!(client.ask_all(&all).len(), 0);
    for prefix in [
        "pos moves=",
        "set-param name=threads value=",
        "level depth=",
    ] {
        let answers = client.ask_all([prefix.as_bytes(), b"\xff\xfe\x80\"\x01"].concat());
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(!answers[0].contains(char::is_control), "{answers:?}");
    }
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

fn some_line() -> impl Strategy<Value = Vec<u8>> {
    let word = "(hub|init|ping|stop|ponder-hit|new-game|set-param|pos|level|go|think|analyze|ponder|start|infinite|name|value|moves|pos|depth|threads|book|line-gap)";
    let text = format!("({word}|[=\" ]|[0-9]{{1,2}}[-x][0-9]{{1,2}}|[a-z]){{0,12}}");
    let command = "(set-param name=(threads|book|search|tt-size) value=|level depth=|level nodes=|pos moves=|go \
    )[a-z0-9\" =-]{0,8}";
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..80).prop_map(|mut bytes| {
            bytes.retain(|&byte| byte != b'\n');
            bytes
        }),
        proptest::string::string_regex(&text)
            .expect("a pattern")
            .prop_map(String::into_bytes),
        proptest::string::string_regex(command)
            .expect("a pattern")
            .prop_map(String::into_bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_lines_leave_the_session_alive(lines in prop::collection::vec(some_line(), 0..30)) {
        let mut client = in_process();
        client.send(lines.join(&b'\n'));
        // Whatever search was asked for ends; then one more conversation goes by the book.
        client.send("stop\nset-param name=threads value=1\nset-param name=tt-size value=16\nquux");
        client.send("pos pos=start\nlevel depth=2\ngo think\nset-param name=line-gap value=7777777");
        let mut errors = 0;
        let mut last = String::new();
        loop {
            let line = client.answer().line;
            if line.contains("7777777") {
                break;
            }
            prop_assert!(!line.starts_with("error") || line.matches('"').count() != 1);
            errors += usize::from(line.starts_with("error"));
            if line.starts_with("done") {
                last = line;
            }
        }
        prop_assert!(errors <= lines.len());
        prop_assert!(last.starts_with("done move="), "{}", last);
    }
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
