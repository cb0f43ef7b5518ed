use super::build::{WORKER, build};
use super::make::{build_distances, make_distances};
use super::plan::{BuildOptions, BuildPlan, PACKING, SAMPLED, order, pair, plan};
use super::values;
use super::workers::{PASSES, Workers};
use crate::index::{Frame, Layout};
use crate::pack::Kind;
use crate::store::{self, EndgameTable, StoreError, encode};
use crate::verdict::Source;
use crate::{Advice, BuildError, Slice, Tables, Value, Verdict, View};
use damier_rules::{DrawClock, Move, Position};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// Slices up to four pieces: all of two and three, and of four those with kings only and one with men on both sides.
fn slices() -> Vec<Slice> {
    let all = order(4).into_iter().map(|(slice, _)| slice);
    let of_four =
        ["3k-1k", "2k-2k", "2m1k-1m"].map(|name| name.parse::<Slice>().unwrap().representative());
    all.filter(|slice| slice.pieces() < 4 || of_four.contains(slice))
        .collect()
}

/// Builds a slice and its opposite with so many threads. Returns the files.
fn made(slice: Slice, kind: Kind, threads: usize, view: &View) -> Vec<Vec<u8>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let (pool, done, dir) = (
        pool.build(),
        AtomicU64::new(0),
        tempfile::tempdir().unwrap(),
    );
    let workers = Workers {
        pool: &pool.unwrap(),
        done: &done,
    };
    let mut files = Vec::new();
    match kind {
        Kind::Distances => make_distances(slice, view, &workers, |header, packed| {
            files.insert(0, encode(header, packed));
            Ok(())
        })
        .unwrap(),
        Kind::Values => {
            values::build(dir.path(), slice, view, &workers).unwrap();
            let read = |slice| std::fs::read(store::path(dir.path(), slice)).unwrap();
            files.extend(pair(slice).map(read));
        }
    }
    let slots: u64 = pair(slice).map(|slice| Layout::new(slice).slots).sum();
    assert_eq!(done.load(Relaxed), PASSES * slots, "{slice} {kind:?}");
    files
}

#[test]
fn built_tables_of_both_kinds_agree_with_those_in_the_program() {
    let tables = Tables::open(None).unwrap();
    let view = View::new(&tables, 4);
    let mut compared = 0;
    for slice in slices() {
        for kind in [Kind::Distances, Kind::Values] {
            for file in made(slice, kind, 2, &view) {
                let (header, packed, _) = store::split(&file).unwrap();
                let table = EndgameTable::new(header, packed);
                let held = tables.counts_of(header.slice);
                assert_eq!(header.counts, held, "{} {kind:?}", header.slice);
                let frame = Frame::new(header.slice);
                for slot in 0..table.slots() {
                    let position = frame.placement(slot).position(header.slice.pieces());
                    let Some(position) = position.filter(|position| !position.must_capture())
                    else {
                        continue;
                    };
                    let (found, known) = (table.verdict(&position), view.quiet(&position).unwrap());
                    let expected = match kind {
                        Kind::Distances => known,
                        Kind::Values if known.value == Value::Draw => Verdict::DRAW,
                        Kind::Values => Verdict::of(known.value),
                    };
                    assert_eq!(found, expected, "{kind:?} {position:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000_000, "{compared}");
}

#[test]
fn builds_do_not_depend_on_the_cores() {
    let tables = Tables::open(None).unwrap();
    let view = View::new(&tables, 4);
    let slice = "1m1k-1m".parse().unwrap();
    for kind in [Kind::Distances, Kind::Values] {
        assert_eq!(made(slice, kind, 1, &view), made(slice, kind, 3, &view));
    }
}

/// Verdicts of other tables until a number of them was asked for, like a process that is killed then.
struct Failing<'a>(View<'a>, AtomicI64);

impl Source for Failing<'_> {
    fn quiet(&self, slice: Slice, position: &Position) -> Option<Verdict> {
        let left = self.1.fetch_sub(1, Relaxed);
        (left > 0).then(|| Source::quiet(&self.0, slice, position))?
    }
}

#[test]
fn builds_go_on_where_they_ended_and_are_shared() {
    let tables = Tables::open(None).unwrap();
    let view = View::new(&tables, 4);
    // Its own opposite, and another one.
    for name in ["1m1k-1m1k", "2m1k-1m"] {
        let slice: Slice = name.parse().unwrap();
        let expected = made(slice, Kind::Values, 1, &view);
        let (dir, done) = (tempfile::tempdir().unwrap(), AtomicU64::new(0));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let workers = Workers {
            pool: &pool.unwrap(),
            done: &done,
        };
        let mut ends = 0;
        // Each attempt gets a little further.
        for attempt in 1.. {
            let failing = Failing(view, AtomicI64::new(attempt * 100_000));
            match values::build(dir.path(), slice, &failing, &workers) {
                Ok(()) => break,
                Err(BuildError::MissingChild) => ends += 1,
                Err(other) => panic!("{other}"),
            }
        }
        assert!(ends > 3, "{ends}");
        let read = |dir: &Path| -> Vec<Vec<u8>> {
            let read = |slice| std::fs::read(store::path(dir, slice)).unwrap();
            pair(slice).map(read).collect()
        };
        assert_eq!(read(dir.path()), expected);
        assert_eq!(
            std::fs::read_dir(dir.path()).unwrap().count(),
            expected.len()
        );
        // Several at a time.
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| values::build(dir.path(), slice, &view, &workers).unwrap());
            }
        });
        assert_eq!(read(dir.path()), expected);

        // With distances, too, also where an earlier build left one half.
        let expected = made(slice, Kind::Distances, 1, &view);
        let dir = tempfile::tempdir().unwrap();
        for left in [None, Some(0), expected.len().checked_sub(1)] {
            if let Some(left) = left {
                let others = pair(slice).enumerate().filter(|&(half, _)| half != left);
                others.for_each(|(_, slice)| {
                    std::fs::remove_file(store::path(dir.path(), slice)).unwrap()
                });
            }
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| build_distances(dir.path(), slice, &view, &workers).unwrap());
                }
            });
            assert_eq!(read(dir.path()), expected);
            assert_eq!(
                std::fs::read_dir(dir.path()).unwrap().count(),
                expected.len()
            );
        }
    }
}

#[test]
fn a_damaged_part_is_named() {
    let tables = Tables::open(None).unwrap();
    let (view, slice) = (View::new(&tables, 4), "2m-1k".parse().unwrap());
    let (dir, done) = (tempfile::tempdir().unwrap(), AtomicU64::new(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let workers = Workers {
        pool: &pool.unwrap(),
        done: &done,
    };
    let failing = Failing(view, AtomicI64::new(30_000));
    let ended = values::build(dir.path(), slice, &failing, &workers);
    assert!(matches!(ended, Err(BuildError::MissingChild)), "{ended:?}");
    let part = dir.path().join("2m-1k.parts/0-0");
    let mut bytes = std::fs::read(&part).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&part, bytes).unwrap();
    let ended = values::build(dir.path(), slice, &view, &workers);
    let named =
        matches!(&ended, Err(BuildError::Store(StoreError::Damaged(path))) if *path == part);
    assert!(named, "{ended:?}");
}

#[test]
fn the_memory_of_a_build_counts_the_tables_it_needs() {
    let options = |threads, distances| BuildOptions {
        threads,
        distances,
        ..BuildOptions::default()
    };
    let slice: Slice = "2m1k-1m1k".parse().unwrap();
    let slots = |slice: Slice| Layout::new(slice).slots;
    let packing = slots(slice) / 8 + (SAMPLED * slots(slice)).min(PACKING);
    let near = ["1m1k-1m2k", "2m1k-2k"].map(|name| slots(name.parse().unwrap()).div_ceil(4));
    for threads in [1, 3] {
        let solving = values::memory(slice, threads as u64);
        let all = near.iter().sum::<u64>() + packing + solving;
        let options = BuildOptions {
            memory: 1 << 20,
            ..options(threads, false)
        };
        assert_eq!(options.memory_of(slice, 0), all >> 20);
    }
    // Where memory is short fewer threads solve a slice, and what does not fit with one thread does not fit.
    let largest: Slice = "3k-3k".parse().unwrap();
    let mut many = options(64, false);
    let one = options(1, false).memory_of(largest, 0);
    many.memory = 3 * one;
    let threads = many.threads_for(largest, one);
    assert!((2..64).contains(&threads), "{threads}");
    assert!(many.memory_of(largest, one) + one <= many.memory);
    assert!(many.memory_of(largest, 0) > many.memory_of(largest, one));
    many.memory = one - 1;
    assert_eq!(many.memory_of(largest, 0), one);
    // Every slice of six pieces can be built in 6 GiB, every one of five with distances too.
    for (slice, _) in order(6) {
        let options = options(1, slice.pieces() < 6);
        let needed = options.memory_of(slice, 0) + options.kept([slice].iter());
        assert!(needed < 4096, "{slice}: {needed}");
    }
    let options = options(1, false);
    assert!(options.kept([slice].iter()) > 10);
    assert_eq!(options.kept([].iter()), 0);
}

#[test]
fn slices_that_fit_are_built_though_larger_ones_are_asked_for_too() {
    let dir = tempfile::tempdir().unwrap();
    let planned = |pieces, memory| {
        let options = BuildOptions {
            pieces,
            memory,
            threads: 1,
            dir: dir.path().to_owned(),
            ..BuildOptions::default()
        };
        (plan(&options).unwrap(), options)
    };
    for memory in [30, 200, 470, 2048, 8192] {
        let (five, _) = planned(5, memory);
        let (six, options) = planned(6, memory);
        let names = |plan: &BuildPlan| -> Vec<Slice> {
            plan.waiting.iter().map(|(slice, _)| *slice).collect()
        };
        let (five, all) = (names(&five), names(&six));
        assert!(!five.is_empty() && all.starts_with(&five), "{memory}");
        // All that is to be built fits beside what stays in memory for all.
        let kept = options.kept(all.iter());
        let fits = |slice: &Slice| options.memory_of(*slice, kept) + kept <= memory;
        assert!(all.iter().all(fits), "{memory}");
        assert_eq!(six.progress.too_large.is_empty(), memory >= 2048);
    }
}

#[test]
fn tables_are_checked_only_with_their_children() {
    let slices = ["2k-1k", "1k-2k"].map(|name| name.parse::<Slice>().unwrap());
    let missing = crate::verify(&Tables::values_of(&slices), slices[0], 1);
    let Err(StoreError::Missing { missing, checked }) = missing else {
        panic!("{missing:?}")
    };
    assert_eq!(
        (missing.to_string().as_str(), checked),
        ("distances of 1k-1k", slices[0])
    );
    let all = [slices[0], slices[1], missing.slice];
    let fault = crate::verify(&Tables::values_of(&all), slices[0], 1).unwrap();
    assert_eq!(fault, None);
}

#[test]
fn a_build_ends_when_one_of_its_threads_panics() {
    let dir = tempfile::tempdir().unwrap();
    let options = BuildOptions {
        pieces: 3,
        dir: dir.path().to_owned(),
        threads: 3,
        memory: 1024,
        ..BuildOptions::default()
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        build(&options, |_| {
            let thread = std::thread::current();
            assert_ne!(thread.name(), Some(WORKER), "a thread that dies");
        })
    }));
    // The panic of the thread itself, not that of the scope.
    let panic = result.expect_err("it did not die");
    let message = panic.downcast_ref::<String>().expect("a message");
    assert!(message.contains("a thread that dies"), "{message}");
}

/// A position of three kings against two that a game of kings may reach, with its counters.
fn shuffled(seed: u64) -> Option<(Position, DrawClock)> {
    let mut state = seed;
    let mut random = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let frame = Frame::new("3k-2k".parse().unwrap());
    let mut position = frame.placement(random(frame.layout.slots)).position(5)?;
    let mut clock = DrawClock::new(&position);
    for _ in 0..random(50) {
        // A move after which no piece can be taken.
        let mut moves = position.legal_moves();
        let first = random(moves.len().max(1) as u64) as usize;
        moves.rotate_left(first);
        let is_safe = |mv: &&Move| !position.play(**mv).must_capture();
        let mv = *moves.iter().find(is_safe)?;
        let after = position.play(mv);
        clock = clock.after(&position, mv, &after);
        position = after;
    }
    (position.occupied().len() == 5 && !position.must_capture()).then_some((position, clock))
}

/// Three kings against two with values and with distances, both checked by the rules; wins are played out.
#[test]
#[ignore = "slow, builds a slice of five pieces twice: .ci/full slow_tests"]
fn five_pieces_with_distances_are_won_within_the_counters() {
    let dir = tempfile::tempdir().unwrap();
    let (built_in, slice) = (Tables::open(None).unwrap(), "3k-2k".parse().unwrap());
    let view = View::new(&built_in, 4);
    let pool = rayon::ThreadPoolBuilder::new().build();
    let workers = Workers {
        pool: &pool.unwrap(),
        done: &AtomicU64::new(0),
    };
    values::build(dir.path(), slice, &view, &workers).unwrap();
    let write = |header: &_, packed: &[u8]| Ok(store::write(dir.path(), header, packed)?);
    make_distances(slice, &view, &workers, write).unwrap();
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 4);

    let tables = Tables::open(Some(dir.path())).unwrap();
    tables.check(5).unwrap();
    for slice in pair(slice) {
        assert_eq!(crate::verify(&tables, slice, 99).unwrap(), None, "{slice}");
    }
    // The distances of one side are checked only with those of the other.
    let other = tempfile::tempdir().unwrap();
    for name in ["3k-2k.dgt", "2k-3k.dgt", "3k-2k.distances.dgt"] {
        std::fs::copy(dir.path().join(name), other.path().join(name)).unwrap();
    }
    let half = Tables::open(Some(other.path())).unwrap();
    let missing = crate::verify(&half, slice, 99).unwrap_err().to_string();
    assert!(missing.contains("distances of 2k-3k"), "{missing}");
    let view = View::new(&tables, 5);
    let (mut won, mut in_time, mut too_late) = (0, 0, 0);
    for (mut position, mut clock) in (0..100_000).filter_map(shuffled) {
        let value = view.quiet(&position).unwrap();
        let advice = Advice::on(&view, &position, &clock).unwrap();
        assert_eq!((value.distance, advice.value.value), (None, value.value));
        let (Value::Win, Some(plies)) = (advice.value.value, advice.value.distance) else {
            continue;
        };
        won += 1;
        let left = clock.plies_left(&position).unwrap();
        if plies > left {
            // A capture on the way may restart the count: a search decides, unless the next move is the last one.
            assert!(!advice.certain || left == 1 && advice.ruled == Verdict::DRAW);
            too_late += 1;
            continue;
        }
        in_time += u32::from(plies + 8 > left);
        assert!(advice.certain && advice.ruled == advice.value);
        for ply in (0..plies).rev() {
            let advice = Advice::on(&view, &position, &clock).unwrap();
            assert_eq!(advice.ruled.distance, Some(ply + 1));
            let mv = advice.best().next().unwrap();
            let after = position.play(mv);
            clock = clock.after(&position, mv, &after);
            position = after;
            assert!(clock.verdict().is_none() || position.is_terminal());
        }
        assert!(position.is_terminal());
    }
    assert!(
        won > 500 && in_time > 50 && too_late > 10,
        "{won} {in_time} {too_late}"
    );
}
