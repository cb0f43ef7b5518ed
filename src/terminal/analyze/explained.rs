//! What `--explain` adds to an analysis.

use crate::analysis::Stop;
use crate::analysis::explain::{LastMove, Threat, last_move, threat};
use crate::engine::Engine;
use crate::notation::moves::{LineError, MoveError, parse_line, short};
use crate::rules::{Game, Position};
use crate::search::{Outcome, Stopped};
use crate::terminal::words;

/// What is said of a position beyond its score.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Explained {
    pub threat: Option<Threat>,
    pub last_move: Option<LastMove>,
}

impl Explained {
    /// What is known after a search of the game's last position.
    pub fn of(
        engine: &mut Engine,
        game: &Game,
        outcome: &Outcome,
        stop: &Stop,
    ) -> Result<Explained, Stopped> {
        Ok(Explained {
            threat: threat(engine, game, outcome, stop)?,
            last_move: last_move(engine, game, outcome, stop)?,
        })
    }

    /// As lines of text.
    pub fn lines(&self, game: &Game) -> Vec<String> {
        let threat = match &self.threat {
            Some(threat) => {
                let passed = crate::analysis::explain::passed(game.position());
                let line = words::line(&passed, &threat.line);
                let score = words::meaning(threat.score, passed.turn());
                format!("threat    {line}   {score}, {:.2} points", threat.gain)
            }
            None => "threat    none".to_owned(),
        };
        let last = self.last_move.as_ref();
        let last = last.map(|last| format!("last move {}", words_of(last, game)));
        [threat].into_iter().chain(last).collect()
    }
}

fn words_of(last: &LastMove, game: &Game) -> String {
    let mut before = game.clone();
    before.take_back();
    let before = before.position();
    let mv = short(before, last.mv);
    match (last.is_forced, last.better.is_empty()) {
        (true, _) => format!("{mv} was the only one"),
        (_, true) => format!("{mv} gave nothing away"),
        _ => format!(
            "{mv} gave away {:.0} % of a win; better {}   {}",
            last.loss * 100.0,
            words::line(before, &last.better),
            words::meaning(last.score, before.turn())
        ),
    }
}

/// The game up to the first move that is not legal, and why it is not.
///
/// # Errors
/// Something in the line does not look like a move.
pub(super) fn up_to_illegal(
    start: &Position,
    line: &str,
) -> Result<(Game, Option<LineError>), String> {
    let (moves, illegal) = match parse_line(start, line) {
        Ok(moves) => (moves, None),
        Err(problem) => match problem.error {
            MoveError::Syntax { .. } | MoveError::OneSquare | MoveError::TooLong => {
                return Err(problem.to_string());
            }
            _ => (problem.played.clone(), Some(problem)),
        },
    };
    let mut game = Game::new(*start);
    moves.into_iter().for_each(|mv| game.play(mv));
    Ok((game, illegal))
}
