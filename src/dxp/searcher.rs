//! The thread that has the engine.

use super::wire::Arrival;
use crate::endgame::WaitPolicy;
use crate::engine::Engine;
use crate::rules::Game;
use crate::search::{Control, Limits, Outcome, Request};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Sender, SyncSender, channel};
use std::thread;

/// Stack of the thread, in bytes.
const STACK: usize = 16 << 20;

/// What to search, and whom to tell.
pub(super) struct Job {
    pub id: u64,
    pub game: Game,
    pub limits: Limits,
    /// How long it may wait for endgame tables.
    pub wait_policy: WaitPolicy,
    pub control: Arc<Control>,
    pub to: SyncSender<Arrival>,
}

enum Work {
    NewGame,
    Think(Box<Job>),
}

/// A handle to the thread. It ends when this is dropped and the present search is over.
pub(super) struct Searcher {
    work: Sender<Work>,
}

impl Searcher {
    pub fn start(mut engine: Engine) -> io::Result<Searcher> {
        let (work, inbox) = channel();
        let run = move || {
            for work in inbox {
                match work {
                    Work::NewGame => engine.new_game(),
                    Work::Think(job) => {
                        let outcome = think(&mut engine, &job);
                        // The conversation may be over.
                        let _ = job.to.send(Arrival::Found(job.id, Box::new(outcome)));
                    }
                }
            }
        };
        thread::Builder::new()
            .name("dxp searcher".to_owned())
            .stack_size(STACK)
            .spawn(run)?;
        Ok(Searcher { work })
    }

    /// Forgets the game before.
    pub fn new_game(&self) {
        self.give(Work::NewGame);
    }

    /// Searches once the search before has ended; the outcome comes as an [`Arrival::Found`].
    pub fn think(&self, job: Job) {
        self.give(Work::Think(Box::new(job)));
    }

    fn give(&self, work: Work) {
        if self.work.send(work).is_err() {
            log::error!("the searcher has ended");
        }
    }
}

fn think(engine: &mut Engine, job: &Job) -> Outcome {
    if job.control.is_stopped() {
        return Outcome::default();
    }
    let request = Request {
        game: &job.game,
        limits: job.limits,
        analyze: false,
    };
    engine.search_with(&request, job.wait_policy, &job.control, &mut ())
}
