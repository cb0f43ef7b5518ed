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

/// Waits for the answer of a move: whether there is one.
fn is_answered(client: &Client) -> bool {
    wait(&client.mailbox, |_, event| match event {
        Event::Best(best, _) => Some(best.is_some()),
        _ => None,
    })
}

fn think(seconds: f64) -> Work {
    Work::Think {
        level: Level::move_time(Duration::from_secs_f64(seconds)),
        book: false,
        strength: Strength::Full,
    }
}

#[test]
fn moves_that_think_for_an_hour_hold_up_no_other() {
    let pool = pool(1);
    let hours: Vec<Client> = (0..2).map(|_| pool.client()).collect();
    for client in &hours {
        client.begin(search(1, think(3600.0)));
    }
    let depth = |_, event| match event {
        Event::Info(now) => now.lines.first().map(|line| line.depth),
        _ => None,
    };
    // Both have a share of the only engine.
    for client in &hours {
        wait(&client.mailbox, depth);
    }
    let other = pool.client();
    for id in 0..3 {
        let began = Instant::now();
        other.begin(search(id, think(0.2)));
        assert!(is_answered(&other));
        let took = began.elapsed();
        // Within a second of its think time on idle cores.
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
    // They go on, and have a move to play at any time.
    for client in &hours {
        wait(&client.mailbox, depth);
        client.stop();
        assert!(is_answered(client));
    }
}

#[test]
fn the_more_moves_wait_the_less_time_each_has() {
    let pool = pool(1);
    let clients: Vec<Client> = (0..30).map(|_| pool.client()).collect();
    let began = Instant::now();
    for client in &clients {
        client.begin(search(1, think(0.5)));
    }
    for client in &clients {
        assert!(is_answered(client));
    }
    // One after the other would take 15 s; on idle cores it takes 1 s.
    let took = began.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
}
