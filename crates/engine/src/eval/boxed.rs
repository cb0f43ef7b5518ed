use super::{Evaluator, Score};
use damier_cpu::Cpu;
use damier_rules::Position;
use std::fmt;
use std::sync::Arc;

/// An evaluator whose type is erased. The search is compiled for each type of evaluator; those that need not be as fast
/// as possible share the copy for this one.
#[derive(Clone)]
pub struct BoxedEvaluator<C> {
    cpu: C,
    /// Makes an evaluation for a thread.
    make: Arc<dyn Fn() -> Evaluate + Send + Sync>,
}

/// The evaluation together with the scratch of one thread.
type Evaluate = Box<dyn FnMut(u32, &Position) -> Score + Send>;

impl<C: Cpu> BoxedEvaluator<C> {
    /// Erases the type of an evaluator, which is compiled for this level.
    pub fn new<E>(cpu: C, evaluator: E) -> BoxedEvaluator<C>
    where
        E: Evaluator + 'static,
        E::Scratch: 'static,
    {
        let evaluator = Arc::new(evaluator);
        let make = move || -> Evaluate {
            let (evaluator, mut scratch) = (Arc::clone(&evaluator), evaluator.scratch());
            Box::new(move |ply, position| {
                cpu.run(
                    #[inline(always)]
                    || evaluator.evaluate(&mut scratch, ply, position),
                )
            })
        };
        BoxedEvaluator {
            cpu,
            make: Arc::new(make),
        }
    }
}

impl<C: Cpu> Evaluator for BoxedEvaluator<C> {
    type Cpu = C;
    type Scratch = Evaluate;

    #[inline(always)]
    fn cpu(&self) -> C {
        self.cpu
    }

    fn scratch(&self) -> Evaluate {
        (self.make)()
    }

    #[inline]
    fn evaluate(&self, evaluate: &mut Evaluate, ply: u32, position: &Position) -> Score {
        evaluate(ply, position)
    }
}

impl<C> fmt::Debug for BoxedEvaluator<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxedEvaluator")
    }
}
