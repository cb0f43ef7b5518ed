//! Reading of games and positions.

use super::blocks::BlockRef;
use super::record::{Coder, GameHead};
use super::{Damage, DatasetError, GameRecord, Header, scan};
use damier_engine::eval::Score;
use damier_engine::rng::Rng;
use damier_rules::GameResult;
use damier_rules::board::Color;
use damier_rules::{Move, Position};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// In which order the blocks of the files are read. Within a block, games and plies come as they were played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// File by file, from the first block to the last.
    #[default]
    Stored,
    /// All blocks of all files mixed, the same way for the same seed.
    Shuffled {
        /// Another seed, another order.
        seed: u64,
    },
}

/// Files of games, any number of any size: only the places of the blocks are kept in memory, 56 bytes for 64 games.
#[derive(Clone, Debug)]
pub struct Reader {
    files: Arc<Vec<(PathBuf, Header)>>,
    blocks: Vec<(u32, BlockRef)>,
    damages: Arc<Mutex<Vec<Damage>>>,
}

impl Reader {
    /// Finds the blocks of these files. Reads their heads only; damage to games is found when they are read.
    ///
    /// # Errors
    /// A file cannot be read, or its header is not sound.
    pub fn open(files: &[impl AsRef<Path>], order: Order) -> Result<Reader, DatasetError> {
        let files: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
        Reader::open_paths(&files, order)
    }

    fn open_paths(files: &[&Path], order: Order) -> Result<Reader, DatasetError> {
        let (mut headers, mut blocks, mut damages) = (Vec::new(), Vec::new(), Vec::new());
        for (number, &file) in files.iter().enumerate() {
            let scan = scan(file, false)?;
            headers.push((file.to_owned(), scan.header));
            blocks.extend(scan.blocks.into_iter().map(|block| (number as u32, block)));
            damages.extend(scan.damages);
        }
        let reader = Reader {
            files: Arc::new(headers),
            blocks,
            damages: Arc::new(Mutex::new(damages)),
        };
        Ok(reader.ordered(order))
    }

    /// Sets the order of the games.
    pub fn ordered(mut self, order: Order) -> Reader {
        self.blocks
            .sort_unstable_by_key(|(file, block)| (*file, block.offset));
        if let Order::Shuffled { seed } = order {
            Rng::new(seed).shuffle(&mut self.blocks);
        }
        self
    }

    /// The games in so many parts of about the same size, for as many threads. All report the same damages.
    pub fn parts(&self, parts: usize) -> Vec<Reader> {
        let parts = parts.max(1);
        let at = |part: usize| self.blocks.len() * part / parts;
        (0..parts)
            .map(|part| Reader {
                files: Arc::clone(&self.files),
                blocks: self.blocks[at(part)..at(part + 1)].to_vec(),
                damages: Arc::clone(&self.damages),
            })
            .collect()
    }

    /// The files with their headers.
    pub fn files(&self) -> &[(PathBuf, Header)] {
        &self.files
    }

    /// Games in the blocks, damaged ones included.
    pub fn games_stored(&self) -> u64 {
        let games = self.blocks.iter().map(|(_, b)| u64::from(b.head.games));
        games.sum()
    }

    /// Bytes of the blocks.
    pub fn bytes(&self) -> u64 {
        self.blocks.iter().map(|(_, block)| block.head.size()).sum()
    }

    /// What could not be read so far, each place once.
    pub fn damages(&self) -> Vec<Damage> {
        self.damages
            .lock()
            .map_or_else(|_| Vec::new(), |damages| damages.clone())
    }

    /// All games.
    pub fn games(&self) -> StoredGames {
        StoredGames {
            source: GameSource::new(self),
        }
    }

    /// The positions of all games in which a move was searched.
    pub fn samples(&self) -> Samples {
        Samples {
            source: GameSource::new(self),
            coder: Coder::default(),
            game: None,
            left: 0,
            ply: 0,
            position: Position::start(),
        }
    }
}

/// The games' bytes, block by block.
struct GameSource {
    reader: Reader,
    next: usize,
    bytes: Vec<u8>,
    at: usize,
    /// Games of the block not yet taken.
    games: u32,
    file: u32,
    /// Index of the last game, or of the block's first.
    before: u64,
}

impl GameSource {
    fn new(reader: &Reader) -> GameSource {
        GameSource {
            reader: reader.clone(),
            next: 0,
            bytes: Vec::new(),
            at: 0,
            games: 0,
            file: 0,
            before: 0,
        }
    }

    /// Goes on to the next intact block. False at the end.
    fn advance(&mut self) -> bool {
        while let Some(&(file, block)) = self.reader.blocks.get(self.next) {
            self.next += 1;
            match self.load(file, block) {
                Ok(()) => {
                    (self.at, self.games, self.file) = (0, block.head.games, file);
                    self.before = block.head.first;
                    return true;
                }
                Err(what) => self.note(file, block, what),
            }
        }
        false
    }

    /// Opens the file anew for each block: a merge may read a thousand shards side by side, more files than a process
    /// may have open.
    fn load(&mut self, file: u32, block: BlockRef) -> Result<(), &'static str> {
        let name = &self.reader.files[file as usize].0;
        let mut file = File::open(name).map_err(|_| "the file cannot be opened any more")?;
        match block.read(&mut file, &mut self.bytes) {
            Ok(true) => Ok(()),
            Ok(false) => Err("the checksum of the games differs"),
            Err(_) => Err("the file cannot be read here"),
        }
    }

    /// Drops the block just loaded: its checksum is right, but its bytes are no games.
    fn give_up(&mut self) {
        if let Some(&(file, block)) = self.reader.blocks.get(self.next - 1) {
            self.note(file, block, "the bytes are no games");
        }
        self.games = 0;
    }

    fn note(&self, file: u32, block: BlockRef, what: &'static str) {
        let damage = block.damage(&self.reader.files[file as usize].0, what);
        log::warn!("{damage}");
        if let Ok(mut damages) = self.reader.damages.lock()
            && !damages.contains(&damage)
        {
            damages.push(damage);
        }
    }
}

/// The games of files; see [`Reader::games`].
pub struct StoredGames {
    source: GameSource,
}

impl StoredGames {
    /// Number of the file of the game given last, in the order of [`Reader::files`].
    pub fn file(&self) -> usize {
        self.source.file as usize
    }
}

impl Iterator for StoredGames {
    type Item = GameRecord;

    fn next(&mut self) -> Option<GameRecord> {
        let source = &mut self.source;
        loop {
            if source.games == 0 && !source.advance() {
                return None;
            }
            let mut rest = &source.bytes[source.at..];
            if let Some(game) = GameRecord::take(&mut rest, source.before) {
                source.at = source.bytes.len() - rest.len();
                source.games -= 1;
                source.before = game.index;
                return Some(game);
            }
            source.give_up();
        }
    }
}

/// A searched position of a game, with its score and the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The score of the search, for the side to move.
    pub score: Score,
    /// The result for the side to move.
    pub result: GameResult,
    /// The move played.
    pub mv: Move,
    /// Plies from the start of the game.
    pub ply: u32,
    /// Plies to its end, this move included.
    pub left: u32,
    /// Number of the game in its run, by which whole games are held out.
    pub game: u64,
    /// Number of the file, in the order of [`Reader::files`].
    pub file: u32,
}

impl Sample {
    /// Whether the side to move has no capture: the move played is none.
    pub fn is_calm(&self) -> bool {
        !self.mv.is_capture()
    }

    /// Whether the move played captures, or lets the opponent capture.
    pub fn exchanges(&self) -> bool {
        self.mv.is_capture() || self.position.play(self.mv).must_capture()
    }

    /// Whether neither side could capture if it were to move.
    pub fn is_quiet(&self) -> bool {
        self.is_calm() && !self.position.can_capture(!self.position.turn())
    }
}

/// The positions of files; see [`Reader::samples`].
pub struct Samples {
    source: GameSource,
    coder: Coder,
    game: Option<(u64, Option<Color>)>,
    left: u32,
    ply: u32,
    position: Position,
}

impl Samples {
    /// Goes on to the next game. False at the end.
    fn next_game(&mut self) -> bool {
        loop {
            if self.source.games == 0 && !self.source.advance() {
                return false;
            }
            let mut rest = &self.source.bytes[self.source.at..];
            let Some(head) = GameHead::take(&mut rest, self.source.before) else {
                self.source.give_up();
                continue;
            };
            self.source.at = self.source.bytes.len() - rest.len();
            self.source.games -= 1;
            self.source.before = head.index;
            self.coder.begin();
            self.game = Some((head.index, head.winner));
            (self.left, self.ply, self.position) = (head.plies, 0, head.start);
            return true;
        }
    }
}

impl Iterator for Samples {
    type Item = Sample;

    #[inline]
    fn next(&mut self) -> Option<Sample> {
        loop {
            if self.left == 0 {
                if !self.next_game() {
                    return None;
                }
                continue;
            }
            let mut rest = &self.source.bytes[self.source.at..];
            let Some(played) = self.coder.take(&mut rest, &self.position) else {
                self.source.give_up();
                self.left = 0;
                continue;
            };
            self.source.at = self.source.bytes.len() - rest.len();
            let position = self.position;
            let (ply, left) = (self.ply, self.left);
            self.position = position.play(played.mv);
            self.ply += 1;
            self.left -= 1;
            if let (Some(score), Some((game, winner))) = (played.score, self.game) {
                return Some(Sample {
                    position,
                    score,
                    result: GameResult::of(position.turn(), winner),
                    mv: played.mv,
                    ply,
                    left,
                    game,
                    file: self.source.file,
                });
            }
        }
    }
}
