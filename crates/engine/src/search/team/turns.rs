//! Threads in lock step: one runs at a time, in a fixed order, so that what a team does is repeatable.

use super::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Index of the lead among the threads of a team.
pub const LEAD: usize = 0;

/// Who takes part, and whose turn it is.
pub struct Turns {
    table: Mutex<Table>,
    /// One for each thread, notified when its turn begins.
    called: Box<[Condvar]>,
}

struct Table {
    /// Threads that have not left.
    present: Vec<bool>,
    /// Those of them that take part in the pass being searched.
    seated: Vec<bool>,
    turn: usize,
}

impl Table {
    /// The seated thread after this one.
    fn after(&self, thread: usize) -> usize {
        let count = self.seated.len();
        let mut others = (1..=count).map(|step| (thread + step) % count);
        others.find(|&next| self.seated[next]).unwrap_or(LEAD)
    }
}

impl Turns {
    /// For so many threads. The lead is seated from the beginning to the end, and has the first turn.
    pub fn new(threads: usize) -> Turns {
        let mut seated = vec![false; threads];
        seated[LEAD] = true;
        Turns {
            table: Mutex::new(Table {
                present: vec![true; threads],
                seated,
                turn: LEAD,
            }),
            called: (0..threads).map(|_| Condvar::new()).collect(),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All threads take part from now on, whether they are awake yet or not: their turn waits for them.
    pub fn seat_all(&self) {
        let mut table = self.table();
        table.seated = table.present.clone();
    }

    /// Removes a helper.
    pub fn leave(&self, thread: usize) {
        let mut table = self.table();
        table.present[thread] = false;
        self.rise(&mut table, thread);
    }

    /// Ends the part of a helper; if it has the turn, the next thread gets it.
    fn rise(&self, table: &mut Table, thread: usize) {
        table.seated[thread] = false;
        if table.turn == thread {
            let next = table.after(thread);
            self.call(table, next);
        }
    }

    /// A helper waits for its first turn.
    pub fn sit(&self, thread: usize) -> Seat<'_> {
        drop(self.wait(self.table(), thread));
        Seat {
            turns: self,
            thread,
        }
    }

    fn wait<'t>(
        &'t self,
        mut table: MutexGuard<'t, Table>,
        thread: usize,
    ) -> MutexGuard<'t, Table> {
        while table.turn != thread {
            let called = &self.called[thread];
            table = called.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
        table
    }

    fn call(&self, table: &mut Table, thread: usize) {
        table.turn = thread;
        self.called[thread].notify_one();
    }

    /// Ends the turn of a thread, and waits for its next one.
    pub fn hand_on(&self, thread: usize) {
        let mut table = self.table();
        let next = table.after(thread);
        if next != thread {
            self.call(&mut table, next);
            drop(self.wait(table, thread));
        }
    }

    /// The lead gives turns to the others until none is seated.
    pub fn wait_for_others(&self) {
        while self.table().after(LEAD) != LEAD {
            self.hand_on(LEAD);
        }
    }
}

/// A helper's part in the turns.
pub struct Seat<'a> {
    turns: &'a Turns,
    thread: usize,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut table = self.turns.table();
        self.turns.rise(&mut table, self.thread);
    }
}
