//! Games with everything that PDN can hold: what is written reads back as it was.

use damier_rules::Position;
use damier_rules::notation::pdn::{Annotated, Game, Outcome, Stream, Variation, read};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A move to be chosen from the legal ones, with what stands behind it.
#[derive(Clone, Debug)]
struct Ply {
    choice: Index,
    nags: Vec<u8>,
    comment: Option<String>,
    /// The comments before the variations, and their moves.
    variations: Vec<(Option<String>, Vec<Ply>)>,
}

/// What stands in a comment or a tag.
type Text = BoxedStrategy<String>;

/// Words, numbers, signs and moves that the writer changes nowhere.
fn plain() -> Text {
    let word = "[a-zA-Z0-9éß€Ж棋‘-”!?.,;:%$&+/=<>@#~'\"\\\\\\[\\]]{1,9}";
    let usual = select(vec![
        "32-28", "19x23", "1.", "(2-0)", "[%eval", "0.5]", "$5", "&amp;", "(x)", "%", ";", "[A",
        "\"b\"]", "\u{200b}",
    ]);
    let word = prop_oneof![3 => word, 1 => usual.prop_map(str::to_owned)];
    vec(word, 1..12).prop_map(|words| words.join(" ")).boxed()
}

/// Any text at all.
fn any_text() -> Text {
    prop_oneof![
        any::<String>(),
        "[ -~\t\r\n]{0,60}",
        "[{}()\\[\\];*$\"a ]{0,30}"
    ]
    .boxed()
}

fn plies(text: &Text, depth: usize) -> BoxedStrategy<Vec<Ply>> {
    let variations = match depth {
        0 => Just(Vec::new()).boxed(),
        _ => {
            let variation = (rarely(text), plies(text, depth - 1));
            prop_oneof![3 => Just(Vec::new()), 1 => vec(variation, 1..3)].boxed()
        }
    };
    let nags = prop_oneof![3 => Just(Vec::new()), 1 => vec(any::<u8>(), 1..4)];
    let ply = (any::<Index>(), nags, rarely(text), variations);
    let ply = ply.prop_map(|(choice, mut nags, comment, variations)| {
        nags.sort_unstable();
        nags.dedup();
        Ply {
            choice,
            nags,
            comment,
            variations,
        }
    });
    vec(ply, 0..if depth == 2 { 30 } else { 6 }).boxed()
}

fn rarely(text: &Text) -> impl Strategy<Value = Option<String>> + use<> {
    prop_oneof![3 => Just(None), 1 => text.clone().prop_map(Some)]
}

/// The initial position or one that is set up.
fn positions() -> impl Strategy<Value = Position> {
    let squares = vec(select(vec!["e", "e", "e", "e", "w", "b", "W", "B"]), 50);
    let set_up = (select(vec!["W", "B"]), squares)
        .prop_filter_map("a legal position", |(side, squares)| {
            format!("{side}{}", squares.concat()).parse().ok()
        });
    prop_oneof![Just(Position::start()), set_up]
}

/// The moves of a line that are legal, and their variations.
fn line(mut position: Position, plies: &[Ply]) -> Vec<Annotated> {
    let mut moves = Vec::new();
    for ply in plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let variations = ply.variations.iter().map(|(comment, plies)| Variation {
            comment: comment.clone(),
            moves: line(position, plies),
        });
        let mv = legal.as_slice()[ply.choice.index(legal.len())];
        moves.push(Annotated {
            mv,
            nags: ply.nags.clone(),
            comment: ply.comment.clone(),
            variations: variations
                .filter(|variation| !variation.moves.is_empty())
                .collect(),
        });
        position = position.play(mv);
    }
    moves
}

fn games(text: Text) -> impl Strategy<Value = Game> {
    let names = select(vec![
        "Event",
        "Site",
        "White",
        "Black",
        "Round",
        "Annotator",
        "X_1",
        "WhiteRating",
    ]);
    let tags = vec((names, text.clone()), 0..6).prop_map(|mut tags| {
        tags.sort_unstable();
        tags.dedup_by_key(|(name, _)| *name);
        let tags = tags.into_iter();
        tags.map(|(name, value)| (name.to_owned(), value))
            .collect::<Vec<_>>()
    });
    let results = select(vec![
        Outcome::White,
        Outcome::Draw,
        Outcome::Black,
        Outcome::Nobody,
        Outcome::Unknown,
    ]);
    let parts = (tags, positions(), rarely(&text), plies(&text, 2), results);
    parts.prop_map(|(tags, start, comment, plies, result)| Game {
        tags,
        comment,
        moves: line(start, &plies),
        result,
        ..Game::new(start)
    })
}

/// The only game of a text, which is the same in a stream.
fn only(text: &str) -> Result<Game, TestCaseError> {
    let games: Vec<_> = read(text).collect();
    let [Ok(game)] = games.as_slice() else {
        return Err(TestCaseError::fail(format!("{games:?}\n{text}")));
    };
    let streamed = Stream::new(text.as_bytes()).next_game();
    let streamed = streamed.expect("memory can be read").expect("a game");
    prop_assert_eq!(streamed.as_ref().ok(), Some(game));
    Ok(game.clone())
}

/// The tags but those that are derived from the game.
fn own_tags(game: &Game) -> Vec<(String, String)> {
    let is_own =
        |(name, _): &&(String, String)| !["Result", "GameType", "FEN"].contains(&name.as_str());
    game.tags.iter().filter(is_own).cloned().collect()
}

/// Moves, marks and variations without the comments.
fn uncommented(moves: &[Annotated]) -> Vec<Annotated> {
    let bare = |annotated: &Annotated| {
        let variations = annotated.variations.iter().map(|variation| Variation {
            comment: None,
            moves: uncommented(&variation.moves),
        });
        Annotated {
            comment: None,
            variations: variations.collect(),
            ..annotated.clone()
        }
    };
    moves.iter().map(bare).collect()
}

proptest! {
    #[test]
    fn a_game_with_plain_words_reads_back_as_it_was(game in games(plain())) {
        let text = game.to_string();
        let read = only(&text)?;
        prop_assert_eq!(own_tags(&read), own_tags(&game), "{}", text);
        prop_assert_eq!((read.start, read.result, read.unread.count), (game.start, game.result, 0), "{}", text);
        prop_assert_eq!(&read.comment, &game.comment, "{}", text);
        prop_assert_eq!(&read.moves, &game.moves, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn a_game_with_any_text_keeps_its_moves_and_is_written_the_same_again(game in games(any_text())) {
        let text = game.to_string();
        let read = only(&text)?;
        prop_assert_eq!((read.start, read.result, read.unread.count), (game.start, game.result, 0), "{}", text);
        prop_assert_eq!(uncommented(&read.moves), uncommented(&game.moves), "{}", text);
        prop_assert_eq!(read.to_string(), text.clone());
        prop_assert_eq!(&only(&read.to_string())?, &read, "{}", text);
    }
}
