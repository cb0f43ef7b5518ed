//! Games as PDN: what is written is read back, and nothing that is read does harm.

use damier::notation::pdn::{self, Annotated, Game, MAX_DEPTH, Outcome, Variation};
use damier::rules::Position;
use proptest::prelude::*;

/// What is done next to a tree of moves.
#[derive(Clone, Debug)]
enum Step {
    Play(prop::sample::Index, Option<String>),
    Mark(u8),
    /// Begins a variation of the last move, which must not be empty.
    Open(prop::sample::Index, Option<String>),
    Close,
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        6 => (index(), comment()).prop_map(|(choice, comment)| Step::Play(choice, comment)),
        1 => (1..=255u8).prop_map(Step::Mark),
        1 => (index(), comment()).prop_map(|(choice, comment)| Step::Open(choice, comment)),
        1 => Just(Step::Close),
    ]
}

/// A line on its way: the position before its last move and after it.
struct Line {
    before: Position,
    position: Position,
    variation: Variation,
}

impl Line {
    fn new(start: Position, comment: Option<String>) -> Line {
        let moves = Vec::new();
        Line {
            before: start,
            position: start,
            variation: Variation { comment, moves },
        }
    }

    fn play(&mut self, choice: prop::sample::Index, comment: Option<String>) {
        let legal = self.position.legal_moves();
        if !legal.is_empty() {
            let mv = legal[choice.index(legal.len())];
            self.before = self.position;
            self.position = self.position.play(mv);
            let moves = &mut self.variation.moves;
            moves.push(Annotated {
                comment,
                ..mv.into()
            });
        }
    }
}

/// Ends the innermost of the lines, if it is a variation.
fn close(lines: &mut Vec<Line>) {
    if lines.len() > 1
        && let Some(done) = lines.pop()
        && let Some(last) = lines
            .last_mut()
            .and_then(|line| line.variation.moves.last_mut())
    {
        last.variations.push(done.variation);
    }
}

/// The moves of a game, with comments, marks and variations.
fn tree(start: Position, comment: Option<String>, steps: Vec<Step>) -> Variation {
    let mut lines = vec![Line::new(start, comment)];
    for step in steps {
        let depth = lines.len();
        let Some(line) = lines.last_mut() else {
            break;
        };
        match step {
            Step::Play(choice, comment) => line.play(choice, comment),
            Step::Mark(nag) => {
                if let Some(last) = line.variation.moves.last_mut()
                    && !last.nags.contains(&nag)
                {
                    last.nags.push(nag);
                }
            }
            Step::Open(choice, comment)
                if depth <= MAX_DEPTH && !line.variation.moves.is_empty() =>
            {
                let mut inner = Line::new(line.before, comment);
                inner.play(choice, None);
                lines.push(inner);
            }
            Step::Open(..) => {}
            Step::Close => close(&mut lines),
        }
    }
    while lines.len() > 1 {
        close(&mut lines);
    }
    lines.remove(0).variation
}

/// The tree without its comments, which lose some characters when they are written.
fn without_comments(moves: &[Annotated]) -> Vec<Annotated> {
    let plain = |line: &Variation| Variation {
        comment: None,
        moves: without_comments(&line.moves),
    };
    let plain = |annotated: &Annotated| Annotated {
        comment: None,
        nags: annotated.nags.clone(),
        variations: annotated.variations.iter().map(plain).collect(),
        ..annotated.mv.into()
    };
    moves.iter().map(plain).collect()
}

/// A game of random moves from a position, with variations, and comments of any text.
fn games(start: impl Strategy<Value = Position>) -> impl Strategy<Value = Game> {
    let steps = prop::collection::vec(step(), 0..90);
    let tags = prop::collection::vec(("[A-Z][a-z]{1,8}", "\\PC{0,20}"), 0..4);
    (start, comment(), steps, tags, 0..5usize).prop_map(
        |(start, comment, steps, mut tags, result)| {
            let mut game = Game::new(start);
            let line = tree(start, comment, steps);
            (game.comment, game.moves) = (line.comment, line.moves);
            let own =
                |name: &str| ["Result", "Fen", "Setup", "Gametype", "Variant"].contains(&name);
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
        },
    )
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
    let texts: Vec<String> = games.iter().map(Game::to_string).collect();
    texts.concat().into_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_written_is_read_back(
        games in prop::collection::vec(
            prop_oneof![games(Just(Position::start())), games(crate::common::positions(8, 6))],
            1..4
        )
    ) {
        let out = written(&games);
        let text = pdn::decode(&out);
        let read = pdn::read(&text).map(|game| game.unwrap_or_else(|error| panic!("{error}")));
        let read: Vec<Game> = read.collect();
        prop_assert_eq!(read.len(), games.len());
        for (read, game) in read.iter().zip(&games) {
            prop_assert_eq!(&read.start, &game.start);
            prop_assert_eq!(without_comments(&read.moves), without_comments(&game.moves));
            prop_assert_eq!(read.result, game.result);
            for (name, value) in &game.tags {
                prop_assert_eq!(read.tag(name), Some(value.as_str()));
            }
            // Comments lose some characters the first time; then they stay.
            let again = written(std::slice::from_ref(read));
            prop_assert_eq!(&pdn::read(&pdn::decode(&again)).next().unwrap().unwrap(), read);
        }
    }

    #[test]
    fn lines_of_moves_are_at_most_80_characters(game in games(Just(Position::start()))) {
        let mut game = game;
        // Words of comments may be of any length.
        game.comment = None;
        game.moves = without_comments(&game.moves);
        game.moves.iter_mut().for_each(|annotated| annotated.comment = Some("0.12/14 0.1s".to_owned()));
        let text = String::from_utf8(written(&[game])).unwrap();
        let longest = text.lines().filter(|line| !line.starts_with('[')).map(|line| line.chars().count()).max();
        prop_assert!(longest <= Some(80), "{text}");
    }

    #[test]
    fn any_bytes_are_games_or_errors_of_one_line(bytes in pieces()) {
        let mut last = (0, 0, 0);
        for game in pdn::read(&pdn::decode(&bytes)) {
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
                    prop_assert!(message.len() < 1_000 && !message.contains(['\n', '\r']), "{message}");
                    prop_assert!((error.game, error.line, error.column) > last);
                    last = (error.game, error.line, error.column);
                }
            }
        }
    }
}
