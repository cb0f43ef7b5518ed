//! The inner loops of the network: portable, and with the instructions of some processors, all with the same results.

#[cfg(all(target_feature = "avx2", any(test, not(target_feature = "avx512bw"))))]
pub(super) mod avx2;
#[cfg(target_feature = "avx512bw")]
pub(super) mod avx512;
#[cfg(any(test, not(target_feature = "avx2")))]
pub(super) mod lanes;
mod row;
mod second;
#[cfg(target_feature = "avx2")]
mod x86;

pub(super) use row::{ROWS, Row};
pub(super) use second::{Second, layers};
#[cfg(test)]
pub(super) use second::{UNITS, Weight, WeightRow};

#[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
pub(super) use avx2::{output, second, updated};
#[cfg(target_feature = "avx512bw")]
pub(super) use avx512::{output, second, updated};
#[cfg(not(any(target_feature = "avx2", target_feature = "avx512bw")))]
pub(super) use lanes::{output, second, updated};
