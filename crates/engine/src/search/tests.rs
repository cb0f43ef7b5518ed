//! Plain minimax, alpha-beta and every driver agree on the value of tiny positions.

use super::params::{Params, TableUse};
use super::{Control, Depth, Driver, Limits, Request, Searcher};
use crate::eval::{Evaluator, Handmade, Score};
use damier_cpu::Baseline;
use damier_rules::board::{Bitboard, Color, Square};
use damier_rules::{DrawClock, Game, MoveList, Position, Setup};

const GRAIN: i32 = 8;
/// The usual value, which the reference is written for.
const SOUND_OFFER_PLIES: i32 = 8;

/// A written-out reference: no window, no table, no order, no incremental state.
fn minimax(position: &Position, clock: DrawClock, path: &mut Vec<Position>, depth: Depth) -> Score {
    let ply = path.len() as u32;
    let moves = position.legal_moves();
    let repeated = ply >= 4 && path.iter().rev().skip(3).step_by(2).any(|p| p == position);
    if repeated && clock.kings_only() >= 4 {
        return Score::DRAW;
    }
    if ply > 0 && clock.verdict().is_some() {
        return if moves.is_empty() {
            Score::loss_in(ply)
        } else {
            Score::DRAW
        };
    }
    if depth <= 0 {
        return quiet_minimax(position, ply, 0);
    }
    path.push(*position);
    let mut best = Score::loss_in(ply);
    for &mv in &moves {
        let child = position.play(mv);
        let value = -minimax(&child, clock.after(position, mv, &child), path, depth - 1);
        best = best.max(value);
    }
    path.pop();
    best
}

fn evaluate(position: &Position) -> Score {
    Handmade.evaluate(&mut (), 0, position).on_grain(GRAIN)
}

/// Quiescence in full: captures, threats and offers, with every move looked at.
fn quiet_minimax(position: &Position, ply: u32, depth: i32) -> Score {
    let mut moves = position.legal_moves();
    let us = position.turn();
    if moves.is_empty() {
        return Score::loss_in(ply);
    }
    let mut best = -Score::INFINITE;
    if !position.must_capture() && (depth < 0 || !position.can_capture(!us)) {
        best = evaluate(position);
        moves = MoveList::new();
        if depth > -SOUND_OFFER_PLIES && position.all_kings().is_empty() {
            position.offers_into_on(Baseline, &mut moves);
        }
    }
    for &mv in &moves {
        let child = position.play(mv);
        // Of the offers beyond the horizon those that lose nothing on the board.
        if depth < 0 && !position.must_capture() && captured(&child) > 0 {
            continue;
        }
        best = best.max(-quiet_minimax(&child, ply + 1, depth - 1));
    }
    best
}

/// What the side to move wins by captures alone, in pieces.
fn captured(position: &Position) -> i32 {
    let captures = position.legal_moves();
    if !position.must_capture() {
        return 0;
    }
    let values = captures
        .iter()
        .map(|&mv| mv.captured().len() as i32 - captured(&position.play(mv)));
    values.max().unwrap_or(0)
}

fn position(
    turn: Color,
    white: &[u8],
    white_kings: &[u8],
    black: &[u8],
    black_kings: &[u8],
) -> Position {
    let set = |numbers: &[u8]| {
        numbers
            .iter()
            .filter_map(|&n| Square::new(n))
            .collect::<Bitboard>()
    };
    let setup = Setup {
        men: [set(white), set(black)],
        kings: [set(white_kings), set(black_kings)],
        turn,
    };
    Position::try_from(setup).expect("a legal position")
}

fn tiny_positions() -> Vec<Position> {
    use Color::{Black, White};
    vec![
        position(White, &[28, 33], &[], &[17, 12], &[]),
        position(White, &[32, 38, 42], &[], &[22, 18, 13], &[]),
        position(Black, &[27, 31, 36], &[], &[16, 11, 7], &[]),
        position(White, &[7], &[], &[44], &[]),
        position(Black, &[8, 22], &[], &[43, 29], &[]),
        position(White, &[24], &[46], &[15], &[3]),
        position(White, &[], &[46, 28], &[], &[5]),
        position(Black, &[20], &[48], &[11, 37], &[]),
        position(White, &[26, 31, 37], &[], &[], &[4]),
        position(White, &[25, 35], &[], &[14, 15], &[]),
        // Where a late move of the root is the best.
        position(White, &[22, 26, 48], &[36], &[], &[7]),
        position(Black, &[], &[5], &[7, 17, 28], &[2]),
        position(Black, &[14, 31, 42], &[], &[1, 11, 33], &[]),
    ]
}

fn drive(position: &Position, driver: Driver, depth: Depth) -> Score {
    let mut searcher = Searcher::new(Handmade, 14).expect("a small table");
    searcher.set_driver(driver);
    searcher.set_params(Params {
        table: TableUse::SameDepth,
        grain: GRAIN,
        ..Params::full_width()
    });
    let game = Game::new(*position);
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let request = Request::analysis(&game, limits);
    let outcome = searcher.search(&request, &Control::new(), &mut ());
    assert_eq!(outcome.report.depth, depth as u32);
    outcome.report.score
}

#[test]
fn every_driver_returns_the_minimax_value() {
    for position in tiny_positions() {
        let deepest = if position.all_kings().is_empty() {
            6
        } else {
            4
        };
        for depth in 1..=deepest {
            let truth = minimax(&position, DrawClock::new(&position), &mut Vec::new(), depth);
            for driver in Driver::ALL {
                let value = drive(&position, driver, depth);
                assert_eq!(value, truth, "{driver} depth {depth} {position:?}");
            }
        }
    }
}

/// Threads that share everything they can: every pass, every node.
#[test]
fn a_team_returns_the_minimax_value() {
    for position in tiny_positions() {
        let deepest = if position.all_kings().is_empty() {
            6
        } else {
            4
        };
        let truth = minimax(
            &position,
            DrawClock::new(&position),
            &mut Vec::new(),
            deepest,
        );
        for driver in Driver::ALL {
            for (lock_step, team_ahead_percent) in [(true, 0), (true, 50), (false, 50)] {
                let mut searcher = Searcher::new(Handmade, 14).expect("a small table");
                searcher.set_driver(driver);
                searcher.set_params(Params {
                    table: TableUse::SameDepth,
                    grain: GRAIN,
                    team_min_depth: 1,
                    team_share_depth: 1,
                    team_ahead_threads: 2,
                    team_ahead_percent,
                    lock_step,
                    ..Params::full_width()
                });
                searcher.set_threads(4);
                let game = Game::new(position);
                let limits = Limits {
                    depth: Some(deepest),
                    ..Limits::default()
                };
                let request = Request::analysis(&game, limits);
                let outcome = searcher.search(&request, &Control::new(), &mut ());
                let what = format!(
                    "{driver} lock step {lock_step} ahead {team_ahead_percent} % {position:?}"
                );
                assert_eq!(outcome.report.score, truth, "{what}");
            }
        }
    }
}

/// The value of the root move `mv` by plain minimax.
fn value_of(root: &Position, mv: damier_rules::Move, depth: Depth) -> Score {
    let child = root.play(mv);
    let clock = DrawClock::new(root).after(root, mv, &child);
    -minimax(&child, clock, &mut vec![*root], depth - 1)
}

#[test]
fn a_search_broken_off_anywhere_never_says_more_than_is_true() {
    let mut broken_off = 0;
    for position in tiny_positions() {
        for driver in Driver::ALL {
            for step in 1..=30u64 {
                let mut searcher = Searcher::new(Handmade, 14).expect("a small table");
                searcher.set_driver(driver);
                searcher.set_params(Params {
                    table: TableUse::SameDepth,
                    grain: GRAIN,
                    ..Params::full_width()
                });
                let game = Game::new(position);
                let limits = Limits {
                    depth: Some(4),
                    nodes: Some(step * step * 7),
                    ..Limits::default()
                };
                let request = Request::analysis(&game, limits);
                let outcome = searcher.search(&request, &Control::new(), &mut ());
                let (Some(mv), depth @ 1..) = (outcome.best, outcome.report.depth) else {
                    continue;
                };
                broken_off += u32::from(depth < 4);
                let truth = value_of(&position, mv, depth as Depth);
                let what = format!("{driver} {} nodes {mv} depth {depth}", step * step * 7);
                assert!(outcome.report.score <= truth, "{what} {position:?}");
            }
        }
    }
    assert!(broken_off > 100, "only {broken_off}");
}
