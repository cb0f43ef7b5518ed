use super::mailbox::Mailbox;
use super::*;
use damier_engine::Strength;
use damier_rules::{Game, Position};
use std::time::Instant;

/// Time limit of every wait.
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

/// Waits for an event that `wanted` accepts.
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
    let clients: Vec<Client> = (0..4).map(|_| pool.client()).collect();
    for client in &clients {
        client.begin(search(1, ANALYSIS));
    }
    let mover = pool.client();
    let work = Work::Think {
        level: Level::nodes(2000),
        book: false,
        strength: Strength::Full,
    };
    mover.begin(search(7, work));
    let best = |id, event| match event {
        Event::Best(best, _) => Some((id, best.is_some())),
        _ => None,
    };
    assert_eq!(wait(&mover.mailbox, best), (7, true));
    // All get nodes, again and again, and the reported depth never shrinks.
    for client in &clients {
        let mut depth = 0;
        let mut slices = 0;
        let mut nodes = 0;
        wait(&client.mailbox, |_, event| {
            if let Event::Info(now) = event {
                let depth_now = now.lines.first().map_or(0, |line| line.depth);
                assert!(depth_now >= depth, "depth {depth_now} after {depth}");
                slices += u32::from(now.nodes > nodes);
                (depth, nodes) = (depth_now, now.nodes);
            }
            (slices > 5).then_some(())
        });
    }
}

#[test]
fn a_stop_reports_the_result_also_of_a_waiting_search() {
    let pool = pool(1);
    let (first, second) = (pool.client(), pool.client());
    first.begin(search(1, ANALYSIS));
    wait(&first.mailbox, |_, event| {
        matches!(event, Event::Info(_)).then_some(())
    });
    second.begin(search(2, ANALYSIS));
    second.stop();
    first.stop();
    for client in [&first, &second] {
        wait(&client.mailbox, |_, event| {
            matches!(event, Event::Best(..)).then_some(())
        });
    }
}

#[test]
fn a_new_search_takes_the_place_of_the_last_one_and_a_mailbox_does_not_grow() {
    let pool = pool(1);
    let client = pool.client();
    for id in 1..200 {
        client.begin(search(id, ANALYSIS));
    }
    let found = wait(&client.mailbox, |id, event| {
        matches!(event, Event::Info(_)).then_some(id)
    });
    assert!(found >= 1);
    // Unread for a while: one event is left.
    thread::sleep(Duration::from_millis(300));
    let mut left = 0;
    while client.mailbox.take(true).is_some() {
        left += 1;
    }
    assert!(left <= 2, "{left}");
}
