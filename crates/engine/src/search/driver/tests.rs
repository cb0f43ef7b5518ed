//! Drivers fed with scripted passes: the sequences of van Horssen's paper.

use super::*;
use damier_rules::board::{Bitboard, Square};

/// Returns, pass by pass, the bounds of the moves by number, and checks the window it is asked with.
struct Script {
    passes: Vec<(i32, Vec<(u8, i32)>)>,
    next: usize,
}

fn mv(number: u8) -> Move {
    let square = |n| Square::new(n).unwrap();
    Move::new(square(number), square(number + 5), Bitboard::EMPTY)
}

impl Root for Script {
    fn pass(&mut self, moves: &mut RootMoves, window: Window, _: Depth) -> Result<Score, Stopped> {
        let (gamma, bounds) = self.passes.get(self.next).ok_or(Stopped)?.clone();
        self.next += 1;
        assert_eq!(
            window,
            Window::zero(Score::new(gamma)),
            "window of pass {}",
            self.next
        );
        moves.begin_pass();
        let mut best = -Score::INFINITE;
        for index in 0..moves.len() {
            let number = moves.as_slice()[index].mv.from().number();
            let Some(&(_, bound)) = bounds.iter().find(|(n, _)| *n == number) else {
                continue;
            };
            let bound = Score::new(bound);
            moves.set_bound(index, bound);
            best = best.max(bound);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}

/// An iteration to depth 5 that begins with this guess.
fn aim(guess: i32) -> Aim {
    Aim {
        depth: 5,
        guess: Score::new(guess),
        steps: Steps {
            grain: 10,
            aspiration: 10,
            aspiration_min_depth: 4,
            aspiration_max: 500,
        },
    }
}

/// Runs a driver on moves 1, 2, 3 and returns (first move, score, passes, inconsistent).
fn run(driver: Driver, guess: i32, passes: &[(i32, &[(u8, i32)])]) -> (u8, i32, u32, bool) {
    let passes: Vec<_> = passes
        .iter()
        .map(|(gamma, bounds)| (*gamma, bounds.to_vec()))
        .collect();
    let expected = passes.len();
    let mut script = Script { passes, next: 0 };
    let mut moves = RootMoves::new([1, 2, 3].map(mv));
    let iteration = driver.search(&mut script, &mut moves, aim(guess)).unwrap();
    assert_eq!(script.next, expected, "passes used");
    let first = moves.first().unwrap().from().number();
    (
        first,
        iteration.score.centimen(),
        iteration.passes,
        iteration.inconsistent,
    )
}

#[test]
fn without_inconsistency_both_find_the_value() {
    // Value 20, by move 2: fails high at 0 with move 1, then at 20 with move 2, and low at 30.
    let passes: &[(i32, &[(u8, i32)])] = &[
        (0, &[(1, 0)]),
        (10, &[(1, 0), (2, 20)]),
        (30, &[(2, 20), (1, 0), (3, -10)]),
    ];
    for driver in [Driver::Mtdfix, Driver::Mtdf] {
        assert_eq!(run(driver, 0, passes), (2, 20, 3, false), "{driver}");
    }
}

#[test]
fn case_1_last_pass_fails_high_bounds_meet() {
    let passes: &[(i32, &[(u8, i32)])] = &[(50, &[(1, 20), (2, 30), (3, 10)]), (30, &[(2, 30)])];
    for driver in [Driver::Mtdfix, Driver::Mtdf] {
        assert_eq!(run(driver, 50, passes), (2, 30, 2, false), "{driver}");
    }
}

#[test]
fn case_1_last_pass_fails_high_bounds_cross() {
    // All moves were at most 30, now move 2 is at least 60: better than expected, not harmful; both keep it.
    let passes: &[(i32, &[(u8, i32)])] = &[(50, &[(1, 20), (2, 30), (3, 10)]), (30, &[(2, 60)])];
    for driver in [Driver::Mtdfix, Driver::Mtdf] {
        assert_eq!(run(driver, 50, passes), (2, 60, 2, false), "{driver}");
    }
}

#[test]
fn case_2_last_pass_fails_low_bounds_meet() {
    // Move 1 was at least 20; then it is at most 0 and move 3 at most 20. Nobody knows that move 3 is any good.
    let passes: &[(i32, &[(u8, i32)])] = &[(0, &[(1, 20)]), (30, &[(1, 0), (2, 10), (3, 20)])];
    assert_eq!(run(Driver::Mtdf, 0, passes), (3, 20, 2, true));
    assert_eq!(run(Driver::Mtdfix, 0, passes), (1, 20, 2, true));
}

#[test]
fn case_2_last_pass_fails_low_bounds_cross() {
    // As before, but the best upper bound, 10, is below the lower bound 40 that move 2 had.
    let passes: &[(i32, &[(u8, i32)])] = &[
        (0, &[(1, 20)]),
        (30, &[(1, 20), (2, 40)]),
        (50, &[(2, -10), (1, 0), (3, 10)]),
    ];
    assert_eq!(run(Driver::Mtdf, 0, passes), (3, 10, 3, true));
    assert_eq!(run(Driver::Mtdfix, 0, passes), (2, 40, 3, true));
}

#[test]
fn case_2_without_a_change_of_move_is_left_alone() {
    let passes: &[(i32, &[(u8, i32)])] = &[(0, &[(1, 20)]), (30, &[(1, 10), (2, -10), (3, 0)])];
    for driver in [Driver::Mtdfix, Driver::Mtdf] {
        assert_eq!(run(driver, 0, passes), (1, 10, 2, false), "{driver}");
    }
}

#[test]
fn bounds_after_the_cut_are_minus_infinity_and_the_sort_is_stable() {
    let mut moves = RootMoves::new([1, 2, 3].map(mv));
    moves.begin_pass();
    moves.set_bound(1, Score::new(5));
    moves.sort();
    let order: Vec<_> = moves
        .as_slice()
        .iter()
        .map(|m| m.mv.from().number())
        .collect();
    assert_eq!(order, [2, 1, 3]);
    assert_eq!(moves.as_slice()[2].bound, -Score::INFINITE);
}

#[test]
fn a_stopped_driver_leaves_only_what_is_settled() {
    let fail_low = (50, vec![(1, 20), (2, 30), (3, 10)]);
    let fail_high = (0, vec![(1, 20)]);
    for (guess, pass, settled) in [
        (50, fail_low, None),
        (0, fail_high, Some((mv(1), Score::new(20)))),
    ] {
        let mut script = Script {
            passes: vec![pass],
            next: 0,
        };
        let mut moves = RootMoves::new([1, 2, 3].map(mv));
        let result = Driver::Mtdfix.search(&mut script, &mut moves, aim(guess));
        assert_eq!(result, Err(Stopped));
        assert_eq!(moves.take_settled(), settled);
    }
}
