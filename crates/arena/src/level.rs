//! Levels: how much an engine may use for a move or a game.

use damier_engine::level::{MAX_SECONDS, read_depth, read_nodes, read_seconds};
use damier_engine::search::{Depth, MAX_DEPTH};
use damier_engine::{Clock, Level};
use std::fmt;
use std::time::Duration;

/// How much a player may use for a move or a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameLevel {
    /// A fixed time per move.
    MoveTime(Duration),
    /// A number of nodes per move.
    Nodes(u64),
    /// A depth in plies per move.
    Depth(Depth),
    /// A clock.
    Clock {
        /// Moves in a period, after which its time is added again. None: `time` is for the whole game.
        moves: Option<u32>,
        /// Time of the game or of a period.
        time: Duration,
        /// Added before each move, as in Hub.
        increment: Duration,
    },
}

/// The player's clock at its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remaining {
    /// Time left, without the increment of this move.
    pub time: Duration,
    /// Added before each move.
    pub increment: Duration,
    /// Moves to the next period.
    pub moves: Option<u32>,
}

impl GameLevel {
    /// This level at odds: `factor` times its time or its nodes, at least one node.
    ///
    /// # Errors
    /// It is a depth, or the product is no level.
    pub fn at_odds(self, factor: f64) -> Result<GameLevel, LevelError> {
        let error = LevelError::Odds(factor, self);
        if !(factor > 0.0 && factor.is_finite()) {
            return Err(error);
        }
        let times = |time: Duration| {
            let scaled = Duration::try_from_secs_f64(time.as_secs_f64() * factor).ok();
            let is_kept = |scaled: &Duration| {
                scaled.as_secs_f64() <= MAX_SECONDS && scaled.is_zero() == time.is_zero()
            };
            scaled.filter(is_kept).ok_or(error.clone())
        };
        Ok(match self {
            GameLevel::MoveTime(time) => GameLevel::MoveTime(times(time)?),
            GameLevel::Nodes(nodes) => {
                GameLevel::Nodes(((nodes as f64 * factor).round() as u64).max(1))
            }
            GameLevel::Depth(_) => return Err(LevelError::NoOdds(self)),
            GameLevel::Clock {
                moves,
                time,
                increment,
            } => GameLevel::Clock {
                moves,
                time: times(time)?,
                increment: times(increment)?,
            },
        })
    }

    /// What may be spent on a move, with so much on the clock; without it, what the clock has at the start.
    pub fn for_move(self, remaining: Option<Remaining>) -> Level {
        match self {
            GameLevel::MoveTime(time) => Level::move_time(time),
            GameLevel::Nodes(nodes) => Level::nodes(nodes),
            GameLevel::Depth(depth) => Level::depth(depth),
            GameLevel::Clock {
                moves,
                time,
                increment,
            } => {
                let left = remaining.unwrap_or(Remaining {
                    time,
                    increment,
                    moves,
                });
                Level {
                    clock: Some(Clock {
                        time: left.time.as_secs_f64(),
                        increment: left.increment.as_secs_f64(),
                        moves: left.moves,
                    }),
                    ..Level::INFINITE
                }
            }
        }
    }
}

/// Why a text is not a level, or a level has no multiple.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LevelError {
    /// Invalid time of a move or increment.
    #[error("{0:?} is not a time; expected seconds above zero, such as 0.1")]
    Seconds(String),
    /// Invalid number of nodes.
    #[error("{0:?} is not a number of nodes; expected a whole number from 1 on")]
    Nodes(String),
    /// Invalid depth.
    #[error("{0:?} is not a depth; expected a whole number from 1 to {MAX_DEPTH}")]
    Depth(String),
    /// Invalid clock.
    #[error(
        "{0:?} is not a clock; expected seconds for the game with an increment, such as 60+0.6, or moves and the \
        seconds for them, such as 40/60"
    )]
    Clock(String),
    /// More than one of move-time, nodes, depth and tc.
    #[error("{0} and {1} exclude each other: give one level")]
    Two(&'static str, &'static str),
    /// A multiple of a depth.
    #[error("odds are a factor on time or nodes; {0} has neither")]
    NoOdds(GameLevel),
    /// A multiple of a level that is too little or too much.
    #[error("{0} times {1} is no level")]
    Odds(f64, GameLevel),
}

/// The level in the words of the command line: `nodes=1000`, `tc=60+0.6`, `tc=40/60`.
impl fmt::Display for GameLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            GameLevel::MoveTime(time) => write!(f, "move-time={}", time.as_secs_f64()),
            GameLevel::Nodes(nodes) => write!(f, "nodes={nodes}"),
            GameLevel::Depth(depth) => write!(f, "depth={depth}"),
            GameLevel::Clock {
                moves,
                time,
                increment,
            } => {
                f.write_str("tc=")?;
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", time.as_secs_f64())?;
                if increment.is_zero() {
                    return Ok(());
                }
                write!(f, "+{}", increment.as_secs_f64())
            }
        }
    }
}

/// The four ways to give a level as text; at most one may be given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LevelText {
    /// Seconds for each move.
    pub move_time: Option<String>,
    /// Positions for each move.
    pub nodes: Option<String>,
    /// Plies for each move.
    pub depth: Option<String>,
    /// A clock: `TIME+INC` or `MOVES/TIME`.
    pub clock: Option<String>,
}

impl LevelText {
    /// The level, or None if nothing is given.
    ///
    /// # Errors
    /// The text is not a level, or more than one is given.
    pub fn level(&self) -> Result<Option<GameLevel>, LevelError> {
        let given = [
            ("move-time", self.move_time.as_ref()),
            ("nodes", self.nodes.as_ref()),
            ("depth", self.depth.as_ref()),
            ("tc", self.clock.as_ref()),
        ];
        let given: Vec<_> = given
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?)))
            .collect();
        match given[..] {
            [] => Ok(None),
            [(name, text)] => parse(name, text).map(Some),
            [(first, _), (second, _), ..] => Err(LevelError::Two(first, second)),
        }
    }
}

fn parse(name: &str, text: &str) -> Result<GameLevel, LevelError> {
    match name {
        "move-time" => time(text).map(GameLevel::MoveTime),
        "nodes" => read_nodes(text)
            .map(GameLevel::Nodes)
            .ok_or_else(|| LevelError::Nodes(text.to_owned())),
        "depth" => read_depth(text)
            .map(GameLevel::Depth)
            .ok_or_else(|| LevelError::Depth(text.to_owned())),
        _ => clock(text),
    }
}

/// A time above zero, in seconds.
///
/// # Errors
/// The text is not a time.
pub fn time(text: &str) -> Result<Duration, LevelError> {
    read_seconds(text)
        .filter(|time| !time.is_zero())
        .ok_or_else(|| LevelError::Seconds(text.to_owned()))
}

fn clock(text: &str) -> Result<GameLevel, LevelError> {
    let read = || {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = moves.trim().parse().ok().filter(|&n: &u32| n > 0)?;
                (Some(moves), rest)
            }
            None => (None, text),
        };
        let (time, increment) = match rest.split_once('+') {
            Some((time, increment)) => (read_seconds(time)?, read_seconds(increment)?),
            None => (read_seconds(rest)?, Duration::ZERO),
        };
        let some = !time.is_zero() || !increment.is_zero();
        some.then_some(GameLevel::Clock {
            moves,
            time,
            increment,
        })
    };
    read().ok_or_else(|| LevelError::Clock(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(name: &str, text: &str) -> Result<GameLevel, LevelError> {
        parse(name, text)
    }

    #[test]
    fn levels_survive_the_round_trip() {
        for text in [
            "move-time=0.1",
            "nodes=1000",
            "depth=9",
            "tc=60+0.6",
            "tc=40/60",
            "tc=40/60+1",
            "tc=300",
        ] {
            let (name, value) = text.split_once('=').expect("a name");
            assert_eq!(
                level(name, value).map(|l| l.to_string()),
                Ok(text.to_owned())
            );
        }
    }

    #[test]
    fn odds_are_a_factor_on_time_and_nodes() {
        for (name, text, factor, expected) in [
            ("move-time", "0.1", 0.1, "move-time=0.01"),
            ("nodes", "20000", 0.25, "nodes=5000"),
            ("nodes", "3", 0.01, "nodes=1"),
            ("tc", "60+0.6", 0.5, "tc=30+0.3"),
            ("tc", "40/60", 2.0, "tc=40/120"),
        ] {
            let level = level(name, text).expect("a level").at_odds(factor);
            assert_eq!(
                level.map(|level| level.to_string()),
                Ok(expected.to_owned())
            );
        }
        let depth = level("depth", "9").expect("a level");
        assert_eq!(depth.at_odds(0.5), Err(LevelError::NoOdds(depth)));
        let time = level("move-time", "0.1").expect("a level");
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-12, 1e300] {
            assert!(time.at_odds(factor).is_err(), "{factor}");
        }
    }

    #[test]
    fn what_is_no_level_is_refused() {
        for (name, bad) in [
            ("move-time", "0"),
            ("move-time", "-1"),
            ("move-time", "nan"),
            ("move-time", "1e99"),
            ("nodes", "0"),
            ("nodes", "1.5"),
            ("nodes", ""),
            ("depth", "0"),
            ("depth", "1000"),
            ("tc", ""),
            ("tc", "0"),
            ("tc", "0/60"),
            ("tc", "40/"),
            ("tc", "1+"),
            ("tc", "-1+2"),
        ] {
            assert!(level(name, bad).is_err(), "{name}={bad}");
        }
        let two = LevelText {
            nodes: Some("1".to_owned()),
            clock: Some("1".to_owned()),
            ..LevelText::default()
        };
        assert_eq!(two.level(), Err(LevelError::Two("nodes", "tc")));
    }
}
