//! Tables by the squares that a move goes from and to.

use damier_rules::Move;

/// Where a move stands in such a table.
#[inline(always)]
pub(super) fn index(mv: Move) -> usize {
    (mv.from().bit() & 63) << 6 | mv.to().bit() & 63
}

/// A table full of one value, made without ever being on the stack.
pub(super) fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N]
        .into_boxed_slice()
        .try_into()
        .unwrap_or_else(|_| unreachable!("built with this length"))
}
