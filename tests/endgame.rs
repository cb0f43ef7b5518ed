//! Endgame tables: the truth by the rules alone, play inside them, files.

mod common;

use common::position;
use damier::board::{Bitboard, Color, Square};
use damier::endgame::{
    self, Advice, MoveVerdict, Patience, Slice, Tables, Value, Verdict, View, under_rules,
};
use damier::engine::{Engine, Options};
use damier::rules::{Game, Move, Position, Setup, Status};
use damier::search::{Control, Limits, Request};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

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

/// The plies to the end of each of these positions, by the rules alone: level by level, what is won in one ply, lost in two
/// and so on. None for draws.
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
fn two_and_three_pieces_are_what_the_rules_say() {
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
            assert_eq!(found, Some(expected), "{}", common::fen(&seen));
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

/// A stream of numbers.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % below
    }

    /// A position of so many pieces that can be.
    fn position(&mut self, pieces: u32) -> Position {
        loop {
            let turn = Color::BOTH[self.next(2) as usize];
            let mut setup = Setup::empty(turn);
            while (0..2)
                .fold(Bitboard::EMPTY, |all, c| {
                    all | setup.men[c] | setup.kings[c]
                })
                .len()
                < pieces
            {
                let square = Square::new(1 + self.next(50) as u8).unwrap();
                let color = self.next(2) as usize;
                let sets = if self.next(2) == 0 {
                    &mut setup.men
                } else {
                    &mut setup.kings
                };
                sets[color] |= Bitboard::of(square);
            }
            let Ok(position) = Position::try_from(setup) else {
                continue;
            };
            if Color::BOTH
                .into_iter()
                .all(|c| !position.pieces(c).is_empty())
            {
                return position;
            }
        }
    }
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
fn four_pieces_are_what_a_search_by_the_rules_says() {
    let (tables, mut random) = (tables(), Random(1));
    let mut decided = 0;
    for _ in 0..1_000 {
        let position = random.position(4);
        let verdict = tables.probe(&position, 4).unwrap();
        assert_eq!(tables.probe(&position.flipped(), 4), Some(verdict));
        let found = solve(&position, 3);
        let stored = verdict.distance.filter(|plies| *plies <= 3);
        assert_eq!(found, stored, "{}", common::fen(&position));
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
fn won_positions_are_won_by_the_shortest_way_against_the_longest_defence() {
    let (tables, mut random) = (tables(), Random(2));
    let view = View::new(&tables, 4, Patience::Endless);
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
                let limits = Limits {
                    nodes: Some(200),
                    ..Limits::default()
                };
                let request = Request {
                    game: &game,
                    limits,
                    analyze: false,
                };
                let outcome = engine.search(&request, &Control::new(), &mut ());
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
            common::fen(&start)
        );
        assert_eq!(game.moves().len(), plies, "{}", common::fen(&start));
    }
}

/// Four quiet moves of kings that lead back to the position, if there are any.
fn round_trip(position: &Position) -> Option<[Move; 4]> {
    let back = |mv: Move| Move::new(mv.to(), mv.from(), Bitboard::EMPTY);
    for first in position.legal_moves() {
        let one = position.play(first);
        for second in one.legal_moves() {
            let moves = [first, second, back(first), back(second)];
            let mut at = *position;
            let legal = moves.iter().all(|&mv| {
                let legal = at.is_legal(mv);
                if legal {
                    at = at.play(mv);
                }
                legal
            });
            if legal && at == *position {
                return Some(moves);
            }
        }
    }
    None
}

#[test]
fn counters_turn_wins_into_draws() {
    let (tables, mut random) = (tables(), Random(3));
    let view = View::new(&tables, 4, Patience::Endless);
    let (mut turned, mut kept, mut tried, mut held_on) = (0, 0, 0, 0);
    while tried < 50 {
        let start = random.position(4);
        let slice = Slice::of(&start);
        if (slice.kings, slice.enemy_kings) != (3, 1) {
            continue;
        }
        let verdict = tables.probe(&start, 4).unwrap();
        let Some(moves) = round_trip(&start).filter(|_| verdict.value == Value::Win) else {
            continue;
        };
        tried += 1;
        let mut game = Game::new(start);
        for round in 0..8 {
            // Sixteen moves each, less those played.
            let fits = verdict.distance.unwrap() <= 32 - 4 * round;
            let ruled = under_rules(verdict, &start, &game.clock());
            let advice = Advice::on(&view, &start, &game.clock()).unwrap();
            assert_eq!(advice.value, verdict);
            assert_eq!(ruled.value == Value::Win, fits);
            assert_eq!(advice.ruled.value == Value::Win, fits);
            if fits {
                kept += 1;
            } else {
                turned += 1;
                // Of drawn moves those that would win, or hold, without the count.
                let value = |mv| {
                    advice
                        .moves
                        .iter()
                        .find(|m| m.mv == mv)
                        .map(|m| m.value.value)
                };
                assert!(advice.best().all(|mv| value(mv) == Some(Value::Win)));
                let mut after = game.clone();
                after.play(moves[0]);
                let reply = Advice::on(&view, after.position(), &after.clock()).unwrap();
                let worth = |m: &MoveVerdict| (m.certain, m.ruled.value, m.value.value);
                let all: Vec<_> = reply.moves.iter().map(worth).collect();
                let held = (true, Value::Draw, Value::Draw);
                if all.contains(&held) {
                    let best: Vec<Move> = reply.best().collect();
                    let of_best = reply.moves.iter().filter(|m| best.contains(&m.mv));
                    assert!(of_best.map(worth).all(|worth| worth == held));
                    held_on += 1;
                }
            }
            moves.into_iter().for_each(|mv| game.play(mv));
        }
    }
    assert!(turned > 20 && kept > 20, "{turned} {kept}");
    let _ = held_on;
}

/// Won positions of four pieces with men, in which kings can go to and fro.
fn won_with_men(seed: u64) -> impl Iterator<Item = (Position, Verdict, [Move; 4])> {
    let (tables, mut random) = (tables(), Random(seed));
    std::iter::repeat_with(move || random.position(4)).filter_map(move |start| {
        let slice = Slice::of(&start);
        let verdict = tables.probe(&start, 4)?;
        let slow = verdict.distance.is_some_and(|plies| plies > 4);
        let wanted = slice.all_men() > 0 && slow && verdict.value == Value::Win;
        let lone = (slice.men, slice.enemy_men + slice.enemy_kings) == (0, 1);
        (wanted && !lone).then_some(())?;
        round_trip(&start).map(|moves| (start, verdict, moves))
    })
}

#[test]
fn the_count_of_kings_only_matters_where_men_stand() {
    let tables = tables();
    let view = View::new(&tables, 4, Patience::Endless);
    let (mut doubtful, mut over) = (0, 0);
    for (start, verdict, moves) in won_with_men(5).take(20) {
        let mut game = Game::new(start);
        for round in 0..12 {
            if game.clock().class().is_none() {
                let certain = endgame::is_certain(verdict, &start, &game.clock());
                assert_eq!(certain, verdict.distance.unwrap() <= 50 - 4 * round);
                doubtful += u32::from(!certain);
            }
            moves.into_iter().for_each(|mv| game.play(mv));
        }
        game.play(moves[0]);
        // One more move of a king ends the game.
        let clock = game.clock();
        let advice = Advice::on(&view, game.position(), &clock).unwrap();
        for one in advice.moves {
            let quiet = !one.mv.is_capture() && !game.position().moves_man(one.mv);
            let after = game.position().play(one.mv);
            if quiet && !after.is_terminal() {
                assert_eq!((one.ruled, one.certain), (Verdict::DRAW, true));
                over += 1;
            }
        }
    }
    assert!(doubtful > 5 && over > 20, "{doubtful} {over}");
}

#[test]
fn a_third_occurrence_is_a_draw() {
    let tables = tables();
    let view = View::new(&tables, 4, Patience::Endless);
    let mut avoided = 0;
    for (start, _, moves) in won_with_men(6).take(50) {
        let mut game = Game::new(start);
        for _ in 0..2 {
            moves.into_iter().for_each(|mv| game.play(mv));
        }
        let advice = |keys| Advice::in_game(&view, &start, &game.clock(), keys).unwrap();
        let (blind, seeing) = (advice(&[]), advice(game.keys()));
        let of = |advice: &Advice| *advice.moves.iter().find(|m| m.mv == moves[0]).unwrap();
        assert_eq!(of(&blind).value, of(&seeing).value);
        assert_eq!(
            (of(&seeing).ruled, of(&seeing).certain),
            (Verdict::DRAW, true)
        );
        let kept = |advice: &Advice| advice.best().any(|mv| mv == moves[0]);
        assert!(!kept(&seeing) || seeing.ruled.value == Value::Draw);
        avoided += u32::from(kept(&blind) && !kept(&seeing));
    }
    assert!(avoided > 3, "{avoided}");
}

#[test]
fn a_search_that_meets_the_tables_finds_the_distance() {
    // Five pieces: a man is given and two kings win against one man; and a longer one, in which a piece is given.
    for (text, plies) in [
        ("W:WK46,K47,33:B18,K3", 3),
        ("W:W24,26,K8:B10,40", 17),
        ("W:W7,9,K35:B15,36", 19),
    ] {
        let game = Game::new(position(text));
        let mut engine = Engine::new(Options::default()).unwrap();
        let request = Request {
            game: &game,
            limits: Limits {
                depth: Some(5),
                ..Limits::default()
            },
            analyze: true,
        };
        let with = engine.search(&request, &Control::new(), &mut ());
        assert!(with.stats.probes > 0);
        assert_eq!(with.report.score.end_in(), Some(plies), "{text}");
        distances_fall(&game, &with.report.pv, plies);
        let mut options = engine.options().clone();
        options.bb_size = 0;
        engine.set_options(options).unwrap();
        engine.new_game();
        let without = engine.search(&request, &Control::new(), &mut ());
        assert_eq!(without.stats.probes, 0);
        assert_eq!(without.report.score.end_in() == Some(plies), plies < 5);
    }
}

/// Checks that a line ends the game in so many plies, and that the tables say so wherever they know the position.
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

/// Random positions of four pieces, or of those that a folder has: run alone, with `--ignored --nocapture`.
#[test]
#[ignore = "measures a time: cargo test --release --test endgame -- --ignored --nocapture"]
fn a_warm_probe_takes_less_than_200_ns() {
    let dir = std::env::var_os("DAMIER_ENDGAME_DIR").map(PathBuf::from);
    let tables = Tables::open(dir.as_deref()).unwrap();
    let view = View::new(&tables, 6, Patience::Endless);
    for pieces in [3, 4, 5] {
        let mut random = Random(4);
        let quiet: Vec<Position> = std::iter::repeat_with(|| random.position(pieces))
            .filter(|position| !position.must_capture() && view.quiet(position).is_some())
            .take(if pieces == 5 && dir.is_none() {
                0
            } else {
                200_000
            })
            .collect();
        let began = Instant::now();
        let wins = quiet
            .iter()
            .filter(|position| view.quiet(position).is_some_and(|v| v.value == Value::Win))
            .count();
        let each = began.elapsed().as_nanos() / quiet.len().max(1) as u128;
        let mut out = std::io::stdout();
        std::io::Write::write_fmt(
            &mut out,
            format_args!("{pieces} pieces: {each} ns a probe, {wins} wins\n"),
        )
        .unwrap();
        assert!(each < 200);
    }
}

#[test]
fn a_sacrifice_that_begins_a_new_count_is_seen() {
    // From a game that was lost: three pieces against a king, the fifteenth of sixteen moves is played. After 16-2 the shortest
    // win would come too late, but 23-7 2x33 50x6 wins: the capture begins a new count.
    let start = "W:WK4,17,44:BK25";
    let moves = "4-18 25-30 17-12 30-35 44-39 35-49 18-45 49-32 12-7 32-49 7-1 49-32 45-50 32-49 1-45 49-32 45-7 32-49 7-16 49-35 \
                 16-2 35-49 2-7 49-16 7-23 16-21 39-33 21-16 33-28";
    let analyze = |limit: [&str; 2], moves: &str| -> Json {
        let args = ["analyze", start, "--json", "--moves", moves];
        let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
        let output = command
            .args(args)
            .args(limit)
            .output()
            .expect("the program");
        serde_json::from_slice(&output.stdout).expect("an object")
    };
    let probe = |fen: &str, moves: &str| -> Json {
        let args = ["endgame", "probe", fen, "--json", "--moves", moves];
        let output = Command::new(env!("CARGO_BIN_EXE_damier"))
            .args(args)
            .output();
        serde_json::from_slice(&output.expect("the program").stdout).expect("an object")
    };
    let of = |found: &Json| [&found["value"], &found["fmjd"], &found["certain"]].map(Json::clone);
    let counted = probe(start, moves);
    let fresh = probe(counted["fen"].as_str().unwrap(), "");
    assert_eq!(of(&fresh), ["loss".into(), "loss".into(), Json::Bool(true)]);
    assert_eq!(
        of(&counted),
        ["loss".into(), "draw".into(), Json::Bool(true)]
    );
    let found = analyze(["--nodes", "100000"], moves);
    assert!(found["best"] != "16-2" && found["score"] == 0.0, "{found}");
    let lost = analyze(["--nodes", "100000"], &format!("{moves} 16-2"));
    assert_eq!(
        (lost["best"].as_str(), lost["score"].as_f64()),
        (Some("23-7"), Some(99.97)),
        "{lost}"
    );
    // A search of a moment searches, however long the table took to unpack.
    let quick = analyze(["--time", "0.05"], moves);
    assert!(
        quick["depth"].as_u64().is_some_and(|depth| depth > 5),
        "{quick}"
    );
}
