use super::*;
use crate::{Advice, View};
use damier_rules::notation::fen;

#[test]
fn all_tables_of_a_root_are_requested_and_unpacked() {
    let tables = Tables::fresh();
    // A man that can promote, and a king that can only move into capture.
    let root = fen::parse("W:WK46,8:BK5").unwrap();
    let view = View::new(&tables, 4, WaitPolicy::Never);
    assert!(view.resolve(&root).is_none());
    view.request(&root);
    let names: Vec<String> = tables.requested().iter().map(Slice::to_string).collect();
    assert_eq!(names, ["1m-1k", "1k-2k", "1m1k-1k"]);
    let advised = || Advice::on(&view, &root, &Default::default());
    let began = std::time::Instant::now();
    while advised().is_none() && began.elapsed().as_secs() < 60 {
        thread::yield_now();
    }
    assert!(advised().is_some());
}

#[test]
fn statistics_unpack_nothing() {
    let tables = Tables::fresh();
    let all = tables.statistics().unwrap();
    assert_eq!(all.len(), 41);
    let slots = tables
        .slices()
        .into_iter()
        .map(|slice| &tables.slots[slice.id()]);
    assert!(slots.into_iter().all(|slot| slot.table.get().is_none()));
    let mut held = all
        .iter()
        .filter_map(|one| Some((one, SMALL.unpacked(one.slice)?)));
    assert!(held.all(|(one, table)| one.memory == table.slots()));
}

#[test]
fn problems_are_read_once_and_checked() {
    let dir = tempfile::tempdir().unwrap();
    let slice: Slice = "2k-1k".parse().unwrap();
    let Location::Embedded(bytes) = SMALL.slots[slice.id()].location else {
        panic!("no table of {slice}")
    };
    let path = store::path(dir.path(), slice);
    fs::write(&path, bytes).unwrap();
    let sound = Tables::open(Some(dir.path())).unwrap();
    assert_eq!(sound.checksum(4), SMALL.checksum(4));
    assert_ne!(sound.checksum(4), SMALL.checksum(3));
    sound.check(4).unwrap();

    let mut damaged = bytes.to_vec();
    damaged[100] ^= 1;
    fs::write(&path, damaged).unwrap();
    let tables = Tables::open(Some(dir.path())).unwrap();
    let mut reader = ProblemReader::default();
    assert!(reader.unseen(&tables).is_empty());
    assert!(tables.check(2).is_ok() && tables.check(3).is_err());
    // The built-in table is used instead.
    assert!(tables.table(slice, WaitPolicy::AllTables).is_some());
    let problems = reader.unseen(&tables);
    assert!(matches!(&problems[..], [StoreError::Damaged(place)] if *place == path));
    assert!(reader.unseen(&tables).is_empty());
    assert_eq!(reader.unseen(&sound).len(), 0);
    assert_eq!(reader.unseen(&tables).len(), 1);
}

#[test]
fn small_tables_are_prepared() {
    let tables = Tables::fresh();
    tables.prepare(3);
    assert_eq!(tables.requested().len(), 16);
    let root = fen::parse("W:WK46,K8:BK5").unwrap();
    let view = View::new(&tables, 4, WaitPolicy::Never);
    let began = std::time::Instant::now();
    while tables.slots[Slice::of(&root).id()].table.get().is_none()
        && began.elapsed().as_secs() < 60
    {
        thread::yield_now();
    }
    assert!(view.quiet(&root).is_some());
    // The thread does not keep the tables alive.
    let weak = Arc::downgrade(&tables);
    tables.prepare(4);
    drop(tables);
    while weak.upgrade().is_some() && began.elapsed().as_secs() < 60 {
        thread::yield_now();
    }
    assert!(weak.upgrade().is_none());
}

#[test]
fn a_damaged_table_in_the_program_is_a_problem() {
    // In the header of the second table, which the others stand behind, and in the codes of the first.
    let (_, _, after) = store::split(EMBEDDED).unwrap();
    let second = EMBEDDED.len() - after.len();
    for place in [second + 20, second - 1] {
        let mut bytes = EMBEDDED.to_vec();
        bytes[place] ^= 1;
        let tables = Tables::inside(bytes.leak());
        assert!(tables.check(4).is_err(), "{place}");
    }
    let tables = Tables::inside(&EMBEDDED[..second]);
    assert!(tables.check(4).is_ok());
    assert!(Tables::inside(&EMBEDDED[..second - 1]).check(4).is_err());
}
