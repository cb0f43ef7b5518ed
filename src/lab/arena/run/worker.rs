//! A worker: plays pair after pair with processes of its own.

use crate::lab::arena::players::dxp::DxpPlayer;
use crate::lab::arena::players::hub::HubPlayer;
use crate::lab::arena::players::{Fault, Player};
use crate::lab::arena::record::{GameId, GameRecord};
use crate::lab::arena::referee::adjudicate::{Adjudicator, ScoreAdjudicator, TableAdjudicator};
use crate::lab::arena::referee::{self, GameAttempt, Seat};
use crate::lab::arena::run::MatchPlan;
use crate::lab::arena::schedule::GamePair;
use crate::lab::arena::spec::Connection;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

/// How often in a row an engine may fail to begin a game.
const MAX_FAILED_STARTS: u32 = 3;
/// How long an engine that somebody else starts has to listen again, after the first failure; twice that after the next.
const PAUSE: Duration = Duration::from_secs(1);
/// Between two looks whether the match is over.
const LOOK: Duration = Duration::from_millis(50);

/// What a worker tells.
pub(super) enum WorkerEvent {
    /// A game is over.
    Game(Box<GameRecord>),
    /// An engine had to be started again before it could begin a game: number of the engine, and why.
    Restarted(usize, Fault),
    /// Something is wrong with an engine, which plays all the same: number of the engine, and what. Told at every start.
    Warning(usize, String),
    /// An engine cannot begin a game at all: number of the engine, why, and the last lines exchanged.
    Broken(usize, Fault, Vec<String>),
}

/// What all workers share.
pub(super) struct MatchState {
    /// The next pair to play.
    pub next: AtomicU64,
    /// Games that were played before.
    pub played: HashSet<GameId>,
    /// Engines that cannot begin a game: no pair of theirs is begun any more.
    pub broken: Vec<AtomicBool>,
    /// Set when the match is to end.
    pub stop: Arc<AtomicBool>,
}

/// A worker of a match.
pub(super) struct Worker<'a> {
    plan: &'a MatchPlan,
    shared: &'a MatchState,
    events: SyncSender<WorkerEvent>,
    /// The engines that are running, by their numbers; two at most.
    players: Vec<(usize, Box<dyn Player>)>,
    judges: Vec<Box<dyn Adjudicator>>,
}

/// The match is over, or nobody listens.
struct Over;

impl<'a> Worker<'a> {
    pub(super) fn new(
        plan: &'a MatchPlan,
        shared: &'a MatchState,
        events: SyncSender<WorkerEvent>,
    ) -> Self {
        let agreement = plan.agreement.map(|(men, plies)| {
            let judge: Box<dyn Adjudicator> = Box::new(ScoreAdjudicator::new(men, plies));
            judge
        });
        let exact = plan.tables.as_ref().map(|tables| {
            let judge: Box<dyn Adjudicator> = Box::new(TableAdjudicator::new(Arc::clone(tables)));
            judge
        });
        Worker {
            plan,
            shared,
            events,
            players: Vec::new(),
            judges: exact.into_iter().chain(agreement).collect(),
        }
    }

    /// Plays until there is nothing left, or the match is to end.
    pub(super) fn run(mut self) {
        while !self.shared.stop.load(Relaxed) {
            let number = self.shared.next.fetch_add(1, Relaxed);
            let Some(pair) = self.plan.schedule.pair(number) else {
                return;
            };
            let left = |leg: &u64| !self.shared.played.contains(&GameId::of(number, *leg));
            let legs: Vec<u64> = (0..2).filter(left).collect();
            if legs.is_empty() || self.is_broken(&pair) {
                continue;
            }
            self.seat(&pair);
            for leg in legs {
                if self.is_broken(&pair) {
                    break;
                }
                if self.game(GameId::of(number, leg), &pair).is_err() {
                    return;
                }
            }
        }
    }

    fn is_broken(&self, pair: &GamePair) -> bool {
        let broken = &self.shared.broken;
        pair.engines
            .iter()
            .any(|&engine| broken[engine].load(Relaxed))
    }

    /// Has the engines of a pair, and no others.
    fn seat(&mut self, pair: &GamePair) {
        self.players
            .retain(|(number, _)| pair.engines.contains(number));
        for number in pair.engines {
            if self.players.iter().all(|(seated, _)| *seated != number) {
                let player = self.new_player(number);
                self.players.push((number, player));
            }
        }
    }

    fn new_player(&self, number: usize) -> Box<dyn Player> {
        match &self.plan.engines[number].connection {
            Connection::Hub { launch, params } => {
                let stop = Arc::clone(&self.shared.stop);
                let player = HubPlayer::new(launch.clone(), params.clone(), stop);
                let events = self.events.clone();
                Box::new(player.warning(move |what| {
                    // Where nobody listens the match is over.
                    let _ = events.send(WorkerEvent::Warning(number, what));
                }))
            }
            Connection::Dxp(spec) => {
                Box::new(DxpPlayer::new(spec.clone(), Arc::clone(&self.shared.stop)))
            }
        }
    }

    /// Plays a game and tells of it, or of an engine that cannot begin it.
    fn game(&mut self, id: GameId, pair: &GamePair) -> Result<(), Over> {
        let seats = pair.seats(id.leg());
        let mut failed = [0; 2];
        loop {
            match self.attempt(id, pair, seats) {
                GameAttempt::Game(game) => return self.tell(WorkerEvent::Game(game)),
                GameAttempt::Stopped => return Err(Over),
                GameAttempt::NotBegun {
                    color,
                    fault,
                    lines,
                } => {
                    let engine = seats[color.index()];
                    failed[color.index()] += 1;
                    if failed[color.index()] == MAX_FAILED_STARTS {
                        self.shared.broken[engine].store(true, Relaxed);
                        return self.tell(WorkerEvent::Broken(engine, fault, lines));
                    }
                    self.tell(WorkerEvent::Restarted(engine, fault))?;
                    self.pause(engine, failed[color.index()]);
                }
            }
        }
    }

    /// Waits a while after a failure of an engine that is not started from here.
    fn pause(&self, engine: usize, failures: u32) {
        let connection = &self.plan.engines[engine].connection;
        if !matches!(connection, Connection::Dxp(spec) if spec.launch.is_none()) {
            return;
        }
        let end = Instant::now() + PAUSE * failures;
        while Instant::now() < end && !self.shared.stop.load(Relaxed) {
            thread::sleep(LOOK);
        }
    }

    fn attempt(&mut self, id: GameId, pair: &GamePair, seats: [usize; 2]) -> GameAttempt {
        let [first, second] = &mut self.players[..] else {
            return GameAttempt::Stopped;
        };
        // In the order of the seats.
        let (white, black) = match first.0 == seats[0] {
            true => (first, second),
            false => (second, first),
        };
        let levels = &self.plan.levels;
        let mut seats = [
            Seat {
                player: white.1.as_mut(),
                level: levels[seats[0]],
            },
            Seat {
                player: black.1.as_mut(),
                level: levels[seats[1]],
            },
        ];
        // Engines know nothing of the opening's moves: DXP has no way to tell them.
        let start = pair.opening.position();
        let (terms, stop) = (&self.plan.terms, &self.shared.stop);
        referee::play(id, &start, &mut seats, terms, &mut self.judges, stop)
    }

    fn tell(&self, event: WorkerEvent) -> Result<(), Over> {
        self.events.send(event).map_err(|_| Over)
    }
}
