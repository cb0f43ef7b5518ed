//! Builds slices of values only (win, draw, loss) by sweeps. Each slot has one byte: the number of moves not known to
//! lose or, once it is known, the value and whether it has been propagated to the predecessors. A sweep also propagates
//! what it sets in slots still ahead of it, so a few sweeps are enough.

use super::BuildError;
use super::initial::{Initial, initial, promotion};
use super::pair::{Pair, find};
use super::workers::Workers;
use crate::Slice;
use crate::index::Frame;
use crate::verdict::{Source, Value};

/// Lower states: the number of moves not known to lose. This one: a promotion does not lose.
const NEVER: u8 = 0xD0;
/// States from here on do not change, except for [`PROPAGATED`].
const SETTLED: u8 = 0xE0;
const DRAWN_CAPTURE: u8 = 0xE4;
const VOID: u8 = 0xE5;
/// States from here on have a value that is still to be propagated.
const NEW: u8 = 0xF0;
/// Subtracted from the state once its value has been propagated.
const PROPAGATED: u8 = NEW - SETTLED;
/// Added to [`NEW`].
const WIN: u8 = 0;
const LOSS: u8 = 1;
/// Added when the side to move must capture.
const CAPTURE: u8 = 2;

/// A slice and its opposite with values.
pub(crate) struct Values {
    pair: Pair<Vec<u8>>,
}

impl Values {
    /// Builds both slices.
    pub fn build(
        slice: Slice,
        source: &impl Source,
        workers: &Workers,
    ) -> Result<Values, BuildError> {
        let pair = Pair::new(slice, |frame| states(frame, source, workers))?;
        let mut this = Values { pair };
        // Not `any`, which would skip the second half.
        while (0..this.pair.halves.len()).fold(false, |more, half| this.sweep(half) | more) {}
        Ok(this)
    }

    /// Propagates all new values of a half. Returns whether there were any.
    fn sweep(&mut self, half: usize) -> bool {
        let mut from = 0;
        while let Some(slot) = find_new(&self.pair.halves[half].known, from) {
            from = slot + 1;
            let this = &mut self.pair.halves[half];
            this.known[slot] -= PROPAGATED;
            let lost = this.known[slot] & 1 == LOSS;
            let placement = this.frame.placement(slot as u64);
            let (frame, states) = self.pair.frame_and_other(half);
            frame.each_before(&placement, |before| {
                let state = &mut states[before as usize];
                if *state >= SETTLED {
                    return;
                }
                if lost {
                    *state = NEW + WIN;
                } else if *state != NEVER {
                    *state -= 1;
                    if *state == 0 {
                        *state = NEW + LOSS;
                    }
                }
            });
        }
        from > 0
    }

    /// The finished slices.
    pub fn slices(&self) -> impl Iterator<Item = Slice> + '_ {
        self.pair.slices()
    }

    /// The value of a slot; None if it holds no position.
    #[inline(always)]
    fn value(&self, half: usize, slot: usize) -> Option<Value> {
        match self.pair.halves[half].known[slot] {
            VOID => None,
            DRAWN_CAPTURE => Some(Value::Draw),
            state if state < SETTLED => Some(Value::Draw),
            state if state & 1 == LOSS => Some(Value::Loss),
            _ => Some(Value::Win),
        }
    }

    /// The value of a slot; None if it is never read.
    #[inline(always)]
    pub fn stored(&self, half: usize, slot: usize) -> Option<Value> {
        let state = self.pair.halves[half].known[slot];
        let is_quiet = state < SETTLED || state < DRAWN_CAPTURE && state & CAPTURE == 0;
        is_quiet.then(|| self.value(half, slot)).flatten()
    }

    /// Wins, draws and losses of one half over all its positions.
    pub fn counts(&self, half: usize, workers: &Workers) -> [u64; 3] {
        let slots = self.pair.halves[half].known.len();
        workers.count(slots, |slot| self.value(half, slot).map(Value::class))
    }

    /// Checks that the value of every quiet position follows from those of its successors.
    pub fn verify(&self, source: &impl Source, workers: &Workers) -> Result<(), BuildError> {
        for (index, half) in self.pair.halves.iter().enumerate() {
            workers.check(half.known.len(), |mut slots| {
                slots.try_for_each(|slot| self.check(index, slot, source))
            })?;
        }
        Ok(())
    }

    fn check(&self, half: usize, slot: usize, source: &impl Source) -> Result<(), BuildError> {
        let Some(value) = self.stored(half, slot) else {
            return Ok(());
        };
        let other = self.pair.other(half);
        let frame = &self.pair.halves[half].frame;
        let placement = frame.placement(slot as u64);
        let mut best = promotion(&placement, source)?.map_or(Value::Loss, |best| best.value);
        frame.each_next(&placement, |next| {
            if let Some(value) = self.value(other, next as usize) {
                best = best.max(value.opposite());
            }
        });
        match best == value {
            true => Ok(()),
            false => Err(BuildError::Inconsistent(frame.slice, slot as u64)),
        }
    }
}

/// The initial states of a slice.
fn states(frame: &Frame, source: &impl Source, workers: &Workers) -> Result<Vec<u8>, BuildError> {
    let mut states = vec![VOID; frame.layout.slots as usize];
    workers.fill(&mut states, |from, states| {
        for (slot, state) in (from..).zip(states) {
            *state = state_of(initial(frame, &frame.placement(slot as u64), source)?);
        }
        Ok(())
    })?;
    Ok(states)
}

#[inline(always)]
fn state_of(initial: Initial) -> u8 {
    match initial {
        Initial::Void => VOID,
        Initial::Capture(verdict) => match verdict.value {
            Value::Win => NEW + CAPTURE + WIN,
            Value::Draw => DRAWN_CAPTURE,
            Value::Loss => NEW + CAPTURE + LOSS,
        },
        Initial::Quiet { moves, promotion } => match promotion.map(|verdict| verdict.value) {
            Some(Value::Win) => NEW + WIN,
            Some(Value::Draw) => NEVER,
            _ if moves == 0 => NEW + LOSS,
            _ => moves as u8,
        },
    }
}

/// The first slot from `from` on with a value to propagate.
#[inline(always)]
fn find_new(states: &[u8], from: usize) -> Option<usize> {
    let any = |chunk: &[u8]| chunk.iter().fold(0, |most, &state| most.max(state)) >= NEW;
    find(states, from, any, |state| state >= NEW)
}
