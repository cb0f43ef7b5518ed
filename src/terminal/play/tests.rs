use super::command::{PlayCommand, read};
use super::*;
use crate::engine::{EngineError, Job, Level, Options, Thinker};
use crate::notation::{fen, pdn};
use crate::search::{Control, Observer, Outcome};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

mod saved;

/// Nothing in these tests takes this long.
const LONG: Duration = Duration::from_secs(60);

/// A stand-in for the engine: searches with a function.
struct Stub<F>(F, Options);

fn stub<F: FnMut(&Job, &Control) -> Outcome + Send>(search: F) -> Stub<F> {
    Stub(search, Options::default())
}

impl<F: FnMut(&Job, &Control) -> Outcome + Send> Thinker for Stub<F> {
    fn new_game(&mut self) {}

    fn options(&self) -> &Options {
        &self.1
    }

    fn set_options(&mut self, _: Options) -> Result<(), EngineError> {
        Ok(())
    }

    fn run(&mut self, job: &Job, control: &Control, _: &mut dyn Observer) -> Outcome {
        (self.0)(job, control)
    }
}

/// Plays the first legal move.
fn first(job: &Job, _: &Control) -> Outcome {
    Outcome {
        best: job.game.position().legal_moves().first().copied(),
        ..Outcome::default()
    }
}

/// Thinks until it is stopped, and plays the first legal move then.
fn endless(job: &Job, control: &Control) -> Outcome {
    let began = Instant::now();
    while !control.is_stopped() {
        assert!(began.elapsed() < LONG, "nobody stops it");
        std::thread::sleep(Duration::from_millis(1));
    }
    first(job, control)
}

fn setting(start: &str, players: [PlayerKind; 2]) -> PlaySettings {
    PlaySettings::new(fen::parse(start).unwrap(), players, Level::INFINITE)
}

/// What is shown for a script.
fn play(start: &str, players: [PlayerKind; 2], script: &str) -> String {
    shown(stub(first), setting(start, players), script)
}

/// What is shown for a script of which every line is typed as soon as it is waited for, also while the computer thinks.
fn play_live(start: &str, players: [PlayerKind; 2], script: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let setting = PlaySettings {
        live: true,
        folder: folder.path().to_owned(),
        ..setting(start, players)
    };
    shown(stub(endless), setting, script)
}

fn shown(thinker: impl Thinker + 'static, setting: PlaySettings, script: &str) -> String {
    let mut out = Vec::new();
    let input = io::Cursor::new(script.to_owned());
    assert_eq!(run(thinker, setting, input, &mut out).unwrap(), Exit::Left);
    String::from_utf8(out).unwrap()
}

/// Lines that are typed one by one, and an input that stays open as long as the sender lives.
struct Typed(Receiver<Vec<u8>>);

impl io::Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Ok(bytes) = self.0.recv() else {
            return Ok(0);
        };
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

fn typed() -> (Sender<Vec<u8>>, io::BufReader<Typed>) {
    let (sender, receiver) = channel();
    (sender, io::BufReader::new(Typed(receiver)))
}

const START: &str = "W:W31-50:B1-20";
const HUMANS: [PlayerKind; 2] = [PlayerKind::Human; 2];
const WHITE: [PlayerKind; 2] = [PlayerKind::Human, PlayerKind::Computer];
const BLACK: [PlayerKind; 2] = [PlayerKind::Computer, PlayerKind::Human];

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
fn a_mistyped_command_is_guessed_and_what_is_typed_is_harmless() {
    let out = play(
        START,
        HUMANS,
        "hepl\nquti\nlaod\nxyzzy\n\u{202e}\u{0}\u{1b}[2J\n",
    );
    for word in ["help", "quit", "load"] {
        let hint = format!("nor a command; did you mean {word}?");
        assert!(out.contains(&hint), "{word}\n{out}");
    }
    assert_eq!(out.matches("type help to see them all").count(), 1, "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
    for word in super::command::WORDS {
        let read = super::command::read(word);
        let is_unknown =
            matches!(&read, super::command::PlayCommand::Unclear(text) if text.contains("neither"));
        assert!(!is_unknown, "{word}");
    }
}

#[test]
fn moves_are_read_as_they_stand_in_games() {
    for (white, black) in [
        ("3228", "(19-23)"),
        ("1. 32-28!?", "1. ... 19-23 {sharp}"),
        ("{best} 32.-28. \u{25a1}", "\u{2026} 19\u{2013}23"),
    ] {
        let out = play(START, HUMANS, &format!("{white}\n{black}\ngame\n"));
        assert!(out.contains("1. 32-28 19-23"), "{white} {black}\n{out}");
    }
    let out = play(START, HUMANS, "32-28 19-23\n");
    assert!(
        out.contains("Not possible: expected a single move."),
        "{out}"
    );
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
fn moves_and_numbers_are_known_in_any_signs() {
    for text in [
        "32-28",
        "３２－２８",
        "\u{200b}32\u{2011}28",
        "１．32-28",
        "٣٢-28",
    ] {
        assert_eq!(read(text), PlayCommand::Move(text.to_owned()));
    }
    assert_eq!(
        read("nodes\u{a0}５００"),
        PlayCommand::Level(Level::nodes(500))
    );
    assert_eq!(read("clock ５＋３"), read("clock 5+3"));
    assert_eq!(read("\u{feff}\u{200b}"), PlayCommand::Nothing);
    // A name of a file stays as it is written.
    let name = "partij–３.pdn";
    assert_eq!(
        read(&format!("load {name}")),
        PlayCommand::Load(name.to_owned())
    );
    let out = play(START, HUMANS, "１．３２－２８\n1８--２3\nfen\n");
    assert!(out.contains("W:W28,31,33"), "{out}");
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
    let out = play("W:WK46:BK16", [PlayerKind::Computer; 2], "go\n");
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
    let mut seed = 7u32;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    })
    .take(20_000)
    .collect();
    let input = io::Cursor::new(bytes);
    run(stub(first), setting(START, HUMANS), input, &mut io::sink()).unwrap();
}

#[test]
fn thinking_and_hints_are_interrupted() {
    let out = play_live(START, WHITE, "32-28\nstop\nhint\nstop\nquit\nquit\n");
    assert_eq!(
        out.matches("The computer (black) plays ").count(),
        1,
        "{out}"
    );
    assert_eq!(out.matches("I would play ").count(), 1, "{out}");
    // A line ends a hint and is executed; while the computer thinks what changes nothing is done at once.
    let out = play_live(START, WHITE, "hint\n32-28\nfen\nback\nfen\nquit\nquit\n");
    assert!(
        out.contains("I would play ") && !out.contains("The computer ("),
        "{out}"
    );
    let start = fen::parse(START).unwrap();
    let after = start.play(crate::notation::moves::parse(&start, "32-28").unwrap());
    assert!(
        out.contains(&fen::format(&after)) && out.contains(&fen::format(&start)),
        "{out}"
    );
}

#[test]
fn the_level_is_chosen_and_named_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pdn").to_str().unwrap().to_owned();
    let script = format!(
        "elo\nelo expert\nelo Club\nelo 1250\nelo 1200\nelo 799\nelo much\n32-28\nsave {path}\nelo off\nquit\n"
    );
    let out = play(START, WHITE, &script);
    let strong = "The computer plays as well as it can.";
    assert_eq!(out.matches(strong).count(), 2, "{out}");
    for level in [
        "2400 (expert)",
        "1600 (club player)",
        "1250",
        "1200 (casual)",
    ] {
        assert_eq!(
            out.matches(&format!("plays at level {level}.")).count(),
            1,
            "{out}"
        );
    }
    assert_eq!(
        out.matches("say a number from 800 to 2800").count(),
        2,
        "{out}"
    );
    let saved = pdn::read(&std::fs::read_to_string(&path).unwrap())
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(saved.tag("Black"), Some("Damier (level 1200)"));
}

#[test]
fn two_computers_hear_commands() {
    let out = play_live(
        START,
        [PlayerKind::Computer; 2],
        "stop\nwhite human\nstop\n32-28\nquit\nquit\n",
    );
    assert!(out.contains("White: human, black: computer."), "{out}");
    // One move of each, and then white is a human.
    assert_eq!(
        out.matches("The computer (white) plays ").count(),
        1,
        "{out}"
    );
    assert_eq!(
        out.matches("The computer (black) plays ").count(),
        1,
        "{out}"
    );
    // In a pipe too: nobody has a turn to wait for.
    let setting = setting(START, [PlayerKind::Computer; 2]);
    let out = shown(stub(endless), setting, "stop\nquit\n");
    assert_eq!(out.matches("The computer (").count(), 1, "{out}");
}

#[test]
fn games_are_resigned_and_drawn() {
    let out = play(START, HUMANS, "32-28\nresign\nresign\n");
    assert_eq!(out.matches("black resigns").count(), 2, "{out}");
    let out = play(START, HUMANS, "draw\n32-28\n");
    assert!(
        out.contains("draw by agreement") && !out.contains("Not possible"),
        "{out}"
    );
    // The computer sees no advantage, but the game has hardly begun.
    let out = play(START, WHITE, "draw\n32-28\n");
    assert!(
        out.contains("plays on") && out.contains("The computer (black) plays "),
        "{out}"
    );
    let out = play(START, [PlayerKind::Computer; 2], "resign\ndraw\n");
    assert!(
        !out.contains("resigns") && !out.contains("agreement"),
        "{out}"
    );
}

#[test]
fn a_clock_runs_and_ends_the_game() {
    let setting = PlaySettings {
        clock: Some("0.001".parse().unwrap()),
        ..setting(START, HUMANS)
    };
    let (sender, input) = typed();
    // Nothing is typed until the time is up.
    let ended = Arc::new(AtomicBool::new(false));
    struct Watching(Vec<u8>, Arc<AtomicBool>);
    impl io::Write for Watching {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.extend_from_slice(bytes);
            let text = String::from_utf8_lossy(&self.0);
            self.1.store(text.contains("time of white is up"), Relaxed);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let seen = Arc::clone(&ended);
    let typing = std::thread::spawn(move || {
        let began = Instant::now();
        while !seen.load(Relaxed) && began.elapsed() < LONG {
            std::thread::sleep(Duration::from_millis(1));
        }
        sender.send(b"32-28\nclock\nclock 5+3\n".to_vec()).unwrap();
    });
    let mut out = Watching(Vec::new(), ended);
    run(stub(first), setting, input, &mut out).unwrap();
    typing.join().unwrap();
    let out = String::from_utf8(out.0).unwrap();
    assert!(out.contains("time of white is up"), "{out}");
    // Played on, without clocks until there are new ones.
    assert!(
        out.contains("There is no clock") && out.contains("black 5:0"),
        "{out}"
    );
}

#[test]
fn the_computer_thinks_by_the_clock() {
    let on_clock = |job: &Job, control: &Control| {
        let clock = job.level.clock.expect("a clock");
        assert_eq!((clock.time, clock.increment), (300.0, 3.0));
        first(job, control)
    };
    let setting = PlaySettings {
        clock: Some("5+3".parse().unwrap()),
        ..setting(START, WHITE)
    };
    let out = shown(stub(on_clock), setting, "32-28\n");
    assert!(
        out.contains("The computer (black) plays ") && !out.contains("failed"),
        "{out}"
    );
}
