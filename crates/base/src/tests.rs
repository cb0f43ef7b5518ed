//! A base as its users see it.

use super::*;
use damier_rules::notation::pdn::{Outcome, PdnError};
use damier_rules::notation::{moves, pdn};
use damier_rules::{Move, Position};
use rusqlite::Connection;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

const GAMES: &str = r#"
[Event "Nationale competitie"]
[Date "1973.05.01"]
[White "Sijbrands, T."]
[Black "Wiersma, H."]
[Result "2-0"]
1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 2-0

[Event "Brinta"]
[Date "1975.??.??"]
[White "Wiersma, H."]
[Black "Sijbrands, T."]
[Result "1-1"]
1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 1-1

[Event "Brinta"]
[Date "1980.02.03"]
[White "Raphaël"]
[Black "Sijbrands, T."]
[Result "0-2"]
1. 33-28 19-23 2. 28x19 14x23 0-2

[White "?"]
[Black "?"]
[FEN "W:WK46,47,48:BK5"]
1. 47-42 5-10 *
"#;

struct Scratch(TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A base with these games.
    fn base(&self, text: &str) -> Base {
        let mut base = Base::create(self.at("games.db")).unwrap();
        import(&mut base, text);
        base
    }
}

fn import(base: &mut Base, text: &str) -> Imported {
    base.import("text", text.as_bytes(), &ImportSettings::default(), &mut ())
        .unwrap()
}

fn found(base: &Base, search: &Search) -> Vec<i64> {
    let mut query = base.query(search).unwrap();
    query.hits().unwrap().map(|hit| hit.unwrap().game).collect()
}

fn line(text: &str) -> Vec<Move> {
    moves::parse_line(&Position::start(), text).unwrap()
}

fn after(text: &str) -> Position {
    line(text)
        .into_iter()
        .fold(Position::start(), |position, mv| position.play(mv))
}

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
fn an_explorer_counts_what_was_played() {
    let scratch = Scratch::new();
    let base = scratch.base(GAMES);
    let explored = base
        .explore(&Search::default(), &Position::start())
        .unwrap();
    let told: Vec<_> = explored
        .moves
        .iter()
        .map(|mv| (&*mv.text, mv.tally.games, mv.score, mv.last_game))
        .collect();
    assert_eq!(
        told,
        [
            ("32-28", 2, Some(0.75), Some(2)),
            ("33-28", 1, Some(0.0), Some(3))
        ]
    );
    assert_eq!(
        (
            explored.tally.games,
            explored.tally.white,
            explored.tally.draws
        ),
        (3, 1, 1)
    );
    let explored = base.explore(&Search::default(), &after("32-28")).unwrap();
    assert_eq!(
        (explored.moves[0].text.as_str(), explored.moves[0].score),
        ("19-23", Some(0.25))
    );
    let only = Search {
        event: Some("brinta".into()),
        ..Search::default()
    };
    assert_eq!(
        base.explore(&only, &Position::start()).unwrap().tally.games,
        2
    );
    // Where a game ends there is no move.
    let end = base
        .explore(&Search::default(), &after("33-28 19-23 28x19 14x23"))
        .unwrap();
    assert_eq!((end.tally.games, end.moves.len()), (1, 0));
    let mut query = base
        .query(&Search {
            position: Some(after("32-28 19-23")),
            ..Search::default()
        })
        .unwrap();
    let hit = query.hits().unwrap().next().unwrap().unwrap();
    assert_eq!(
        (hit.ply, hit.next.map(|mv| mv.to_string())),
        (Some(2), Some("28x19x23".to_owned()))
    );
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
fn what_goes_in_comes_out() {
    let scratch = Scratch::new();
    let base = scratch.base(GAMES);
    assert_eq!(base.check(&mut |_, _| true).unwrap(), 4);
    for (number, game) in pdn::read(GAMES).enumerate() {
        let text = base.pdn(number as i64 + 1).unwrap();
        let back = pdn::read(&text).next().unwrap().unwrap();
        let game = game.unwrap();
        assert_eq!(
            (back.plain_moves(), back.start, back.result),
            (game.plain_moves(), game.start, game.result)
        );
        assert_eq!(back.tag("White"), game.tag("White"));
    }
    let header = base.header(2).unwrap();
    assert_eq!(header.white.as_deref(), Some("Wiersma, H."));
    assert_eq!(
        header.date.map(|day| day.to_string()).as_deref(),
        Some("1975.??.??")
    );
    assert!(base.header(4).unwrap().white.is_none());
    for missing in [base.header(5).map(|_| ()), base.pdn(0).map(|_| ())] {
        assert!(matches!(
            missing,
            Err(BaseError {
                kind: BaseErrorKind::NoGame(_),
                ..
            })
        ));
    }
    let content = base.content(1).unwrap();
    assert_eq!(
        (content.tally.games, content.players, content.events),
        (4, 3, 2)
    );
    assert_eq!(
        (
            content.most[0].name.as_str(),
            content.most[0].games,
            content.most[0].won
        ),
        ("Sijbrands, T.", 3, 2)
    );
}

#[test]
fn duplicates_are_recognised_and_comments_kept() {
    let scratch = Scratch::new();
    let mut base = scratch.base(GAMES);
    let again = import(
        &mut base,
        &GAMES
            .replace("[White", "[Annotator \"me\"]\n[White")
            .replace(" 10-14", " 10-14!"),
    );
    assert_eq!((again.games, again.duplicates), (0, 4));
    assert!(base.pdn(1).unwrap().contains("10-14 $1"));
    // The text without a mark does not take its place again.
    assert_eq!(import(&mut base, GAMES).duplicates, 4);
    assert!(base.pdn(1).unwrap().contains("10-14 $1"));
    let other = import(
        &mut base,
        &GAMES.replace("1973", "1974").replace(" 10-14", ""),
    );
    assert_eq!((other.games, other.duplicates), (1, 3));
    assert_eq!(base.check(&mut |_, _| true).unwrap(), 5);
}

/// What an import tells, and when it ends.
#[derive(Default)]
struct Told {
    left_out: Vec<PdnError>,
    batches: usize,
    most: Option<usize>,
}

impl Observer for Told {
    fn progress(&mut self, _: &Progress) -> bool {
        self.batches += 1;
        self.most.is_none_or(|most| self.batches < most)
    }

    fn left_out(&mut self, error: &PdnError) {
        self.left_out.push(error.clone());
    }
}

#[test]
fn an_import_goes_on_where_it_was() {
    let scratch = Scratch::new();
    let game = |number: usize| {
        format!(
            "[White \"é{number}\"]\n\n1. 32-28 {} *\n\n",
            ["19-23", "19-99"][number % 2]
        )
    };
    let text: String = (0..40).map(game).collect();
    let whole = |most: Option<usize>, base: &mut Base| {
        let file = scratch.at("games.pdn");
        fs::write(&file, &text).unwrap();
        let settings = ImportSettings {
            batch: 3,
            ..ImportSettings::default()
        };
        let mut told = Told {
            most,
            ..Told::default()
        };
        let imported = base
            .import_file(&file, File::open(&file).unwrap(), &settings, &mut told)
            .unwrap();
        (imported, told.left_out)
    };
    let mut base = Base::create(scratch.at("a.db")).unwrap();
    let (at_once, expected) = whole(None, &mut base);
    assert_eq!(
        (at_once.games, at_once.left_out, at_once.resumed),
        (20, 20, 0)
    );
    let mut base = Base::create(scratch.at("b.db")).unwrap();
    let mut left_out = Vec::new();
    let (mut parts, mut resumed) = (0, 0);
    loop {
        let (part, errors) = whole(Some(2), &mut base);
        left_out.extend(errors);
        assert_eq!(part.resumed, resumed);
        resumed = part.games + part.left_out;
        parts += 1;
        if !part.stopped {
            assert_eq!((part.games, part.duplicates, part.left_out), (20, 0, 20));
            break;
        }
        assert_eq!(base.content(0).unwrap().unfinished.len(), 1);
    }
    assert!(parts > 3);
    // Games and lines count from the beginning of the file.
    assert_eq!(left_out, expected);
    assert_eq!((expected[1].game, expected[1].line), (4, 15));
    assert_eq!(base.check(&mut |_, _| true).unwrap(), 20);
    assert!(base.content(0).unwrap().unfinished.is_empty());
    // A file that is done begins anew.
    assert_eq!(whole(None, &mut base).0.duplicates, 20);
}

#[test]
fn an_input_that_breaks_leaves_whole_batches() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    // More than is read at a time.
    let game = format!("[White \"a\"]\n1. 32-28 {{{}}} *\n", "word ".repeat(200));
    let text = game.repeat(4_000);
    let scratch = Scratch::new();
    let mut base = Base::create(scratch.at("games.db")).unwrap();
    let settings = ImportSettings {
        batch: 1_000,
        ..ImportSettings::default()
    };
    let error = base
        .import("stick", text.as_bytes().chain(Broken), &settings, &mut ())
        .unwrap_err();
    assert_eq!(error.to_string(), "stick: unplugged");
    assert_eq!(base.content(0).unwrap().tally.games, 1);
}

/// Why a base cannot be opened: for reading, and for an import.
fn refused(path: &Path) -> [BaseErrorKind; 2] {
    let before = fs::read(path).ok();
    let import = |mut base: Base| {
        let file = path.with_file_name("in.pdn");
        fs::write(&file, GAMES).unwrap();
        base.import_file(
            &file,
            File::open(&file).unwrap(),
            &ImportSettings::default(),
            &mut (),
        )
    };
    let read = Base::open(path)
        .and_then(|base| base.check(&mut |_, _| true))
        .unwrap_err();
    let written = Base::create(path).and_then(import).unwrap_err();
    for error in [&read, &written] {
        assert_eq!(error.path, path);
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    assert!(
        fs::read(path).ok() == before,
        "{} was changed",
        path.display()
    );
    [read.kind, written.kind]
}

#[test]
fn what_is_no_base_is_refused_and_stays() {
    use BaseErrorKind as Kind;
    let scratch = Scratch::new();
    fs::create_dir(scratch.at("folder")).unwrap();
    assert!(matches!(
        refused(&scratch.at("folder")),
        [Kind::NotAFile, Kind::NotAFile]
    ));
    fs::write(scratch.at("text"), GAMES).unwrap();
    assert!(matches!(
        refused(&scratch.at("text")),
        [Kind::NotABase, Kind::NotABase]
    ));
    Connection::open(scratch.at("other.db"))
        .unwrap()
        .execute_batch("CREATE TABLE a (b)")
        .unwrap();
    assert!(matches!(
        refused(&scratch.at("other.db")),
        [Kind::NotABase, Kind::NotABase]
    ));
    assert!(matches!(
        refused(&scratch.at("none/games.db")),
        [Kind::Missing, Kind::Io(_)]
    ));
    // Nothing is made by looking for it.
    let missing = Base::open(scratch.at("missing.db")).unwrap_err();
    assert!(matches!(missing.kind, Kind::Missing) && !scratch.at("missing.db").exists());
    // As a first import that was interrupted leaves it.
    fs::write(scratch.at("empty.db"), "").unwrap();
    assert!(matches!(
        Base::open(scratch.at("empty.db")).unwrap_err().kind,
        Kind::NotABase
    ));
    assert!(Base::create(scratch.at("empty.db")).is_ok());
}

#[test]
fn bases_of_other_versions_are_refused_and_stay() {
    use BaseErrorKind as Kind;
    let scratch = Scratch::new();
    drop(scratch.base(GAMES));
    let path = scratch.at("games.db");
    let change = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    change("PRAGMA user_version = 2");
    let newer = refused(&path);
    assert!(
        newer
            .iter()
            .all(|kind| matches!(kind, Kind::Newer { there: 2, known: 1 })),
        "{newer:?}"
    );
    change("PRAGMA user_version = 1; UPDATE meta SET value = 'other' WHERE name = 'keys'");
    assert!(matches!(refused(&path), [Kind::OtherKeys, Kind::OtherKeys]));
    // All but positions is found.
    let base = Base::open(&path).unwrap();
    assert_eq!(
        found(
            &base,
            &Search {
                white: Some("wiersma".into()),
                ..Search::default()
            }
        ),
        [2]
    );
    assert!(base.pdn(4).is_ok());
}

#[test]
fn a_locked_base_is_named() {
    let scratch = Scratch::new();
    drop(scratch.base(GAMES));
    let path = scratch.at("games.db");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let kinds = refused(&path);
    assert!(
        kinds
            .iter()
            .all(|kind| matches!(kind, BaseErrorKind::Locked)),
        "{kinds:?}"
    );
    drop(other);
    assert!(Base::open(&path).is_ok());
    // One that reads keeps out a writer, and the other way round only while it writes.
    let mut writer = Base::create(&path).unwrap();
    import(&mut writer, GAMES);
    assert_eq!(
        Base::open(&path).unwrap().content(0).unwrap().tally.games,
        4
    );
}

#[test]
fn a_damaged_base_is_named_and_stays() {
    let scratch = Scratch::new();
    drop(scratch.base(&GAMES.repeat(3)));
    let sound = fs::read(scratch.at("games.db")).unwrap();
    let path = scratch.at("damaged.db");
    let mut named = 0;
    for place in (0..sound.len()).step_by(4096) {
        let mut bytes = sound.clone();
        bytes[place..place + 100].fill(0xa5);
        fs::write(&path, &bytes).unwrap();
        let kinds = refused(&path);
        let is_named = |kind: &BaseErrorKind| {
            matches!(kind, BaseErrorKind::Damaged(_) | BaseErrorKind::NotABase)
        };
        assert!(
            kinds.iter().all(is_named),
            "page {}: {kinds:?}",
            place / 4096
        );
        named += 1;
    }
    assert!(named > 15);
    fs::write(&path, &sound[..sound.len() / 2]).unwrap();
    assert!(matches!(
        refused(&path),
        [BaseErrorKind::Damaged(_), BaseErrorKind::Damaged(_)]
    ));
}

#[test]
fn moves_that_cannot_be_played_are_damage() {
    let scratch = Scratch::new();
    let base = scratch.base(GAMES);
    base.connection
        .execute_batch("PRAGMA query_only = FALSE; UPDATE games SET moves = x'2001' WHERE id = 1")
        .unwrap();
    let search = Search {
        position: Some(after("32-28 19-23")),
        ..Search::default()
    };
    let error = base
        .query(&search)
        .unwrap()
        .hits()
        .unwrap()
        .find_map(Result::err)
        .unwrap();
    assert!(matches!(error.kind, BaseErrorKind::Damaged(_)), "{error}");
    assert!(matches!(
        base.check(&mut |_, _| true).unwrap_err().kind,
        BaseErrorKind::Damaged(_)
    ));
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
fn a_full_disk_loses_nothing() {
    let scratch = Scratch::new();
    let mut base = scratch.base(GAMES);
    base.connection
        .execute_batch("PRAGMA max_page_count = 100")
        .unwrap();
    let game = |number: usize| format!("[White \"{number}\"]\n\n1. 32-28 19-23 *\n\n");
    let text: String = (0..2_000).map(game).collect();
    let file = scratch.at("many.pdn");
    fs::write(&file, &text).unwrap();
    let settings = ImportSettings {
        batch: 200,
        ..ImportSettings::default()
    };
    let error = base
        .import_file(&file, File::open(&file).unwrap(), &settings, &mut ())
        .unwrap_err();
    assert!(matches!(error.kind, BaseErrorKind::Full), "{error}");
    drop(base);
    let mut base = Base::create(scratch.at("games.db")).unwrap();
    let there = base.check(&mut |_, _| true).unwrap();
    assert!(there > 4 && there < 2_004 && there % 200 == 4);
    // With room again it goes on.
    let imported = base
        .import_file(&file, File::open(&file).unwrap(), &settings, &mut ())
        .unwrap();
    assert_eq!(
        (imported.games, imported.duplicates, imported.resumed),
        (2_000, 0, there - 4)
    );
}
