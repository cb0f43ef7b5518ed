//! Threads in lock step: one runs at a time, in a fixed order, so that what a team does is repeatable.

use super::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Index of the lead among the threads of a team.
pub const LEAD: usize = 0;

/// Who takes part, and whose turn it is.
pub struct Turns {
    state: Mutex<State>,
    /// One for each thread, notified when its turn begins.
    wake: Box<[Condvar]>,
}

struct State {
    /// Threads that have not left.
    present: Vec<bool>,
    /// Threads that take part in the pass being searched.
    joined: Vec<bool>,
    turn: usize,
}

impl State {
    /// The next thread in turn after this one.
    fn after(&self, thread: usize) -> usize {
        let count = self.joined.len();
        let mut others = (1..=count).map(|step| (thread + step) % count);
        others.find(|&next| self.joined[next]).unwrap_or(LEAD)
    }
}

impl Turns {
    /// Turns of this many threads. The lead takes part from the beginning to the end, and has the first turn.
    pub fn new(threads: usize) -> Turns {
        let mut joined = vec![false; threads];
        joined[LEAD] = true;
        Turns {
            state: Mutex::new(State {
                present: vec![true; threads],
                joined,
                turn: LEAD,
            }),
            wake: (0..threads).map(|_| Condvar::new()).collect(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All threads take part from now on, whether they are awake yet or not: their turn waits for them.
    pub fn join_all(&self) {
        let mut state = self.state();
        state.joined = state.present.clone();
    }

    /// Removes a helper for good.
    pub fn leave(&self, thread: usize) {
        let mut state = self.state();
        state.present[thread] = false;
        self.leave_round(&mut state, thread);
    }

    /// Ends the part of a helper; if it has the turn, the next thread gets it.
    fn leave_round(&self, state: &mut State, thread: usize) {
        state.joined[thread] = false;
        if state.turn == thread {
            let next = state.after(thread);
            self.set_turn(state, next);
        }
    }

    /// A helper waits for its first turn.
    pub fn join(&self, thread: usize) -> Joined<'_> {
        drop(self.wait(self.state(), thread));
        Joined {
            turns: self,
            thread,
        }
    }

    fn wait<'t>(
        &'t self,
        mut state: MutexGuard<'t, State>,
        thread: usize,
    ) -> MutexGuard<'t, State> {
        while state.turn != thread {
            let wake = &self.wake[thread];
            state = wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// Sets whose turn it is, and wakes that thread.
    fn set_turn(&self, state: &mut State, thread: usize) {
        state.turn = thread;
        self.wake[thread].notify_one();
    }

    /// Ends the turn of a thread, and waits for its next one.
    pub fn pass_on(&self, thread: usize) {
        let mut state = self.state();
        let next = state.after(thread);
        if next != thread {
            self.set_turn(&mut state, next);
            drop(self.wait(state, thread));
        }
    }

    /// The lead passes its turn on until no helper takes part.
    pub fn wait_for_others(&self) {
        while self.state().after(LEAD) != LEAD {
            self.pass_on(LEAD);
        }
    }
}

/// A helper's part in a round; dropping it ends the part.
pub struct Joined<'a> {
    turns: &'a Turns,
    thread: usize,
}

impl Drop for Joined<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.state();
        self.turns.leave_round(&mut state, self.thread);
    }
}
