//! A slice and its opposite (the other side to move). Quiet moves lead from one to the other, so they are built
//! together.

use super::BuildError;
use crate::Slice;
use crate::index::Frame;

/// One of the two slices, with the state of its slots.
pub(crate) struct Half<T> {
    pub frame: Frame,
    pub known: T,
}

/// Both slices; only one if the slice is its own opposite.
pub(crate) struct Pair<T> {
    pub halves: Vec<Half<T>>,
}

impl<T> Pair<T> {
    /// Both halves, each with its initial knowledge.
    pub fn new(
        slice: Slice,
        initial: impl Fn(&Frame) -> Result<T, BuildError>,
    ) -> Result<Pair<T>, BuildError> {
        let mut slices = vec![slice, slice.opposite()];
        slices.dedup();
        let mut halves = Vec::new();
        for slice in slices {
            let frame = Frame::new(slice);
            let known = initial(&frame)?;
            halves.push(Half { frame, known });
        }
        Ok(Pair { halves })
    }

    /// The half that quiet moves of this half lead to and come from.
    pub fn other(&self, half: usize) -> usize {
        if self.halves.len() == 1 { 0 } else { 1 - half }
    }

    /// The frame of a half and the knowledge of the other half, which may be the same one.
    pub fn frame_and_other(&mut self, half: usize) -> (&Frame, &mut T) {
        match &mut self.halves[..] {
            [only] => (&only.frame, &mut only.known),
            [first, second] => match half {
                0 => (&first.frame, &mut second.known),
                _ => (&second.frame, &mut first.known),
            },
            _ => unreachable!("one half or two"),
        }
    }
}

/// The first slot from `from` on for which `is` holds. Slots are searched in chunks; `any` returns whether a
/// chunk may hold one.
#[inline(always)]
pub(crate) fn find(
    states: &[u8],
    from: usize,
    any: impl Fn(&[u8]) -> bool,
    is: impl Fn(u8) -> bool,
) -> Option<usize> {
    const CHUNK: usize = 64;
    let mut at = from;
    while at < states.len() {
        let chunk = &states[at..states.len().min(at + CHUNK)];
        if any(chunk) {
            return chunk.iter().position(|&state| is(state)).map(|i| at + i);
        }
        at += CHUNK;
    }
    None
}
