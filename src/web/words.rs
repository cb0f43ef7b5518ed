//! What a search has found, as messages.

use super::messages::{Answer, Evaluated, Found, Pv, Worth};
use super::pool::{Event, Snapshot};
use super::rules;
use crate::eval::Score;
use crate::rules::{Game, Move, Position, Status};
use crate::search::Report;

/// Most moves of a line that are told.
const LINE: usize = 30;
/// How fast the expected points grow with the score, for each man: 0.82 a man ahead.
const GROWTH: f64 = 1.5;
/// Expected points that a move loses, and its mark: `??`, `?`, `?!`.
const MARKS: [(f64, u8); 3] = [(0.30, 4), (0.15, 2), (0.08, 6)];

/// Puts events into messages. Remembers what the last position of a review was worth.
#[derive(Default)]
pub(super) struct Teller {
    /// Number of the review, and the points and the best move of the position before.
    before: Option<(u32, f64, Option<Move>)>,
}

impl Teller {
    /// The message for an event of the search `id` of this game.
    pub fn tell(&mut self, id: u32, game: &Game, event: Event) -> Answer {
        match event {
            Event::Queued(ahead) => Answer::Queued { ahead },
            Event::Info(snapshot) => Answer::Info(found(game.position(), &snapshot)),
            Event::Best(best, snapshot) => Answer::Best {
                best: best.map(|mv| mv.to_string()),
                found: found(game.position(), &snapshot),
            },
            Event::Evaluated(ply, report) => {
                Answer::Evaluated(self.evaluated(id, game, ply, report))
            }
            Event::Reviewed => Answer::Reviewed,
            Event::Failed(why) => Answer::Error {
                message: format!("the search died of a fault in the program: {why}"),
            },
        }
    }

    fn evaluated(&mut self, id: u32, game: &Game, ply: usize, report: Option<Report>) -> Evaluated {
        let score = report
            .as_ref()
            .map_or(Score::loss_in(0), |report| report.score);
        let is_drawn = ply == game.moves().len() && matches!(game.status(), Status::Drawn(_));
        let worth = worth(if is_drawn { Score::DRAW } else { score });
        let position = position_at(game, ply);
        let mut line = report.map(|report| report.pv).unwrap_or_default();
        line.truncate(LINE);
        let before = self.before.take().filter(|(review, ..)| *review == id);
        let played = ply
            .checked_sub(1)
            .and_then(|ply| game.moves().get(ply).copied());
        let loss = before.map(|(_, points, best)| match best == played {
            true => 0.0,
            false => (points + worth.points - 1.0).max(0.0),
        });
        let nag = loss.and_then(|loss| MARKS.iter().find(|(least, _)| loss >= *least));
        self.before = Some((id, worth.points, line.first().copied()));
        Evaluated {
            ply,
            worth,
            text: rules::texts(&position, &line),
            pv: line.iter().map(Move::to_string).collect(),
            loss,
            nag: nag.map(|&(_, nag)| nag),
        }
    }
}

fn position_at(game: &Game, ply: usize) -> Position {
    let moves = game.moves().iter().take(ply);
    moves.fold(*game.start(), |position, &mv| position.play(mv))
}

fn found(position: &Position, snapshot: &Snapshot) -> Found {
    Found {
        depth: snapshot.lines.first().map_or(0, |line| line.depth),
        nodes: snapshot.nodes,
        time: snapshot.time.as_secs_f64(),
        lines: snapshot
            .lines
            .iter()
            .map(|line| pv(position, line))
            .collect(),
    }
}

fn pv(position: &Position, report: &Report) -> Pv {
    let line = &report.pv[..report.pv.len().min(LINE)];
    Pv {
        worth: worth(report.score),
        depth: report.depth,
        pv: line.iter().map(Move::to_string).collect(),
        text: rules::texts(position, line),
    }
}

/// What a score means.
fn worth(score: Score) -> Worth {
    let men = f64::from(score.centimen()) / 100.0;
    let proven = !score.is_eval();
    let to_table = 9_000_u32.saturating_sub(score.centimen().unsigned_abs());
    let table = (proven && score.end_in().is_none()).then_some(to_table);
    let wins = score > Score::DRAW;
    let points = match (proven, wins) {
        (true, true) => 1.0,
        (true, false) => 0.0,
        (false, _) => 1.0 / (1.0 + (-GROWTH * men).exp()),
    };
    Worth {
        score: men,
        points: (points * 1e3).round() / 1e3,
        win_in: score.end_in().filter(|_| wins),
        loss_in: score.end_in().filter(|_| !wins),
        table_win_in: table.filter(|_| wins),
        table_loss_in: table.filter(|_| !wins),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_say_what_they_prove() {
        let even = worth(Score::DRAW);
        assert_eq!((even.points, even.win_in, even.loss_in), (0.5, None, None));
        let ahead = worth(Score::new(100));
        assert!(ahead.points > 0.75 && ahead.points < 0.9);
        let won = worth(Score::win_in(5));
        assert_eq!(
            (won.points, won.win_in, won.table_win_in),
            (1.0, Some(5), None)
        );
        let lost = worth(-Score::table_win_in(4));
        assert_eq!(
            (lost.points, lost.table_loss_in, lost.loss_in),
            (0.0, Some(4), None)
        );
        assert_eq!(worth(Score::loss_in(0)).loss_in, Some(0));
    }

    #[test]
    fn a_move_that_loses_points_is_marked_unless_it_was_the_best() {
        let mut game = Game::new(Position::start());
        for mv in ["32-28", "19-23"] {
            let mv = crate::notation::moves::parse(game.position(), mv).unwrap();
            game.play(mv);
        }
        let report = |score, mv: &str, ply| Report {
            rank: 1,
            score: Score::new(score),
            pv: vec![crate::notation::moves::parse(&position_at(&game, ply), mv).unwrap()],
            ..Report::default()
        };
        let mut teller = Teller::default();
        let mut tell =
            |ply, report| match teller.tell(1, &game, Event::Evaluated(ply, Some(report))) {
                Answer::Evaluated(evaluated) => {
                    (evaluated.loss.map(|loss| loss > 0.3), evaluated.nag)
                }
                other => panic!("{other:?}"),
            };
        assert_eq!(tell(0, report(0, "32-28", 0)), (None, None));
        assert_eq!(
            tell(1, report(300, "17-21", 1)),
            (Some(false), None),
            "the best move"
        );
        assert_eq!(tell(2, report(300, "28x19", 2)), (Some(true), Some(4)));
    }
}
