//! Collections: the games of a file, together.

use super::*;

fn named(name: &str) -> ImportSettings {
    ImportSettings {
        collection: Some(name.to_owned()),
        ..ImportSettings::default()
    }
}

fn within(name: &str) -> Search {
    Search {
        collection: Some(name.to_owned()),
        ..Search::default()
    }
}

#[test]
fn the_games_of_a_file_stay_together() {
    let scratch = Scratch::new();
    // Without a collection there are none, not even their tables in a base of an earlier version.
    let mut base = scratch.base(GAMES);
    assert_eq!(base.content(0).unwrap().collections, []);
    let missing = base.query(&within("club.pdn")).err().unwrap();
    assert!(
        missing.to_string().contains("it has no collection"),
        "{missing}"
    );

    // Games that are there already belong to it too, and only once.
    let more = "[White \"New\"]\n1. 34-30 20-25 *\n\n";
    let second = GAMES.split_once("\n\n").unwrap().1;
    for _ in 0..2 {
        let text = format!("{more}{second}");
        base.import("text", text.as_bytes(), &named("club.pdn"), &mut ())
            .unwrap();
    }
    base.import("text", GAMES.as_bytes(), &named("Ünicode; '--"), &mut ())
        .unwrap();
    assert_eq!(found(&base, &within("club.pdn")), [2, 3, 4, 5]);
    assert_eq!(found(&base, &within("Ünicode; '--")), [1, 2, 3, 4]);
    let counted = base.content(0).unwrap().collections;
    let counted: Vec<_> = counted
        .iter()
        .map(|collection| (collection.name.as_str(), collection.games))
        .collect();
    assert_eq!(counted, [("club.pdn", 4), ("Ünicode; '--", 4)]);
    assert_eq!(base.check(&mut |_, _| true).unwrap(), 5);

    // Beside other conditions, and for the explorer.
    let sijbrands = Search {
        players: vec!["sijbrands".to_owned()],
        position: Some(after("32-28 19-23")),
        ..within("club.pdn")
    };
    assert_eq!(found(&base, &sijbrands), [2]);
    let explored = base
        .explore(&within("club.pdn"), &Position::start())
        .unwrap();
    assert_eq!(explored.tally.games, 3);
    let other = base.query(&within("CLUB.pdn")).err().unwrap();
    assert!(
        other.to_string().contains("there are club.pdn, Ünicode"),
        "{other}"
    );

    base.connection
        .execute("INSERT INTO collected VALUES (1, 99)", [])
        .unwrap();
    let damaged = base.check(&mut |_, _| true).unwrap_err();
    assert!(damaged.to_string().contains("collections"), "{damaged}");
}

#[test]
fn an_interrupted_import_goes_on_in_its_collection() {
    let scratch = Scratch::new();
    let mut base = Base::create(scratch.at("games.db")).unwrap();
    let game = |number: usize| format!("[White \"{number}\"]\n\n1. 32-28 19-23 *\n\n");
    let file = scratch.at("many.pdn");
    fs::write(&file, (0..600).map(game).collect::<String>()).unwrap();
    let settings = ImportSettings {
        batch: 100,
        ..named("many")
    };
    struct Stop;
    impl Observer for Stop {
        fn progress(&mut self, _: &Progress) -> bool {
            false
        }
    }
    let first = base
        .import_file(&file, File::open(&file).unwrap(), &settings, &mut Stop)
        .unwrap();
    assert!(first.stopped && first.games > 0 && first.games < 600);
    assert_eq!(found(&base, &within("many")).len() as u64, first.games);
    base.import_file(&file, File::open(&file).unwrap(), &settings, &mut ())
        .unwrap();
    assert_eq!(found(&base, &within("many")).len(), 600);
}

#[test]
fn names_of_an_earlier_version_are_folded_anew() {
    let scratch = Scratch::new();
    let mut base = scratch.base("[White \"Łukasz\"]\n1. 32-28 *\n");
    base.connection
        .execute_batch(
            "UPDATE players SET folded = 'łukasz'; DELETE FROM meta WHERE name = 'names'",
        )
        .unwrap();
    let lukasz = Search {
        players: vec!["lukasz".to_owned()],
        ..Search::default()
    };
    assert!(found(&base, &lukasz).is_empty());
    import(&mut base, GAMES);
    assert_eq!(found(&base, &lukasz), [1]);
}
