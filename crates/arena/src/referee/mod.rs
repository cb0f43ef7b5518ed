//! Referees one game between two players.
//!
//! The referee trusts no player: it keeps the board and the clocks, and checks every claim.

pub mod adjudicate;
mod clock;

use self::adjudicate::Adjudicator;
use self::clock::PlayerClock;
use crate::level::GameLevel;
use crate::players::{Answer, Claim, EngineFault, Player, PlayerReply, Turn, printable};
use crate::record::{Ending, FaultKind, FaultRecord, GameId, GameOutcome, GameRecord, PlyRecord};
use damier_rules::board::Color;
use damier_rules::{Game, Position, Status};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long the referee waits for a late move, to report how late it was.
const LATE_TIMEOUT: Duration = Duration::from_secs(5);

/// What ends a game besides the rules of draughts.
#[derive(Clone, PartialEq, Debug)]
pub struct GameLimits {
    /// A game is drawn once each side has played this many moves.
    pub max_moves: Option<u32>,
    /// Tolerance: a move that is late by at most this much is accepted.
    pub margin: Duration,
    /// Timeout. Without a time limit: no answer for this long is a fault. With one: no answer for this long, or for
    /// five seconds if that is less, after the time for the move has run out.
    pub patience: Duration,
}

/// One side of a game.
pub struct GameSide<'a> {
    /// Who plays.
    pub player: &'a mut dyn Player,
    /// Level of the player.
    pub level: GameLevel,
}

/// The result of an attempt to play a game.
#[derive(Debug)]
pub enum GameAttempt {
    /// The game was played.
    Finished(Box<GameRecord>),
    /// This side's player could not begin, so the game was not played.
    NotBegun {
        /// Which side.
        color: Color,
        /// Why.
        fault: EngineFault,
        /// The last lines exchanged.
        lines: Vec<String>,
    },
    /// The match ended before the game did.
    Stopped,
}

/// A game before a move.
pub struct Scene<'a> {
    /// Who is to move.
    pub turn: Color,
    /// The last move of a player, if there is one.
    pub last: Option<&'a PlyRecord>,
    /// What is left on the clocks of white and black, if they have one.
    pub clocks: [Option<Duration>; 2],
}

/// How a game ended.
struct GameDecision {
    outcome: GameOutcome,
    ending: Ending,
    fault: Option<FaultRecord>,
}

impl GameDecision {
    fn new(outcome: GameOutcome, ending: Ending) -> GameDecision {
        GameDecision {
            outcome,
            ending,
            fault: None,
        }
    }
}

/// The referee of the games of a match.
pub struct Referee<'a> {
    /// What ends a game besides the rules.
    pub limits: &'a GameLimits,
    /// Who ends decided games.
    pub adjudicators: &'a mut [Box<dyn Adjudicator>],
    /// Whether the match is to end.
    pub stop: &'a AtomicBool,
    /// Sees the game before each move.
    pub watch: &'a mut dyn FnMut(&Scene<'_>),
}

impl Referee<'_> {
    /// Lets white and black, `seats`, play a game from a position. A player that commits a fault is restarted.
    pub fn play(
        &mut self,
        id: GameId,
        start: &Position,
        seats: &mut [GameSide<'_>; 2],
    ) -> GameAttempt {
        for (seat, color) in seats.iter_mut().zip(Color::BOTH) {
            if let Err(fault) = seat.player.begin(start, color, seat.level) {
                let lines = seat.player.transcript();
                seat.player.restart();
                return match self.stop.load(Relaxed) {
                    true => GameAttempt::Stopped,
                    false => GameAttempt::NotBegun {
                        color,
                        fault,
                        lines,
                    },
                };
            }
        }
        let began = SystemTime::now().duration_since(UNIX_EPOCH);
        let clocks = [
            PlayerClock::new(seats[0].level),
            PlayerClock::new(seats[1].level),
        ];
        let mut in_progress = GameInProgress {
            game: Game::new(*start),
            plies: Vec::new(),
            clocks,
            referee: self,
        };
        let Some(decision) = in_progress.run(seats) else {
            return GameAttempt::Stopped;
        };
        for (seat, color) in seats.iter_mut().zip(Color::BOTH) {
            if decision
                .fault
                .as_ref()
                .is_some_and(|fault| fault.color == color)
            {
                seat.player.restart();
            } else if seat
                .player
                .finish(&in_progress.game, decision.outcome.of(color))
                .is_err()
            {
                // The result counts; the player starts afresh for the next game.
                seat.player.restart();
            }
        }
        GameAttempt::Finished(Box::new(GameRecord {
            id,
            began: began.ok().map(|time| time.as_secs()),
            plies: in_progress.plies,
            outcome: decision.outcome,
            ending: decision.ending,
            fault: decision.fault,
        }))
    }
}

struct GameInProgress<'r, 'a> {
    game: Game,
    plies: Vec<PlyRecord>,
    clocks: [PlayerClock; 2],
    referee: &'r mut Referee<'a>,
}

impl GameInProgress<'_, '_> {
    /// Plays until the game is decided; None if the match is stopped.
    fn run(&mut self, seats: &mut [GameSide<'_>; 2]) -> Option<GameDecision> {
        self.referee
            .adjudicators
            .iter_mut()
            .for_each(|adjudicator| adjudicator.begin());
        loop {
            if let Some(decision) = self.decision() {
                return Some(decision);
            }
            if self.referee.stop.load(Relaxed) {
                return None;
            }
            let color = self.game.position().turn();
            self.show(color);
            let seat = &mut seats[color.index()];
            let thought = self
                .ask(seat, color)
                .and_then(|thought| self.accept(thought, color));
            let fault = match thought {
                Ok(None) => continue,
                Ok(Some(decision)) => return Some(decision),
                Err(fault) => fault,
            };
            // An interruption is nobody's fault.
            if self.referee.stop.load(Relaxed) {
                return None;
            }
            return Some(GameDecision {
                outcome: GameOutcome::Won(!color),
                ending: Ending::Fault,
                fault: Some(FaultRecord {
                    color,
                    kind: FaultKind::from(&fault),
                    what: printable(&fault.to_string()),
                    position: *self.game.position(),
                    lines: seat.player.transcript(),
                }),
            });
        }
    }

    fn show(&mut self, turn: Color) {
        let left = |clock: &PlayerClock| clock.remaining().map(|left| left.time);
        (self.referee.watch)(&Scene {
            turn,
            last: self.plies.last(),
            clocks: self.clocks.each_ref().map(left),
        });
    }

    fn decision(&mut self) -> Option<GameDecision> {
        match self.game.status() {
            Status::WonBy(color) => {
                return Some(GameDecision::new(GameOutcome::Won(color), Ending::NoMove));
            }
            Status::Drawn(rule) => {
                return Some(GameDecision::new(GameOutcome::Drawn, Ending::Rule(rule)));
            }
            Status::Playing => {}
        }
        let last = self.plies.last();
        for adjudicator in self.referee.adjudicators.iter_mut() {
            if let Some((outcome, ending)) = adjudicator.decide(&self.game, last) {
                return Some(GameDecision::new(outcome, ending));
            }
        }
        let limit = self
            .referee
            .limits
            .max_moves
            .map(|moves| 2 * moves as usize);
        limit
            .filter(|&limit| self.plies.len() >= limit)
            .map(|_| GameDecision::new(GameOutcome::Drawn, Ending::MaxMoves))
    }

    fn ask(&self, seat: &mut GameSide<'_>, color: Color) -> Result<PlayerReply, EngineFault> {
        let clock = &self.clocks[color.index()];
        let patience = match clock.allowed() {
            None => self.referee.limits.patience,
            Some(allowed) => {
                allowed
                    + self.referee.limits.margin
                    + self.referee.limits.patience.min(LATE_TIMEOUT)
            }
        };
        seat.player.think(&Turn {
            game: &self.game,
            level: seat.level,
            remaining: clock.remaining(),
            patience,
        })
    }

    /// Plays the move if it came in time, or judges a claim.
    fn accept(
        &mut self,
        thought: PlayerReply,
        color: Color,
    ) -> Result<Option<GameDecision>, EngineFault> {
        let clock = &mut self.clocks[color.index()];
        let overshoot = clock
            .allowed()
            .map(|allowed| thought.elapsed.saturating_sub(allowed));
        if let Some(late) = overshoot.filter(|&late| late > self.referee.limits.margin) {
            return Err(EngineFault::Late(late));
        }
        clock.spend(thought.elapsed);
        let mv = match thought.answer {
            Answer::Move(mv) => mv,
            Answer::Claim(Claim::Loss) => {
                return Ok(Some(GameDecision::new(
                    GameOutcome::Won(!color),
                    Ending::Resigned,
                )));
            }
            // If the claim were true, the game would already be over.
            Answer::Claim(claim) => {
                let what = match claim {
                    Claim::Win => "claims that it has won",
                    Claim::Draw => "claims a draw",
                    Claim::Loss | Claim::Unknown => "claims that the game is over",
                };
                return Err(EngineFault::Illegal(format!(
                    "{what}, but the game is not over"
                )));
            }
        };
        if !self.game.position().is_legal(mv) {
            return Err(EngineFault::Illegal(format!("{mv}")));
        }
        self.game.play(mv);
        self.plies.push(PlyRecord {
            mv,
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
            detections: thought.detections,
            elapsed: thought.elapsed,
            overshoot,
        });
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
