use super::*;
use damier_engine::Strength;
use damier_rules::{Game, Position};
use std::time::Instant;

/// Nothing here takes this long.
const LONG: Duration = Duration::from_secs(60);

fn pool(engines: usize) -> Pool {
    let options = Options {
        tt_size: 16,
        ..Options::default()
    };
    Pool::start(&options, engines, LONG).unwrap()
}

fn search(id: u32, work: Work) -> Search {
    Search {
        id,
        game: Game::new(Position::start()),
        work,
    }
}

const ANALYSIS: Work = Work::Analyse { lines: 2 };

/// Waits for an event that is wanted.
fn wait<T>(mailbox: &Mailbox, mut wanted: impl FnMut(u32, Event) -> Option<T>) -> T {
    let began = Instant::now();
    while began.elapsed() < LONG {
        match mailbox.take(true) {
            Some((id, _, event)) => {
                if let Some(found) = wanted(id, event) {
                    return found;
                }
            }
            None => thread::sleep(Duration::from_millis(1)),
        }
    }
    panic!("no such event");
}

#[test]
fn one_engine_serves_many_analyses_and_a_move_comes_between() {
    let pool = pool(1);
    let mailboxes: Vec<Arc<Mailbox>> = (0..4).map(|_| Arc::default()).collect();
    for (page, mailbox) in mailboxes.iter().enumerate() {
        pool.begin(page as PageId, search(1, ANALYSIS), mailbox);
    }
    let mover = Arc::default();
    let work = Work::Think {
        level: Level::nodes(2000),
        book: false,
        strength: Strength::Full,
    };
    pool.begin(9, search(7, work), &mover);
    let best = |id, event| match event {
        Event::Best(best, _) => Some((id, best.is_some())),
        _ => None,
    };
    assert_eq!(wait(&mover, best), (7, true));
    // All get nodes, again and again, and what is told never shrinks.
    for mailbox in &mailboxes {
        let mut depth = 0;
        let mut slices = 0;
        let mut nodes = 0;
        wait(mailbox, |_, event| {
            if let Event::Info(now) = event {
                let told = now.lines.first().map_or(0, |line| line.depth);
                assert!(told >= depth, "depth {told} after {depth}");
                slices += u32::from(now.nodes > nodes);
                (depth, nodes) = (told, now.nodes);
            }
            (slices > 5).then_some(())
        });
    }
}

#[test]
fn a_stop_gives_what_was_found_also_to_one_that_waits() {
    let pool = pool(1);
    let (first, second) = (Arc::default(), Arc::default());
    pool.begin(1, search(1, ANALYSIS), &first);
    wait(&first, |_, event| {
        matches!(event, Event::Info(_)).then_some(())
    });
    pool.begin(2, search(2, ANALYSIS), &second);
    pool.stop(2);
    pool.stop(1);
    for mailbox in [&first, &second] {
        wait(mailbox, |_, event| {
            matches!(event, Event::Best(..)).then_some(())
        });
    }
}

#[test]
fn a_new_search_takes_the_place_of_the_last_one_and_a_mailbox_does_not_grow() {
    let pool = pool(1);
    let mailbox: Arc<Mailbox> = Arc::default();
    for id in 1..200 {
        pool.begin(1, search(id, ANALYSIS), &mailbox);
    }
    let found = wait(&mailbox, |id, event| {
        matches!(event, Event::Info(_)).then_some(id)
    });
    assert!(found >= 1);
    // Nobody reads for a while: one piece of news is left.
    thread::sleep(Duration::from_millis(300));
    let mut left = 0;
    while mailbox.take(true).is_some() {
        left += 1;
    }
    assert!(left <= 2, "{left}");
}
