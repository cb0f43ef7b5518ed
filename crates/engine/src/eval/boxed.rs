use super::{Evaluator, Score};
use damier_rules::Position;
use std::fmt;
use std::sync::Arc;

/// An evaluator whose type is erased. The search is compiled for each type of evaluator; those that need not be as fast
/// as possible share the copy for this one.
#[derive(Clone)]
pub struct BoxedEvaluator(Arc<dyn Fn() -> Evaluate + Send + Sync>);

/// The evaluation together with the scratch of one thread.
type Evaluate = Box<dyn FnMut(u32, &Position) -> Score + Send>;

impl BoxedEvaluator {
    /// Erases the type of an evaluator.
    pub fn new<E>(evaluator: E) -> BoxedEvaluator
    where
        E: Evaluator + 'static,
        E::Scratch: 'static,
    {
        let evaluator = Arc::new(evaluator);
        BoxedEvaluator(Arc::new(move || {
            let (evaluator, mut scratch) = (Arc::clone(&evaluator), evaluator.scratch());
            Box::new(move |ply, position| evaluator.evaluate(&mut scratch, ply, position))
        }))
    }
}

impl Evaluator for BoxedEvaluator {
    type Scratch = Evaluate;

    fn scratch(&self) -> Evaluate {
        (self.0)()
    }

    #[inline]
    fn evaluate(&self, evaluate: &mut Evaluate, ply: u32, position: &Position) -> Score {
        evaluate(ply, position)
    }
}

impl fmt::Debug for BoxedEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxedEvaluator")
    }
}
