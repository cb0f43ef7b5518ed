use super::*;
use crate::engine::{EngineError, Job, Level, Options, Thinker};
use crate::notation::fen;
use crate::search::{Control, Observer, Outcome};

/// Plays the first legal move.
#[derive(Default)]
struct First(Options);

impl Thinker for First {
    fn new_game(&mut self) {}

    fn options(&self) -> &Options {
        &self.0
    }

    fn set_options(&mut self, _: Options) -> Result<(), EngineError> {
        Ok(())
    }

    fn run(&mut self, job: &Job, _: &Control, _: &mut dyn Observer) -> Outcome {
        Outcome {
            best: job.game.position().legal_moves().first().copied(),
            ..Outcome::default()
        }
    }
}

fn play(start: &str, players: [Player; 2], script: &str) -> String {
    let setting = Setting {
        start: fen::parse(start).unwrap(),
        players,
        level: Level::INFINITE,
    };
    let mut out = Vec::new();
    run(
        &mut First::default(),
        setting,
        &mut script.as_bytes(),
        &mut out,
    )
    .unwrap();
    String::from_utf8(out).unwrap()
}

const START: &str = "W:W31-50:B1-20";
const HUMANS: [Player; 2] = [Player::Human; 2];
const WHITE: [Player; 2] = [Player::Human, Player::Computer];
const BLACK: [Player; 2] = [Player::Computer, Player::Human];

#[test]
fn moves_are_played_answered_taken_back_and_listed() {
    let out = play(
        START,
        WHITE,
        "32-28\ngame\nback\ngame\nmoves\nquit\nnever read",
    );
    assert_eq!(
        out.matches("The computer (black) plays ").count(),
        1,
        "{out}"
    );
    assert!(out.contains("1. 32-28 "), "{out}");
    assert!(out.contains("32-27") && out.contains("35-30"), "{out}");
    assert!(!out.contains("never"), "{out}");
}

#[test]
fn illegal_moves_and_nonsense_are_answered_in_plain_words() {
    let script = "32-23\n1\n99-1\nxyzzy\ntime soon\nwhite cat\nfen W:Wx\n\n";
    let out = play(START, HUMANS, script);
    for sentence in [
        "Not possible: a man moves one step only.",
        "Not possible: a move names the square",
        "Not possible: 99 is no square",
        "neither a move, such as 32-28, nor a command",
        "say how many seconds",
        "say human or computer",
        "FEN, character 4: expected a square",
    ] {
        assert!(out.contains(sentence), "{sentence}\n{out}");
    }
}

#[test]
fn a_move_may_have_its_number_and_must_be_clear() {
    let out = play(
        "W:WK46:B41,31,27,17,45",
        HUMANS,
        "46x12\n1. 46x12x27x17x41\ngame\n",
    );
    assert!(
        out.contains("Which one? it could be any of 46x12x17x"),
        "{out}"
    );
    assert!(out.contains("1. 46x12x17x27x41\n"), "{out}");
}

#[test]
fn the_end_of_a_game_is_told_and_may_be_taken_back() {
    let out = play("W:W28:B23", HUMANS, "28x19\nmoves\nhint\ngo\nback\nfen\n");
    assert!(
        out.contains("The game is over, white has won: black has no legal move."),
        "{out}"
    );
    assert_eq!(out.matches("There is no legal move.").count(), 3, "{out}");
    assert!(out.contains("W:W28:B23\n"), "{out}");
}

#[test]
fn a_draw_is_told_and_may_be_played_on() {
    let script = "1-6\n50-45\n".to_owned() + &"6-1\n45-50\n1-6\n50-45\n".repeat(3);
    let out = play("W:WK1:BK50", HUMANS, &script);
    assert_eq!(out.matches("The game is a draw: ").count(), 1, "{out}");
    assert!(!out.contains("Not possible"), "{out}");
}

#[test]
fn two_computers_play_to_the_end() {
    let out = play("W:WK46:BK16", [Player::Computer; 2], "go\n");
    assert!(out.matches("The game is a draw: ").count() == 1, "{out}");
    assert!(out.matches("The computer (").count() > 4, "{out}");
}

#[test]
fn sides_can_be_changed() {
    let out = play(START, BLACK, "back\nfen\n");
    assert!(
        out.contains("There is no move of yours to take back."),
        "{out}"
    );
    assert_eq!(
        out.matches("The computer (white) plays ").count(),
        1,
        "{out}"
    );
    let out = play(START, WHITE, "go\nflip\nboard\n");
    assert!(out.contains("White: computer, black: human."), "{out}");
    assert_eq!(out.matches("The computer (").count(), 1, "{out}");
    let out = play(
        START,
        HUMANS,
        "black computer\nswap\nwhite human\nhint\nnew\n",
    );
    assert!(out.contains("White: human, black: computer."), "{out}");
    assert!(out.contains("I would play "), "{out}");
}

#[test]
fn any_bytes_are_survived() {
    let setting = Setting {
        start: fen::parse(START).unwrap(),
        players: HUMANS,
        level: Level::INFINITE,
    };
    let mut seed = 7u32;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    })
    .take(20_000)
    .collect();
    run(
        &mut First::default(),
        setting,
        &mut bytes.as_slice(),
        &mut std::io::sink(),
    )
    .unwrap();
}
