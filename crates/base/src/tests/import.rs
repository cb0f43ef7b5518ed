//! Imports, interrupted and resumed.

use super::*;

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
