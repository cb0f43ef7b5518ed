use super::{Evaluator, Score};
use damier_cpu::Baseline;
use damier_rules::Position;
use damier_rules::board::Color;

/// Bare material: a man is 100, a king 300. The first games for training are played with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

const MAN: i32 = 100;
const KING: i32 = 300;

impl Evaluator for Material {
    type Cpu = Baseline;
    type Scratch = ();

    fn cpu(&self) -> Baseline {
        Baseline
    }

    fn scratch(&self) {}

    #[inline(always)]
    fn evaluate(&self, (): &mut (), _: u32, position: &Position) -> Score {
        let worth = |color: Color| {
            MAN * position.men(color).len() as i32 + KING * position.kings(color).len() as i32
        };
        let score = worth(position.turn()) - worth(!position.turn());
        let limit = Score::EVAL_MAX.centimen();
        Score::new(score.clamp(-limit, limit))
    }
}
