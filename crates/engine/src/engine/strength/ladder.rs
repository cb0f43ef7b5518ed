//! The ladder of levels: what a player of so many points sees.
//!
//! Points are those of a ladder of our own: a level 200 points above another scores about 76 % against it, measured by
//! `damier experiment levels`; docs/levels.md has the table. They are not those of any federation.

use super::dice::Dice;

/// The lowest level that the option `elo` takes.
pub const LOWEST: u32 = 800;
/// The highest level that the option `elo` takes.
pub const HIGHEST: u32 = 2800;
/// Points per known ply of opening theory; the lowest level knows the first ply.
const POINTS_PER_PLY: u32 = 100;
/// How many moves more are weighed for a noise of 1.
const LINES_PER_NOISE: f64 = 60.0;
/// The cost of a search grows with the number of its lines to this power, about.
const LINES_COST: f64 = 0.6;

/// What a player of so many points sees.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::engine) struct Rung {
    /// Nodes of a search for the best move, on average; see [`Rung::budget`].
    nodes: f64,
    /// Standard deviation of the nodes from move to move, in doublings.
    spread: f64,
    /// Standard deviation of the noise in the judgement of a move, in `asinh` of the score in men.
    pub noise: f64,
    /// Chance that a search has only one ply of captures beyond the horizon.
    pub blind: f64,
    /// Endgame tables of so many pieces are known.
    pub tables: u32,
    /// Plies of opening theory that are known.
    pub theory: usize,
}

/// A measured point of the ladder.
struct Knot {
    elo: u32,
    nodes: f64,
    spread: f64,
    noise: f64,
    blind: f64,
    tables: u32,
}

const fn knot(elo: u32, nodes: f64, spread: f64, noise: f64, blind: f64, tables: u32) -> Knot {
    Knot {
        elo,
        nodes,
        spread,
        noise,
        blind,
        tables,
    }
}

/// The ladder; between two knots the logarithm of the nodes is interpolated, and the rest as it is.
const KNOTS: [Knot; 11] = [
    knot(800, 30.0, 1.5, 2.60, 1.0, 0),
    knot(1000, 32.0, 1.5, 1.40, 0.90, 0),
    knot(1200, 34.0, 1.4, 0.78, 0.65, 0),
    knot(1400, 37.0, 1.3, 0.33, 0.27, 0),
    knot(1600, 101.0, 1.2, 0.18, 0.0, 0),
    knot(1800, 205.0, 1.1, 0.12, 0.0, 0),
    knot(2000, 390.0, 1.0, 0.07, 0.0, 2),
    knot(2200, 812.0, 0.8, 0.03, 0.0, 3),
    knot(2400, 2_070.0, 0.5, 0.0, 0.0, 5),
    knot(2600, 7_000.0, 0.3, 0.0, 0.0, 6),
    knot(2800, 40_000.0, 0.0, 0.0, 0.0, 6),
];

impl Rung {
    /// The player of so many points, at least [`LOWEST`] and at most [`HIGHEST`].
    pub fn of(elo: u32) -> Rung {
        let elo = elo.clamp(LOWEST, HIGHEST);
        let above = KNOTS
            .partition_point(|knot| knot.elo <= elo)
            .min(KNOTS.len() - 1);
        let (low, high) = (&KNOTS[above - 1], &KNOTS[above]);
        let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let between = |of: fn(&Knot) -> f64| of(low) + (of(high) - of(low)) * share;
        Rung {
            nodes: between(|knot| knot.nodes.ln()).exp(),
            spread: between(|knot| knot.spread),
            noise: between(|knot| knot.noise),
            blind: between(|knot| knot.blind),
            tables: if elo < high.elo {
                low.tables
            } else {
                high.tables
            },
            theory: ((elo - LOWEST) / POINTS_PER_PLY) as usize,
        }
    }

    /// How many of so many moves are weighed against each other: all of them where the noise may choose any, the best
    /// one only where there is none.
    pub fn lines(&self, moves: usize) -> usize {
        let wanted = 1 + (self.noise * LINES_PER_NOISE).round() as usize;
        wanted.min(moves).max(1)
    }

    /// How many nodes the search for so many lines has this time. The fewer there are the shorter are the shots that
    /// are seen, so what takes many plies is overlooked more often than what takes few.
    pub fn budget(&self, lines: usize, dice: &mut Dice) -> u64 {
        let search = self.nodes * (self.spread * dice.normal()).exp2();
        (search * (lines as f64).powf(LINES_COST)).round().max(1.0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_sees_more_and_errs_less() {
        let rungs: Vec<Rung> = (LOWEST..=HIGHEST).step_by(25).map(Rung::of).collect();
        for two in rungs.windows(2) {
            let (low, high) = (&two[0], &two[1]);
            assert!(
                low.nodes < high.nodes && low.spread >= high.spread,
                "{two:?}"
            );
            assert!(
                low.noise >= high.noise && low.lines(12) >= high.lines(12),
                "{two:?}"
            );
            assert!(low.blind >= high.blind, "{two:?}");
            assert!(
                low.tables <= high.tables && low.theory <= high.theory,
                "{two:?}"
            );
        }
        assert_eq!(Rung::of(0), Rung::of(LOWEST));
        assert_eq!(Rung::of(u32::MAX), Rung::of(HIGHEST));
        assert_eq!(
            (Rung::of(LOWEST).lines(20), Rung::of(HIGHEST).lines(20)),
            (20, 1)
        );
    }

    #[test]
    fn knots_ascend_and_reach_both_ends() {
        assert!(KNOTS.windows(2).all(|two| two[0].elo < two[1].elo));
        assert_eq!(
            (KNOTS[0].elo, KNOTS[KNOTS.len() - 1].elo),
            (LOWEST, HIGHEST)
        );
    }

    #[test]
    fn nodes_differ_from_move_to_move_around_their_mean() {
        let rung = Rung::of(1400);
        let mut dice = Dice::new(1);
        let budgets: Vec<u64> = (0..2_000).map(|_| rung.budget(1, &mut dice)).collect();
        let above = |nodes: f64| {
            budgets
                .iter()
                .filter(|&&budget| budget as f64 > nodes)
                .count()
        };
        assert!((900..1_100).contains(&above(rung.nodes)));
        assert!(above(2.0 * rung.nodes) > 300 && above(0.5 * rung.nodes) < 1_700);
        assert!(rung.budget(4, &mut dice) > 0 && Rung::of(HIGHEST).budget(1, &mut dice) > 20_000);
    }
}
