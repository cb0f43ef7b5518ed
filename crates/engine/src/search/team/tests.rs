//! Every order in which the threads of a team can run, tried by loom on small examples:
//!
//! ```text
//! RUSTFLAGS="--cfg damier_loom" cargo test --release --lib team::tests
//! ```

use super::*;
use loom::sync::Arc;
use loom::thread;
use std::sync::LazyLock;

fn pass(depth: Depth) -> Pass {
    Pass {
        moves: RootMoves::default(),
        history: Default::default(),
        window: Window::zero(Score::DRAW),
        depth,
        extension_plies: 0,
        ahead: None,
    }
}

fn answer(score: i32) -> Answer {
    Answer {
        score: Score::new(score),
        moves: RootMoves::default(),
    }
}

/// The jobs of all teams: a model has a team for each of some 100,000 orders, and a table has 256 KiB.
static BUSY: LazyLock<BusyTable> = LazyLock::new(BusyTable::new);

/// A team that lives as long as the model.
fn team(threads: usize, lock_step: bool) -> Arc<Team<'static>> {
    Arc::new(Team::new(&BUSY, threads, lock_step))
}

/// A helper that answers each pass that it finds open.
fn help(team: &Team, thread: usize) {
    let mut last = Epoch::default();
    while let Some((epoch, pass)) = team.next_pass(last) {
        assert!(epoch.0 > last.0, "no pass comes twice");
        last = epoch;
        let _joined = team.join(thread);
        if team.is_open(epoch) {
            team.answer(epoch, answer(pass.depth));
        }
    }
    team.leave(thread);
}

/// Whoever is first, the lead gets an answer to its own pass, and the helper goes home.
#[test]
fn every_pass_gets_its_own_answer() {
    for lock_step in [false, true] {
        loom::model(move || {
            let team = team(2, lock_step);
            let helper = thread::spawn({
                let team = Arc::clone(&team);
                move || help(&team, 1)
            });
            for depth in 1..=2 {
                let epoch = team.publish(pass(depth));
                team.answer(epoch, answer(depth));
                let found = team.take_answer().expect("somebody answered");
                assert_eq!(found.score, Score::new(depth));
            }
            team.end();
            helper.join().expect("no panic");
        });
    }
}

/// A search that is interrupted while helpers take up its pass ends.
#[test]
fn an_end_in_the_middle_of_a_pass_reaches_all() {
    loom::model(|| {
        let team = team(3, false);
        let helpers = [1, 2].map(|thread| {
            let team = Arc::clone(&team);
            thread::spawn(move || help(&team, thread))
        });
        team.publish(pass(1));
        team.end();
        for helper in helpers {
            helper.join().expect("no panic");
        }
    });
}
