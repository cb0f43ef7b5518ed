//! Files that are refused, locked or damaged.

use super::*;

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
