//! Endgame tables under the draw rules: counters, repetition, sacrifices.

use crate::common::random::Random;
use damier::board::Bitboard;
use damier::endgame::{
    self, Advice, MoveVerdict, Slice, Tables, Value, Verdict, View, under_rules,
};
use damier::notation::{fen, moves};
use damier::rules::{Game, Move, Position};
use serde_json::Value as Json;
use std::process::Command;
use std::sync::Arc;

fn tables() -> Arc<Tables> {
    Tables::open(None).unwrap()
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
    let view = View::new(&tables, 4);
    let (mut turned, mut kept, mut tried) = (0, 0, 0);
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
            let is_certain = advice.moves.iter().all(|m| m.certain);
            assert_eq!(advice.clone().settled(), is_certain.then(|| advice.clone()));
            if fits {
                kept += 1;
            } else {
                turned += 1;
                // Among drawn moves, those that would win without the count are best.
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
                let safe = (true, Value::Draw, Value::Draw);
                if all.contains(&safe) {
                    let best: Vec<Move> = reply.best().collect();
                    let of_best = reply.moves.iter().filter(|m| best.contains(&m.mv));
                    assert!(of_best.map(worth).all(|worth| worth == safe));
                }
            }
            moves.into_iter().for_each(|mv| game.play(mv));
        }
    }
    assert!(turned > 20 && kept > 20, "{turned} {kept}");
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

/// Advice is settled where every move in doubt leaves a man of the winner time to restart the count of kings only.
fn check_settled(start: &Position, game: &Game, advice: &Advice) {
    let has_time = |one: &MoveVerdict| {
        let child = start.play(one.mv);
        let after = game.clock().after(start, one.mv, &child);
        let winner = match one.value.value {
            Value::Win => start.turn(),
            _ => !start.turn(),
        };
        after.class().is_none() && after.kings_only() <= 25 && !child.men(winner).is_empty()
    };
    let Some(settled) = advice.clone().settled() else {
        assert!(
            advice
                .moves
                .iter()
                .any(|one| !one.certain && !has_time(one))
        );
        return;
    };
    assert!(settled.certain);
    for (before, after) in advice.moves.iter().zip(&settled.moves) {
        let ruled = [before.value, before.ruled][usize::from(before.certain)];
        assert_eq!((after.ruled, after.certain), (ruled, true));
        assert!(before.certain || has_time(before));
    }
}

#[test]
fn the_count_of_kings_only_matters_where_men_stand() {
    let tables = tables();
    let view = View::new(&tables, 4);
    let (mut doubtful, mut left, mut taken, mut over) = (0, 0, 0, 0);
    for (start, verdict, moves) in won_with_men(5).take(20) {
        let mut game = Game::new(start);
        for round in 0..12 {
            if game.clock().class().is_none() {
                let certain = endgame::is_certain(verdict, &start, &game.clock());
                assert_eq!(certain, verdict.distance.unwrap() <= 50 - 4 * round);
                doubtful += u32::from(!certain);
                let advice = Advice::on(&view, &start, &game.clock()).unwrap();
                check_settled(&start, &game, &advice);
                left += u32::from(advice.clone().settled().is_none());
                let settled = advice.settled().map(|settled| settled.ruled.value);
                assert!(4 * round > 24 || settled.is_none_or(|value| value == Value::Win));
                taken += u32::from(!certain && settled.is_some());
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
    assert!(
        doubtful > 0 && left > 0 && taken > 0 && over > 20,
        "{doubtful} {left} {taken} {over}"
    );
}

#[test]
fn without_a_distance_a_win_is_uncertain_once_a_count_has_begun() {
    // Whether five pieces have a table does not matter here.
    let start = fen::parse("W:WK7,K20,K21,K27,K50:BK36").unwrap();
    let mut game = Game::new(start);
    let known = |value| Verdict {
        value,
        distance: None,
    };
    let certain = |game: &Game| {
        [Value::Win, Value::Draw, Value::Loss]
            .map(|value| endgame::is_certain(known(value), game.position(), &game.clock()))
    };
    assert_eq!(certain(&game), [true; 3]);
    game.play(moves::parse(&start, "7-2").unwrap());
    assert_eq!(certain(&game), [false, true, false]);
}

#[test]
fn a_win_that_comes_too_late_for_three_pieces_against_a_king_is_not_settled() {
    let tables = tables();
    let view = View::new(&tables, 4);
    // Sixteen moves each, moves of men among them.
    let start = fen::parse("W:W50,K12,K40:BK11").unwrap();
    let advice = |game: &Game| Advice::on(&view, game.position(), &game.clock()).unwrap();
    assert!(advice(&Game::new(start)).settled().is_some());
    let moves = "40-44 11-2 44-35 2-16 35-49 16-11 12-34 11-16 34-18 16-11 49-44 11-2 44-35 2-16 18-34 16-2 34-12 2-11";
    let mut game = Game::new(start);
    for mv in moves::parse_line(&start, moves).unwrap() {
        game.play(mv);
    }
    let advice = advice(&game);
    assert_eq!(
        (advice.value.value, advice.ruled.value),
        (Value::Win, Value::Draw)
    );
    assert_eq!(advice.settled(), None);
}

#[test]
fn a_third_occurrence_is_a_draw() {
    let tables = tables();
    let view = View::new(&tables, 4);
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
    assert!(avoided > 0, "{avoided}");
}

#[test]
fn a_sacrifice_that_restarts_the_count_is_found() {
    // From a lost game: three pieces against a king, fifteen of sixteen moves are played. After 16-2 the shortest win
    // comes too late, but 23-7 2x33 50x6 wins: the capture restarts the count.
    let start = "W:WK4,17,44:BK25";
    let moves = "4-18 25-30 17-12 30-35 44-39 35-49 18-45 49-32 12-7 32-49 7-1 49-32 45-50 32-49 1-45 49-32 45-7 \
    32-49 7-16 49-35 \
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
    let counted = probe(start, &format!("{moves} 16-2"));
    let fresh = probe(counted["fen"].as_str().unwrap(), "");
    assert_eq!(of(&fresh), ["win".into(), "win".into(), Json::Bool(true)]);
    let doubtful = ["win".into(), "draw".into(), Json::Bool(false)];
    assert_eq!(of(&counted), doubtful);
    let found = analyze(["--nodes", "100000"], moves);
    assert!(found["best"] != "16-2" && found["score"] == 0.0, "{found}");
    let lost = analyze(["--nodes", "100000"], &format!("{moves} 16-2"));
    assert_eq!(
        (lost["best"].as_str(), lost["score"].as_f64()),
        (Some("23-7"), Some(99.97)),
        "{lost}"
    );
    // A short search gets its time.
    let quick = analyze(["--time", "0.05"], moves);
    assert!(
        quick["depth"].as_u64().is_some_and(|depth| depth > 5),
        "{quick}"
    );
}
