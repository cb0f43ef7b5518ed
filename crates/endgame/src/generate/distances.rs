//! Builds slices with distances by retrograde analysis, level by level: from losses in `d` plies back to wins in `d +
//! 1`, and from wins in `d` back to positions all of whose moves lose.

use super::BuildError;
use super::initial::{Initial, Missing, initial, promotion};
use super::pair::{Pair, find};
use super::workers::Workers;
use crate::Slice;
use crate::index::Frame;
use crate::verdict::{Source, Value, Verdict};

/// In [`Known::left`]: the side to move must capture, or the slot holds no position.
const SETTLED: u8 = 255;
/// In [`Known::left`]: a promotion does not lose, so the position is not a loss whatever the other moves do.
const NEVER: u8 = 254;

/// The state of each slot.
struct Known {
    /// [`Verdict::code`] as far as known; slots still 0 at the end are draws.
    codes: Vec<u8>,
    /// Number of moves not known to lose, or one of the marks above.
    left: Vec<u8>,
}

/// A slice and its opposite with distances.
pub(crate) struct Distances {
    pair: Pair<Known>,
}

impl Distances {
    /// Builds both slices.
    pub fn build(
        slice: Slice,
        source: &impl Source,
        workers: &Workers,
    ) -> Result<Distances, BuildError> {
        let pair = Pair::new(slice, |frame| Known::initial(frame, source, workers))?;
        let mut this = Distances { pair };
        let mut code = 1;
        loop {
            let mut last = 0;
            for half in 0..this.pair.halves.len() {
                last = this.step(half, code, source)?.max(last);
            }
            // Most levels lead to the next one; only if one does not are all codes searched for a higher one.
            if last <= code && this.highest_code() <= code {
                return Ok(this);
            }
            code = code.checked_add(1).ok_or(BuildError::TooLong(slice))?;
        }
    }

    fn highest_code(&self) -> u8 {
        let halves = self.pair.halves.iter();
        let codes = halves.flat_map(|half| half.known.codes.iter().copied().max());
        codes.max().unwrap_or(0)
    }

    /// Propagates from the positions with this code to their predecessors. Returns the highest code that was set.
    fn step(&mut self, half: usize, code: u8, source: &impl Source) -> Result<u8, BuildError> {
        let other = self.pair.other(half);
        let slice = self.pair.halves[half].frame.slice;
        let next = code.checked_add(1).ok_or(BuildError::TooLong(slice))?;
        let (mut from, mut last) = (0, 0);
        let mut lost = Vec::new();
        while let Some(slot) = find_code(&self.pair.halves[half].known.codes, from, code) {
            from = slot + 1;
            let placement = self.pair.halves[half].frame.placement(slot as u64);
            let (frame, known) = self.pair.frame_and_other(half);
            if code & 1 != 0 {
                frame.each_before(&placement, |before| {
                    let before = before as usize;
                    let code = known.codes[before];
                    if known.left[before] != SETTLED && (code == 0 || code > next) {
                        known.codes[before] = next;
                        last = next;
                    }
                });
                continue;
            }
            frame.each_before(&placement, |before| {
                let left = &mut known.left[before as usize];
                if *left < NEVER {
                    *left -= 1;
                    if *left == 0 {
                        lost.push(before);
                    }
                }
            });
            for before in lost.drain(..) {
                let other = &mut self.pair.halves[other];
                let promotion = promotion(&other.frame.placement(before).sets, source)?;
                let longest = promotion.map_or(Some(0), Verdict::code);
                let code = longest.ok_or(BuildError::TooLong(slice))?.max(next);
                other.known.codes[before as usize] = code;
                last = last.max(code);
            }
        }
        Ok(last)
    }

    /// The code of a slot; None if it is never read.
    #[inline(always)]
    pub fn stored(&self, half: usize, slot: usize) -> Option<u8> {
        let known = &self.pair.halves[half].known;
        (known.left[slot] != SETTLED).then_some(known.codes[slot])
    }

    /// Wins, draws and losses of one half over all its positions, the plies of the longest win, and its slot.
    pub fn statistics(&self, half: usize) -> ([u64; 3], (u32, u64)) {
        let half = &self.pair.halves[half];
        let (mut counts, mut longest) = ([0; 3], (0, 0));
        for (slot, &code) in half.known.codes.iter().enumerate() {
            // Settled without a code: a drawing capture, or no position.
            if code == 0 && half.known.left[slot] == SETTLED {
                let pieces = half.frame.slice.pieces();
                let position = half.frame.placement(slot as u64).position(pieces);
                counts[1] += u64::from(position.is_some());
                continue;
            }
            let verdict = Verdict::from_code(code);
            counts[verdict.value.class()] += 1;
            let plies = verdict.distance.unwrap_or(0);
            if verdict.value == Value::Win && plies > longest.0 {
                longest = (plies, slot as u64);
            }
        }
        (counts, longest)
    }

    /// Checks that the verdict of every quiet position follows from those of its successors.
    pub fn verify(&self, source: &impl Source, workers: &Workers) -> Result<(), BuildError> {
        for (index, half) in self.pair.halves.iter().enumerate() {
            workers.check(half.known.codes.len(), |mut slots| {
                slots.try_for_each(|slot| self.check(index, slot, source))
            })?;
        }
        Ok(())
    }

    fn check(&self, half: usize, slot: usize, source: &impl Source) -> Result<(), BuildError> {
        let Some(stored) = self.stored(half, slot) else {
            return Ok(());
        };
        let frame = &self.pair.halves[half].frame;
        let other = &self.pair.halves[self.pair.other(half)].known;
        let placement = frame.placement(slot as u64);
        // Losses have odd codes, of which the shortest is the best reply; wins have even ones, of which the longest is.
        // A draw is 0.
        let (mut lost, mut won, mut drawn) = (u8::MAX, 0, false);
        frame.each_next(&placement, |next| {
            let next = other.codes[next as usize];
            if next == 0 {
                drawn = true;
            } else if next & 1 != 0 {
                lost = lost.min(next);
            } else {
                won = won.max(next);
            }
        });
        if let Some(promotion) = promotion(&placement.sets, source)? {
            let code = promotion.code().ok_or(BuildError::TooLong(frame.slice))?;
            match promotion.value {
                Value::Win => lost = lost.min(code - 1),
                Value::Draw => drawn = true,
                Value::Loss => won = won.max(code - 1),
            }
        }
        let expected = match (lost, drawn) {
            (u8::MAX, true) => 0,
            (u8::MAX, false) => won + 1,
            (lost, _) => lost + 1,
        };
        match expected == stored {
            true => Ok(()),
            false => Err(BuildError::Inconsistent(frame.slice, slot as u64)),
        }
    }
}

impl Known {
    fn initial(
        frame: &Frame,
        source: &impl Source,
        workers: &Workers,
    ) -> Result<Known, BuildError> {
        // Both numbers of a slot next to each other while several cores write them.
        let mut both = vec![(0, SETTLED); frame.layout.slots as usize];
        workers.fill(&mut both, |from, both| {
            for (slot, both) in (from..).zip(both) {
                let initial = initial(frame, &frame.placement(slot as u64), source)?;
                *both = code_and_left(initial).ok_or(BuildError::TooLong(frame.slice))?;
            }
            Ok(())
        })?;
        let (codes, left) = both.into_iter().unzip();
        Ok(Known { codes, left })
    }
}

/// The initial [`Known::codes`] and [`Known::left`] of a slot. None if a distance does not fit.
#[inline(always)]
fn code_and_left(initial: Initial) -> Option<(u8, u8)> {
    Some(match initial {
        Initial::Void => (0, SETTLED),
        Initial::Capture(verdict) => (verdict.code()?, SETTLED),
        Initial::Quiet { moves, promotion } => match promotion {
            None if moves == 0 => (1, 0),
            Some(verdict) if verdict.value != Value::Loss => (verdict.code()?, NEVER),
            Some(verdict) if moves == 0 => (verdict.code()?, 0),
            _ => (0, moves as u8),
        },
    })
}

impl From<Missing> for BuildError {
    fn from(_: Missing) -> BuildError {
        BuildError::MissingChild
    }
}

/// The first slot from `from` on with this code.
#[inline(always)]
fn find_code(codes: &[u8], from: usize, code: u8) -> Option<usize> {
    let any = |chunk: &[u8]| chunk.iter().fold(false, |any, &c| any | (c == code));
    find(codes, from, any, |c| c == code)
}
