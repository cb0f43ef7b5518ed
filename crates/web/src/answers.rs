//! Handles requests: each is answered, or starts or stops a search.

use super::base::{self, Work as BaseWork};
use super::messages::{self, Answer, Ask, Limit, Line, Table};
use super::pool::{Search, Work};
use super::rules::InvalidLine;
use super::state::AppState;
use super::watch::Watch;
use super::{pdn, rules};
use damier_analysis::json::{BookMove, TableVerdict};
use damier_analysis::meaning;
use damier_base::Order;
use damier_endgame::{Advice, View};
use damier_engine::eval::Score;
use damier_engine::{Clock, HIGHEST_ELO, LOWEST_ELO, Level, Strength};
use damier_rules::{Game, Move, Position, Status};
use damier_text::{Encoding, UnknownEncoding};
use std::sync::Arc;

/// Maximum number of lines of an analysis.
const MAX_LINES: usize = 20;
/// Maximum nodes of each search of an annotation, and of all its searches together.
const MAX_NODES: u64 = 20_000_000;
const MAX_TOTAL_NODES: u64 = 100_000_000;
/// Maximum number of moves that are played through without a thread of their own.
const FEW_MOVES: usize = 300;

/// How the connection responds to a request.
pub(super) enum Action {
    Reply(Answer),
    /// Reply; then whenever the match has changed, if wanted.
    Follow(Answer, bool),
    Search(Search),
    /// Work for the thread of the base.
    Base(BaseWork),
    Stop,
}

/// Handles the request `ask` with the number `id`.
pub(super) async fn handle(state: &Arc<AppState>, id: u32, ask: Ask) -> Action {
    let action = match ask {
        Ask::Think {
            line,
            limit,
            book,
            elo,
        } => think(id, &line, &limit, book, elo).map(Action::Search),
        Ask::Analyse { line, lines } => analysis(id, &line, lines).map(Action::Search),
        Ask::Annotate { game, nodes } => annotation(id, &game, nodes).map(Action::Search),
        Ask::Stop => Ok(Action::Stop),
        Ask::Position(line) if line.moves.len() < FEW_MOVES => position(&line).map(Action::Reply),
        Ask::Position(line) => compute(move || position(&line)).await,
        Ask::Knowledge(line) => {
            let state = Arc::clone(state);
            compute(move || knowledge(&state, &line)).await
        }
        Ask::Decode { text, encoding } => compute(move || decode(&text, encoding.as_deref())).await,
        Ask::ReadGames { text } => compute(move || games(&text)).await,
        Ask::ReadGame { text } => {
            let state = Arc::clone(state);
            compute(move || read_game(&state, &text)).await
        }
        Ask::WriteGame { game } => compute(move || write_game(&game)).await,
        Ask::Match { follow } => {
            let state = Arc::clone(state);
            return match compute(move || standings(&state)).await {
                Ok(Action::Reply(answer)) => Action::Follow(answer, follow),
                Ok(action) => action,
                Err(message) => Action::Reply(Answer::Error { message }),
            };
        }
        Ask::MatchGames { before } => {
            let state = Arc::clone(state);
            compute(move || match_games(&state, before)).await
        }
        Ask::Base => of_base(|base| base.content()),
        Ask::BaseSearch {
            wanted,
            position,
            newest,
            offset,
            limit,
        } => of_base(move |reader| {
            let search = damier_base::Search {
                position: position.as_ref().map(base::position).transpose()?,
                order: if newest { Order::Newest } else { Order::Stored },
                ..base::search(wanted)?
            };
            reader.list(&search, offset, limit)
        }),
        Ask::BaseExplore { line, wanted } => {
            of_base(move |reader| reader.explore(&base::search(wanted)?, &base::position(&line)?))
        }
        Ask::BaseGame { game } => of_base(move |base| base.game(game)),
        Ask::BaseImport {
            name,
            text,
            collection,
        } => of_base(move |base| base.import(&name, &text, collection)),
        Ask::GamesWith { games, line } => compute(move || games_with(&games, &line)).await,
    };
    action.unwrap_or_else(|message| Action::Reply(Answer::Error { message }))
}

fn of_base(
    work: impl FnOnce(&mut base::Reader) -> Result<Answer, String> + Send + 'static,
) -> Result<Action, String> {
    Ok(Action::Base(Box::new(work)))
}

/// Computes an answer on a thread for blocking work.
async fn compute(
    work: impl FnOnce() -> Result<Answer, String> + Send + 'static,
) -> Result<Action, String> {
    let computed = tokio::task::spawn_blocking(work).await;
    let answer = computed.unwrap_or_else(|error| Err(format!("internal error: {error}")));
    answer.map(Action::Reply)
}

fn think(
    id: u32,
    line: &Line,
    limit: &Limit,
    book: bool,
    elo: Option<u32>,
) -> Result<Search, String> {
    let strength = match elo {
        None => Strength::Full,
        Some(elo) if (LOWEST_ELO..=HIGHEST_ELO).contains(&elo) => Strength::Elo(elo),
        Some(elo) => {
            return Err(format!(
                "elo {elo} is not from {LOWEST_ELO} to {HIGHEST_ELO}"
            ));
        }
    };
    let work = Work::Think {
        level: level(limit),
        book,
        strength,
    };
    let game = play(line)?;
    Ok(Search { id, game, work })
}

fn analysis(id: u32, line: &Line, lines: usize) -> Result<Search, String> {
    let work = Work::Analyse {
        lines: lines.clamp(1, MAX_LINES),
    };
    let game = play(line)?;
    Ok(Search { id, game, work })
}

fn play(line: &Line) -> Result<Game, String> {
    rules::game(line).map_err(|error| error.to_string())
}

fn annotation(id: u32, game: &messages::Game, nodes: u64) -> Result<Search, String> {
    let game = pdn::parse(game).map_err(|error| error.to_string())?;
    if game.moves.len() > rules::MAX_MOVES {
        return Err(InvalidLine::TooLong.to_string());
    }
    let most = MAX_TOTAL_NODES / (game.moves.len() as u64 + 1);
    let work = Work::Annotate {
        nodes: nodes.clamp(1, MAX_NODES.min(most)),
        game: Box::new(game),
    };
    let game = Game::new(Position::start());
    Ok(Search { id, game, work })
}

fn level(limit: &Limit) -> Level {
    Level {
        depth: limit.depth,
        nodes: limit.nodes,
        move_time: limit.time,
        clock: limit.clock.map(|clock| Clock {
            time: clock.time,
            increment: clock.increment,
            moves: None,
        }),
    }
}

fn position(line: &Line) -> Result<Answer, String> {
    let game = play(line)?;
    Ok(Answer::Position(Box::new(rules::position_info(&game))))
}

fn decode(text: &str, encoding: Option<&str>) -> Result<Answer, String> {
    let bytes = Encoding::Windows1252.bytes_of(text);
    let known = encoding.map(str::parse).transpose();
    let known = known.map_err(|error: UnknownEncoding| error.to_string())?;
    let decoded = match known {
        Some(known) => damier_text::decode_rest(&bytes, known),
        None => damier_text::decode(&bytes, None),
    };
    Ok(Answer::Decoded {
        encoding: decoded.encoding.name().to_owned(),
        text: decoded.text.into_owned(),
    })
}

fn games(text: &str) -> Result<Answer, String> {
    let games = pdn::entries(text).map_err(|error| error.to_string())?;
    Ok(Answer::Games { games })
}

fn games_with(games: &[String], line: &Line) -> Result<Answer, String> {
    let position = base::position(line)?;
    let found = base::with_position(games, &position);
    Ok(Answer::GamesWith { found })
}

fn read_game(state: &AppState, text: &str) -> Result<Answer, String> {
    let read = pdn::read(text, state.pool.wdl_model()).map_err(|error| error.to_string())?;
    let pdn::Read { game, note, error } = read;
    let game = Box::new(game);
    Ok(Answer::Game { game, note, error })
}

fn write_game(game: &messages::Game) -> Result<Answer, String> {
    let text = pdn::write(game).map_err(|error| error.to_string())?;
    Ok(Answer::Pdn { text })
}

fn unreadable(error: std::io::Error) -> String {
    format!("the match cannot be read: {error}")
}

fn match_games(state: &AppState, before: u64) -> Result<Answer, String> {
    let games = state.watch.as_ref().map(|watch| watch.games(before));
    let (games, more) = games.transpose().map_err(unreadable)?.unwrap_or_default();
    Ok(Answer::MatchGames { games, more })
}

fn standings(state: &AppState) -> Result<Answer, String> {
    let standings = state.watch.as_ref().map_or(Ok(None), Watch::standings);
    let standings = standings.map_err(unreadable)?;
    Ok(Answer::Match {
        standings: standings.map(Box::new),
        live: state.watch.as_ref().and_then(Watch::live).map(Box::new),
    })
}

fn knowledge(state: &AppState, line: &Line) -> Result<Answer, String> {
    let game = play(line)?;
    let entry = state
        .book
        .as_ref()
        .and_then(|book| book.find(game.position()));
    let in_book = |mv: &damier_book::BookMove| BookMove::new(mv.mv, Score::new(mv.score));
    Ok(Answer::Knowledge {
        table: table(state, &game),
        book: entry
            .iter()
            .flat_map(|entry| entry.moves.iter().map(in_book))
            .collect(),
    })
}

fn table(state: &AppState, game: &Game) -> Option<Table> {
    let position = game.position();
    let few = position.occupied().len() <= u32::from(state.table_pieces);
    if !few || position.is_terminal() {
        return None;
    }
    let view = View::new(state.pool.tables(), state.table_pieces);
    let mut advice = Advice::in_game(&view, position, &game.clock(), game.keys())?;
    if matches!(game.status(), Status::Drawn(_)) {
        advice = advice.drawn();
    }
    Some(Table {
        verdict: TableVerdict::from(&advice),
        best: advice.best().map(|mv: Move| mv.to_string()).collect(),
        safe: advice.certain.then(|| meaning::keeping(&advice)),
    })
}
