use super::*;
use crate::Stop;
use damier_engine::{Engine, Options};
use damier_rules::notation::pdn::{self, Game as PdnGame};

/// 19-24 loses to 28-23; 17-21 holds.
const START: &str =
    "B:W28,29,31,32,35,36,37,38,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,15,17,18,19,20";
/// How it was lost.
const LOST: &str = "19-24 28-23 24x42 23x21";

fn game(moves: &str, result: &str) -> PdnGame {
    let text = format!("[White \"A; B\"]\n[Black \"C\"]\n[FEN \"{START}\"]\n{moves} {result}");
    let mut games = pdn::read(&text);
    games.next().expect("a game").expect("sound")
}

fn find(game: &PdnGame) -> Option<LosingMove> {
    find_with(game, 0.2)
}

fn find_with(game: &PdnGame, margin: f64) -> Option<LosingMove> {
    let options = Options {
        tt_size: 16,
        ..Options::default()
    };
    let settings = LossSettings {
        nodes: 5_000,
        margin,
    };
    let engine = Engine::new(options).expect("an engine");
    let mut finder = Finder::new(engine, settings);
    finder.find(game, &Stop::new()).expect("not stopped")
}

#[test]
fn the_move_that_lost_is_found_and_can_be_written_in_every_form() {
    let source = game(LOST, "2-0");
    let found = find(&source).expect("a losing move");
    assert_eq!((found.ply, found.position), (0, source.start));
    assert_eq!(found.played.line[0].to_string(), "19-24");
    assert_eq!(found.played.line[1].to_string(), "28-23");
    assert_ne!(found.other.line[0], found.played.line[0]);
    assert!(found.played.wdl.loss > 0.75 && found.other.wdl.loss < 0.25);
    assert!(found.cost >= 0.2 && found.avoided.is_some());
    let object = found.to_json(7, &source);
    let text = serde_json::to_string(&object).expect("written");
    let back: LosingMoveObject = serde_json::from_str(&text).expect("read");
    assert_eq!(back, object);
    assert!(object.grade <= 2 && object.nodes.is_some());
    let line = object.to_suite();
    assert!(
        line.starts_with(&format!("{START}; am 19-24; id 7-0; grade ")),
        "{line}"
    );
    // The name of a player does not end the field.
    assert!(line.ends_with("; source A  B v C"), "{line}");
}

#[test]
fn nothing_is_found_where_nobody_lost_or_the_loser_was_not_lost() {
    for (moves, result) in [
        (LOST, "1-1"),
        (LOST, "*"),
        (LOST, "0-2"),
        ("17-21", "2-0"),
        ("", "2-0"),
    ] {
        assert_eq!(find(&game(moves, result)), None, "{moves} {result}");
    }
    assert_eq!(find(&PdnGame::new(damier_rules::Position::start())), None);
}

#[test]
fn of_several_losing_moves_it_is_the_last() {
    // White misses the shot, and black gives a man away.
    let found = find(&game("19-24 38-33 18-23 28x30 20-25", "2-0")).expect("a losing move");
    assert_eq!(found.ply, 2);
    assert_eq!(found.played.line[0].to_string(), "18-23");
}

#[test]
fn a_move_in_a_lost_position_did_not_lose() {
    // 7-12 gives two men away, in a position that was lost before.
    let text = "19-24 28-23 24x42 23x21 10-14 47x38 14-19 21-16 7-12 16x18";
    let found = find_with(&game(text, "2-0"), 0.05).expect("a losing move");
    assert_eq!(found.ply, 0);
}

#[test]
fn who_has_no_move_left_lost_without_a_result_too() {
    let text = "[FEN \"B:W27,32:B16,8\"]\n1... 16-21 2. 27x16 8-12 3. 16-11 12-17 4. 11x22 *";
    let mut games = pdn::read(text);
    let won = games.next().expect("a game").expect("sound");
    assert_eq!(loser(&won), Some(damier_rules::board::Color::Black));
    assert_eq!(loser(&game(LOST, "*")), None);
    assert_eq!(loser(&game(LOST, "1-1")), None);
}

#[test]
fn a_search_that_is_stopped_gives_nothing() {
    let engine = Engine::new(Options::default()).expect("an engine");
    let mut finder = Finder::new(engine, LossSettings::default());
    let stop = Stop::new();
    stop.stop();
    let lost = game(LOST, "2-0");
    assert!(finder.find(&lost, &stop).is_err());
}
