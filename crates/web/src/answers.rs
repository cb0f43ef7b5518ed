//! Requests that are answered at once, and what begins a search.

use super::hall::Hall;
use super::messages::{self, Answer, Ask, Limit, Line, Table};
use super::pool::{Search, Work};
use super::rules::LineError;
use super::watch::Watch;
use super::{pdn, rules};
use damier_analysis::json::BookMove;
use damier_analysis::meaning;
use damier_endgame::{Advice, View, WaitPolicy};
use damier_engine::eval::Score;
use damier_engine::{Clock, HIGHEST_ELO, LOWEST_ELO, Level, Strength};
use damier_rules::{Game, Move, Position, Status};
use std::sync::Arc;

/// Most lines of an analysis.
const MOST_LINES: usize = 20;
/// Most nodes of each search of a game to judge, and of all of them together.
const MOST_NODES: u64 = 20_000_000;
const MOST_NODES_OF_ALL: u64 = 100_000_000;

/// The search that a request asks for. None: it asks for something else.
pub(super) fn search(id: u32, ask: &Ask) -> Option<Result<Search, String>> {
    let (line, work) = match ask {
        Ask::Think {
            line,
            limit,
            book,
            elo,
        } => {
            let strength = match elo {
                None => Strength::Full,
                Some(elo) if (LOWEST_ELO..=HIGHEST_ELO).contains(elo) => Strength::Elo(*elo),
                Some(elo) => {
                    let message = format!("elo {elo} is not from {LOWEST_ELO} to {HIGHEST_ELO}");
                    return Some(Err(message));
                }
            };
            let work = Work::Think {
                level: level(limit),
                book: *book,
                strength,
            };
            (line, work)
        }
        Ask::Analyse { line, lines } => {
            let lines = (*lines).clamp(1, MOST_LINES);
            (line, Work::Analyse { lines })
        }
        Ask::Annotate { game, nodes } => return Some(judgement(id, game, *nodes)),
        _ => return None,
    };
    Some(match rules::game(line) {
        Ok(game) => Ok(Search { id, game, work }),
        Err(error) => Err(error.to_string()),
    })
}

fn judgement(id: u32, game: &messages::Game, nodes: u64) -> Result<Search, String> {
    let game = pdn::parse(game).map_err(|error| error.to_string())?;
    if game.moves.len() > rules::MOST_MOVES {
        return Err(LineError::TooLong.to_string());
    }
    let most = MOST_NODES_OF_ALL / (game.moves.len() as u64 + 1);
    let work = Work::Annotate {
        nodes: nodes.clamp(1, MOST_NODES.min(most)),
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

/// Answers what is no search.
pub(super) async fn answer(hall: &Arc<Hall>, ask: Ask) -> Answer {
    let is_quick = matches!(&ask, Ask::Position(line) if line.moves.len() < 300);
    if is_quick {
        return compute(hall, ask);
    }
    let hall = Arc::clone(hall);
    let computed = tokio::task::spawn_blocking(move || compute(&hall, ask)).await;
    computed.unwrap_or_else(|error| failed(&format!("a fault in the program: {error}")))
}

fn compute(hall: &Hall, ask: Ask) -> Answer {
    let result = match ask {
        Ask::Position(line) => rules::game(&line)
            .map(|game| Answer::Position(Box::new(rules::place(&game))))
            .map_err(|error| error.to_string()),
        Ask::Knowledge(line) => knowledge(hall, &line),
        Ask::ReadGames { text } => Ok(Answer::Games {
            games: pdn::entries(&text),
        }),
        Ask::ReadGame { text } => pdn::read(&text)
            .map(|(game, note)| Answer::Game {
                game: Box::new(game),
                note,
            })
            .map_err(|error| error.to_string()),
        Ask::WriteGame { game } => pdn::write(&game)
            .map(|text| Answer::Pdn { text })
            .map_err(|error| error.to_string()),
        Ask::Match => standings(hall),
        Ask::Think { .. } | Ask::Analyse { .. } | Ask::Annotate { .. } | Ask::Stop => {
            Err("nothing to answer".to_owned())
        }
    };
    result.unwrap_or_else(|message| failed(&message))
}

fn standings(hall: &Hall) -> Result<Answer, String> {
    let standings = hall.watch.as_ref().map_or(Ok(None), Watch::standings);
    let standings = standings.map_err(|error| format!("the match cannot be read: {error}"))?;
    Ok(Answer::Match {
        standings: standings.map(Box::new),
        live: hall.watch.as_ref().and_then(Watch::live).map(Box::new),
    })
}

fn failed(message: &str) -> Answer {
    Answer::Error {
        message: message.to_owned(),
    }
}

fn knowledge(hall: &Hall, line: &Line) -> Result<Answer, String> {
    let game = rules::game(line).map_err(|error| error.to_string())?;
    let entry = hall
        .book
        .as_ref()
        .and_then(|book| book.find(game.position()));
    let in_book = |mv: &damier_book::BookMove| BookMove::new(mv.mv, Score::new(mv.score));
    Ok(Answer::Knowledge {
        table: table(hall, &game),
        book: entry
            .iter()
            .flat_map(|entry| entry.moves.iter().map(in_book))
            .collect(),
    })
}

fn table(hall: &Hall, game: &Game) -> Option<Table> {
    let position = game.position();
    let few = position.occupied().len() <= u32::from(hall.table_pieces);
    if !few || position.is_terminal() {
        return None;
    }
    let view = View::new(
        hall.pool().tables(),
        hall.table_pieces,
        WaitPolicy::SmallTables,
    );
    let mut advice = Advice::in_game(&view, position, &game.clock(), game.keys())?;
    if matches!(game.status(), Status::Drawn(_)) {
        advice = advice.drawn();
    }
    Some(Table {
        value: advice.value.value.to_string(),
        fmjd: advice.ruled.value.to_string(),
        certain: advice.certain,
        distance: advice.value.distance,
        best: advice.best().map(|mv: Move| mv.to_string()).collect(),
        safe: advice.certain.then(|| meaning::keeping(&advice)),
    })
}
