//! The threads of one search as a team: all search the same pass, and the first one to finish it answers for all.
//!
//! A zero-window pass asks one question, so that every bound that one thread finds helps all others; they only have to
//! avoid searching the same move at the same time ([`busy`]). The lead publishes each pass; the helpers are parked on a
//! condition variable in between. [`turns`] makes the threads take turns, so that a team of any size can be measured in
//! nodes on any machine.

mod busy;
mod sync;
#[cfg(all(test, damier_loom))]
mod tests;
mod turns;

pub use busy::{BusySearch, BusyTable};
pub use turns::LEAD;

use super::Depth;
use super::driver::{RootMoves, Window};
use super::ordering::History;
use super::params::Params;
use crate::eval::Score;
use crossbeam_utils::CachePadded;
use std::sync::Arc;
use sync::{AtomicU64, Condvar, Mutex, MutexGuard, PoisonError, Relaxed};
use turns::Turns;

/// A pass over the moves of the root: what a team searches together.
#[derive(Clone)]
pub(in crate::search) struct Pass {
    /// The moves in their order.
    pub moves: RootMoves,
    /// The history of the lead: threads with the same order of moves meet in the same nodes.
    pub history: Arc<History>,
    pub window: Window,
    pub depth: Depth,
    /// See [`Worker::extension_plies`](super::tree::Worker::extension_plies).
    pub extension_plies: u32,
    /// The windows of the next pass if this one fails high, and if low: a part of a large team searches them ahead.
    pub ahead: Option<[Window; 2]>,
}

/// What a pass found.
#[derive(Clone, Debug)]
pub struct Answer {
    pub score: Score,
    /// The moves with their bounds.
    pub moves: RootMoves,
}

/// Names a published pass; 0 names none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Epoch(u64);

/// The epoch after which there is none.
const OVER: u64 = u64::MAX;

#[derive(Default)]
struct TeamState {
    /// The last pass published, open or not.
    pass: Option<Pass>,
    answer: Option<Answer>,
    last: u64,
    over: bool,
}

/// What the threads of one search share to work on the same pass.
///
/// What is written often lies on cache lines of its own.
pub(in crate::search) struct Team<'a> {
    /// Searches in progress.
    pub busy: &'a BusyTable,
    state: Mutex<TeamState>,
    published: Condvar,
    /// The pass that is open; 0 between passes, [`OVER`] after the last.
    open: CachePadded<AtomicU64>,
    /// Nodes entered by each thread, the lead first, as far as announced.
    nodes: Box<[CachePadded<AtomicU64>]>,
    turns: Option<Turns>,
}

impl Team<'_> {
    /// A team of so many threads, the lead being one of them. In `lock_step` only one of them runs at a time.
    pub fn new(busy: &BusyTable, threads: usize, lock_step: bool) -> Team<'_> {
        Team {
            busy,
            state: Mutex::new(TeamState::default()),
            published: Condvar::new(),
            open: CachePadded::new(AtomicU64::new(0)),
            nodes: (0..threads)
                .map(|_| CachePadded::new(AtomicU64::new(0)))
                .collect(),
            turns: lock_step.then(|| Turns::new(threads)),
        }
    }

    /// Number of threads.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The window that a thread looks into before it searches the pass itself: the last threads do, half of them for
    /// each way that the pass may end.
    pub fn ahead(&self, pass: &Pass, thread: usize, params: &Params) -> Option<Window> {
        let size = self.size();
        let part = size * params.team_ahead_percent / 100;
        let from_last = size - 1 - thread;
        let looks_ahead = size >= params.team_ahead_threads && from_last < part;
        pass.ahead
            .filter(|_| looks_ahead)
            .map(|windows| windows[from_last % 2])
    }

    /// Whether the threads take turns.
    pub fn is_lock_step(&self) -> bool {
        self.turns.is_some()
    }

    fn state(&self) -> MutexGuard<'_, TeamState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lead publishes a pass, which it searches as well.
    pub fn publish(&self, pass: Pass) -> Epoch {
        if let Some(turns) = &self.turns {
            turns.join_all();
        }
        let mut state = self.state();
        state.last += 1;
        state.pass = Some(pass);
        state.answer = None;
        self.open.store(state.last, Relaxed);
        self.published.notify_all();
        Epoch(state.last)
    }

    /// A helper waits for a pass after this one. None when there will be no more.
    pub fn next_pass(&self, after: Epoch) -> Option<(Epoch, Pass)> {
        let mut state = self.state();
        loop {
            if state.over {
                return None;
            }
            // In lock step also one that has ended, because a turn in it waits for this thread.
            if let Some(pass) = state.pass.as_ref().filter(|_| state.last > after.0) {
                return Some((Epoch(state.last), pass.clone()));
            }
            state = self
                .published
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether this pass is still to be searched.
    #[inline]
    pub fn is_open(&self, epoch: Epoch) -> bool {
        self.open.load(Relaxed) == epoch.0
    }

    /// Ends the pass with this answer, unless it has ended already.
    pub fn answer(&self, epoch: Epoch, answer: Answer) {
        let mut state = self.state();
        if self.is_open(epoch) {
            state.answer = Some(answer);
            self.open.store(0, Relaxed);
        }
    }

    /// The lead takes the answer to the last pass. None when nobody finished it.
    pub fn take_answer(&self) -> Option<Answer> {
        if let Some(turns) = &self.turns {
            turns.wait_for_others();
        }
        self.state().answer.take()
    }

    /// Ends the team: threads that search or wait return.
    pub fn end(&self) {
        {
            let mut state = self.state();
            state.over = true;
            self.open.store(OVER, Relaxed);
            self.published.notify_all();
        }
        if let Some(turns) = &self.turns {
            turns.wait_for_others();
        }
    }

    /// In lock step: gives the other threads their turns.
    pub fn take_turns(&self, thread: usize) {
        if let Some(turns) = &self.turns {
            turns.pass_on(thread);
        }
    }

    /// In lock step: a helper waits for its first turn. Its turns end when the value is dropped.
    pub fn join(&self, thread: usize) -> Option<turns::Joined<'_>> {
        self.turns.as_ref().map(|turns| turns.join(thread))
    }

    /// Removes a helper that has ended or could not be started.
    pub fn leave(&self, thread: usize) {
        if let Some(turns) = &self.turns {
            turns.leave(thread);
        }
    }

    /// Announces how many nodes a thread has entered.
    #[inline]
    pub fn note_nodes(&self, thread: usize, nodes: u64) {
        self.nodes[thread].store(nodes, Relaxed);
    }

    /// Nodes of the helpers so far.
    pub fn helper_nodes(&self) -> u64 {
        let helpers = self.nodes.iter().skip(1);
        helpers.map(|nodes| nodes.load(Relaxed)).sum()
    }
}

#[cfg(all(test, not(damier_loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn pass(depth: Depth) -> Pass {
        Pass {
            moves: RootMoves::default(),
            history: Arc::default(),
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

    #[test]
    fn the_first_answer_to_a_pass_counts_and_closes_it() {
        let busy = BusyTable::new();
        let team = Team::new(&busy, 3, false);
        let first = team.publish(pass(5));
        assert!(team.is_open(first));
        team.answer(first, answer(8));
        team.answer(first, answer(16));
        assert!(!team.is_open(first));
        assert_eq!(team.take_answer().unwrap().score, Score::new(8));
        let second = team.publish(pass(6));
        team.answer(first, answer(24));
        assert!(
            team.is_open(second),
            "an answer that comes late answers nothing"
        );
        assert!(team.take_answer().is_none());
    }

    /// Every pass reaches at least the threads that wait for it, none gets a pass twice, and all end.
    #[test]
    fn helpers_get_each_pass_at_most_once_and_end() {
        const PASSES: u64 = 2000;
        let busy = BusyTable::new();
        let team = Team::new(&busy, 4, false);
        let searched = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut last = Epoch::default();
                    while let Some((epoch, pass)) = team.next_pass(last) {
                        assert!(epoch.0 > last.0);
                        assert_eq!(pass.depth as u64, epoch.0);
                        last = epoch;
                        searched.fetch_add(1, Relaxed);
                        team.answer(epoch, answer(pass.depth));
                    }
                });
            }
            for number in 1..=PASSES {
                let epoch = team.publish(pass(number as Depth));
                while team.is_open(epoch) {
                    std::thread::yield_now();
                }
                assert_eq!(team.take_answer().unwrap().score, Score::new(number as i32));
            }
            team.end();
        });
        assert!(searched.load(Relaxed) as u64 >= PASSES);
    }

    #[test]
    fn a_quarter_of_a_large_team_looks_ahead_half_up_and_half_down() {
        let busy = BusyTable::new();
        let (params, up, down) = (
            Params::default(),
            Window::zero(Score::new(8)),
            Window::zero(Score::new(-8)),
        );
        let pass = Pass {
            ahead: Some([up, down]),
            ..pass(9)
        };
        let ahead = |threads| -> Vec<Window> {
            let team = Team::new(&busy, threads, false);
            let of = |thread| team.ahead(&pass, thread, &params);
            assert_eq!(of(LEAD), None);
            (0..threads).filter_map(of).collect()
        };
        assert!(ahead(15).is_empty());
        assert_eq!(ahead(16), [down, up, down, up]);
        assert_eq!(ahead(64).len(), 16);
    }

    /// In lock step the threads of a team run in the same order every time.
    #[test]
    fn turns_are_the_same_every_time() {
        let run = || {
            let busy = BusyTable::new();
            let team = Team::new(&busy, 5, true);
            let order = Mutex::new(Vec::new());
            let turn = |thread| {
                order.lock().unwrap().push(thread);
                team.take_turns(thread);
            };
            std::thread::scope(|scope| {
                for thread in 1..5 {
                    let (team, turn) = (&team, &turn);
                    scope.spawn(move || {
                        let mut last = Epoch::default();
                        while let Some((epoch, _)) = team.next_pass(last) {
                            let _joined = team.join(thread);
                            last = epoch;
                            let mut turns = 0;
                            while team.is_open(epoch) {
                                turn(thread);
                                turns += 1;
                                if turns == 3 + thread {
                                    team.answer(epoch, answer(thread as i32));
                                }
                            }
                        }
                    });
                }
                for depth in 1..20 {
                    let epoch = team.publish(pass(depth));
                    while team.is_open(epoch) {
                        turn(LEAD);
                    }
                    assert_eq!(team.take_answer().unwrap().score, Score::new(1));
                }
                team.end();
            });
            order.into_inner().unwrap()
        };
        let first = run();
        assert!(first.len() > 19 * 4 * 4);
        for _ in 0..5 {
            assert_eq!(run(), first);
        }
    }
}
