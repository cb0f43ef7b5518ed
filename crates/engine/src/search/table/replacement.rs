//! Which entries are replaced.

use super::entry::{AGES, Bound, TtEntry, age_of, depth_of};
use crate::search::params::Params;

/// Which entries are replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// An entry counts as this many plies shallower for every search since it was written.
    pub age_plies: i32,
    /// An entry is kept where a new one of the same position is shallower by more than this.
    pub keep_plies: i32,
}

impl Replacement {
    /// As the tunables say.
    pub fn new(params: &Params) -> Replacement {
        Replacement {
            age_plies: params.table_age_plies,
            keep_plies: params.table_keep_plies,
        }
    }

    /// Whether an entry of a position stays although there is a new one of it.
    #[inline(always)]
    pub(super) fn keeps(&self, data: u64, entry: &TtEntry, age: u8) -> bool {
        age_of(data) == age
            && depth_of(data) > entry.depth + self.keep_plies
            && entry.bound != Bound::Exact
    }
}

/// Searches begun since a packed entry was written.
#[inline(always)]
pub(super) fn searches_since(data: u64, age: u8) -> i32 {
    i32::from(age.wrapping_sub(age_of(data)) & (AGES - 1))
}
