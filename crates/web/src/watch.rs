//! The watched match: the games of its PDN file, read incrementally, and the games in progress.

use super::messages::{GameInProgress, MatchInProgress, Player, Standings, WatchedGame};
use damier_arena::live;
use damier_arena::standings::statistics::{CrossTable, Rating};
use damier_os::files;
use damier_rules::GameResult;
use damier_rules::notation::pdn::{self, Outcome};
use damier_rules::notation::{fen, hub_board, moves};
use damier_text::Encoding;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Maximum bytes read at once; the rest of a larger file is read at the next request.
const MAX_READ: u64 = 64 << 20;
/// Maximum number of players: the table grows with its square.
const MAX_PLAYERS: usize = 50;
/// Maximum number of finished games sent at once, and of games in progress.
const MAX_SHOWN: usize = 20;
/// Maximum bytes of the finished games that are kept for the page, and of those sent at once.
const MAX_KEPT: usize = 16 << 20;
const MAX_SENT: usize = 4 << 20;
/// Bytes before the read offset that identify the file.
const FINGERPRINT: usize = 64;

/// The watched match.
pub(super) struct Watch {
    file: PathBuf,
    seen: Mutex<Seen>,
}

/// The contents of the file when it was last read.
#[derive(Default)]
struct Seen {
    written: Option<(u64, Option<SystemTime>)>,
    games: GameLog,
    standings: Option<Standings>,
    /// The last games, newest first.
    kept: VecDeque<Arc<WatchedGame>>,
}

impl Watch {
    /// Watches the match whose games are in this file.
    pub fn new(file: PathBuf) -> Watch {
        Watch {
            file,
            seen: Mutex::default(),
        }
    }

    /// The standings. None before the first game has ended.
    pub fn standings(&self) -> io::Result<Option<Standings>> {
        Ok(self.look()?.standings.clone())
    }

    /// The finished games before the one with this number, newest first, and whether there are earlier ones.
    pub fn games(&self, before: u64) -> io::Result<(Vec<WatchedGame>, bool)> {
        let seen = self.look()?;
        let mut earlier = seen
            .kept
            .iter()
            .filter(|game| game.number < before)
            .peekable();
        let games = some(&mut earlier);
        Ok((games, earlier.peek().is_some()))
    }

    /// Reads what is new in the file.
    fn look(&self) -> io::Result<MutexGuard<'_, Seen>> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = match files::open_regular(&self.file) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                *seen = Seen::default();
                return Ok(seen);
            }
            Err(error) => return Err(error),
        };
        let data = file.metadata()?;
        let written = Some((data.len(), data.modified().ok()));
        let is_whole = seen.games.offset + MAX_READ >= data.len();
        if seen.written != written || !is_whole {
            let name = self.file.file_name().unwrap_or_default().to_string_lossy();
            let games = seen.games.read(&mut file)?;
            seen.standings = games.standings(&name);
            seen.kept = games.kept;
            seen.written = written;
        }
        Ok(seen)
    }

    /// The games in progress, while the match runs.
    pub fn live(&self) -> Option<MatchInProgress> {
        let found = live::read(&self.file)?;
        let games = found.games.iter().take(MAX_SHOWN);
        Some(MatchInProgress {
            played: found.played,
            total: found.total,
            games: games.filter_map(in_progress).collect(),
        })
    }
}

/// The next games of a list, as many as are sent at once.
fn some<'a>(games: &mut impl Iterator<Item = &'a Arc<WatchedGame>>) -> Vec<WatchedGame> {
    let mut bytes = 0;
    let mut some = Vec::new();
    while some.len() < MAX_SHOWN && bytes < MAX_SENT {
        let Some(game) = games.next() else { break };
        bytes += game.pdn.len();
        some.push(WatchedGame::clone(game));
    }
    some
}

/// A game in progress as a message. None where it cannot be parsed.
fn in_progress(live: &live::LiveGame) -> Option<GameInProgress> {
    let mut position = fen::parse(&live.start).ok()?;
    let mut game = pdn::Game::new(position);
    let mut last = None;
    for text in &live.moves {
        let mv = moves::parse(&position, text).ok()?;
        last = Some([mv.from().number(), mv.to().number()]);
        game.moves.push(mv.into());
        position = position.play(mv);
    }
    for (name, value) in [("White", &live.white), ("Black", &live.black)] {
        game.tags.push((name.to_owned(), value.clone()));
    }
    let mut text = Vec::new();
    game.write(&mut text).ok()?;
    Some(GameInProgress {
        game: live.game,
        white: live.white.clone(),
        black: live.black.clone(),
        board: hub_board::format(&position),
        last,
        plies: live.moves.len(),
        scores: live.scores,
        clocks: live.clocks,
        thinking: live.thinking,
        pdn: String::from_utf8_lossy(&text).into_owned(),
    })
}

/// A finished game.
#[derive(Clone)]
struct Ended {
    players: [usize; 2],
    /// Number of the pair; rounds 1 and 2 are the first pair.
    round: u64,
    result: Option<GameResult>,
}

/// The games read so far.
#[derive(Clone, Default)]
struct GameLog {
    /// End of the last complete game, and the bytes before it.
    offset: u64,
    before: Vec<u8>,
    /// What of it was not UTF-8 is in this encoding; UTF-8 where all of it was.
    encoding: Encoding,
    numbers: HashMap<String, usize>,
    names: Vec<String>,
    ended: Vec<Ended>,
    /// The last games, newest first, and their bytes.
    kept: VecDeque<Arc<WatchedGame>>,
    kept_bytes: usize,
}

impl GameLog {
    /// Reads the new part of the file, or all of a replaced file. Returns all games with the last one, which may be
    /// incomplete and is read again the next time.
    fn read(&mut self, file: &mut File) -> io::Result<GameLog> {
        let mut bytes = self.rest(file)?;
        if !bytes.starts_with(&self.before) {
            *self = GameLog::default();
            bytes = self.rest(file)?;
        }
        let begin = self.before.len();
        let decoded = damier_text::decode_rest(&bytes[begin..], self.encoding);
        self.encoding = decoded.encoding;
        let text = &*decoded.text;
        let mut games = pdn::read(text);
        let mut last: Option<(pdn::Game, &str)> = None;
        let (mut at, mut known) = (0, 0);
        while let Some(next) = games.next() {
            if let Some((game, text)) = last.take() {
                self.add(&game, text);
            }
            known = at;
            at = games.offset().min(text.len());
            last = next.ok().map(|game| (game, &text[known..at]));
        }
        let mut all = self.clone();
        if let Some((game, text)) = last {
            all.add(&game, text);
        }
        let read = decoded.bytes_before(&bytes[begin..], known);
        let known = begin + read;
        self.offset += read as u64;
        self.before = bytes[known.saturating_sub(FINGERPRINT)..known].to_vec();
        Ok(all)
    }

    /// The bytes from [`GameLog::before`] on.
    fn rest(&self, file: &mut File) -> io::Result<Vec<u8>> {
        file.seek(SeekFrom::Start(self.offset - self.before.len() as u64))?;
        let mut bytes = Vec::new();
        file.take(MAX_READ).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn add(&mut self, game: &pdn::Game, text: &str) {
        let players = ["White", "Black"].map(|side| self.number(game.tag(side).unwrap_or("?")));
        let round = game.tag("Round").and_then(|text| text.parse().ok());
        self.ended.push(Ended {
            players,
            round: round.map_or(0, |round: u64| round.div_ceil(2)),
            result: match game.result {
                Outcome::White => Some(GameResult::Win),
                Outcome::Draw => Some(GameResult::Draw),
                Outcome::Black => Some(GameResult::Loss),
                Outcome::Nobody | Outcome::Unknown => None,
            },
        });
        let [white, black] = players.map(|player| self.names[player].clone());
        self.kept.push_front(Arc::new(WatchedGame {
            number: self.ended.len() as u64,
            white,
            black,
            result: game.result.text().to_owned(),
            plies: game.moves.len(),
            pdn: text.to_owned(),
        }));
        self.kept_bytes += text.len();
        while self.kept_bytes > MAX_KEPT
            && let Some(oldest) = self.kept.pop_back()
        {
            self.kept_bytes -= oldest.pdn.len();
        }
    }

    /// The number of a player. Players beyond [`MAX_PLAYERS`] share one.
    fn number(&mut self, name: &str) -> usize {
        let name = match self.names.len() + 1 < MAX_PLAYERS || self.numbers.contains_key(name) {
            true => name,
            false => "others",
        };
        let next = self.names.len();
        let number = *self.numbers.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.names.push(name.to_owned());
        }
        number
    }

    fn standings(&self, file: &str) -> Option<Standings> {
        (!self.ended.is_empty()).then(|| Standings {
            file: file.to_owned(),
            revision: self.ended.len() as u64,
            players: players(&self.names, &self.ended),
            games: some(&mut self.kept.iter()),
        })
    }
}

/// The players, best first. The two games of an opening count as a pair, as in the match itself.
fn players(names: &[String], games: &[Ended]) -> Vec<Player> {
    let mut table = CrossTable::new(names.len());
    let mut open: HashMap<(u64, usize, usize), GameResult> = HashMap::new();
    for game in games {
        let [white, black] = game.players;
        let Some(result) = game.result.filter(|_| white != black) else {
            continue;
        };
        match open.remove(&(game.round, black, white)) {
            // From the view of White in the first game.
            Some(first) => table.add_pair(black, white, first, result.reversed()),
            None => {
                // A repeated round: another match, or a merged file.
                let single = open.insert((game.round, white, black), result);
                single
                    .into_iter()
                    .for_each(|single| table.add_single(white, black, single));
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
        // Of two players, the difference between them, as in the match report.
        let between = |opponent| {
            let elo = table.against(index, opponent).elo()?;
            Some([elo.value, elo.low, elo.high])
        };
        let of_all = |rating: Rating| {
            let Rating { elo, error } = rating;
            [elo, elo - error, elo + error]
        };
        let elo = match names.len() {
            2 => between(1 - index),
            _ => ratings.as_ref().map(|ratings| of_all(ratings[index])),
        };
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
    use damier_arena::standings::statistics::Tally;
    use std::fs;
    use std::io::Write;

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
        assert!(standings.games[0].pdn.contains("31-26"));
        // As a match of two with these games reports it.
        let mut tally = Tally::new();
        tally.add_pair(GameResult::Win, GameResult::Draw);
        tally.add_single(GameResult::Draw);
        let elo = tally.elo().unwrap();
        assert_eq!(best.elo, Some([elo.value, elo.low, elo.high]));
        let other = standings.players[1].elo.unwrap();
        assert!((other[0] + elo.value).abs() < 1e-9, "{other:?}");
        for part in [&GAMES[..100], &GAMES[100..]] {
            let file = fs::OpenOptions::new().append(true).open(&path).unwrap();
            (&file).write_all(part.as_bytes()).unwrap();
            watch.standings().unwrap();
        }
        let standings = watch.standings().unwrap().expect("six games");
        assert_eq!((standings.players[0].drawn, standings.revision), (4, 6));
        let (games, more) = watch.games(4).unwrap();
        assert_eq!((games.len(), games[0].number, more), (3, 3, false));
        assert!(games[2].pdn.contains("[Round \"1\"]"));
        let other = GAMES.replace('A', "C");
        fs::write(&path, other.repeat(3)).unwrap();
        let standings = watch.standings().unwrap().expect("nine games");
        assert_eq!((standings.players[0].drawn, standings.revision), (6, 9));
        // Other encodings, a game at a time.
        for encoding in [
            Encoding::Windows1251,
            Encoding::Utf16Le,
            Encoding::Windows1252,
        ] {
            let name = if encoding == Encoding::Windows1252 {
                "René"
            } else {
                "Иванов"
            };
            let text = GAMES.replace("\"A\"", &format!("\"{name}\""));
            let mark = if encoding == Encoding::Utf16Le {
                "\u{feff}"
            } else {
                ""
            };
            fs::write(&path, encoding.bytes_of(mark)).unwrap();
            for part in text.split_inclusive("\n\n").cycle().take(18) {
                let file = fs::OpenOptions::new().append(true).open(&path).unwrap();
                (&file).write_all(&encoding.bytes_of(part)).unwrap();
                watch.standings().unwrap();
            }
            let standings = watch.standings().unwrap().expect("nine games");
            assert_eq!(
                (standings.players.len(), standings.revision),
                (2, 9),
                "{encoding}"
            );
            assert_eq!(standings.players[0].name, name);
            assert!(standings.games[0].pdn.contains(name));
        }
        // Many games come in pieces, and all can be had.
        fs::write(&path, GAMES.repeat(30)).unwrap();
        let mut numbers = Vec::new();
        let mut next = u64::MAX;
        loop {
            let (games, more) = watch.games(next).unwrap();
            assert!(games.len() <= MAX_SHOWN);
            numbers.extend(games.iter().map(|game| game.number));
            next = *numbers.last().unwrap();
            if !more {
                break;
            }
        }
        assert!(numbers.iter().copied().eq((1..=90).rev()), "{numbers:?}");
        fs::write(&path, "rubbish (").unwrap();
        assert_eq!(watch.standings().unwrap(), None);
    }
}
