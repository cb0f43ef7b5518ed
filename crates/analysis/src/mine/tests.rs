use super::*;
use crate::Stop;
use damier_engine::{Engine, Options};
use damier_rules::Position;
use damier_rules::notation::pdn::{self, Game as PdnGame, Outcome};
use damier_rules::notation::{fen, moves};

/// 28-23 24x42 23x21 and 47x38 give two men for three.
const SHOT: &str =
    "W:W28,29,31,32,35,36,37,38,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,15,17,18,20,24";

fn mine(game: &PdnGame) -> Vec<MinedPuzzle> {
    let options = Options {
        tt_size: 16,
        ..Options::default()
    };
    let settings = MineSettings {
        nodes: 5_000,
        ..MineSettings::default()
    };
    let engine = Engine::new(options).expect("an engine");
    let mut miner = Miner::new(engine, settings);
    miner.mine(game, &Stop::new()).expect("not stopped")
}

fn game(text: &str) -> PdnGame {
    let mut games = pdn::read(text);
    games.next().expect("a game").expect("sound")
}

#[test]
fn a_shot_is_found_and_can_be_written_in_every_form() {
    // Black won the game in the end.
    let source = game(&format!(
        "[FEN \"{SHOT}\"]\n[White \"A\"]\n[Result \"0-2\"]\n*"
    ));
    let found = mine(&source);
    let [puzzle] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(puzzle.combination.line[0].to_string(), "28-23");
    assert_eq!(
        (puzzle.combination.men_given, puzzle.combination.gain),
        (2, 1)
    );
    assert!(puzzle.margin >= 0.2 && puzzle.found.grade() <= 2);
    let object = puzzle.to_json(1, &source);
    let text = serde_json::to_string(&object).expect("written");
    let back: MinedPuzzleObject = serde_json::from_str(&text).expect("read");
    assert_eq!(back, object);
    let written = object.to_pdn("Damier").expect("legal");
    assert_eq!(written.start, puzzle.position);
    assert_eq!(written.plain_moves(), puzzle.combination.line);
    assert_eq!(written.tag("White"), Some("A"));
    assert_eq!(written.tag("Result"), None);
    for (win, result) in [(0.95, Outcome::White), (0.85, Outcome::Unknown)] {
        let wdl = [win, 1.0 - win, 0.0];
        let told = MinedPuzzleObject {
            wdl,
            ..object.clone()
        };
        assert_eq!(told.to_pdn("Damier").expect("legal").result, result);
    }
    assert!(
        object
            .to_suite()
            .starts_with(&format!("{SHOT}; bm 28-23; "))
    );
}

#[test]
fn neither_the_start_nor_a_game_that_is_over_has_one() {
    assert_eq!(mine(&PdnGame::new(Position::start())), []);
    assert_eq!(mine(&game("[FEN \"W:W28:B\"]\n*")), []);
}

#[test]
fn a_combination_that_is_played_is_given_once() {
    let played = game(&format!("[FEN \"{SHOT}\"]\n1. 28-23 24x42 2. 23x21 *"));
    let found = mine(&played);
    assert_eq!(found.iter().filter(|puzzle| puzzle.ply < 3).count(), 1);
    assert_eq!(found[0].ply, 0);
}

#[test]
fn a_combination_is_offers_and_captures_that_win() {
    let start = fen::parse(SHOT).expect("a position");
    let line = |text| moves::parse_line(&start, text).expect("legal");
    let shot = line("28-23 24x42 23x21 10-14 47x38 7-12");
    let found = Combination::of(&start, &shot).expect("a combination");
    assert_eq!(found.line, shot[..5]);
    // No offer, and an offer that wins nothing.
    let quiet = moves::parse_line(&Position::start(), "32-28 19-23").expect("legal");
    assert_eq!(Combination::of(&Position::start(), &quiet), None);
    assert_eq!(Combination::of(&start, &shot[..2]), None);
    assert_eq!(Combination::of(&start, &[]), None);
}

#[test]
fn a_combination_that_has_a_name_is_given_it() {
    let found = mine(&game("[FEN \"W:W26,28,29,31,36:B9,16,17,18,19\"]\n*"));
    let source = PdnGame::new(Position::start());
    let object = found.first().expect("a puzzle").to_json(1, &source);
    assert_eq!(object.motifs, ["coup Napoléon"]);
    let written = object.to_pdn("Damier").expect("legal");
    assert_eq!(written.tag("Motif"), Some("coup Napoléon"));
    // Puzzles of earlier versions say nothing of it.
    let mut json = serde_json::to_value(&object).expect("JSON");
    json.as_object_mut().expect("an object").remove("motifs");
    let older: MinedPuzzleObject = serde_json::from_value(json).expect("read");
    assert_eq!(older.motifs, [""; 0]);
}
