//! Slices with distances, by levels: from the positions that are lost in `d` plies back to those won in `d + 1`, and from
//! those won in `d` to those all of whose moves are known to lose.

use super::Slice;
use super::build::BuildError;
use super::index::Frame;
use super::start::{Missing, Start, look, promotion};
use super::verdict::{Source, Value, Verdict};
use super::work::Work;

/// In [`Half::left`]: the side to move must capture, or there is no position.
const SETTLED: u8 = 255;
/// In [`Half::left`]: a promotion does not lose, so that no count of moves makes a loss.
const NEVER: u8 = 254;

/// One of a slice and its turned one.
struct Half {
    frame: Frame,
    /// [`Verdict::code`] as far as known; 0 at the end is a draw.
    codes: Vec<u8>,
    /// Moves that are not known to lose, or one of the marks.
    left: Vec<u8>,
}

/// A slice and its turned one; the same one only once.
pub(super) struct Distances {
    halves: Vec<Half>,
}

impl Distances {
    /// Builds both slices.
    pub fn build(slice: Slice, source: &impl Source, work: &Work) -> Result<Distances, BuildError> {
        let mut slices = vec![slice, slice.turned()];
        slices.dedup();
        let mut halves = Vec::new();
        for &slice in &slices {
            halves.push(Half::start(slice, source, work)?);
        }
        let mut pair = Distances { halves };
        let mut code = 1;
        loop {
            let mut last = 0;
            for half in 0..pair.halves.len() {
                last = pair.step(half, code, source)?.max(last);
            }
            let highest = |half: &Half| half.codes.iter().copied().max().unwrap_or(0);
            // Most levels lead to the next one; only after one that does not is it worth to look for others.
            if last <= code && pair.halves.iter().map(highest).max().unwrap_or(0) <= code {
                return Ok(pair);
            }
            code = code.checked_add(1).ok_or(BuildError::TooLong(slice))?;
        }
    }

    /// Goes back from the positions with this code. Returns the highest code that was set.
    fn step(&mut self, half: usize, code: u8, source: &impl Source) -> Result<u8, BuildError> {
        let other = if self.halves.len() == 1 { 0 } else { 1 - half };
        let slice = self.halves[half].frame.slice;
        let next = code.checked_add(1).ok_or(BuildError::TooLong(slice))?;
        let (mut from, mut last) = (0, 0);
        let mut lost = Vec::new();
        while let Some(slot) = find(&self.halves[half].codes, from, code) {
            from = slot + 1;
            let spot = self.halves[half].frame.spot(slot as u64);
            if code & 1 != 0 {
                let (this, that) = self.two(half, other);
                this.each_before(&spot, |before| {
                    let before = before as usize;
                    let known = that.codes[before];
                    if that.left[before] != SETTLED && (known == 0 || known > next) {
                        that.codes[before] = next;
                        last = next;
                    }
                });
            } else {
                let (this, that) = self.two(half, other);
                this.each_before(&spot, |before| {
                    let left = &mut that.left[before as usize];
                    if *left < NEVER {
                        *left -= 1;
                        if *left == 0 {
                            lost.push(before);
                        }
                    }
                });
                for before in lost.drain(..) {
                    let that = &mut self.halves[other];
                    let promotion = promotion(&that.frame.spot(before), source)?;
                    let longest = promotion.map_or(Some(0), Verdict::code);
                    let code = longest.ok_or(BuildError::TooLong(slice))?.max(next);
                    that.codes[before as usize] = code;
                    last = last.max(code);
                }
            }
        }
        Ok(last)
    }

    /// The frame of one half and the tables of the other, which may be the same half.
    fn two(&mut self, half: usize, other: usize) -> (&Frame, Tables<'_>) {
        if half == other {
            let Half { frame, codes, left } = &mut self.halves[half];
            return (frame, Tables { codes, left });
        }
        let [first, second] = &mut self.halves[..] else {
            unreachable!("two halves")
        };
        let (this, that) = if half == 0 {
            (first, second)
        } else {
            (second, first)
        };
        (
            &this.frame,
            Tables {
                codes: &mut that.codes,
                left: &mut that.left,
            },
        )
    }

    /// The slices built.
    pub fn slices(&self) -> impl Iterator<Item = Slice> + '_ {
        self.halves.iter().map(|half| half.frame.slice)
    }

    /// The code of a slot; none where nobody asks for it.
    #[inline(always)]
    pub fn symbol(&self, half: usize, slot: usize) -> Option<u8> {
        let half = &self.halves[half];
        (half.left[slot] != SETTLED).then_some(half.codes[slot])
    }

    /// Wins, draws and losses of one half over all its positions; the plies of the longest win, and its slot.
    pub fn statistics(&self, half: usize) -> ([u64; 3], (u32, u64)) {
        let half = &self.halves[half];
        let (mut counts, mut longest) = ([0; 3], (0, 0));
        for (slot, &code) in half.codes.iter().enumerate() {
            // No code and settled: a capture that draws, or no position.
            if code == 0 && half.left[slot] == SETTLED {
                let pieces = half.frame.slice.pieces();
                let here = half.frame.spot(slot as u64).position(pieces).is_some();
                counts[1] += u64::from(here);
                continue;
            }
            let verdict = Verdict::from_code(code);
            match verdict.value {
                Value::Win => counts[0] += 1,
                Value::Draw => counts[1] += 1,
                Value::Loss => counts[2] += 1,
            }
            let plies = verdict.distance.unwrap_or(0);
            if verdict.value == Value::Win && plies > longest.0 {
                longest = (plies, slot as u64);
            }
        }
        (counts, longest)
    }

    /// Checks that the verdict on every quiet position follows from those on its successors.
    pub fn verify(&self, source: &impl Source, work: &Work) -> Result<(), BuildError> {
        for (index, half) in self.halves.iter().enumerate() {
            work.check(half.codes.len(), |mut slots| {
                slots.try_for_each(|slot| self.check(index, slot, source))
            })?;
        }
        Ok(())
    }

    fn check(&self, index: usize, slot: usize, source: &impl Source) -> Result<(), BuildError> {
        let half = &self.halves[index];
        if half.left[slot] == SETTLED {
            return Ok(());
        }
        let that = &self.halves[if self.halves.len() == 1 { 0 } else { 1 - index }];
        let spot = half.frame.spot(slot as u64);
        // Losses have odd codes: the shortest is the best. Wins even ones: the longest. A draw is 0.
        let (mut lost, mut won, mut drawn) = (u8::MAX, 0, false);
        half.frame.each_next(&spot, |next| {
            let next = that.codes[next as usize];
            if next == 0 {
                drawn = true;
            } else if next & 1 != 0 {
                lost = lost.min(next);
            } else {
                won = won.max(next);
            }
        });
        if let Some(promotion) = promotion(&spot, source)? {
            let code = promotion
                .code()
                .ok_or(BuildError::TooLong(half.frame.slice))?;
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
        if expected == half.codes[slot] {
            Ok(())
        } else {
            Err(BuildError::Inconsistent(half.frame.slice, slot as u64))
        }
    }
}

struct Tables<'a> {
    codes: &'a mut [u8],
    left: &'a mut [u8],
}

impl Half {
    fn start(slice: Slice, source: &impl Source, work: &Work) -> Result<Half, BuildError> {
        let frame = Frame::new(slice);
        let slots = frame.layout.slots as usize;
        // Both numbers of a slot side by side while cores share them.
        let mut both = vec![(0, SETTLED); slots];
        work.fill(&mut both, |from, both| {
            for (slot, both) in (from..).zip(both) {
                let start = look(&frame, &frame.spot(slot as u64), source)?;
                *both = code_and_left(start).ok_or(BuildError::TooLong(slice))?;
            }
            Ok(())
        })?;
        let (codes, left) = both.into_iter().unzip();
        Ok(Half { frame, codes, left })
    }
}

/// What is known of a slot at first: [`Half::codes`] and [`Half::left`]. None where a distance is too long.
#[inline(always)]
fn code_and_left(start: Start) -> Option<(u8, u8)> {
    Some(match start {
        Start::Void => (0, SETTLED),
        Start::Capture(verdict) => (verdict.code()?, SETTLED),
        Start::Quiet { moves, promotion } => match promotion {
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
fn find(codes: &[u8], from: usize, code: u8) -> Option<usize> {
    const CHUNK: usize = 64;
    let mut at = from;
    while at < codes.len() {
        let chunk = &codes[at..codes.len().min(at + CHUNK)];
        if chunk.iter().fold(false, |any, &c| any | (c == code)) {
            return chunk.iter().position(|&c| c == code).map(|i| at + i);
        }
        at += CHUNK;
    }
    None
}
