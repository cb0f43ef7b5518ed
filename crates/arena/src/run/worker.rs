//! A worker: plays one pair after another with its own processes.

use crate::live::LiveGames;
use crate::plan::MatchPlan;
use crate::players::dxp::{DxpPlayer, DxpSpec};
use crate::players::hub::HubPlayer;
use crate::players::{EngineFault, Player};
use crate::record::{GameId, GameRecord};
use crate::referee::adjudicate::{Adjudicator, ScoreAdjudicator};
use crate::referee::{GameAttempt, GameSide, Referee};
use crate::schedule::GamePair;
use crate::spec::Connection;
use damier_endgame::TableAdjudicator;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

/// How many times in a row an engine may fail to begin a game.
const MAX_FAILED_STARTS: u32 = 3;
/// For an engine not started here: pause after the first failure to connect, doubled after each further one.
const PAUSE: Duration = Duration::from_secs(1);
/// Interval between checks whether the match is over.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// What a worker reports.
pub(super) enum WorkerEvent {
    /// A game is over.
    Game(Box<GameRecord>),
    /// An engine was restarted because it could not begin a game: its number, and why.
    Restarted(usize, EngineFault),
    /// A warning about an engine that plays on: its number, and the warning. Sent at every start.
    Warning(usize, String),
    /// An engine cannot begin a game at all: its number, why, and the last lines exchanged.
    Broken(usize, EngineFault, Vec<String>),
}

/// State shared by all workers of a match.
pub(super) struct WorkersState {
    /// The next pair to play, as its place in the shard.
    next_pair: AtomicU64,
    /// Games that have already been played.
    played: HashSet<GameId>,
    /// The games in progress.
    pub(super) live: LiveGames,
    /// Engines that cannot begin a game: their pairs are skipped.
    broken: Vec<AtomicBool>,
    /// Set when the match is to end.
    pub(super) stop: Arc<AtomicBool>,
}

impl WorkersState {
    /// The state at the beginning of a match with this many engines.
    pub(super) fn new(engines: usize, played: HashSet<GameId>) -> WorkersState {
        WorkersState {
            next_pair: AtomicU64::new(0),
            played,
            live: LiveGames::default(),
            broken: (0..engines).map(|_| AtomicBool::new(false)).collect(),
            stop: Arc::default(),
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// A worker of a match.
pub(super) struct Worker<'a> {
    plan: &'a MatchPlan,
    /// Number in the log, from 1.
    number: usize,
    state: &'a WorkersState,
    events: SyncSender<WorkerEvent>,
    /// The running engines, at most two, by number.
    players: Vec<(usize, Box<dyn Player>)>,
    adjudicators: Vec<Box<dyn Adjudicator>>,
}

/// The match is over: the event channel is closed.
struct MatchOver;

impl<'a> Worker<'a> {
    pub(super) fn new(
        plan: &'a MatchPlan,
        number: usize,
        state: &'a WorkersState,
        events: SyncSender<WorkerEvent>,
    ) -> Worker<'a> {
        let mut adjudicators: Vec<Box<dyn Adjudicator>> = Vec::new();
        if let Some(tables) = &plan.tables {
            adjudicators.push(Box::new(TableAdjudicator::new(Arc::clone(tables))));
        }
        if let Some((men, plies)) = plan.agreement {
            adjudicators.push(Box::new(ScoreAdjudicator::new(men, plies)));
        }
        Worker {
            plan,
            number,
            state,
            events,
            players: Vec::new(),
            adjudicators,
        }
    }

    /// Plays until all games are assigned or the match is to end.
    pub(super) fn run(mut self) {
        while !self.state.is_stopped() {
            let place = self.state.next_pair.fetch_add(1, Relaxed);
            let number = self.plan.shard.item(place);
            let Some(pair) = self.plan.schedule.pair(number) else {
                return;
            };
            let games = (0..2).map(|leg| GameId::of(number, leg));
            let games: Vec<GameId> = games.filter(|id| !self.state.played.contains(id)).collect();
            if games.is_empty() || self.is_broken(&pair) {
                continue;
            }
            self.set_players(&pair);
            for id in games {
                if self.is_broken(&pair) {
                    break;
                }
                if self.play(id, &pair).is_err() {
                    return;
                }
            }
        }
    }

    fn is_broken(&self, pair: &GamePair) -> bool {
        let is_broken = |&engine: &usize| self.state.broken[engine].load(Relaxed);
        pair.engines.iter().any(is_broken)
    }

    /// Keeps the engines of a pair and stops any others.
    fn set_players(&mut self, pair: &GamePair) {
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
        let engine = &self.plan.engines[number];
        let label = format!("{}.{}", self.number, engine.name);
        let stop = Arc::clone(&self.state.stop);
        match &engine.connection {
            Connection::Hub { launch, params } => {
                let events = self.events.clone();
                let warn = move |what| {
                    // Fails only if nobody receives events because the match is over.
                    let _ = events.send(WorkerEvent::Warning(number, what));
                };
                let player = HubPlayer::new(label, launch.clone(), params.clone(), stop);
                Box::new(player.with_warnings(warn))
            }
            Connection::Dxp(spec) => {
                let spec = DxpSpec {
                    name: label,
                    ..spec.clone()
                };
                Box::new(DxpPlayer::new(spec, stop))
            }
        }
    }

    /// Plays a game and reports it, or the engine that cannot begin it.
    fn play(&mut self, id: GameId, pair: &GamePair) -> Result<(), MatchOver> {
        let seats = pair.seats(id.leg());
        let [white, black] = seats.map(|seat| &self.plan.engines[seat].name);
        let opening = &pair.opening.name;
        let (game, worker) = (id.number(), self.number);
        log::info!("{worker}: game {game} begins: {white} - {black}, opening {opening}");
        let mut failures = [0; 2];
        loop {
            self.state.live.begin(id, pair, [white, black]);
            let attempt = self.attempt(id, pair, seats);
            self.state.live.end(id);
            match attempt {
                GameAttempt::Finished(record) => {
                    let (outcome, plies) = (record.outcome, record.plies.len());
                    log::info!(
                        "{worker}: game {game} is over after {plies} plies: {outcome:?} ({})",
                        record.ending
                    );
                    return self.send(WorkerEvent::Game(record));
                }
                GameAttempt::Stopped => return Err(MatchOver),
                GameAttempt::NotBegun {
                    color,
                    fault,
                    lines,
                } => {
                    let engine = seats[color.index()];
                    let failures = &mut failures[color.index()];
                    *failures += 1;
                    if *failures == MAX_FAILED_STARTS {
                        self.state.broken[engine].store(true, Relaxed);
                        return self.send(WorkerEvent::Broken(engine, fault, lines));
                    }
                    self.send(WorkerEvent::Restarted(engine, fault))?;
                    self.pause(engine, *failures);
                }
            }
        }
    }

    /// Waits after the failure of an engine that is not started here.
    fn pause(&self, engine: usize, failures: u32) {
        let connection = &self.plan.engines[engine].connection;
        if !matches!(connection, Connection::Dxp(spec) if spec.launch.is_none()) {
            return;
        }
        let end = Instant::now() + PAUSE * failures;
        while Instant::now() < end && !self.state.is_stopped() {
            thread::sleep(POLL_INTERVAL);
        }
    }

    fn attempt(&mut self, id: GameId, pair: &GamePair, seats: [usize; 2]) -> GameAttempt {
        let [first, second] = &mut self.players[..] else {
            return GameAttempt::Stopped;
        };
        let (white, black) = match first.0 == seats[0] {
            true => (first, second),
            false => (second, first),
        };
        let levels = seats.map(|seat| self.plan.levels[seat]);
        let mut seats = [
            GameSide {
                player: white.1.as_mut(),
                level: levels[0],
            },
            GameSide {
                player: black.1.as_mut(),
                level: levels[1],
            },
        ];
        // Engines are not told the moves of the opening: DXP cannot send them.
        let start = pair.opening.position();
        let live = &self.state.live;
        let mut referee = Referee {
            limits: &self.plan.limits,
            adjudicators: &mut self.adjudicators,
            stop: &self.state.stop,
            watch: &mut |scene| live.show(id, scene),
        };
        referee.play(id, &start, &mut seats)
    }

    fn send(&self, event: WorkerEvent) -> Result<(), MatchOver> {
        self.events.send(event).map_err(|_| MatchOver)
    }
}
