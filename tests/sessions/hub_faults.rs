//! Hub conversations with clients that send bad input.

use crate::hub_client::{board, engine};
use crate::hub_session::in_process;
use proptest::prelude::*;

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

fn some_line() -> impl Strategy<Value = Vec<u8>> {
    let word = "(hub|init|ping|stop|ponder-hit|new-game|set-param|pos|level|go|think|analyze|ponder|start|infinite|\
                name|value|moves|pos|depth|threads|book|line-gap)";
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
