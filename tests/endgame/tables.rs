//! Endgame tables against brute force, and play with them.

use crate::common::position;
use damier::board::{Bitboard, Color, Square};
use damier::endgame::{self, Advice, Slice, Tables, Value, Verdict, View, under_rules};
use damier::engine::{Engine, Job, Level, Options, Purpose};
use damier::rules::{Game, Move, Position, Setup, Status};
use damier::search::Control;
use std::collections::HashMap;
use std::sync::Arc;

use crate::common::random::Random;

fn tables() -> Arc<Tables> {
    Tables::open(None).unwrap()
}

/// All positions of so many pieces with white to move, both sides having some.
fn every_position(pieces: usize) -> Vec<Position> {
    let squares: Vec<Square> = Square::all().collect();
    let mut found = Vec::new();
    let mut place = |chosen: &[usize]| {
        for kinds in 0..4_usize.pow(chosen.len() as u32) {
            let mut setup = Setup::empty(Color::White);
            for (at, &square) in chosen.iter().enumerate() {
                let kind = kinds >> (2 * at) & 3;
                let sets = if kind < 2 {
                    &mut setup.men
                } else {
                    &mut setup.kings
                };
                sets[kind % 2] |= Bitboard::of(squares[square]);
            }
            let both = (0..2).all(|c| !(setup.men[c] | setup.kings[c]).is_empty());
            found.extend(Position::try_from(setup).ok().filter(|_| both));
        }
    };
    for a in 0..50 {
        for b in a + 1..50 {
            if pieces == 2 {
                place(&[a, b]);
                continue;
            }
            (b + 1..50).for_each(|c| place(&[a, b, c]));
        }
    }
    found
}

/// The plies to the end of each of these positions, level by level: what is won in one ply, lost in two, and so on.
/// None for draws.
fn brute_force(positions: &[Position]) -> Vec<Option<u32>> {
    const OVER: u32 = u32::MAX;
    let numbers: HashMap<u64, u32> = positions
        .iter()
        .enumerate()
        .map(|(number, position)| (position.key().0, number as u32))
        .collect();
    let after = |position: &Position| -> Vec<u32> {
        let moves = position.legal_moves();
        let children = moves.iter().map(|&mv| position.play(mv).flipped());
        children
            .map(|child| {
                if child.pieces(Color::White).is_empty() {
                    OVER
                } else {
                    numbers[&child.key().0]
                }
            })
            .collect()
    };
    let successors: Vec<Vec<u32>> = positions.iter().map(after).collect();
    let mut plies: Vec<Option<u32>> = successors
        .iter()
        .map(|moves| moves.is_empty().then_some(0))
        .collect();
    for level in 1.. {
        let of = |number: u32| {
            if number == OVER {
                Some(0)
            } else {
                plies[number as usize]
            }
        };
        let lost = |number: &u32| of(*number).is_some_and(|plies| plies % 2 == 0);
        let won = |number: &u32| of(*number).is_some_and(|plies| plies % 2 == 1);
        let reached: Vec<usize> = (0..positions.len())
            .filter(|&number| plies[number].is_none())
            .filter(|&number| match level % 2 {
                1 => successors[number].iter().any(lost),
                _ => successors[number].iter().all(won),
            })
            .collect();
        if reached.is_empty() && level > 2 {
            return plies;
        }
        reached
            .into_iter()
            .for_each(|number| plies[number] = Some(level));
    }
    unreachable!()
}

#[test]
fn two_and_three_pieces_agree_with_brute_force() {
    let tables = tables();
    let mut positions = every_position(2);
    positions.extend(every_position(3));
    assert_eq!(positions.len(), 8_845 + 806_300);
    let plies = brute_force(&positions);
    let mut counts: HashMap<Slice, [u64; 3]> = HashMap::new();
    for (position, plies) in positions.iter().zip(plies) {
        let expected = match plies {
            None => Verdict::DRAW,
            Some(plies) => Verdict {
                value: [Value::Loss, Value::Win][plies as usize % 2],
                distance: Some(plies),
            },
        };
        for seen in [*position, position.flipped()] {
            let found = tables.probe(&seen, 3);
            assert_eq!(found, Some(expected), "{}", crate::common::fen(&seen));
        }
        let count = match expected.value {
            Value::Win => 0,
            Value::Draw => 1,
            Value::Loss => 2,
        };
        counts.entry(Slice::of(position)).or_default()[count] += 1;
    }
    let mut seen = 0;
    for one in tables.statistics().unwrap() {
        if let Some(&counted) = counts.get(&one.slice) {
            assert_eq!([one.wins, one.draws, one.losses], counted, "{}", one.slice);
            seen += 1;
        }
        assert_eq!(one.wins + one.draws + one.losses, one.slice.positions());
    }
    assert_eq!((seen, counts.len()), (16, 16));
}

/// Plies to the end if that is at most `depth` plies away, by the rules alone.
fn solve(position: &Position, depth: u32) -> Option<u32> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Some(0);
    }
    if depth == 0 {
        return None;
    }
    let children: Vec<Option<u32>> = moves
        .iter()
        .map(|&mv| solve(&position.play(mv), depth - 1))
        .collect();
    let won = children
        .iter()
        .flatten()
        .filter(|plies| **plies % 2 == 0)
        .min();
    if let Some(plies) = won {
        return Some(plies + 1);
    }
    let all: Option<Vec<u32>> = children.into_iter().collect();
    all?.into_iter().max().map(|plies| plies + 1)
}

#[test]
fn four_pieces_agree_with_a_search_by_the_rules() {
    let (tables, mut random) = (tables(), Random(1));
    let mut decided = 0;
    for _ in 0..1_000 {
        let position = random.position(4);
        let verdict = tables.probe(&position, 4).unwrap();
        assert_eq!(tables.probe(&position.flipped(), 4), Some(verdict));
        let found = solve(&position, 3);
        let stored = verdict.distance.filter(|plies| *plies <= 3);
        assert_eq!(found, stored, "{}", crate::common::fen(&position));
        decided += u32::from(stored.is_some());
    }
    assert!(decided > 150, "{decided}");
    for slice in Slice::of_pieces(4) {
        assert_eq!(
            endgame::verify(&tables, slice, 211).unwrap(),
            None,
            "{slice}"
        );
    }
}

#[test]
fn won_positions_are_won_in_the_stored_number_of_plies() {
    let (tables, mut random) = (tables(), Random(2));
    let view = View::new(&tables, 4);
    let mut engine = Engine::new(Options {
        tt_size: 16,
        ..Options::default()
    })
    .unwrap();
    let mut played = 0;
    while played < 1_000 {
        let start = random.position(3 + played % 2);
        let verdict = tables.probe(&start, 4).unwrap();
        let mut game = Game::new(start);
        let ruled = under_rules(verdict, &start, &game.clock());
        if ruled.value != Value::Win {
            continue;
        }
        played += 1;
        let (winner, plies) = (start.turn(), ruled.distance.unwrap() as usize);
        while game.status() == Status::Playing {
            let mv = if game.position().turn() == winner {
                let job = Job::new(game.clone(), Level::nodes(200));
                let outcome = engine.run(&job, &Control::new(), &mut ());
                let left = (plies - game.moves().len()) as u32;
                assert_eq!(outcome.report.score.end_in(), Some(left));
                outcome.best.unwrap()
            } else {
                let advice = Advice::on(&view, game.position(), &game.clock()).unwrap();
                advice.best().next().unwrap()
            };
            game.play(mv);
        }
        assert_eq!(
            game.status(),
            Status::WonBy(winner),
            "{}",
            crate::common::fen(&start)
        );
        assert_eq!(game.moves().len(), plies, "{}", crate::common::fen(&start));
    }
}

#[test]
fn a_search_that_reaches_the_tables_finds_the_distance() {
    // Five pieces: a man is given and two kings win against one man; and a longer one, in which a piece is given.
    for (text, plies) in [
        ("W:WK46,K47,33:B18,K3", 3),
        ("W:W24,26,K8:B10,40", 17),
        ("W:W7,9,K35:B15,36", 19),
    ] {
        let game = Game::new(position(text));
        // The depth at which a win is seen should not depend on the latest weights.
        let options = Options {
            weights: "handmade".into(),
            ..Options::default()
        };
        let mut engine = Engine::new(options).unwrap();
        let job = Job::new(game.clone(), Level::depth(5)).with_purpose(Purpose::Measure);
        let with = engine.run(&job, &Control::new(), &mut ());
        assert!(with.stats.probes > 0);
        assert_eq!(with.report.score.end_in(), Some(plies), "{text}");
        distances_fall(&game, &with.report.pv, plies);
        let mut options = engine.options().clone();
        options.bb_size = 0;
        engine.set_options(options).unwrap();
        engine.new_game();
        let without = engine.run(&job, &Control::new(), &mut ());
        assert_eq!(without.stats.probes, 0);
        assert_eq!(without.report.score.end_in() == Some(plies), plies < 5);
    }
}

/// Checks that a line ends the game in so many plies, and that the tables agree wherever they know the position.
fn distances_fall(game: &Game, line: &[Move], plies: u32) {
    let (tables, mut position, mut known) = (tables(), *game.position(), 0);
    assert_eq!(line.len(), plies as usize);
    for (played, &mv) in line.iter().enumerate() {
        assert!(position.is_legal(mv));
        if position.occupied().len() <= 4 {
            let verdict = tables.probe(&position, 4).unwrap();
            assert_eq!(verdict.distance, Some(plies - played as u32));
            known += 1;
        }
        position = position.play(mv);
    }
    assert!(position.is_terminal() && known > 0);
}
