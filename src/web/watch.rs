//! A match that is watched: the file of its games is read again when it has changed.

use super::messages::{Player, Standings, WatchedGame};
use crate::lab::GameResult;
use crate::lab::arena::standings::statistics::CrossTable;
use crate::notation::pdn::{self, Outcome};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use std::{fs, io};

/// Largest file that is read.
const LARGEST: u64 = 256 << 20;
/// Most players: the table grows with their square.
const MOST_PLAYERS: usize = 50;
/// How many of the last games are told.
const SHOWN: usize = 20;

/// A match that is watched.
pub(super) struct Watch {
    file: PathBuf,
    read: Mutex<Option<Read>>,
}

/// What was read of a file, and when it was written.
struct Read {
    written: (u64, Option<SystemTime>),
    standings: Option<Standings>,
}

impl Watch {
    /// The match whose games are in this file.
    pub fn new(file: PathBuf) -> Watch {
        Watch {
            file,
            read: Mutex::new(None),
        }
    }

    /// How it stands. None where no game has ended yet.
    pub fn standings(&self) -> io::Result<Option<Standings>> {
        let data = match fs::metadata(&self.file) {
            Ok(data) => data,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if !data.is_file() || data.len() > LARGEST {
            return Err(io::Error::other("no file, or too large to be watched"));
        }
        let written = (data.len(), data.modified().ok());
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = read.as_ref().filter(|read| read.written == written) {
            return Ok(read.standings.clone());
        }
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let standings = standings(&fs::read(&self.file)?, &name, written.0);
        *read = Some(Read {
            written,
            standings: standings.clone(),
        });
        Ok(standings)
    }
}

/// A game that has ended.
struct Ended {
    players: [usize; 2],
    /// Number of the pair: rounds 1 and 2 make the first.
    round: u64,
    result: Option<GameResult>,
    shown: WatchedGame,
}

fn standings(bytes: &[u8], name: &str, revision: u64) -> Option<Standings> {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::new();
    let mut games = Vec::new();
    let mut read = pdn::read(bytes);
    loop {
        let begin = read.offset();
        let Some(next) = read.next() else {
            break;
        };
        let Ok(game) = next else {
            continue;
        };
        let text = &bytes[begin..read.offset().min(bytes.len())];
        let players = ["White", "Black"].map(|side| {
            let name = game.tag(side).unwrap_or("?");
            *numbers.entry(name.to_owned()).or_insert_with(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
        });
        if names.len() > MOST_PLAYERS {
            return None;
        }
        games.push(ended(players, &game, text));
    }
    (!games.is_empty()).then(|| Standings {
        file: name.to_owned(),
        revision,
        players: players(&names, &games),
        games: games
            .into_iter()
            .rev()
            .take(SHOWN)
            .map(|game| game.shown)
            .collect(),
    })
}

fn ended(players: [usize; 2], game: &pdn::Game, text: &[u8]) -> Ended {
    let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
    Ended {
        players,
        round: game
            .tag("Round")
            .and_then(|text| text.parse().ok())
            .map_or(0, |round: u64| round.div_ceil(2)),
        result: match game.result {
            Outcome::White => Some(GameResult::Win),
            Outcome::Draw => Some(GameResult::Draw),
            Outcome::Black => Some(GameResult::Loss),
            Outcome::Nobody | Outcome::Unknown => None,
        },
        shown: WatchedGame {
            white: tag("White"),
            black: tag("Black"),
            result: game.result.text().to_owned(),
            plies: game.moves.len(),
            pdn: String::from_utf8_lossy(text).into_owned(),
        },
    }
}

const fn other(result: GameResult) -> GameResult {
    match result {
        GameResult::Win => GameResult::Loss,
        GameResult::Draw => GameResult::Draw,
        GameResult::Loss => GameResult::Win,
    }
}

/// The players, the best one first. The two games of an opening count as a pair, as in the match itself.
fn players(names: &[String], games: &[Ended]) -> Vec<Player> {
    let mut table = CrossTable::new(names.len());
    let mut open: HashMap<(u64, usize, usize), GameResult> = HashMap::new();
    for game in games {
        let [white, black] = game.players;
        let Some(result) = game.result.filter(|_| white != black) else {
            continue;
        };
        match open.remove(&(game.round, black, white)) {
            // Seen from the one who had white first.
            Some(first) => table.add_pair(black, white, first, other(result)),
            None => {
                // The same round once more: another match, or a file put together.
                let lonely = open.insert((game.round, white, black), result);
                lonely
                    .into_iter()
                    .for_each(|lonely| table.add_single(white, black, lonely));
            }
        }
    }
    for ((_, white, black), result) in open {
        table.add_single(white, black, result);
    }
    let ratings = table.ratings();
    let mut order: Vec<usize> = (0..names.len()).collect();
    let strength = |&index: &usize| match &ratings {
        Some(ratings) => ratings[index].elo,
        None => table.total(index).score(),
    };
    order.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let row = |&index: &usize| {
        let [won, drawn, lost] = table.total(index).wdl().map(|count| count as u32);
        let against = order.iter().map(|&opponent| {
            let tally = table.against(index, opponent);
            let [won, drawn, _] = tally.wdl();
            (tally.games() > 0).then_some((2 * won + drawn) as u32)
        });
        let rating = ratings.as_ref().map(|ratings| ratings[index]);
        let elo = rating.map(|rating| {
            [
                rating.elo,
                rating.elo - rating.error,
                rating.elo + rating.error,
            ]
        });
        Player {
            name: names[index].clone(),
            won,
            drawn,
            lost,
            against: against.collect(),
            elo: elo.filter(|elo| elo.iter().all(|value| value.is_finite())),
        }
    };
    order.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Round \"1\"]\n[Result \"2-0\"]\n\n1. 32-28 *\n\n\
        [White \"B\"]\n[Black \"A\"]\n[Round \"2\"]\n[Result \"1-1\"]\n\n1. 32-28 *\n\n\
        [White \"A\"]\n[Black \"B\"]\n[Round \"3\"]\n[Result \"1-1\"]\n\n1. 31-26 *\n\n";

    #[test]
    fn a_file_gives_a_table_and_is_read_again_when_it_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        let watch = Watch::new(path.clone());
        assert_eq!(watch.standings().unwrap(), None);
        fs::write(&path, GAMES).unwrap();
        let standings = watch.standings().unwrap().expect("three games");
        let [best, worst] = standings.players.as_slice() else {
            panic!("{standings:?}");
        };
        assert_eq!(
            (best.name.as_str(), best.won, best.drawn, best.lost),
            ("A", 1, 2, 0)
        );
        assert_eq!(
            (worst.against.as_slice(), best.against[1]),
            ([Some(2), None].as_slice(), Some(4))
        );
        assert!(best.elo.unwrap()[0] > 0.0 && standings.games[0].pdn.contains("31-26"));
        fs::write(&path, format!("{GAMES}{GAMES}")).unwrap();
        let standings = watch.standings().unwrap().expect("six games");
        assert_eq!(standings.players[0].drawn, 4);
        fs::write(&path, "rubbish (").unwrap();
        assert_eq!(watch.standings().unwrap(), None);
    }
}
