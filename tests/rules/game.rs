//! The rules of international draughts (FMJD, Annex 1): movement, capture, draws. Moves are in the full form of the Hub
//! protocol: from, to, captured squares in ascending order.

use crate::common::{find, moves, play, position, positions};
use damier::board::{Bitboard, Color};
use damier::rules::{DrawRule, EndgameClass, Game, Position, Status};
use proptest::prelude::*;

/// Asserts the full set of legal moves.
#[track_caller]
fn legal(fen: &str, expected: &str) {
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort();
    assert_eq!(moves(&position(fen)), expected.join(" "), "{fen}");
}

fn numbers(set: Bitboard) -> String {
    let numbers: Vec<_> = set.map(|square| square.to_string()).collect();
    numbers.join(" ")
}

// Article 3: movement.

#[test]
fn men_move_one_square_forward() {
    assert_eq!(
        moves(&Position::start()),
        "31-26 31-27 32-27 32-28 33-28 33-29 34-29 34-30 35-30"
    );
    legal("W:W28:B1", "28-22 28-23");
    legal("B:B28:W50", "28-32 28-33");
    legal("W:W26,35:B1", "26-21 35-30");
}

#[test]
fn kings_fly_as_far_as_the_way_is_free() {
    legal(
        "W:WK46:B",
        "46-41 46-37 46-32 46-28 46-23 46-19 46-14 46-10 46-5",
    );
    legal(
        "W:WK28,22,19:B3",
        "28-23 28-32 28-37 28-41 28-46 28-33 28-39 28-44 28-50 22-17 22-18 19-13 19-14",
    );
}

#[test]
fn a_man_that_ends_its_move_on_the_last_row_becomes_a_king() {
    let p = position("W:W7:B45");
    for text in ["7-1", "7-2"] {
        let mv = find(&p, text);
        assert!(p.promotes(mv));
        let next = p.play(mv);
        assert_eq!(next.kings(Color::White), Bitboard::of(mv.to()));
        assert!(next.men(Color::White).is_empty());
    }
    let p = position("B:B39:W44,10");
    let next = p.play(find(&p, "39x50x44"));
    assert_eq!(next.kings(Color::Black).len(), 1);
    assert_eq!(next.pieces(Color::White).len(), 1);
}

// Article 4: capture.

#[test]
fn capture_is_compulsory_and_men_capture_backwards_too() {
    legal(
        "W:W28,36:B22,23,32,33",
        "28x17x22 28x19x23 28x37x32 28x39x33",
    );
    legal("B:B23:W28,29,19,18", "23x12x18 23x14x19 23x32x28 23x34x29");
    legal("W:W26,35:B21,30", "26x17x21 35x24x30");
}

#[test]
fn nothing_is_jumped_over_the_edge_nor_with_a_piece_behind_it_nor_of_ones_own() {
    legal("W:W6,45,28:B1,40,34,22,17", "28-23");
    legal("W:WK1:B12,18,45", "1-6 1-7");
    legal("W:WK1,7:B12,18", "1-6 7-2");
}

#[test]
fn kings_capture_from_afar_and_land_as_far_as_the_way_is_free() {
    legal("W:WK23:B7,34", "23x1x7 23x40x34 23x45x34");
    legal(
        "W:WK1:B7,18",
        "1x23x7x18 1x29x7x18 1x34x7x18 1x40x7x18 1x45x7x18",
    );
    // It must land where it can go on.
    legal("W:WK47:B38,24", "47x15x24x38 47x20x24x38");
    legal(
        "W:WK5:B23,32,22",
        "5x11x22x23 5x17x22x23 5x6x22x23 5x37x23x32 5x41x23x32 5x46x23x32",
    );
}

#[test]
fn the_most_pieces_must_be_taken() {
    legal("W:W34,36:B29,31,22", "36x18x22x31");
    // Two by a man before one by a king, three men before a king, and two before one whatever they are.
    legal("W:WK50,36:B31,22,28", "36x18x22x31");
    legal("W:W32:B28,19,9,K27", "32x3x9x19x28");
    legal("W:W27:B22,13,3,K21", "27x9x13x22");
    // Equal numbers leave the choice.
    legal(
        "W:WK36:B27,18,33",
        "36x13x18x27 36x39x27x33 36x44x27x33 36x4x18x27 36x50x27x33 36x9x18x27",
    );
    legal("W:W36,47:B31,K42", "36x27x31 47x38x42");
}

#[test]
fn captured_pieces_leave_after_the_move_and_none_is_jumped_twice() {
    // 46x19x8x17 has taken 28, 13 and 12. Were 28 gone already, 33 would be next; as it is, it bars the way.
    legal(
        "W:WK46:B28,13,12,33",
        "46x17x12x13x28 46x21x12x13x28 46x26x12x13x28",
    );
    let p = position("W:WK46:B28,13,12,33");
    let next = p.play(find(&p, "46x17x12x13x28"));
    assert_eq!(numbers(next.occupied()), "17 33");
    // A circle ends where its first piece, taken already, would be jumped again.
    legal("W:W37:B31,21,22,32", "37x37x21x22x31x32");
}

#[test]
fn the_square_a_piece_came_from_is_free_during_its_capture() {
    legal("W:W37:B31,21,22,32,42", "37x48x21x22x31x32x42");
    let p = position("W:W37:B31,21,22,32");
    let mv = find(&p, "37x37x21x22x31x32");
    assert_eq!(mv.from(), mv.to());
    let next = p.play(mv);
    assert_eq!(numbers(next.occupied()), "37");
    assert_eq!(next.key(), p.key_after(p.key(), mv));
    assert!(next.is_terminal());
    // A king may come back, and may also go on past it.
    legal(
        "W:WK37:B31,21,22,32",
        "37x37x21x22x31x32 37x41x21x22x31x32 37x46x21x22x31x32 37x42x21x22x31x32 37x48x21x22x31x32",
    );
}

#[test]
fn an_empty_square_may_be_passed_twice() {
    // Twice on 37.
    legal("W:W48:B42,31,21,22,32,41", "48x46x21x22x31x32x41x42");
}

#[test]
fn no_promotion_in_passing() {
    let p = position("W:W12:B8,9,45");
    assert_eq!(moves(&p), "12x14x8x9");
    let next = p.play(find(&p, "12x14x8x9"));
    assert!(next.kings(Color::White).is_empty());
    // Nor does it go on as a king: from 3 a king would take 20 too.
    legal("W:W12:B8,20", "12x3x8");
}

#[test]
fn the_same_from_to_and_captured_set_is_one_move() {
    // Both ways round the circle.
    legal("W:W37:B31,21,22,32", "37x37x21x22x31x32");
    // From 12 or from 18, straight on.
    legal("W:WK1:B7,23", "1x29x7x23 1x34x7x23 1x40x7x23 1x45x7x23");
}

#[test]
fn who_cannot_move_has_lost() {
    for (fen, winner) in [
        ("W:W:B1", Color::Black),
        ("B:W:B", Color::White),
        ("W:W46:B41,37", Color::Black),
        ("B:W11,17:B6", Color::White),
    ] {
        let game = Game::new(position(fen));
        assert!(game.position().is_terminal(), "{fen}");
        assert_eq!(game.status(), Status::WonBy(winner), "{fen}");
    }
}

proptest! {
    #[test]
    fn both_colours_have_the_same_rules(p in positions(15, 3)) {
        let mut turned: Vec<String> = p
            .flipped()
            .legal_moves()
            .iter()
            .map(|mv| {
                let captured = mv.captured().rotated();
                damier::rules::Move::new(mv.from().rotated(), mv.to().rotated(), captured).to_string()
            })
            .collect();
        turned.sort();
        prop_assert_eq!(turned.join(" "), moves(&p));
    }

    #[test]
    fn what_is_asked_of_a_position_agrees_with_its_moves(p in positions(20, 3)) {
        let list = p.legal_moves();
        prop_assert_eq!(p.is_terminal(), list.is_empty());
        prop_assert_eq!(p.must_capture(), list.first().is_some_and(|mv| mv.is_capture()));
        for &mv in &list {
            let next = p.play(mv);
            prop_assert_eq!(next.key(), p.key_after(p.key(), mv));
            prop_assert!(mv.is_capture() || p.leaves_en_prise(mv) == next.must_capture());
            prop_assert_eq!(mv.captured().len(), list[0].captured().len());
            prop_assert_eq!(list.iter().filter(|&&other| other == mv).count(), 1);
            prop_assert_eq!(next.occupied().len() + mv.captured().len(), p.occupied().len());
        }
    }
}

// Article 6: draws.

/// Kings that walk between two squares each, over and over.
fn shuffle(game: &mut Game, cycle: [&str; 4], plies: usize) {
    for text in cycle.iter().cycle().take(plies) {
        play(game, text);
    }
}

/// Plays quiet king moves that repeat nothing until the game is drawn; returns the number of plies and the rule.
fn wander(game: &mut Game) -> (usize, DrawRule) {
    let before = game.moves().len();
    assert!(try_to_wander(game), "no way");
    match game.status() {
        Status::Drawn(rule) => (game.moves().len() - before, rule),
        status => panic!("{status:?}"),
    }
}

fn try_to_wander(game: &mut Game) -> bool {
    if game.status() != Status::Playing {
        return matches!(game.status(), Status::Drawn(_));
    }
    for mv in game.position().legal_moves() {
        if game.position().moves_man(mv) || mv.is_capture() {
            continue;
        }
        game.play(mv);
        let calm = !game.position().must_capture() && game.occurrences() == 1;
        if calm && try_to_wander(game) {
            return true;
        }
        game.take_back();
    }
    false
}

#[test]
fn the_third_occurrence_with_the_same_side_to_move_is_a_draw() {
    let cycle = ["49-44", "2-7", "44-49", "7-2"];
    let mut game = Game::new(position("W:WK49,K50,45:BK2,K1,K6"));
    shuffle(&mut game, cycle, 7);
    assert_eq!((game.status(), game.occurrences()), (Status::Playing, 2));
    shuffle(&mut game, ["7-2"; 4], 1);
    assert_eq!(game.occurrences(), 3);
    assert_eq!(game.status(), Status::Drawn(DrawRule::Repetition));
}

#[test]
fn the_same_pieces_with_the_other_side_to_move_are_another_position() {
    // White loses a move in a triangle: the pieces of the start come back with black to move.
    let mut game = Game::new(position("W:WK46,45,40,K47:BK1,6,11,K2"));
    let start = game.position().key();
    play(&mut game, "46-41 2-8 41-14 8-2 14-46");
    assert_eq!(game.position().turn(), Color::Black);
    assert_eq!(game.position().occupied(), game.start().occupied());
    assert!(game.position().key() != start && game.occurrences() == 1);
}

#[test]
fn twenty_five_moves_each_of_kings_only_are_a_draw() {
    let mut game = Game::new(position("W:WK46,K50,45:BK5,K1,6"));
    let (plies, rule) = wander(&mut game);
    assert_eq!((plies, rule), (50, DrawRule::KingsOnly));
}

#[test]
fn a_capture_or_a_move_of_a_man_begins_the_fifty_plies_anew() {
    let mut game = Game::new(position("W:WK47,K50,36:BK1,K3,6"));
    play(&mut game, "47-41 1-7");
    assert_eq!(game.clock().kings_only(), 2);
    play(&mut game, "36-31");
    assert_eq!(game.clock().kings_only(), 0);
    play(&mut game, "3-8");
    assert_eq!(game.clock().kings_only(), 1);
}

#[test]
fn sixteen_moves_each_with_three_pieces_against_a_king_are_a_draw() {
    for fen in [
        "W:WK45,K40,K35:BK46",
        "W:WK45,K40,35:BK46",
        "W:WK50,45,35:BK46",
        "B:BK6,K11,K16:WK5",
    ] {
        let mut game = Game::new(position(fen));
        assert_eq!(game.clock().class(), Some((EndgameClass::ThreeVsKing, 0)));
        assert_eq!(wander(&mut game), (32, DrawRule::ThreeVsKing), "{fen}");
    }
}

#[test]
fn five_moves_each_with_two_pieces_or_a_king_against_a_king_are_a_draw() {
    for fen in [
        "W:WK45,K40:BK46",
        "W:WK45,40:BK46",
        "W:WK45:BK46",
        "B:BK6,11:WK5",
        "B:BK6,K11:WK5",
    ] {
        let mut game = Game::new(position(fen));
        assert_eq!(game.clock().class(), Some((EndgameClass::TwoVsKing, 0)));
        assert_eq!(wander(&mut game), (10, DrawRule::TwoVsKing), "{fen}");
    }
}

#[test]
fn other_material_has_no_limit_but_the_fifty_plies() {
    for fen in [
        "W:WK45,K40,K35,K30:BK46",
        "W:WK45,40:B1",
        "W:W45,40:BK46",
        "W:WK45,K40:BK46,K41",
        "W:WK45:BK46,1,2,3",
        "W:W45,40,35:BK46",
        "W:WK45:B",
    ] {
        assert_eq!(EndgameClass::of(&position(fen)), None, "{fen}");
    }
}

#[test]
fn moves_of_men_and_promotions_do_not_reset_the_count_of_a_class() {
    let mut game = Game::new(position("W:WK45,12,35:BK46"));
    play(&mut game, "12-7 46-41 7-1 41-46 35-30 46-41");
    assert_eq!(game.clock().class(), Some((EndgameClass::ThreeVsKing, 6)));
    assert_eq!(game.clock().kings_only(), 1);
    let (plies, rule) = wander(&mut game);
    assert_eq!((plies, rule), (26, DrawRule::ThreeVsKing));
}

#[test]
fn a_change_of_the_class_starts_its_own_count() {
    // Four against a king, then three, then two: each begins at zero with the capture.
    let mut game = Game::new(position("B:WK45,K50,28,16:BK32"));
    assert_eq!(game.clock().class(), None);
    play(&mut game, "32x19x28");
    assert_eq!(game.clock().class(), Some((EndgameClass::ThreeVsKing, 0)));
    play(&mut game, "16-11 19-2");
    assert_eq!(game.clock().class(), Some((EndgameClass::ThreeVsKing, 2)));
    play(&mut game, "45-40 2x16x11");
    assert_eq!(game.clock().class(), Some((EndgameClass::TwoVsKing, 0)));
    assert_eq!(wander(&mut game), (10, DrawRule::TwoVsKing));
}

#[test]
fn a_capture_within_the_class_goes_on_counting() {
    // Two kings, a king and a man, and one king against a king are one class (one article, one limit).
    let mut game = Game::new(position("B:WK45,28:BK32"));
    play(&mut game, "32x19x28");
    assert_eq!(game.clock().class(), Some((EndgameClass::TwoVsKing, 1)));
    assert_eq!(wander(&mut game), (9, DrawRule::TwoVsKing));
}

#[test]
fn a_king_that_appears_starts_the_class() {
    let mut game = Game::new(position("B:WK50,K49:B41"));
    assert_eq!(game.clock().class(), None);
    play(&mut game, "41-46");
    assert_eq!(game.clock().class(), Some((EndgameClass::TwoVsKing, 0)));
}

#[test]
fn a_win_on_the_last_ply_takes_precedence() {
    // The fiftieth ply of kings only shuts in the black king on 45.
    let mut game = Game::new(position("B:WK39,K46,33,34,40:BK50"));
    let long = ["46", "41", "37", "32", "28", "23", "19", "14", "10", "5"];
    let there_and_back: Vec<&str> = long
        .iter()
        .chain(long[1..9].iter().rev())
        .copied()
        .collect();
    for i in 0..24 {
        let (from, to) = (there_and_back[i % 18], there_and_back[(i + 1) % 18]);
        play(&mut game, ["50-45", "45-50"][i % 2]);
        play(&mut game, &format!("{from}-{to}"));
    }
    play(&mut game, "50-45 39-50");
    assert_eq!(game.clock().verdict(), Some(DrawRule::KingsOnly));
    assert_eq!(game.status(), Status::WonBy(Color::White));
    // The tenth ply in a class takes the last piece.
    let mut game = Game::new(position("B:WK45,K50:BK46"));
    play(
        &mut game,
        "46-41 45-40 41-46 40-45 46-41 45-40 41-46 40-45 46-28",
    );
    assert_eq!(game.clock().class(), Some((EndgameClass::TwoVsKing, 9)));
    play(&mut game, "50x22x28");
    assert_eq!(game.status(), Status::WonBy(Color::White));
}

#[test]
fn a_drawn_position_is_played_on_and_may_stop_being_one() {
    let mut game = Game::new(position("W:WK45,K40,K35:BK46"));
    wander(&mut game);
    let list = game.position().legal_moves();
    let before = *game.position();
    game.play(list[0]);
    assert!(matches!(game.status(), Status::Drawn(_)));
    assert_eq!(game.take_back(), Some(list[0]));
    assert_eq!(
        (*game.position(), game.clock().class()),
        (before, Some((EndgameClass::ThreeVsKing, 32)))
    );
    // Counts do not run over.
    let mut game = Game::new(position("W:WK50,45:BK1,6"));
    shuffle(&mut game, ["50-44", "1-7", "44-50", "7-1"], 1_000);
    assert_eq!(game.status(), Status::Drawn(DrawRule::KingsOnly));
    assert_eq!(game.clock().kings_only(), 255);
}

#[test]
fn the_key_of_the_clock_tells_counts_apart_where_they_matter() {
    let mut game = Game::new(position("W:WK46,K50,45:BK5,K1,6"));
    let mut keys = vec![game.clock().key()];
    let cycle = ["50-44", "1-7", "44-50", "7-1"];
    for text in cycle.iter().cycle().take(49) {
        play(&mut game, text);
        keys.push(game.clock().key());
    }
    assert!(keys[..30].iter().all(|&key| key == Default::default()));
    keys.dedup();
    assert_eq!(keys.len(), 1 + 4, "none below 30 plies, then a step each 5");
    let mut game = Game::new(position("W:WK45,K40:BK46"));
    let mut keys = vec![game.clock().key()];
    for text in ["40-34", "46-41", "34-40", "41-46"].iter().cycle().take(9) {
        play(&mut game, text);
        keys.push(game.clock().key());
    }
    let all = keys.len();
    keys.sort_by_key(|key| key.0);
    keys.dedup();
    assert_eq!(keys.len(), all, "the count of a class is exact");
}
