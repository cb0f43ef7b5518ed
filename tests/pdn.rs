//! Games as PDN: what is written is read back, and nothing that is read does harm.

mod common;

use damier::notation::pdn::{self, Annotated, Game, Outcome};
use damier::rules::Position;
use proptest::prelude::*;

/// A game of random moves from a position, with comments of any text.
fn games(start: impl Strategy<Value = Position>) -> impl Strategy<Value = Game> {
    let moves = prop::collection::vec((any::<prop::sample::Index>(), comment()), 0..60);
    let tags = prop::collection::vec(("[A-Z][a-z]{1,8}", "\\PC{0,20}"), 0..4);
    (start, moves, tags, 0..5usize).prop_map(|(start, choices, mut tags, result)| {
        let mut game = Game::new(start);
        let mut position = start;
        for (choice, comment) in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[choice.index(legal.len())];
            position = position.play(mv);
            game.moves.push(Annotated { mv, comment });
        }
        let own = |name: &str| ["Result", "Fen", "Setup", "Gametype", "Variant"].contains(&name);
        tags.retain(|(name, _)| !own(name));
        tags.sort();
        tags.dedup_by(|a, b| a.0 == b.0);
        tags.push(("Number".to_owned(), "1".to_owned()));
        game.tags = tags;
        game.result = [
            Outcome::White,
            Outcome::Draw,
            Outcome::Black,
            Outcome::Nobody,
            Outcome::Unknown,
        ][result];
        game
    })
}

fn comment() -> impl Strategy<Value = Option<String>> {
    let word = prop_oneof![
        "[a-z0-9.,]{1,9}",
        "\\PC{1,6}",
        Just("1-0".to_owned()),
        Just("*".to_owned()),
        Just("[White \"x\"]".to_owned()),
        Just("(".to_owned()),
        Just("}".to_owned()),
    ];
    prop::option::weighted(
        0.3,
        prop::collection::vec(word, 1..12).prop_map(|words| words.join(" ")),
    )
}

/// Pieces of PDN, whole and broken.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[ -~\n]{0,12}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..8),
        prop::sample::select(vec![
            "[White \"a\"]\n",
            "[FEN \"B:WK3,31:BK1,2\"]",
            "[GameType \"20\"]",
            "[Result \"1-1\"]",
            "[",
            "]",
            "\"",
            "{",
            "}",
            "(",
            ")",
            ";",
            "%",
            "\n",
            " ",
            "1. ",
            "1... ",
            "32-28",
            "19-23",
            "28x19",
            "14x23",
            "28",
            "x",
            "-",
            "$3",
            "!",
            "*",
            "1-0",
            "1-1",
            "1/2-1/2",
            "/FEN \"W:W31:B1\"/",
            "/",
            "...",
            "3228",
            "\u{feff}",
            "\u{2026}",
            "\u{d7}",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn written(games: &[Game]) -> Vec<u8> {
    let mut out = Vec::new();
    games.iter().for_each(|game| game.write(&mut out).unwrap());
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_written_is_read_back(
        games in prop::collection::vec(prop_oneof![games(Just(Position::start())), games(common::positions(8, 6))], 1..4)
    ) {
        let out = written(&games);
        let read: Vec<Game> = pdn::read(&out).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect();
        prop_assert_eq!(read.len(), games.len());
        for (read, game) in read.iter().zip(&games) {
            prop_assert_eq!(&read.start, &game.start);
            prop_assert_eq!(read.plain_moves(), game.plain_moves());
            prop_assert_eq!(read.result, game.result);
            for (name, value) in &game.tags {
                prop_assert_eq!(read.tag(name), Some(value.as_str()));
            }
            // Comments lose some characters the first time; then they stay.
            prop_assert_eq!(written(std::slice::from_ref(read)), written(std::slice::from_ref(&pdn::read(&written(std::slice::from_ref(read))).next().unwrap().unwrap())));
        }
    }

    #[test]
    fn lines_of_moves_are_at_most_80_characters(game in games(Just(Position::start()))) {
        let mut game = game;
        game.moves.iter_mut().for_each(|annotated| annotated.comment = Some("0.12/14 0.1s".to_owned()));
        let text = String::from_utf8(written(&[game])).unwrap();
        let longest = text.lines().filter(|line| !line.starts_with('[')).map(|line| line.chars().count()).max();
        prop_assert!(longest <= Some(80), "{text}");
    }

    #[test]
    fn any_bytes_are_games_or_errors_of_one_line(bytes in pieces()) {
        let mut last = (0, 0, 0);
        for game in pdn::read(&bytes) {
            match game {
                Ok(game) => {
                    let mut position = game.start;
                    for mv in game.plain_moves() {
                        prop_assert!(position.is_legal(mv));
                        position = position.play(mv);
                    }
                }
                Err(error) => {
                    let message = error.to_string();
                    prop_assert!(message.len() < 1_000 && !message.contains(['"', '\n', '\r']), "{message}");
                    prop_assert!((error.game, error.line, error.column) > last);
                    last = (error.game, error.line, error.column);
                }
            }
        }
    }
}
