//! A book file in memory, and look-ups in it.

use super::format::{self, Header, INDEX_ITEM, MAGIC, Numbers, RawEntry, VERSION};
use super::{BookMove, Canonical, Code, Entry, numbered_moves, play_forced};
use damier_os::files;
use damier_os::map::{self, Map};
use damier_rules::notation::hub_board;
use damier_rules::{Move, Position};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// In a static, so that the program holds it once.
static EMBEDDED: [u8; include_bytes!("../damier.dbk").len()] = *include_bytes!("../damier.dbk");

/// An error in opening a book.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "fields are named in the text of the variant")]
pub enum BookError {
    /// The file cannot be read.
    #[error("book {}: {error}", file.display())]
    Io { file: PathBuf, error: io::Error },
    /// The book inside the program.
    #[error("the book in the program is damaged: install it again")]
    Embedded,
    /// The file is not a book, or is damaged.
    #[error("book {}: {fault}", file.display())]
    Fault { file: PathBuf, fault: Fault },
}

/// A fault in the bytes of a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The file is of another kind.
    #[error("not a Damier opening book")]
    Foreign,
    /// An unknown version.
    #[error("unsupported format version {0}")]
    Version(u16),
    /// Bytes are missing, surplus or changed.
    #[error("damaged ({0})")]
    Damaged(&'static str),
}

/// The bytes of a book.
enum Bytes {
    Static(&'static [u8]),
    Owned(Vec<u8>),
    Mapped(Map),
}

impl Bytes {
    fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Static(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map.as_slice(),
        }
    }
}

/// An opening book.
pub struct Book {
    bytes: Bytes,
    header: Header,
    index: Range<usize>,
    data: Range<usize>,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book({:?})", self.header)
    }
}

/// A book position reached from the root positions.
#[derive(Clone, Debug)]
pub struct BookPosition {
    /// The position, white to move.
    pub position: Position,
    /// Entry of the position.
    pub entry: Entry,
    /// Plies of the shortest line to it, forced moves included.
    pub ply: usize,
}

impl Book {
    /// Opens a book file: maps it and checks all its bytes.
    ///
    /// # Errors
    /// The file cannot be read, is not a book, or is damaged.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let io = |error| BookError::Io {
            file: path.to_owned(),
            error,
        };
        let file = files::open_regular(path).map_err(io)?;
        let map = map::read_only(&file).map_err(io)?;
        Book::new(Bytes::Mapped(map)).map_err(|fault| BookError::Fault {
            file: path.to_owned(),
            fault,
        })
    }

    /// The name of the built-in book, where a file may be named.
    pub const NAME: &str = "embedded";

    /// The built-in book where its name is given, or else that of a file.
    ///
    /// # Errors
    /// As [`Book::open`].
    pub fn named(path: &Path) -> Result<Book, BookError> {
        if path == Path::new(Book::NAME) {
            Book::embedded()
        } else {
            Book::open(path)
        }
    }

    /// Whether a file begins like a book.
    pub fn is_book(path: &Path) -> bool {
        let mut start = [0; MAGIC.len()];
        let read = files::open_regular(path).and_then(|mut file| file.read_exact(&mut start));
        read.is_ok() && start == *MAGIC
    }

    /// A book from bytes inside the program.
    ///
    /// # Errors
    /// The bytes are not a book, or are damaged.
    pub fn from_static(bytes: &'static [u8]) -> Result<Book, Fault> {
        Book::new(Bytes::Static(bytes))
    }

    /// The bytes of the built-in book: the small form of our own book. See `docs/book.md` for how it was made.
    pub const EMBEDDED: &[u8] = &EMBEDDED;

    /// The built-in book.
    ///
    /// # Errors
    /// The program is damaged.
    pub fn embedded() -> Result<Book, BookError> {
        Book::from_static(Book::EMBEDDED).map_err(|_| BookError::Embedded)
    }

    /// A book from bytes in memory.
    ///
    /// # Errors
    /// The bytes are not a book, or are damaged.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, Fault> {
        Book::new(Bytes::Owned(bytes))
    }

    fn new(bytes: Bytes) -> Result<Book, Fault> {
        let (header, index, data) = check(bytes.as_slice())?;
        Ok(Book {
            bytes,
            header,
            index,
            data,
        })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Size of the file, in bytes.
    pub fn size(&self) -> usize {
        self.bytes.as_slice().len()
    }

    fn index_item(&self, block: usize) -> Option<(u64, usize)> {
        let index = &self.bytes.as_slice()[self.index.clone()];
        let item = index.get(block * INDEX_ITEM..(block + 1) * INDEX_ITEM)?;
        let number = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |n, byte| n << 8 | u64::from(*byte))
        };
        Some((number(&item[..6]), number(&item[6..]) as usize))
    }

    fn blocks(&self) -> usize {
        self.index.len() / INDEX_ITEM
    }

    /// The bytes of a block and the key of its first entry.
    fn block(&self, block: usize) -> Option<(u64, &[u8])> {
        let (first, begin) = self.index_item(block)?;
        let data = &self.bytes.as_slice()[self.data.clone()];
        let end = self
            .index_item(block + 1)
            .map_or(data.len(), |(_, next)| next);
        Some((first, data.get(begin..end)?))
    }

    /// The entry with a key: a binary search among the blocks, then through one block.
    pub fn raw(&self, key: u64) -> Option<RawEntry> {
        let (mut low, mut high) = (0, self.blocks());
        while low < high {
            let middle = low.midpoint(high);
            match self.index_item(middle)?.0 <= key {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let (mut before, bytes) = self.block(low.checked_sub(1)?)?;
        let mut numbers = Numbers(bytes);
        while !numbers.0.is_empty() {
            let entry = numbers.entry(before)?;
            if entry.key >= key {
                return (entry.key == key).then_some(entry);
            }
            before = entry.key;
        }
        None
    }

    /// All entries, by ascending key. An unreadable entry gives None and ends its block.
    pub fn entries(&self) -> impl Iterator<Item = Option<RawEntry>> + '_ {
        (0..self.blocks()).flat_map(move |block| {
            let (mut before, bytes) = self.block(block).unwrap_or((0, &[0xff]));
            let mut numbers = Numbers(bytes);
            std::iter::from_fn(move || {
                if numbers.0.is_empty() {
                    return None;
                }
                let entry = numbers.entry(before);
                match &entry {
                    Some(entry) => before = entry.key,
                    None => numbers.0 = &[],
                }
                Some(entry)
            })
        })
    }

    /// The entry of a position. None if the book lacks it.
    pub fn find(&self, position: &Position) -> Option<Entry> {
        let canonical = Canonical::of(position);
        let raw = self.raw(canonical.code().key())?;
        self.decode(&canonical, &raw)
    }

    /// The moves of an entry in a position. None if a number is not that of a legal move: the key then belongs to
    /// another position (a collision).
    fn decode(&self, canonical: &Canonical, raw: &RawEntry) -> Option<Entry> {
        let legal = numbered_moves(canonical.position());
        let known = |mv: &format::RawMove| {
            let &legal = legal.get(usize::from(mv.number))?;
            Some(BookMove {
                mv: canonical.convert(legal),
                searched: mv.score,
                learned: mv.learned,
                score: mv.score + mv.learned.shift(self.header.learning_bound),
            })
        };
        let mut moves: Vec<BookMove> = raw.moves.iter().map(known).collect::<Option<_>>()?;
        moves.sort_by_key(|mv| -mv.score);
        (!moves.is_empty()).then_some(Entry {
            depth: raw.depth,
            moves,
        })
    }

    /// The book's principal variation after `first` (best moves and the forced moves between them), at most `most`
    /// moves including `first`. It ends where the book ends or a position repeats.
    pub fn line(&self, position: &Position, first: Move, most: usize) -> Vec<Move> {
        let (mut line, mut position) = (vec![first], position.play(first));
        let mut seen = HashSet::new();
        while line.len() < most && seen.insert(Canonical::of(&position).code()) {
            let settled = play_forced(&position);
            let Some(best) = self
                .find(&settled.position)
                .and_then(|entry| entry.moves.first().copied())
            else {
                break;
            };
            line.extend(settled.forced);
            line.push(best.mv);
            position = settled.position.play(best.mv);
        }
        line.truncate(most);
        line
    }

    /// Whether the book's line that begins with a move has at least `plies` moves.
    ///
    /// At the fringe of a book a score rests on a single search, shared by several lines; the longer the line behind a
    /// move, the deeper its score.
    pub fn goes_on(&self, position: &Position, mv: Move, plies: usize) -> bool {
        self.line(position, mv, plies).len() >= plies
    }

    /// The root positions.
    ///
    /// # Errors
    /// The roots in the header cannot be read.
    pub fn roots(&self) -> Result<Vec<Position>, Fault> {
        let read = |text: &String| {
            hub_board::parse(text).map_err(|_| Fault::Damaged("its first positions"))
        };
        self.header.roots.iter().map(read).collect()
    }

    /// Every position that can be reached from the roots, breadth first.
    ///
    /// # Errors
    /// The roots in the header cannot be read.
    pub fn walk(&self) -> Result<impl Iterator<Item = BookPosition> + '_, Fault> {
        let mut seen: HashSet<Code> = HashSet::new();
        // By ply, then in the order in which they were met: forced moves make some lines longer.
        let mut queue = BTreeMap::new();
        let mut add = move |queue: &mut BTreeMap<(usize, usize), Canonical>,
                            position: &Position,
                            ply: usize| {
            let settled = play_forced(position);
            let canonical = Canonical::of(&settled.position);
            if seen.insert(canonical.code()) {
                queue.insert((ply + settled.forced.len(), seen.len()), canonical);
            }
        };
        for root in self.roots()? {
            add(&mut queue, &root, 0);
        }
        Ok(std::iter::from_fn(move || {
            loop {
                let ((ply, _), canonical) = queue.pop_first()?;
                let position = *canonical.position();
                if let Some(entry) = self.find(&position) {
                    for mv in &entry.moves {
                        add(&mut queue, &position.play(mv.mv), ply + 1);
                    }
                    return Some(BookPosition {
                        position,
                        entry,
                        ply,
                    });
                }
            }
        }))
    }
}

/// Checks everything that needs no board: layout, checksum, order of entries.
fn check(bytes: &[u8]) -> Result<(Header, Range<usize>, Range<usize>), Fault> {
    if !bytes.starts_with(MAGIC) {
        return Err(Fault::Foreign);
    }
    let short = || Fault::Damaged("it ends too early");
    let take = |at: &mut usize, length: usize| -> Result<Range<usize>, Fault> {
        let end = at
            .checked_add(length)
            .filter(|end| *end <= bytes.len())
            .ok_or_else(short)?;
        Ok(std::mem::replace(at, end)..end)
    };
    let mut at = MAGIC.len();
    let version = &bytes[take(&mut at, 2)?];
    let version = u16::from_le_bytes([version[0], version[1]]);
    if version != VERSION {
        return Err(Fault::Version(version));
    }
    let word = |at: &mut usize| -> Result<usize, Fault> {
        let bytes = &bytes[take(at, 4)?];
        Ok(bytes
            .iter()
            .rev()
            .fold(0, |n, byte| n << 8 | usize::from(*byte)))
    };
    let length = word(&mut at)?;
    let text = take(&mut at, length)?;
    let (blocks, length) = (word(&mut at)?, word(&mut at)?);
    let index = take(&mut at, blocks.checked_mul(INDEX_ITEM).ok_or_else(short)?)?;
    let data = take(&mut at, length)?;
    let end = at;
    let checksum = word(&mut at)?;
    if at != bytes.len() {
        return Err(Fault::Damaged("unexpected bytes after the end"));
    }
    if crc32fast::hash(&bytes[..end]) as usize != checksum {
        return Err(Fault::Damaged("wrong checksum"));
    }
    let header = serde_json::from_slice(&bytes[text]).map_err(|_| Fault::Damaged("its header"))?;
    Ok((header, index, data))
}
