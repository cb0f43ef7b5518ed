//! Work on many games: each on a thread of its own, in shards, with progress, resumed after any interruption.

mod args;
mod feed;
mod journal;
mod problems;
mod sink;
mod store;
mod tasks;

use super::input::GameInput;
use crate::cli::endgame::EngineProblems;
use crate::cli::{Failure, GivenOptions, error, progress};
pub(super) use args::BatchArgs;
use damier::analysis::Stop;
use damier::book::Book;
use damier::engine::{Engine, Options};
use damier::eval::WeightsFile;
use damier::os::pool::Order;
use damier::os::signals::{asked_to_end, note_requests_to_end};
use damier::search::Stopped;
use damier::search::params::Params;
pub(super) use feed::Feed;
pub(super) use journal::{Journal, Record};
use serde_json::{Value, json};
pub(super) use sink::{Sink, Target};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::iter;
use std::path::Path;
use store::Store;
pub(super) use tasks::{Task, run};

/// What a command does with games.
pub(super) struct Batch<'a> {
    pub command: &'static str,
    pub games: GameInput,
    pub args: &'a BatchArgs,
    /// The files that are written in the end; the journal is named after the first. Without one, games go to stdout.
    pub outputs: Vec<Target<'a>>,
    /// Options of each worker's engine.
    pub options: Options,
    pub uses_book: bool,
    /// What else a journal must agree on, an object.
    pub settings: Value,
}

impl Batch<'_> {
    /// Does the work, on as many threads as asked for, with a worker for each; all share the endgame tables. Damaged
    /// games are named; with one the exit code is 1.
    pub fn run<W: Send>(
        self,
        make: impl Fn(Engine) -> W,
        work: &(dyn Fn(&mut W, &Task, &Stop) -> Result<Record, Stopped> + Sync),
        sink: &mut dyn Sink,
    ) -> Result<(), Failure> {
        store::check(&self.games, &self.outputs)?;
        let engines = Engine::several(&self.options, self.args.workers.count()).map_err(error)?;
        let mut problems = EngineProblems::of(&engines[0]);
        let workers = engines.into_iter().map(make).collect();
        let mut store = Store::open(&self.outputs, &self.settings())?;
        let Batch { games, args, .. } = self;
        note_requests_to_end();
        let bar = progress::bar(games.total, "bytes");
        let mut feed = Feed::new(games, &args.shard, &bar);
        let resumed = store.resume(&mut feed);
        let mut begun = resumed.inspect_err(|_| bar.finish_and_clear())?;
        bar.set_position(feed.position());
        // The estimate is of the work to come.
        bar.reset_eta();
        bar.set_message(progress::counted(store.count(), "game"));
        let tasks = iter::from_fn(|| begun.pop_front().or_else(|| feed.next()));
        let work = |worker: &mut W, task: &Task, stop: &Stop| {
            let record = work(worker, task, stop)?;
            let checksum = Some(task.checksum);
            Ok((Record { checksum, ..record }, task.end))
        };
        let order = match store.is_resumable() {
            true => Order::AsReady,
            false => Order::Sequential,
        };
        let add = |(record, end): (Record, u64)| {
            let more = sink.count(&record);
            let added = bar.suspend(|| store.add(&record, sink));
            bar.set_position(bar.position().max(end));
            let games = progress::counted(store.count(), "game");
            bar.set_message(format!("{games}{more}"));
            added
        };
        let done = run(order, workers, tasks, work, asked_to_end, add);
        bar.finish_and_clear();
        problems.report();
        if !done? {
            return Err(store.interrupted());
        }
        if feed.is_empty() {
            store.discard()?;
            return Err(feed.broken.map_or(Failure::Reported, error));
        }
        store.finish(sink)?;
        match feed.broken {
            Some(message) => Err(error(message)),
            None if feed.damaged > 0 => Err(Failure::Reported),
            None => Ok(()),
        }
    }

    /// What a journal must agree on: command, input and engine. Of the weights and the book that is their contents too,
    /// as a file may be written anew under the same name, and another version of the program has others inside. Endgame
    /// tables are known by their folder: all that fit give the same values.
    fn settings(&self) -> Value {
        let (options, mut all) = (&self.options, self.settings.clone());
        let name = |path: &Path| path.display().to_string();
        all["command"] = json!(self.command);
        all["program"] = json!(env!("CARGO_PKG_VERSION"));
        all["inputs"] = json!(self.games.inputs);
        all["bytes"] = json!(self.games.lengths);
        all["shard"] = json!(self.args.shard.to_string());
        all["tt-size"] = json!(options.tt_size);
        all["weights"] = json!(name(&options.weights));
        all["bb-size"] = json!(options.bb_size);
        all["endgame-dir"] = json!(name(&options.endgame_dir));
        all["search"] = json!(options.search.to_string());
        all["files"] = json!({
            "weights": match options.weights.to_str() {
                Some(WeightsFile::NAME) => Some(crc32fast::hash(WeightsFile::EMBEDDED)),
                _ => checksum(&options.weights),
            },
        });
        if self.uses_book {
            all["book-file"] = json!(name(&options.book_file));
            all["files"]["book-file"] = json!(match options.book_file.to_str() {
                Some(Book::NAME) => Some(crc32fast::hash(Book::EMBEDDED)),
                _ => checksum(&options.book_file),
            });
        }
        // Journals of earlier versions say nothing of these.
        if let Some(encoding) = self.args.text.encoding {
            all["encoding"] = json!(encoding.name());
        }
        if options.params != Params::default() {
            all["param"] = json!(options.get("param").unwrap_or_default());
        }
        all
    }
}

/// The options of a worker's engine: as given, with one thread and a table of `2^tt_size` entries.
pub(super) fn options(given: &GivenOptions, tt_size: u32) -> Result<Options, Failure> {
    let options = given.config()?.engine;
    Ok(Options {
        tt_size,
        threads: 1,
        ..options
    })
}

/// CRC-32 of a file; None if it is not a regular file.
fn checksum(path: &Path) -> Option<u32> {
    // A pipe would block.
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let mut reader = BufReader::new(file?);
    let mut hasher = crc32fast::Hasher::new();
    loop {
        let piece = reader.fill_buf().ok()?;
        if piece.is_empty() {
            return Some(hasher.finalize());
        }
        hasher.update(piece);
        let length = piece.len();
        reader.consume(length);
    }
}
