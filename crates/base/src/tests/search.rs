//! Conditions of a search, and what they find.

use super::*;

#[test]
fn each_condition_finds_its_games() {
    let scratch = Scratch::new();
    let base = scratch.base(GAMES);
    let none = Search::default;
    let check = |search: Search, expected: &[i64]| {
        assert_eq!(found(&base, &search), expected, "{search:?}");
        let mut newest = expected.to_vec();
        // Later ones are younger here; the one without a date comes last.
        newest.sort_by_key(|&game| if game == 4 { 5 } else { 4 - game });
        assert_eq!(
            found(
                &base,
                &Search {
                    order: Order::Newest,
                    ..search
                }
            ),
            newest
        );
    };
    check(none(), &[1, 2, 3, 4]);
    check(
        Search {
            players: vec!["sijbrands".into()],
            ..none()
        },
        &[1, 2, 3],
    );
    check(
        Search {
            players: vec!["T. SIJBRANDS".into(), "wiersma".into()],
            ..none()
        },
        &[1, 2],
    );
    check(
        Search {
            white: Some("wiersma".into()),
            ..none()
        },
        &[2],
    );
    check(
        Search {
            black: Some("sijbrands".into()),
            ..none()
        },
        &[2, 3],
    );
    check(
        Search {
            white: Some("raphael".into()),
            ..none()
        },
        &[3],
    );
    check(
        Search {
            players: vec!["100%".into()],
            ..none()
        },
        &[],
    );
    for (result, expected) in [
        (ResultWanted::Is(Outcome::Draw), &[2][..]),
        (ResultWanted::Is(Outcome::Unknown), &[4]),
    ] {
        check(
            Search {
                result: Some(result),
                ..none()
            },
            expected,
        );
    }
    let of = |result| Search {
        players: vec!["sijbrands".into()],
        result: Some(result),
        ..none()
    };
    check(of(ResultWanted::Won), &[1, 3]);
    check(of(ResultWanted::Lost), &[]);
    let day = |text: &str| Some(text.parse().unwrap());
    check(
        Search {
            from: day("1974"),
            ..none()
        },
        &[2, 3],
    );
    check(
        Search {
            to: day("1975"),
            ..none()
        },
        &[1, 2],
    );
    check(
        Search {
            from: day("1973.05"),
            to: day("1973.05"),
            ..none()
        },
        &[1],
    );
    check(
        Search {
            from: day("1975.02"),
            to: day("1980.02"),
            ..none()
        },
        &[3],
    );
    check(
        Search {
            event: Some("brinta".into()),
            ..none()
        },
        &[2, 3],
    );
    check(
        Search {
            opening: line("32-28"),
            ..none()
        },
        &[1, 2],
    );
    check(
        Search {
            opening: line("32-28 19-23 28x19 14x23 33-28"),
            ..none()
        },
        &[2],
    );
    let material = |text: &str| Some(text.parse().unwrap());
    check(
        Search {
            material: material("19x19"),
            ..none()
        },
        &[1, 2, 3],
    );
    check(
        Search {
            material: material("2+1Kx1K"),
            ..none()
        },
        &[4],
    );
    check(
        Search {
            material: material("3x1"),
            ..none()
        },
        &[4],
    );
    check(
        Search {
            material: material("3Kx1"),
            ..none()
        },
        &[],
    );
    // In the middle of an exchange.
    check(
        Search {
            material: material("20x19"),
            ..none()
        },
        &[],
    );
    check(
        Search {
            position: Some(Position::start()),
            ..none()
        },
        &[1, 2, 3],
    );
    check(
        Search {
            position: Some(after("32-28 19-23 28x19 14x23")),
            ..none()
        },
        &[1, 2],
    );
    let both = Search {
        players: vec!["wiersma".into()],
        opening: line("32-28"),
        position: Some(after("32-28 19-23 28x19 14x23 33-28")),
        material: material("20x20"),
        from: day("1974"),
        event: Some("brinta".into()),
        ..none()
    };
    check(both, &[2]);
}

#[test]
fn a_search_that_makes_no_sense_is_an_error() {
    let scratch = Scratch::new();
    let base = scratch.base(GAMES);
    let error = |search: Search| match base.query(&search).map(|_| ()) {
        Err(BaseError {
            kind: BaseErrorKind::Search(error),
            ..
        }) => error,
        other => panic!("{other:?}"),
    };
    let none = Search::default;
    assert_eq!(
        error(Search {
            players: vec![" , ".into()],
            ..none()
        }),
        SearchError::Empty("player")
    );
    assert_eq!(
        error(Search {
            event: Some(String::new()),
            ..none()
        }),
        SearchError::Empty("event")
    );
    assert_eq!(
        error(Search {
            result: Some(ResultWanted::Won),
            ..none()
        }),
        SearchError::NoPlayer
    );
    let (from, to) = ("1975".parse().unwrap(), "1974".parse().unwrap());
    assert_eq!(
        error(Search {
            from: Some(from),
            to: Some(to),
            ..none()
        }),
        SearchError::Days(from, to)
    );
    let side = Side {
        pieces: 1,
        kings: Some(2),
    };
    let material = Material {
        white: side,
        black: side,
    };
    assert_eq!(
        error(Search {
            material: Some(material),
            ..none()
        }),
        SearchError::Kings(material)
    );
}

#[test]
fn a_key_that_two_positions_share_finds_one() {
    let scratch = Scratch::new();
    let base = scratch.base(GAMES);
    // As if the position after 33-28 had the key of another.
    let (other, key) = (after("31-27"), after("33-28").key().0 as i64);
    let sql = "UPDATE positions SET key = ?1 WHERE key = ?2";
    assert_eq!(
        base.connection
            .execute(sql, [other.key().0 as i64, key])
            .unwrap(),
        1
    );
    assert!(
        found(
            &base,
            &Search {
                position: Some(other),
                ..Search::default()
            }
        )
        .is_empty()
    );
    assert!(
        found(
            &base,
            &Search {
                opening: line("31-27"),
                ..Search::default()
            }
        )
        .is_empty()
    );
}

#[test]
fn a_list_counts_all_games_and_has_the_part_that_is_wanted() {
    let scratch = Scratch::new();
    let base = scratch.base(GAMES);
    let search = Search {
        position: Some(after("32-28 19-23 28x19 14x23")),
        order: Order::Newest,
        ..Search::default()
    };
    let list = |part| base.list(&search, part).unwrap();
    let all = list(0..50);
    let told: Vec<_> = all
        .games
        .iter()
        .map(|game| (game.header.game, game.next.as_deref()))
        .collect();
    assert_eq!(told, [(2, Some("33-28")), (1, Some("37-32"))]);
    let second = list(1..2);
    assert_eq!((second.found, &second.games[..]), (2, &all.games[1..]));
    assert_eq!((list(7..9).found, list(7..9).games.len()), (2, 0));
    // More games than are kept at once, in the order of SQLite.
    let days: Vec<String> = (0..6000)
        .map(|game| format!("{}.{:02}.??", 1900 + game * 7 % 90, 1 + game * 5 % 12))
        .collect();
    let text: Vec<_> = days
        .iter()
        .enumerate()
        .map(|(round, day)| format!("[Date \"{day}\"]\n[Round \"{round}\"]\n1. 32-28 *\n"))
        .collect();
    let base = Scratch::new().base(&text.join("\n"));
    for search in [
        Search {
            order: Order::Newest,
            ..Search::default()
        },
        Search::default(),
    ] {
        let sorted = found(&base, &search);
        for part in [0..10, 5990..6000, 100..4300] {
            let list = base.list(&search, part.clone()).unwrap();
            let listed: Vec<_> = list.games.iter().map(|game| game.header.game).collect();
            assert_eq!((list.found, &listed[..]), (6000, &sorted[part]));
        }
    }
    assert_eq!("win".parse(), Ok(ResultWanted::Won));
    assert_eq!("1-1".parse(), Ok(ResultWanted::Is(Outcome::Draw)));
    assert!("lost".parse::<ResultWanted>().is_err());
}
