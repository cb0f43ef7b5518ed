use super::{Mark, MoveJudgement};
use damier_rules::Position;
use damier_rules::board::Color;

/// How a player played a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerSummary {
    /// Moves that were judged.
    pub judged: u32,
    /// Expected points lost by them, in all.
    pub lost: f64,
    /// Dubious moves.
    pub dubious: u32,
    /// Mistakes.
    pub mistakes: u32,
    /// Blunders.
    pub blunders: u32,
    /// Judged moves that count for the accuracy: those in positions that are not decided.
    pub counted: u32,
    /// Sum of the accuracies of the counted moves.
    accuracies: f64,
}

/// Expected points up to which a game counts as lost; one minus that, as won.
const DECIDED: f64 = 0.05;

/// The accuracy of a move, in percent: 100 where it lost nothing, 0 where it lost half a point or more, as one does
/// that turns a draw into a loss; in between along a line.
pub fn accuracy(loss: f64) -> f64 {
    100.0 * (1.0 - 2.0 * loss).clamp(0.0, 1.0)
}

impl PlayerSummary {
    /// Sums up the judged moves of both sides; the first is white's.
    pub fn of_moves(start: &Position, moves: &[MoveJudgement]) -> [PlayerSummary; 2] {
        let mut players = [PlayerSummary::default(); 2];
        let mut turn = start.turn();
        for mv in moves {
            if mv.judged.counts() {
                players[usize::from(turn == Color::Black)].add(mv);
            }
            turn = !turn;
        }
        players
    }

    fn add(&mut self, mv: &MoveJudgement) {
        self.judged += 1;
        self.lost += mv.loss;
        let before = mv.before.wdl.expected();
        let stays_won = before - mv.loss >= 1.0 - DECIDED;
        if before > DECIDED && !stays_won {
            self.counted += 1;
            self.accuracies += accuracy(mv.loss);
        }
        match mv.mark() {
            Some(Mark::Blunder) => self.blunders += 1,
            Some(Mark::Mistake) => self.mistakes += 1,
            Some(Mark::Dubious) => self.dubious += 1,
            None => {}
        }
    }

    /// Mean of the expected points lost by a move. None where none was judged.
    pub fn loss(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.lost / f64::from(self.judged))
    }

    /// Mean accuracy of the counted moves, in percent; see [`accuracy`]. None where there are none. Moves in lost
    /// positions, and those in won ones that stay won, would flatter.
    pub fn accuracy(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.accuracies / f64::from(self.counted))
    }
}
