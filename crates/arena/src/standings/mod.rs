//! Results of a match, added in the order of the schedule.

mod detections;
mod overshoot;
pub mod statistics;

pub use self::detections::{DetectionCounts, DetectionStats};
pub use self::overshoot::Overshoot;

use self::statistics::{CrossTable, Tally};
use crate::record::{FaultKind, FaultRecord, GameId, GameRecord, PlyRecord};
use crate::schedule::{GamePair, Schedule};
use damier_rules::GameResult;
use damier_rules::board::Color;
use std::collections::BTreeMap;
use std::time::Duration;

/// Number of faults kept in full; the rest are only counted.
const MAX_FAULTS: usize = 100;

/// Statistics of an engine.
#[derive(Clone, Debug, Default)]
pub struct EngineStats {
    /// Moves it played.
    pub moves: u64,
    /// Total time for them.
    pub time: Duration,
    /// Nodes reported, and the time of the moves with a report.
    nodes: (u64, Duration),
    /// Sum of the depths reported, and the number of moves with one.
    depths: (f64, u64),
    /// How much its moves exceeded their time, if limited by time.
    pub overshoot: Overshoot,
    /// Search inconsistencies that it reported.
    pub detections: DetectionStats,
    /// Faults of the engine, by kind.
    pub faults: BTreeMap<FaultKind, u64>,
}

impl EngineStats {
    fn add(&mut self, ply: &PlyRecord, pieces: u32) {
        self.moves += 1;
        self.time += ply.elapsed;
        if let Some(nodes) = ply.nodes {
            // An engine may report any number.
            self.nodes.0 = self.nodes.0.saturating_add(nodes);
            self.nodes.1 += ply.elapsed;
        }
        if let Some(depth) = ply.depth {
            self.depths.0 += depth;
            self.depths.1 += 1;
        }
        if let Some(overshoot) = ply.overshoot {
            self.overshoot.add(overshoot);
        }
        self.detections.add(ply, pieces);
    }

    /// Mean depth in plies, if reported.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.depths.1 > 0).then(|| self.depths.0 / self.depths.1 as f64)
    }

    /// Nodes per second, if reported.
    pub fn nps(&self) -> Option<f64> {
        let seconds = self.nodes.1.as_secs_f64();
        (self.nodes.0 > 0 && seconds > 0.0).then(|| self.nodes.0 as f64 / seconds)
    }

    /// Mean time per move.
    pub fn time_per_move(&self) -> Option<Duration> {
        let moves = u32::try_from(self.moves).ok()?;
        self.time.checked_div(moves)
    }
}

/// Results of one opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpeningStats {
    /// Games that white won, drew, lost: where the first engine of the pairing has white, and where it has black.
    pub legs: [[u64; 3]; 2],
}

impl OpeningStats {
    /// Games that white won, drew, lost.
    pub fn white(&self) -> [u64; 3] {
        let [first, second] = self.legs;
        [0, 1, 2].map(|result| first[result] + second[result])
    }

    /// Games that the first engine of the pairing won, drew and lost.
    pub fn first(&self) -> [u64; 3] {
        let [first, second] = self.legs;
        [0, 1, 2].map(|result| first[result] + second[2 - result])
    }
}

/// A fault and where it happened.
#[derive(Clone, PartialEq, Debug)]
pub struct FaultNote {
    /// The game of the fault.
    pub game: GameId,
    /// Number of the engine.
    pub engine: usize,
    /// Number of its opponent.
    pub opponent: usize,
    /// Name of the opening.
    pub opening: String,
    /// Moves played by the engines before the fault.
    pub plies: usize,
    /// The fault.
    pub fault: FaultRecord,
}

/// All results so far.
#[derive(Clone, Debug)]
pub struct Standings {
    /// Results of each engine against each other.
    pub table: CrossTable,
    /// For each engine.
    pub engines: Vec<EngineStats>,
    /// For each opening, in the order of the schedule.
    pub openings: Vec<OpeningStats>,
    /// How games ended.
    pub endings: BTreeMap<&'static str, u64>,
    /// The first faults, in full.
    pub faults: Vec<FaultNote>,
    /// Number of further faults.
    pub more_faults: u64,
    /// Number of games counted.
    pub games: u64,
    /// Games in which both engines had a decisive detection, as of the first engine of the pairing: won, drawn, lost.
    pub both_decisive: [u64; 3],
    /// The first game of a pair whose second is missing: pair number, engines, result.
    half: Option<(u64, [usize; 2], GameResult)>,
}

impl Standings {
    /// No result yet.
    pub fn new(schedule: &Schedule, engines: usize) -> Standings {
        Standings {
            table: CrossTable::new(engines),
            engines: vec![EngineStats::default(); engines],
            openings: vec![OpeningStats::default(); schedule.openings().len()],
            endings: BTreeMap::new(),
            faults: Vec::new(),
            more_faults: 0,
            games: 0,
            both_decisive: [0; 3],
            half: None,
        }
    }

    /// Counts a game. Games must come in schedule order; some may be missing.
    pub fn add(&mut self, pair: &GamePair, game: &GameRecord) {
        if self
            .half
            .is_some_and(|(number, ..)| number != game.id.pair())
        {
            self.close();
        }
        let leg = game.id.leg();
        let seats = pair.seats(leg);
        let mut position = pair.opening.position();
        for ply in &game.plies {
            let engine = &mut self.engines[seats[position.turn().index()]];
            engine.add(ply, position.occupied().len());
            position = position.play(ply.mv);
        }
        let mut deciders = 0;
        for (engine, color) in seats.into_iter().zip(Color::BOTH) {
            let result = game.outcome.of(color);
            deciders += u32::from(self.engines[engine].detections.end_game(result));
        }
        self.games += 1;
        *self.endings.entry(game.ending.name()).or_default() += 1;
        let first_color = [Color::White, Color::Black][leg];
        let result = game.outcome.of(first_color);
        let opening = &mut self.openings[pair.opening_index];
        opening.legs[leg][index(game.outcome.of(Color::White))] += 1;
        self.both_decisive[index(result)] += u64::from(deciders == 2);
        if let Some(fault) = &game.fault {
            self.add_fault(pair, game, fault);
        }
        let [a, b] = pair.engines;
        match self.half.take() {
            None if leg == 0 => self.half = Some((game.id.pair(), pair.engines, result)),
            None => self.table.add_single(a, b, result),
            Some((.., first)) => self.table.add_pair(a, b, first, result),
        }
    }

    fn add_fault(&mut self, pair: &GamePair, game: &GameRecord, fault: &FaultRecord) {
        let seats = pair.seats(game.id.leg());
        let (engine, opponent) = (seats[fault.color.index()], seats[(!fault.color).index()]);
        *self.engines[engine].faults.entry(fault.kind).or_default() += 1;
        if self.faults.len() == MAX_FAULTS {
            self.more_faults += 1;
            return;
        }
        self.faults.push(FaultNote {
            game: game.id,
            engine,
            opponent,
            opening: pair.opening.name.clone(),
            plies: game.plies.len(),
            fault: fault.clone(),
        });
    }

    /// Counts the first game of a pair whose second will not come.
    pub fn close(&mut self) {
        if let Some((_, [a, b], result)) = self.half.take() {
            self.table.add_single(a, b, result);
        }
    }

    /// The results of an engine against another.
    pub fn against(&self, (engine, other): (usize, usize)) -> &Tally {
        self.table.against(engine, other)
    }
}

fn index(result: GameResult) -> usize {
    match result {
        GameResult::Win => 0,
        GameResult::Draw => 1,
        GameResult::Loss => 2,
    }
}
