use super::*;
use damier_engine::rng::Rng;
use damier_rules::Status;
use damier_rules::notation::fen;
use std::fs;
use std::path::Path;

/// Loads openings from a file with this text.
fn load_text(name: &str, text: &[u8], plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let folder = std::env::temp_dir().join(format!("damier-openings-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    let loaded = load_up_to(&OpeningSource::File(path.clone()), plies, None);
    fs::remove_file(&path).unwrap();
    loaded.map(|(openings, _)| openings)
}

fn names(openings: &[Opening]) -> Vec<(&str, String)> {
    openings
        .iter()
        .map(|o| (o.name.as_str(), o.line()))
        .collect()
}

#[test]
fn sources_have_names() {
    for text in ["start", "two-move", "three-move", "some/file.fen"] {
        assert_eq!(text.parse::<OpeningSource>().unwrap().to_string(), text);
    }
    assert_eq!(
        "a.pdn".parse(),
        Ok(OpeningSource::File(Path::new("a.pdn").into()))
    );
    let start = load(&OpeningSource::Start).unwrap();
    assert_eq!(start, [Opening::start()]);
    let two = load(&OpeningSource::TwoMove).unwrap();
    assert_eq!((two.len(), two[0].name.as_str()), (79, "31-26 16-21"));
    assert_eq!(two[0].game().position(), &two[0].position());
}

#[test]
fn files_of_fens_and_of_games_are_told_apart() {
    let text = "\u{feff}# ballots\n\nW:W31-50:B1-20\r\n B:W28,31-50:B1-20 \n";
    let fens = load_text("list.txt", text.as_bytes(), None).unwrap();
    assert_eq!(
        names(&fens),
        [("line 3", String::new()), ("line 4", String::new())]
    );
    assert_eq!(fen::format(&fens[1].position()).chars().next(), Some('B'));
    let pdn = "[White \"x\"]\n1. 32-28 19-23 2. 28x19 14x23 1-1\n\n[FEN \"W:W31:B20\"]\n1. 31-27 *";
    let whole = load_text("games.txt", pdn.as_bytes(), None).unwrap();
    let line = |text: &str| text.to_owned();
    assert_eq!(
        names(&whole),
        [
            ("game 1", line("32-28 19-23 28x19 14x23")),
            ("game 2", line("31-27"))
        ]
    );
    let short = load_text("games.PDN", pdn.as_bytes(), Some(2)).unwrap();
    assert_eq!(
        names(&short),
        [("game 1", line("32-28 19-23")), ("game 2", line("31-27"))]
    );
    let bare = load_text("b.pdn", b"32-28 19-23 *", Some(0)).unwrap();
    assert_eq!(names(&bare), [("game 1", String::new())]);
}

#[test]
fn errors_say_what_and_where() {
    for (name, text, expected) in [
        (
            "a.fen",
            "W:W31:B1\nW:W31,x:B1\n",
            "a.fen, line 2: FEN, character 7: expected a square, as 31 or K31, found x",
        ),
        (
            "b.pdn",
            "32-28 *\n32-29 *",
            "b.pdn, game 2, line 2, character 1: ply 1 (32-29): pieces move along diagonals, and 32 and 29 are not on \
            one \
             diagonal",
        ),
        ("c.fen", "# nothing\n", "c.fen: contains no opening"),
        ("d.pdn", "", "d.pdn: contains no opening"),
        (
            "e.fen",
            "W:W31:B1\nW:W:B1\n",
            "e.fen, line 2: the game is over there",
        ),
        (
            "f.fen",
            "W:W31:B\n",
            "f.fen, line 1: the game is over there",
        ),
    ] {
        let error = load_text(name, text.as_bytes(), None)
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    let missing = load(&OpeningSource::File("no/such/file".into()))
        .unwrap_err()
        .to_string();
    assert!(missing.starts_with("no/such/file: "), "{missing}");
    assert!(load(&OpeningSource::File(std::env::temp_dir())).is_err());
}

#[test]
fn random_moves_repeat_and_end_no_game() {
    let opening = Opening::start();
    let line =
        |seed, plies, sound| random_plies(&opening, plies, sound, &mut Rng::new(seed)).unwrap();
    assert_eq!(line(1, 8, true), line(1, 8, true));
    let mut lines: Vec<String> = (0..100).map(|seed| line(seed, 8, false).line()).collect();
    lines.sort();
    lines.dedup();
    assert_eq!(lines.len(), 100);
    for seed in 0..20 {
        let long = line(seed, 60, false);
        assert_eq!(
            (long.moves.len(), long.game().status()),
            (60, Status::Playing)
        );
    }
    // One move is left, and it wins.
    let last = Opening {
        start: fen::parse("W:W28:B23").unwrap(),
        ..Opening::start()
    };
    assert_eq!(random_plies(&last, 1, false, &mut Rng::new(1)), None);
    assert_eq!(random_plies(&last, 0, true, &mut Rng::new(1)), Some(last));
}

#[test]
fn sound_random_moves_lose_no_man() {
    // 31-27 and 32-27 lose a man to 16-21; the search sees that before and after the move.
    let mut material = material::Material::default();
    let mut changes = |moves: &str| {
        let moves = moves::parse_line(&Position::start(), moves).unwrap();
        let opening = Opening {
            moves,
            ..Opening::start()
        };
        material.change(&opening.position(), 2, 0)
    };
    assert_eq!((changes("31-27 16-21"), changes("31-27")), (1, 0));
    for seed in 0..30 {
        let opening = random_plies(&Opening::start(), 6, true, &mut Rng::new(seed)).unwrap();
        assert_eq!(changes(&opening.line()), 0, "{}", opening.line());
    }
}

#[test]
fn a_window_chooses_by_score() {
    let level = Opening::start();
    let ahead = Opening {
        name: "a man ahead".to_owned(),
        start: fen::parse("W:W31-50:B1-19").unwrap(),
        moves: Vec::new(),
    };
    let behind = Opening {
        start: ahead.start.flipped(),
        ..ahead.clone()
    };
    let all = vec![level.clone(), ahead.clone(), behind.clone()];
    let choose = |window: &str| {
        let mut done = 0;
        let window = window.parse().unwrap();
        let chosen = in_window(all.clone(), window, 2_000, &mut |n| done = n).unwrap();
        assert_eq!(done, 3);
        chosen
    };
    assert_eq!(choose("0,0.5"), [level]);
    assert_eq!(choose("0.5,3"), [ahead, behind]);
    assert_eq!(choose("50,60"), []);
    for text in ["", "1", "-1,2", "2,1", "nan,1", "0,inf"] {
        assert_eq!(text.parse::<ScoreWindow>(), Err(ScoreWindowError), "{text}");
    }
}
