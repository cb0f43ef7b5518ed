//! The numbers of one input or one view, as the loops of each processor take them.

/// Rows of weights kept.
pub(in crate::eval::network) const ROWS: usize = 256;

/// The weights of one input, or the accumulator of one view, aligned to cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(in crate::eval::network) struct Row<const H: usize>(pub [i16; H]);
