//! PDN for the page: games with variations, and lists of the games of a file.

use super::messages::{Game, GameEntry, Node, Variation};
use super::rules;
use damier_engine::eval::{Score, Wdl, WdlModel};
use damier_rules::Position;
use damier_rules::notation::hub_board;
use damier_rules::notation::moves;
use damier_rules::notation::pdn::{self, Annotated, Outcome};
use thiserror::Error;

/// Maximum number of games of one answer; the page sends large files in parts.
const MAX_GAMES: usize = 20_000;
/// Maximum number of moves of a game with its variations.
const MAX_NODES: usize = 50_000;
/// Maximum characters of a name in a list.
const MAX_NAME: usize = 60;
/// Above this many men a score in a comment stands for a proven result, as some programs write it.
const MOST_MEN: f64 = 90.0;

/// Why a game cannot be read or written.
#[derive(Debug, Error)]
pub(super) enum GameError {
    /// The text has no game.
    #[error("no game found: neither tags nor moves")]
    Nothing,
    /// The PDN is invalid.
    #[error("{0}")]
    Read(#[from] pdn::PdnError),
    /// The start position is invalid.
    #[error("{0}")]
    Start(#[from] rules::InvalidLine),
    /// A move is illegal; its number in its line, from 1.
    #[error("move {0} ({1}): {2}")]
    Move(usize, String, Box<moves::MoveError>),
    /// Too many games.
    #[error("more than {MAX_GAMES} games at once: send the text in smaller parts")]
    ManyGames,
    /// Too many moves.
    #[error("a game of more than {MAX_NODES} moves with its variations")]
    ManyMoves,
    /// The game cannot be written.
    #[error("{0}")]
    Write(#[from] std::io::Error),
}

/// The games of a text.
pub(super) fn entries(text: &str) -> Result<Vec<GameEntry>, GameError> {
    let mut games = pdn::read(text);
    let mut place = Utf16::new(text);
    let mut entries = Vec::new();
    loop {
        let from = games.offset();
        let begin = place.at(from);
        let Some(read) = games.next() else {
            return Ok(entries);
        };
        if entries.len() == MAX_GAMES {
            return Err(GameError::ManyGames);
        }
        let end = place.at(games.offset());
        let (game, error) = match read {
            Ok(game) => (Some(game), None),
            Err(error) => (sound(&text[from..games.offset()]), Some(error)),
        };
        entries.push(entry(begin, end, game, error));
    }
}

/// What can be read of a damaged game: its moves before the first illegal one, with the rest as a comment. None if
/// there are no such moves or it is a game of another variant.
fn sound(text: &str) -> Option<pdn::Game> {
    let damaged = pdn::Stream::new(text.as_bytes()).next_game().ok()??.err()?;
    let is_other = matches!(damaged.error.kind, pdn::PdnErrorKind::Variant(_));
    let game = damaged.sound.filter(|_| !is_other)?;
    (!game.moves.is_empty()).then_some(*game)
}

fn entry(
    begin: usize,
    end: usize,
    game: Option<pdn::Game>,
    error: Option<pdn::PdnError>,
) -> GameEntry {
    let mut entry = GameEntry {
        begin,
        end,
        white: String::new(),
        black: String::new(),
        event: String::new(),
        date: String::new(),
        result: Outcome::Unknown.text().to_owned(),
        plies: 0,
        error: error.map(|error| error.to_string()),
    };
    let Some(game) = game else {
        return entry;
    };
    let tag = |name: &str| -> String {
        game.tag(name)
            .unwrap_or_default()
            .chars()
            .take(MAX_NAME)
            .collect()
    };
    entry.white = tag("White");
    entry.black = tag("Black");
    entry.event = tag("Event");
    entry.date = tag("Date");
    game.result.text().clone_into(&mut entry.result);
    entry.plies = game.moves.len();
    entry
}

/// Converts ascending byte offsets to UTF-16 offsets.
struct Utf16<'a> {
    text: &'a str,
    byte: usize,
    units: usize,
}

impl<'a> Utf16<'a> {
    fn new(text: &'a str) -> Utf16<'a> {
        Utf16 {
            text,
            byte: 0,
            units: 0,
        }
    }

    fn at(&mut self, byte: usize) -> usize {
        let mut byte = byte.clamp(self.byte, self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        self.units += self.text[self.byte..byte]
            .chars()
            .map(char::len_utf16)
            .sum::<usize>();
        self.byte = byte;
        self.units
    }
}

/// The first game of a text.
pub(super) struct Read {
    pub game: Game,
    /// What is illegal in variations and the like.
    pub note: Option<String>,
    /// Why the game is not read to its end.
    pub error: Option<String>,
}

/// The first game of a text, up to its first illegal move.
pub(super) fn read(text: &str, model: &WdlModel) -> Result<Read, GameError> {
    let mut games = pdn::read(text);
    let (game, error) = match games.next().ok_or(GameError::Nothing)? {
        Ok(game) => (game, None),
        Err(error) => match sound(&text[..games.offset()]) {
            Some(game) => (game, Some(error.to_string())),
            None => return Err(error.into()),
        },
    };
    if count(&game.moves) > MAX_NODES {
        return Err(GameError::ManyMoves);
    }
    let note = (game.unread.count > 0).then(|| game.unread.to_string());
    let game = to_message(game, model);
    Ok(Read { game, note, error })
}

/// Number of moves with their variations.
fn count(moves: &[Annotated]) -> usize {
    let variations = moves.iter().flat_map(|mv| &mv.variations);
    moves.len()
        + variations
            .map(|variation| count(&variation.moves))
            .sum::<usize>()
}

/// A game as a message for the page.
pub(super) fn to_message(game: pdn::Game, model: &WdlModel) -> Game {
    Game {
        start: (game.start != Position::start())
            .then(|| damier_rules::notation::fen::format(&game.start)),
        comment: game.comment.clone().unwrap_or_default(),
        points: points(game.comment.as_deref(), &game.start, model),
        result: game.result.text().to_owned(),
        moves: nodes(game.start, &game.moves, model),
        tags: game.tags,
    }
}

fn nodes(mut position: Position, moves: &[Annotated], model: &WdlModel) -> Vec<Node> {
    let mut out = Vec::with_capacity(moves.len());
    for annotated in moves {
        let next = position.play(annotated.mv);
        let way = moves::ways(&position, annotated.mv, 1)
            .into_iter()
            .flatten();
        let variation = |variation: &pdn::Variation| Variation {
            comment: variation.comment.clone().unwrap_or_default(),
            moves: nodes(position, &variation.moves, model),
        };
        out.push(Node {
            mv: annotated.mv.to_string(),
            text: moves::with_path(&position, annotated.mv),
            way: way.map(|square| square.number()).collect(),
            board: hub_board::format(&next),
            nags: annotated.nags.clone(),
            comment: annotated.comment.clone().unwrap_or_default(),
            points: points(annotated.comment.as_deref(), &next, model),
            variations: annotated.variations.iter().map(variation).collect(),
        });
        position = next;
    }
    out
}

/// White's expected points by a comment with `[%eval 0.35]`, in men for White, or `[%eval #-3]`, moves to the end.
fn points(comment: Option<&str>, position: &Position, model: &WdlModel) -> Option<f64> {
    let (_, behind) = comment?.split_once("[%eval ")?;
    let value = behind.split_once(']')?.0.trim();
    let number = value.strip_prefix('#').unwrap_or(value);
    let men = number.parse().ok().filter(|men: &f64| men.is_finite())?;
    let wdl = match number.starts_with('-') {
        _ if value == number && men.abs() <= MOST_MEN => model.wdl(
            Score::new((men * 1e2).round() as i32),
            position.occupied().len(),
        ),
        true => Wdl::LOSS,
        false => Wdl::WIN,
    };
    Some(wdl.expected_rounded())
}

/// Checks a game from the page.
pub(super) fn parse(game: &Game) -> Result<pdn::Game, GameError> {
    let start = match &game.start {
        Some(text) => rules::position(text)?,
        None => Position::start(),
    };
    Ok(pdn::Game {
        tags: game.tags.clone(),
        start,
        comment: some(&game.comment),
        moves: annotated(start, &game.moves)?,
        result: Outcome::parse(&game.result).unwrap_or_default(),
        unread: pdn::Unread::default(),
    })
}

/// A game from the page as PDN.
pub(super) fn write(game: &Game) -> Result<String, GameError> {
    let mut out = Vec::new();
    parse(game)?.write(&mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.trim().is_empty())
}

fn annotated(mut position: Position, nodes: &[Node]) -> Result<Vec<Annotated>, GameError> {
    let mut out = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let mv = moves::parse(&position, &node.mv).map_err(|error| {
            GameError::Move(
                index + 1,
                damier_rules::notation::text::quoted(&node.mv),
                Box::new(error),
            )
        })?;
        let mut variations = Vec::new();
        for variation in node
            .variations
            .iter()
            .filter(|variation| !variation.moves.is_empty())
        {
            variations.push(pdn::Variation {
                comment: some(&variation.comment),
                moves: annotated(position, &variation.moves)?,
            });
        }
        out.push(Annotated {
            mv,
            nags: node.nags.clone(),
            comment: some(&node.comment),
            variations,
        });
        position = position.play(mv);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Read, GameError> {
        super::read(text, &WdlModel::default())
    }

    const TWO: &str = "[White \"Zoë\"]\n[Black \"B\"]\n[Result \"2-0\"]\n\n\
        1. 32-28 $1 {good} (1. 33-28 19-23 (1... 18-22)) 19-23 2. 28x19 *\n\n\
        [White \"C\"]\n[Black \"D\"]\n\n1. 31-28 *\n\n[White \"E\"]\n\n1. 34-30 *\n";

    #[test]
    fn a_file_is_listed_and_its_parts_can_be_read() {
        let entries = entries(TWO).unwrap();
        let names: Vec<_> = entries.iter().map(|entry| entry.white.as_str()).collect();
        assert_eq!(entries.len(), 3, "{names:?}");
        assert_eq!(
            (names[0], entries[0].plies, entries[0].result.as_str()),
            ("Zoë", 3, "2-0")
        );
        assert!(entries[1].error.is_some());
        let units: Vec<u16> = TWO.encode_utf16().collect();
        let text = String::from_utf16(&units[entries[2].begin..entries[2].end]).unwrap();
        assert_eq!(read(&text).unwrap().game.moves[0].mv, "34-30");
    }

    #[test]
    fn a_game_goes_through_the_page_and_back() {
        let Read { game, note, error } = read(TWO).unwrap();
        assert_eq!((note, error), (None, None));
        assert_eq!(game.moves[0].variations[0].moves[1].variations.len(), 1);
        assert_eq!(game.moves[2].way, [28, 19]);
        let text = write(&game).unwrap();
        assert_eq!(read(&text).unwrap().game.moves, game.moves);
        let Read { game, note, .. } = read("1. 32-28 (1. 33-28 1-2 {so}) *").unwrap();
        assert_eq!(game.moves[0].variations[0].moves[0].comment, "1-2 {so}");
        assert!(note.is_some_and(|note| note.contains("ply 2 (1-2)")));
        assert!(matches!(read("  "), Err(GameError::Nothing)));
        let mut bad = read(TWO).unwrap().game;
        bad.moves[1].mv = "1-50".to_owned();
        assert!(matches!(write(&bad), Err(GameError::Move(2, ..))));
    }

    #[test]
    fn comments_with_scores_give_expected_points() {
        let text = "{[%eval 0.1]} 1. 32-28 {good [%eval +0.35]} 19-23 {[%eval #-3]} 2. 28x19 \
            {[%eval 95.0] [%lost 0.1]} 14x23 {[%eval -95]} 3. 37-32 {[%eval nan]} 10-14 {[%eval]} *";
        let game = read(text).unwrap().game;
        let model = WdlModel::default();
        let expected = |men| model.wdl(Score::new(men), 40).expected_rounded();
        assert_eq!(game.points, Some(expected(10)));
        let points: Vec<_> = game.moves.iter().map(|node| node.points).collect();
        assert_eq!(
            points,
            [
                Some(expected(35)),
                Some(0.0),
                Some(1.0),
                Some(0.0),
                None,
                None
            ]
        );
        assert!(expected(35) > expected(10) && expected(10) > 0.5);
    }

    #[test]
    fn a_game_with_an_illegal_move_has_those_before_it() {
        let text = "[White \"A\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 2. 28x19 14x24 3. 37-32 2-0\n\n\
            [White \"B\"]\n\n1. 34-30 *";
        let Read { game, error, .. } = read(text).unwrap();
        assert_eq!((game.moves.len(), game.result.as_str()), (3, "2-0"));
        assert_eq!(game.moves[2].comment, "14x24 3. 37-32 2-0");
        assert!(error.is_some_and(|error| error.contains("ply 4 (14x24)")));
        let entries = entries(text).unwrap();
        assert_eq!((entries[0].white.as_str(), entries[0].plies), ("A", 3));
        assert!(entries[0].error.is_some() && entries[1].error.is_none());
        for nothing in ["1. 31-28 19-23 *", "[GameType \"25\"]\n\n1. 32-28 *"] {
            assert!(
                matches!(read(nothing), Err(GameError::Read(_))),
                "{nothing}"
            );
        }
    }

    #[test]
    fn what_is_too_much_for_one_answer_is_refused() {
        let games = "1. 32-28 *\n\n".repeat(MAX_GAMES);
        assert_eq!(entries(&games).unwrap().len(), MAX_GAMES);
        assert!(matches!(
            entries(&(games + "1. 32-28 *")),
            Err(GameError::ManyGames)
        ));
        let wide = format!("1. 32-28 {} *", "(1. 33-28) ".repeat(MAX_NODES));
        assert!(matches!(read(&wide), Err(GameError::ManyMoves)));
    }
}
