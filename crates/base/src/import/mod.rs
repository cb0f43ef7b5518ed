//! PDN into a base: batch after batch, each a transaction that says how far the file was read.

mod read;

use crate::file::write::{Names, Writer};
use crate::file::{collections, names};
use crate::{Base, BaseError, BaseErrorKind as Kind};
use damier_rules::notation::pdn::PdnError;
use damier_text::{DetectedEncoding, Encoding, Utf8Reader};
use read::{Item, Start, read};
pub(crate) use read::{Prepared, number};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};

/// Games that wait between the threads of an import.
const WAITING: usize = 64;
/// Bytes by which a file is known again, from its beginning.
const HEAD: u64 = 1 << 16;

/// Games after which the observer is told.
const PULSE: u64 = 256;

/// How an import is done.
#[derive(Clone, Debug)]
pub struct ImportSettings {
    /// Most games of a transaction: what an interruption costs.
    pub batch: u64,
    /// The encoding of the text, where it is known.
    pub encoding: Option<Encoding>,
    /// The collection that the games belong to, those that are there already too.
    pub collection: Option<String>,
    /// Leave out the check that the base is not damaged, which reads all of it.
    pub unchecked: bool,
}

impl Default for ImportSettings {
    fn default() -> ImportSettings {
        ImportSettings {
            batch: 10_000,
            encoding: None,
            collection: None,
            unchecked: false,
        }
    }
}

/// How far an import is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Bytes of text read.
    pub bytes: u64,
    /// Games stored.
    pub games: u64,
    /// Games that were there already.
    pub duplicates: u64,
    /// Games that could not be read.
    pub left_out: u64,
}

impl Progress {
    fn read(&self) -> u64 {
        self.games + self.duplicates + self.left_out
    }
}

/// What an import came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Imported {
    /// The name of the file.
    pub file: String,
    /// Games stored.
    pub games: u64,
    /// Games that were there already.
    pub duplicates: u64,
    /// Games that could not be read.
    pub left_out: u64,
    /// Games read by an earlier import that was interrupted; the other numbers include them.
    pub resumed: u64,
    /// Whether it was stopped; it goes on with the same file.
    pub stopped: bool,
    /// The encoding of the text; UTF-8 where all of it is.
    #[serde(serialize_with = "as_text")]
    pub encoding: Encoding,
}

fn as_text<S: serde::Serializer>(encoding: &Encoding, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(encoding)
}

/// Callbacks of an import; `()` ignores them.
pub trait Observer {
    /// Some games were read. False stops the import, which can be resumed.
    fn progress(&mut self, _: &Progress) -> bool {
        true
    }

    /// A game cannot be read and is left out.
    fn left_out(&mut self, _: &PdnError) {}
}

impl Observer for () {}

/// What of a file is in the base.
struct Known {
    /// Row of the file.
    row: i64,
    collection: Option<i64>,
    progress: Progress,
}

impl Base {
    /// Imports the games of a text. A game with the same headers and moves as another is a duplicate.
    ///
    /// # Errors
    /// The text cannot be read, or the base cannot be written to. Games of whole batches stay.
    pub fn import(
        &mut self,
        name: &str,
        text: impl Read + Send,
        settings: &ImportSettings,
        observer: &mut dyn Observer,
    ) -> Result<Imported, BaseError> {
        self.import_from(name, text, None, settings, observer)
    }

    /// Imports the games of a file. Resumes an interrupted import of the same file.
    ///
    /// # Errors
    /// As [`Base::import`].
    pub fn import_file(
        &mut self,
        name: &Path,
        mut file: File,
        settings: &ImportSettings,
        observer: &mut dyn Observer,
    ) -> Result<Imported, BaseError> {
        let known = identity(name, &mut file, settings.encoding);
        let identity = known.map_err(|error| of_input(name, error))?;
        self.import_from(
            &name.to_string_lossy(),
            file,
            Some(&identity),
            settings,
            observer,
        )
    }

    fn import_from(
        &mut self,
        name: &str,
        text: impl Read + Send,
        identity: Option<&[u8]>,
        settings: &ImportSettings,
        observer: &mut dyn Observer,
    ) -> Result<Imported, BaseError> {
        let begun = self.begin(name, identity, settings);
        let known = self.named(begun)?;
        let text = Utf8Reader::new(text, settings.encoding);
        let taken = text.taken();
        let resumed = known.progress.read();
        let start = Start {
            offset: known.progress.bytes,
            games: resumed as usize,
        };
        let (sender, receiver) = sync_channel(WAITING);
        let stored = std::thread::scope(|scope| {
            scope.spawn(move || read(text, start, &sender));
            // The receiver goes before the thread is waited for.
            store(&mut self.connection, receiver, known, settings, observer)
        });
        let _ = self
            .connection
            .execute_batch("PRAGMA locking_mode = NORMAL; SELECT id FROM batches LIMIT 1");
        match stored {
            Ok((progress, stopped)) => Ok(imported(name, &progress, resumed, stopped, &taken)),
            Err(ImportEnd::Base(kind)) => self.named(Err(kind)),
            Err(ImportEnd::Input(error)) => Err(of_input(Path::new(name), error)),
        }
    }

    /// Locks the base for this import, checks it, and looks up how far the file was read.
    fn begin(
        &mut self,
        name: &str,
        identity: Option<&[u8]>,
        settings: &ImportSettings,
    ) -> Result<Known, Kind> {
        self.check_keys()?;
        let connection = &mut self.connection;
        // 64 MiB of pages are kept.
        connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536")?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
        if !settings.unchecked {
            quick_check(&transaction)?;
        }
        names::refold(&transaction)?;
        let name_of = settings.collection.as_deref();
        let collection = name_of
            .map(|name| collections::number(&transaction, name))
            .transpose()?;
        let there = "SELECT id, offset, games, duplicates, left_out FROM files WHERE identity = ?1 AND NOT done";
        let there = transaction.query_row(there, [identity], |row| {
            let progress = Progress {
                bytes: row.get(1)?,
                games: row.get(2)?,
                duplicates: row.get(3)?,
                left_out: row.get(4)?,
            };
            Ok(Known {
                row: row.get(0)?,
                collection,
                progress,
            })
        });
        let known = match there.optional()? {
            Some(known) => known,
            None => {
                transaction.execute(
                    "INSERT INTO files (name, identity, offset, games, duplicates, left_out, done)
                     VALUES (?1, ?2, 0, 0, 0, 0, FALSE)",
                    params![name, identity],
                )?;
                Known {
                    row: transaction.last_insert_rowid(),
                    collection,
                    progress: Progress::default(),
                }
            }
        };
        transaction.commit()?;
        Ok(known)
    }
}

/// Fails where the structure of the file is damaged.
pub(crate) fn quick_check(connection: &Connection) -> Result<(), Kind> {
    let said: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match said.as_str() {
        "ok" => Ok(()),
        _ => Err(Kind::Damaged(said.lines().collect::<Vec<_>>().join(" "))),
    }
}

/// An error of the file that is imported.
fn of_input(name: &Path, error: io::Error) -> BaseError {
    BaseError {
        path: PathBuf::from(name),
        kind: Kind::Io(error),
    }
}

fn imported(
    name: &str,
    progress: &Progress,
    resumed: u64,
    stopped: bool,
    taken: &DetectedEncoding,
) -> Imported {
    Imported {
        file: name.to_owned(),
        games: progress.games,
        duplicates: progress.duplicates,
        left_out: progress.left_out,
        resumed,
        stopped,
        encoding: taken.get(),
    }
}

/// What ends an import before its time.
enum ImportEnd {
    Base(Kind),
    Input(io::Error),
}

impl<E: Into<Kind>> From<E> for ImportEnd {
    fn from(error: E) -> ImportEnd {
        ImportEnd::Base(error.into())
    }
}

/// Stores what comes, and says how far that is and whether it was stopped.
fn store(
    connection: &mut Connection,
    games: Receiver<io::Result<Item>>,
    known: Known,
    settings: &ImportSettings,
    observer: &mut dyn Observer,
) -> Result<(Progress, bool), ImportEnd> {
    let (mut progress, mut sound) = (known.progress, known.progress);
    let mut goes_on = true;
    let (mut players, mut events) = (Names::new("players"), Names::new("events"));
    loop {
        let transaction = connection.transaction()?;
        let mut writer = Writer::new(&transaction, known.collection)?;
        let mut count = 0;
        let mut is_end = false;
        // A batch ends behind a sound game: only there is it certain that the next one begins.
        while goes_on && count < settings.batch && !writer.is_full() {
            match games.recv() {
                Err(_) => {
                    is_end = true;
                    break;
                }
                Ok(Err(error)) => return Err(ImportEnd::Input(error)),
                Ok(Ok(Item::LeftOut(error))) => {
                    progress.left_out += 1;
                    observer.left_out(&error);
                    if progress.left_out % PULSE == 0 && !observer.progress(&progress) {
                        (progress, goes_on) = (sound, false);
                    }
                }
                Ok(Ok(Item::Game(game, next))) => {
                    match writer.add(&game, &mut players, &mut events)? {
                        true => progress.games += 1,
                        false => progress.duplicates += 1,
                    }
                    progress.bytes = next;
                    count += 1;
                    sound = progress;
                    goes_on = count % PULSE != 0 || observer.progress(&progress);
                }
            }
        }
        writer.finish()?;
        let Progress {
            bytes,
            games: stored,
            duplicates,
            left_out,
        } = progress;
        transaction.execute(
            "UPDATE files SET offset = ?2, games = ?3, duplicates = ?4, left_out = ?5, done = ?6 WHERE id = ?1",
            params![known.row, bytes, stored, duplicates, left_out, is_end],
        )?;
        transaction.commit()?;
        goes_on &= observer.progress(&progress);
        if is_end || !goes_on {
            return Ok((progress, !is_end));
        }
    }
}

/// What a file is known by when it comes again: name, length, beginning, and how it is read.
fn identity(name: &Path, file: &mut File, encoding: Option<Encoding>) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut head)?;
    file.rewind()?;
    let mut hash = Sha256::new();
    let place = std::path::absolute(name)?;
    hash.update(place.as_os_str().as_encoded_bytes());
    hash.update([0]);
    hash.update(file.metadata()?.len().to_be_bytes());
    hash.update(encoding.map_or(String::new(), |encoding| encoding.to_string()));
    hash.update([0]);
    hash.update(&head);
    Ok(hash.finalize().to_vec())
}
