//! Handicaps: a search without some of its means, as lidraughts asks for it by `level handicap= ply=`.

use crate::search::params::Params;
use crate::search::{Depth, MAX_DEPTH};

/// What a search goes without. The numbers mean what they mean to the engine of lidraughts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Handicap {
    /// 0: none. 1: without singular extensions. From 2 on also without one-reply extensions, from 3 on without threats
    /// and offers beyond the horizon, from 5 on without captures there.
    pub step: u32,
    /// Plies beyond the horizon to which captures are followed at most; 0: no limit.
    pub ply: u32,
}

impl Handicap {
    /// Whether the search is complete: no handicap.
    pub fn is_none(self) -> bool {
        self == Handicap::default()
    }

    /// These search parameters with what is missing turned off.
    pub(super) fn params(self, usual: &Params) -> Params {
        const NEVER: Depth = MAX_DEPTH + 1;
        let mut params = usual.clone();
        if self.step >= 1 {
            params.singular_min_depth = NEVER;
        }
        if self.step >= 2 {
            params.one_reply = false;
        }
        if self.step >= 3 {
            params.threats = false;
            params.offer_plies = 0;
            params.sound_offer_plies = 0;
        }
        if self.ply > 0 {
            let most = params.capture_plies;
            params.capture_plies = i32::try_from(self.ply).map_or(most, |ply| ply.min(most));
        }
        if self.step >= 5 {
            params.capture_plies = 0;
        }
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_goes_without_more() {
        let usual = Params::default();
        let of = |step, ply| Handicap { step, ply }.params(&usual);
        assert_eq!(of(0, 0), usual);
        assert_eq!(of(3, 0), of(4, 0));
        assert_eq!(of(5, 0), of(u32::MAX, 0));
        for step in [0, 1, 2, 4] {
            assert_ne!(of(step, 0), of(step + 1, 0), "{step}");
        }
        assert_eq!(of(0, 4).capture_plies, 4);
        assert_eq!(of(0, u32::MAX).capture_plies, usual.capture_plies);
        assert_eq!(of(5, 4).capture_plies, 0);
    }
}
