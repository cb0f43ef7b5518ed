use super::*;
use crate::level::Remaining;
use damier_rules::notation::fen;

fn told(game: &Game) -> String {
    position_command(game).to_string()
}

fn play(game: &mut Game, texts: &str) {
    for text in texts.split_whitespace() {
        let mv = moves::parse(game.position(), text).expect(text);
        game.play(mv);
    }
}

#[test]
fn a_terminal_is_not_told_what_an_engine_wants() {
    assert_eq!(printable("\u{1b}[2Jä\tb"), r"\u{1b}[2Jä\tb");
    assert_eq!(printable(&"x".repeat(999)).len(), 300);
    let error = moves::parse(&Position::start(), "9\u{1b}[31m").expect_err("no move");
    assert!(
        !illegal("9\u{1b}[31m", &error)
            .to_string()
            .contains('\u{1b}')
    );
}

#[cfg(unix)]
#[test]
fn an_engine_that_does_not_introduce_itself_is_given_up() {
    let launch = Launch {
        command: ["sleep", "1000"].map(str::to_owned).into(),
        dir: None,
    };
    let mut mute = HubPlayer::new("mute".to_owned(), launch, Vec::new(), Arc::default());
    let fault = mute.start().expect_err("it says nothing");
    assert!(
        matches!(&fault, EngineFault::Crash(why) if why.contains("wait")),
        "{fault:?}"
    );
}

#[test]
fn only_moves_that_can_come_back_are_told() {
    let mut game = Game::new(Position::start());
    assert!(told(&game).ends_with("pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"));
    play(&mut game, "32-28 19-23");
    assert_eq!(
        told(&game),
        format!("pos pos={}", hub_board::format(game.position()))
    );
    let kings = fen::parse("W:WK1,K2,31:BK49,K50,20").expect("a position");
    let mut game = Game::new(kings);
    play(&mut game, "2-16 50-45");
    let expected = format!("pos pos={} moves=\"2-16 50-45\"", hub_board::format(&kings));
    assert_eq!(told(&game), expected);
}

#[test]
fn the_count_of_an_ending_goes_with_the_game() {
    // King and two men against a king: the count of 6.3 goes on when a man moves.
    let ending = fen::parse("W:WK6,31,36:BK50").expect("a position");
    let mut game = Game::new(ending);
    play(&mut game, "31-26 50-45 26-21");
    let expected = format!(
        "pos pos={} moves=\"31-26 50-45 26-21\"",
        hub_board::format(&ending)
    );
    assert_eq!(told(&game), expected);
}

#[test]
fn levels_are_told_as_hub_has_them() {
    let told = |level: GameLevel, remaining| {
        Command::Level(level_args(level.for_move(remaining)), None).to_string()
    };
    assert_eq!(told(GameLevel::Nodes(5), None), "level nodes=5");
    assert_eq!(told(GameLevel::Depth(7), None), "level depth=7");
    let tenth = Duration::from_millis(100);
    assert_eq!(
        told(GameLevel::MoveTime(tenth), None),
        "level move-time=0.1"
    );
    let clock = GameLevel::Clock {
        moves: None,
        time: Duration::from_secs(60),
        increment: tenth,
    };
    let left = Remaining {
        time: Duration::from_millis(1500),
        increment: tenth,
        moves: Some(3),
    };
    assert_eq!(told(clock, Some(left)), "level moves=3 time=1.5 inc=0.1");
}
