//! Slices of values only, by sweeps: a byte for each slot holds how many moves are not known to lose until its value is
//! known, then the value, and whether the positions before it have been told. What is found ahead of a sweep is told in
//! the same sweep, so that a few of them do.

use super::Slice;
use super::build::BuildError;
use super::index::Frame;
use super::start::{Start, look, promotion};
use super::verdict::{Source, Value};
use super::work::Work;

/// Below: moves not known to lose. This one: a promotion does not lose.
const NEVER: u8 = 0xD0;
/// From here on nothing changes any more.
const SETTLED: u8 = 0xE0;
const DRAWN_CAPTURE: u8 = 0xE4;
const VOID: u8 = 0xE5;
/// From here on the positions before it are still to be told; less [`TOLD`] afterwards.
const NEWS: u8 = 0xF0;
const TOLD: u8 = NEWS - SETTLED;
/// Added to [`NEWS`].
const WIN: u8 = 0;
const LOSS: u8 = 1;
/// Added when the side to move must capture.
const CAPTURE: u8 = 2;

struct Half {
    frame: Frame,
    states: Vec<u8>,
}

/// A slice and its turned one; the same one only once.
pub(super) struct Values {
    halves: Vec<Half>,
}

impl Values {
    /// Builds both slices.
    pub fn build(slice: Slice, source: &impl Source, work: &Work) -> Result<Values, BuildError> {
        let mut slices = vec![slice, slice.turned()];
        slices.dedup();
        let mut halves = Vec::new();
        for &slice in &slices {
            halves.push(Half::start(slice, source, work)?);
        }
        let mut pair = Values { halves };
        // Not with `any`, which would leave the second half out.
        while (0..pair.halves.len()).fold(false, |more, half| pair.sweep(half) | more) {}
        Ok(pair)
    }

    /// Tells the positions before all that are new. Whether there was any.
    fn sweep(&mut self, half: usize) -> bool {
        let other = if self.halves.len() == 1 { 0 } else { 1 - half };
        let mut from = 0;
        while let Some(slot) = find(&self.halves[half].states, from) {
            from = slot + 1;
            let state = self.halves[half].states[slot] - TOLD;
            self.halves[half].states[slot] = state;
            let spot = self.halves[half].frame.spot(slot as u64);
            let lost = state & 1 == LOSS;
            let (frame, states) = self.two(half, other);
            frame.each_before(&spot, |before| {
                let state = &mut states[before as usize];
                if *state >= SETTLED {
                    return;
                }
                if lost {
                    *state = NEWS + WIN;
                } else if *state != NEVER {
                    *state -= 1;
                    if *state == 0 {
                        *state = NEWS + LOSS;
                    }
                }
            });
        }
        from > 0
    }

    fn two(&mut self, half: usize, other: usize) -> (&Frame, &mut [u8]) {
        if half == other {
            let Half { frame, states } = &mut self.halves[half];
            return (frame, states);
        }
        let [first, second] = &mut self.halves[..] else {
            unreachable!("two halves")
        };
        if half == 0 {
            (&first.frame, &mut second.states)
        } else {
            (&second.frame, &mut first.states)
        }
    }

    /// The slices built.
    pub fn slices(&self) -> impl Iterator<Item = Slice> + '_ {
        self.halves.iter().map(|half| half.frame.slice)
    }

    /// The value of a slot; none where there is no position.
    #[inline(always)]
    pub fn value(&self, half: usize, slot: usize) -> Option<Value> {
        match self.halves[half].states[slot] {
            VOID => None,
            DRAWN_CAPTURE => Some(Value::Draw),
            state if state < SETTLED => Some(Value::Draw),
            state if state & 1 == LOSS => Some(Value::Loss),
            _ => Some(Value::Win),
        }
    }

    /// The value of a slot; none where nobody asks for it.
    #[inline(always)]
    pub fn symbol(&self, half: usize, slot: usize) -> Option<Value> {
        let state = self.halves[half].states[slot];
        let asked = state < SETTLED || state < DRAWN_CAPTURE && state & CAPTURE == 0;
        asked.then(|| self.value(half, slot)).flatten()
    }

    /// Wins, draws and losses of one half over all its positions.
    pub fn counts(&self, half: usize, work: &Work) -> [u64; 3] {
        let slots = self.halves[half].states.len();
        work.count(slots, |slot| {
            self.value(half, slot).map(|value| match value {
                Value::Win => 0,
                Value::Draw => 1,
                Value::Loss => 2,
            })
        })
    }

    /// Checks that the value of every quiet position follows from those of its successors.
    pub fn verify(&self, source: &impl Source, work: &Work) -> Result<(), BuildError> {
        for (index, half) in self.halves.iter().enumerate() {
            work.check(half.states.len(), |mut slots| {
                slots.try_for_each(|slot| self.check(index, slot, source))
            })?;
        }
        Ok(())
    }

    fn check(&self, half: usize, slot: usize, source: &impl Source) -> Result<(), BuildError> {
        let Some(value) = self.symbol(half, slot) else {
            return Ok(());
        };
        let other = if self.halves.len() == 1 { 0 } else { 1 - half };
        let frame = &self.halves[half].frame;
        let spot = frame.spot(slot as u64);
        let mut best = promotion(&spot, source)?.map_or(Value::Loss, |best| best.value);
        frame.each_next(&spot, |next| {
            if let Some(value) = self.value(other, next as usize) {
                best = best.max(value.turned());
            }
        });
        if best == value {
            Ok(())
        } else {
            Err(BuildError::Inconsistent(frame.slice, slot as u64))
        }
    }
}

impl Half {
    fn start(slice: Slice, source: &impl Source, work: &Work) -> Result<Half, BuildError> {
        let frame = Frame::new(slice);
        let mut states = vec![VOID; frame.layout.slots as usize];
        work.fill(&mut states, |from, states| {
            for (slot, state) in (from..).zip(states) {
                *state = state_of(look(&frame, &frame.spot(slot as u64), source)?);
            }
            Ok(())
        })?;
        Ok(Half { frame, states })
    }
}

/// The state of a slot at first.
#[inline(always)]
fn state_of(start: Start) -> u8 {
    match start {
        Start::Void => VOID,
        Start::Capture(verdict) => match verdict.value {
            Value::Win => NEWS + CAPTURE + WIN,
            Value::Draw => DRAWN_CAPTURE,
            Value::Loss => NEWS + CAPTURE + LOSS,
        },
        Start::Quiet { moves, promotion } => match promotion.map(|verdict| verdict.value) {
            Some(Value::Win) => NEWS + WIN,
            Some(Value::Draw) => NEVER,
            _ if moves == 0 => NEWS + LOSS,
            _ => moves as u8,
        },
    }
}

/// The first slot from `from` on with news.
#[inline(always)]
fn find(states: &[u8], from: usize) -> Option<usize> {
    const CHUNK: usize = 64;
    let mut at = from;
    while at < states.len() {
        let chunk = &states[at..states.len().min(at + CHUNK)];
        if chunk.iter().fold(0, |most, &state| most.max(state)) >= NEWS {
            return chunk
                .iter()
                .position(|&state| state >= NEWS)
                .map(|i| at + i);
        }
        at += CHUNK;
    }
    None
}
