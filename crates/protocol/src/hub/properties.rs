//! Properties of every line: no panic, and what is written is read back.

use super::*;
use proptest::prelude::*;
use std::time::Duration;

fn word() -> impl Strategy<Value = String> {
    "[!#-<>-~]{1,12}"
}

fn value() -> impl Strategy<Value = String> {
    "[ !#-~]{0,20}"
}

fn move_words(least: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[1-9][0-9]?[-x][1-9][0-9]?(x[1-9]){0,3}", least..8)
}

fn seconds() -> impl Strategy<Value = Option<Seconds>> {
    prop::option::of(
        (-1_000_000i64..1_000_000).prop_map(|ms| Seconds::new(ms as f64 / 1000.0).expect("small")),
    )
}

fn length() -> impl Strategy<Value = Option<Seconds>> {
    seconds().prop_map(|time| time.and_then(|time| Seconds::new(time.get().abs())))
}

fn some_level() -> impl Strategy<Value = LevelArgs> {
    let count = || prop::option::of(0u32..1_000_000_000);
    let times = (length(), seconds(), length());
    (
        count(),
        prop::option::of(0u64..1 << 59),
        count(),
        times,
        any::<bool>(),
        count(),
        count(),
    )
        .prop_map(
            |(depth, nodes, moves, (move_time, time, inc), infinite, handicap, ply)| LevelArgs {
                depth,
                nodes,
                move_time,
                moves,
                time,
                inc,
                infinite,
                handicap,
                ply,
            },
        )
}

fn some_command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Hub),
        Just(Command::Init),
        Just(Command::NewGame),
        Just(Command::Ping),
        Just(Command::PonderHit),
        Just(Command::Stop),
        Just(Command::Quit),
        Just(Command::Go(GoMode::Think)),
        Just(Command::Go(GoMode::Ponder)),
        Just(Command::Go(GoMode::Analyze)),
        (word(), value()).prop_map(|(name, value)| Command::SetParam { name, value }),
        (prop::option::of("[WB][wbWBe]{50}"), move_words(0))
            .prop_map(|(pos, moves)| Command::Pos { pos, moves }),
        some_level().prop_map(|level| Command::Level(level, None)),
    ]
}

fn some_info() -> impl Strategy<Value = Info> {
    let number =
        |scale: f64| prop::option::of((-10_000i32..10_000).prop_map(move |n| f64::from(n) / scale));
    let time = prop::option::of((0u64..10_000_000).prop_map(Duration::from_millis));
    let extra = prop::collection::vec(("x[a-z-]{0,8}", value()), 0..3);
    let numbers = (number(10.0), number(100.0), number(10.0));
    (
        prop::option::of(0u32..200),
        numbers,
        prop::option::of(0u64..1 << 59),
        time,
        move_words(0),
        extra,
    )
        .prop_map(
            |(depth, (mean_depth, score, nps), nodes, time, pv, extra)| Info {
                depth,
                mean_depth,
                score,
                nodes,
                time,
                nps,
                pv,
                extra,
            },
        )
}

fn some_reply() -> impl Strategy<Value = Reply> {
    let kind = prop_oneof![
        Just(ParamKind::Bool),
        Just(ParamKind::String),
        (-9999i64..0, 0i64..9999).prop_map(|(min, max)| ParamKind::Int { min, max }),
        (-9999i32..0, 0i32..9999).prop_map(|(min, max)| ParamKind::Real {
            min: f64::from(min) / 8.0,
            max: f64::from(max) / 8.0
        }),
        prop::collection::vec("[a-z]{1,8}", 0..4).prop_map(|values| ParamKind::Enum { values }),
    ];
    let best = (move_words(0), any::<bool>());
    prop_oneof![
        Just(Reply::Wait),
        Just(Reply::Ready),
        Just(Reply::Pong),
        value().prop_map(|message| Reply::Error { message }),
        some_info().prop_map(Reply::Info),
        (word(), value(), kind).prop_map(|(name, value, kind)| Reply::Param(Param {
            name,
            value,
            kind
        })),
        (word(), word(), value(), value()).prop_map(|(name, version, author, country)| Reply::Id(
            Id {
                name,
                version,
                author,
                country
            }
        )),
        best.prop_map(|(moves, ponder)| {
            let best = moves.first().cloned();
            Reply::Done {
                ponder: best.clone().filter(|_| ponder),
                best,
            }
        }),
    ]
}

fn is_legal_message(text: &str) -> bool {
    !text.is_empty()
        && text.chars().count() <= 240
        && text.chars().all(|c| !c.is_control() && c != '"')
}

#[test]
fn the_start_of_a_line_too_long_says_what_it_was() {
    let start = |start: &str| Command::parse_start(start.as_bytes(), 99);
    assert_eq!(
        start("pos moves=\"32-28 "),
        Err(Problem::TooLong { limit: 99 }.of("pos"))
    );
    assert_eq!(start("    "), Err(Problem::TooLong { limit: 99 }.of("")));
    assert_eq!(start("ping    "), Ok(Command::Ping));
    assert!(matches!(start("xxxx"), Ok(Command::Unknown(_))));
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(line in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = Command::parse(&line) {
            prop_assert!(is_legal_message(&error.to_string()), "{}", error);
        }
        if let Err(error) = Reply::parse(&line) {
            prop_assert!(is_legal_message(&error.to_string()), "{}", error);
        }
    }

    #[test]
    fn near_commands_are_read_without_panic(
        command in prop::sample::select(
            vec!["set-param", "pos", "level", "go", "info", "param", "done", "id", "error"]
        ),
        tail in "([ =\"\t]|name|value|pos|moves|depth|time|inc|nodes|[0-9]{1,3}|-|[.,]|e|\\PC){0,30}",
    ) {
        let line = format!("{command} {tail}");
        if let Err(error) = Command::parse(line.as_bytes()) {
            prop_assert!(is_legal_message(&error.to_string()), "{}", error);
        }
        if let Err(error) = Reply::parse(line.as_bytes()) {
            prop_assert!(is_legal_message(&error.to_string()), "{}", error);
        }
    }

    #[test]
    fn commands_survive_the_wire(command in some_command()) {
        let line = command.to_string();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(Command::parse(line.as_bytes()), Ok(command), "{}", line);
    }

    #[test]
    fn replies_survive_the_wire(reply in some_reply()) {
        let line = reply.to_string();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(Reply::parse(line.as_bytes()), Ok(reply), "{}", line);
    }

    #[test]
    fn single_words_are_never_quoted(info in some_info()) {
        let line = Reply::Info(Info { extra: vec![], ..info.clone() }).to_string();
        prop_assert_eq!(line.contains('"'), info.pv.len() >= 2, "{}", line);
    }
}
