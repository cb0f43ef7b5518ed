use super::*;
use crate::index::{Frame, Layout, Order};
use crate::store::TableHeader;
use crate::{Advice, View};
use damier_rules::notation::fen;
use std::io::Write;
use std::time::{Duration, Instant};

impl Tables {
    /// Wins, draws and losses in the header of a slice.
    pub(crate) fn counts_of(&self, slice: Slice) -> [u64; 3] {
        self.opened(slice).unwrap().header().counts
    }
}

fn slice(name: &str) -> Slice {
    name.parse().unwrap()
}

/// The built-in table of a slice as a file.
fn bytes_of(slice: Slice) -> &'static [u8] {
    let Location::Embedded(bytes) = SMALL.slots[slice.id()].location else {
        panic!("no table of {slice}")
    };
    bytes
}

#[test]
fn a_timed_probe_never_waits_for_a_disk() {
    let pause = Duration::from_millis(200);
    let tables = Tables::slow(pause);
    // A man that can promote, and a king that can only move into capture.
    let root = fen::parse("W:WK46,8:BK5").unwrap();
    let (timed, patient) = (View::timed(&tables, 4), View::new(&SMALL, 4));
    let (began, mut longest) = (Instant::now(), Duration::ZERO);
    let mut probes = 0;
    let advice = loop {
        let asked = Instant::now();
        let advice = Advice::on(&timed, &root, &Default::default());
        longest = longest.max(asked.elapsed());
        probes += 1;
        if let Some(advice) = advice {
            break advice;
        }
        assert!(began.elapsed().as_secs() < 60);
        thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(
        Some(advice),
        Advice::on(&patient, &root, &Default::default())
    );
    // At least two tables were opened and a block of each read; meanwhile there were answers. Other work on the machine
    // may take its time too.
    assert!(
        began.elapsed() >= 4 * pause && probes > 4,
        "{probes} probes"
    );
    assert!(longest < 2 * pause, "{longest:?}");
    // Who may wait has the answer at once.
    let tables = Tables::slow(Duration::from_millis(1));
    assert!(View::new(&tables, 4).resolve(&root).is_some());
    // The thread does not keep the tables alive.
    assert!(
        View::timed(&tables, 4)
            .quiet(&fen::parse("W:WK46,K8:BK5").unwrap())
            .is_none()
    );
    let weak = Arc::downgrade(&tables);
    drop(tables);
    while weak.upgrade().is_some() {
        assert!(began.elapsed().as_secs() < 60);
        thread::yield_now();
    }
}

#[test]
fn statistics_have_all_tables() {
    let all = SMALL.statistics().unwrap();
    assert_eq!(all.len(), 41);
    let bytes: u64 = all.iter().map(|one| one.bytes).sum();
    assert_eq!(bytes, EMBEDDED.len() as u64);
}

#[test]
fn a_damaged_block_is_named_once_and_the_others_are_used() {
    let dir = tempfile::tempdir().unwrap();
    let slice = slice("2k-2k");
    let bytes = bytes_of(slice);
    let path = store::path(dir.path(), slice);
    fs::write(&path, bytes).unwrap();
    let sound = Tables::open(Some(dir.path())).unwrap();
    assert_eq!(sound.checksum(4), SMALL.checksum(4));
    assert_ne!(sound.checksum(4), SMALL.checksum(3));
    sound.check(4).unwrap();

    // The last byte is in the last block. Windows changes no file that is open.
    let mut damaged = bytes.to_vec();
    *damaged.last_mut().unwrap() ^= 1;
    let dir = tempfile::tempdir().unwrap();
    let path = store::path(dir.path(), slice);
    fs::write(&path, damaged).unwrap();
    let tables = Tables::open(Some(dir.path())).unwrap();
    let mut reader = ProblemReader::default();
    assert!(reader.unseen(&tables).is_empty());
    let (view, built_in) = (View::new(&tables, 4), View::new(&SMALL, 4));
    let frame = Frame::new(slice);
    let layout = Layout::ordered(slice, store::split(bytes).unwrap().0.order);
    let agree = |slots: std::ops::Range<u64>| {
        let all = slots.filter_map(|slot| frame.placement(layout.in_memory(slot)).position(4));
        let mut quiet = all.filter(|position| !position.must_capture());
        quiet.all(|position| view.quiet(&position) == built_in.quiet(&position))
    };
    let last = PackedTable::group(frame.layout.slots as usize - 1);
    assert!(agree(0..100_000));
    assert!(reader.unseen(&tables).is_empty());
    // Instead of a damaged block that of the built-in table is used.
    assert!(agree(frame.layout.slots - 30_000..frame.layout.slots));
    let problems = reader.unseen(&tables);
    let named = matches!(&problems[..], [StoreError::DamagedBlocks(place, group)]
        if *place == path && *group == last);
    assert!(named, "{problems:?}");
    assert!(tables.check(4).is_err() && tables.check(3).is_ok());
    assert!(reader.unseen(&tables).is_empty());
    assert_eq!(reader.unseen(&sound).len(), 0);
    assert_eq!(reader.unseen(&tables).len(), 1);
}

#[test]
fn damaged_directories_and_headers_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let slice = slice("2k-1k");
    let path = store::path(dir.path(), slice);
    let position = fen::parse("W:WK46,K28:BK4").unwrap();
    let known = View::new(&SMALL, 3).quiet(&position);
    assert!(known.is_some());
    // In the header, in the directory, and too short.
    let bytes = bytes_of(slice);
    let mut bad = bytes.to_vec();
    bad[100] ^= 1;
    fs::write(&path, &bad).unwrap();
    let tables = Tables::open(Some(dir.path())).unwrap();
    assert_eq!(View::new(&tables, 3).quiet(&position), known);
    assert!(matches!(&tables.problems()[..], [StoreError::Damaged(place)] if *place == path));
    assert!(tables.check(3).is_err());
    bad = bytes.to_vec();
    bad[20] ^= 1;
    for bad in [&bad[..], &bytes[..bytes.len() - 1], &bytes[..40]] {
        fs::write(&path, bad).unwrap();
        let tables = Tables::open(Some(dir.path())).unwrap();
        assert!(matches!(&tables.problems()[..], [StoreError::Damaged(place)] if *place == path));
        assert_eq!(View::new(&tables, 3).quiet(&position), known);
    }
    // The table of another slice under this name, and one of another kind.
    fs::write(&path, bytes_of(slice.opposite())).unwrap();
    let tables = Tables::open(Some(dir.path())).unwrap();
    let said = tables.problems()[0].to_string();
    let swapped =
        "2k-1k.dgt: holds distances of 1k-2k, not distances of 2k-1k; rename it or delete it";
    assert!(said.ends_with(swapped), "{said}");
    assert_eq!(View::new(&tables, 3).quiet(&position), known);
    fs::remove_file(&path).unwrap();
    let five: Slice = "4m-1k".parse().unwrap();
    let head = |kind| TableHeader {
        slice: five,
        kind,
        order: Order::EnemyKings,
        counts: [1, 2, 3],
        longest: (0, 0),
    };
    let [first, second] =
        [Kind::Values, Kind::Distances].map(|kind| store::path_of(dir.path(), five, kind));
    fs::write(&first, store::encode(&head(Kind::Distances), &[])).unwrap();
    fs::write(&second, store::encode(&head(Kind::Values), &[])).unwrap();
    let said = Tables::open(Some(dir.path())).unwrap().problems();
    let said: Vec<String> = said.iter().map(StoreError::to_string).collect();
    assert!(said[0].contains("holds distances of 4m-1k, not values of 4m-1k"));
    assert!(said[1].contains("holds values of 4m-1k, not distances of 4m-1k"));
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

#[test]
fn thirty_two_threads_get_the_values_that_one_gets() {
    // On a disk, so that all of them open tables, check blocks and fill the cache at once.
    let tables = Tables::slow(Duration::ZERO);
    let slices = ["2k-2k", "1m1k-1m1k", "2m-2k", "3k-1k"].map(slice);
    let frames = slices.map(Frame::new);
    thread::scope(|scope| {
        for number in 0..32_u64 {
            let (tables, frames) = (&tables, &frames);
            scope.spawn(move || {
                let (view, alone) = (View::new(tables, 4), View::new(&SMALL, 4));
                let timed = View::timed(tables, 4);
                let mut known = 0;
                for at in 0..20_000_u64 {
                    let mixed = (at * 32 + number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    let frame = &frames[(mixed >> 62) as usize];
                    let slot = (mixed >> 8) % frame.layout.slots;
                    let position = frame.placement(slot).position(4);
                    let Some(position) = position.filter(|position| !position.must_capture())
                    else {
                        continue;
                    };
                    let expected = alone.quiet(&position);
                    let timed = timed.quiet(&position);
                    assert!(timed.is_none() || timed == expected);
                    assert_eq!(view.quiet(&position), expected);
                    known += 1;
                }
                assert!(known > 5_000, "{known}");
            });
        }
    });
    assert!(tables.problems().is_empty());
}

/// How long probes take, on the tables of the program or of the folder in DAMIER_TABLES.
#[test]
#[ignore = "measures times: cargo test --release -p damier-endgame -- --ignored --nocapture probes_are_fast"]
fn probes_are_fast() {
    let dir = std::env::var_os("DAMIER_TABLES").map(PathBuf::from);
    let tables = Tables::open(dir.as_deref()).unwrap();
    for pieces in [3, 4, 5, 6] {
        let slices = tables.slices().into_iter();
        let frames: Vec<Frame> = slices
            .filter(|slice| slice.pieces() == pieces)
            .map(Frame::new)
            .collect();
        let mut positions = Vec::new();
        let mut mixed = 1_u64;
        while !frames.is_empty() && positions.len() < 200_000 {
            mixed = mixed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let frame = &frames[(mixed >> 40) as usize % frames.len()];
            let place = frame.placement((mixed >> 8) % frame.layout.slots);
            positions.extend(
                place
                    .position(pieces)
                    .filter(|position| !position.must_capture()),
            );
        }
        let view = View::new(&tables, pieces);
        let measure = |name: &str, prepare: &dyn Fn(&Position)| {
            let mut times: Vec<u64> = positions
                .iter()
                .map(|position| {
                    prepare(position);
                    let began = Instant::now();
                    std::hint::black_box(view.quiet(std::hint::black_box(position)));
                    began.elapsed().as_nanos() as u64
                })
                .collect();
            times.sort_unstable();
            let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied();
            writeln!(
                std::io::stderr(),
                "{pieces} pieces, {name}: 50 % {:?}, 99 % {:?}, 99.9 % {:?} ns",
                at(0.5),
                at(0.99),
                at(0.999)
            )
            .unwrap();
        };
        measure("first", &|_| ());
        measure("block read before", &|_| ());
        measure("in the cache", &|position| _ = view.quiet(position));
        let few = &positions[..positions.len().min(5_000)];
        let began = Instant::now();
        for _ in 0..20 {
            for position in few {
                std::hint::black_box(view.quiet(std::hint::black_box(position)));
            }
        }
        let all = (20 * few.len()).max(1) as u32;
        writeln!(
            std::io::stderr(),
            "{pieces} pieces, 5,000 positions again and again: {:?} each",
            began.elapsed() / all
        )
        .unwrap();
    }
}
