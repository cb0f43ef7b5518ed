//! `damier endgame`: build, inspect and check endgame tables.

mod build;
mod convert;
mod embed;
mod probe;
mod stat;
mod verify;

use super::command::{Entry, Group};
use super::{Failure, GivenOptions, error, warn};
use damier::endgame::{ProblemReader, Tables};
use damier::engine::{Engine, Options};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const COMMANDS: Group = Group {
    name: "endgame",
    about: "Build, probe, count and check endgame tables",
    after_help: "Example: damier endgame probe W:WK26,K33,K31:BK4",
    entries: &[
        Entry::of::<build::BuildArgs>(),
        Entry::of::<probe::ProbeArgs>(),
        Entry::of::<stat::StatArgs>(),
        Entry::of::<verify::VerifyArgs>(),
        Entry::of::<convert::ConvertArgs>(),
        Entry::of::<embed::EmbedArgs>(),
    ],
};

/// Reports on stderr the endgame tables and the book that cannot be used, each once; those found last when it is
/// dropped.
pub(super) struct EngineProblems {
    tables: Arc<Tables>,
    reader: ProblemReader,
}

impl EngineProblems {
    /// Reports what is known already.
    pub fn of(engine: &Engine) -> EngineProblems {
        let problems = EngineProblems::of_tables(engine.tables());
        if let Some(problem) = engine.book_problem() {
            warn(problem);
        }
        problems
    }

    /// The same of endgame tables alone.
    pub fn of_tables(tables: &Arc<Tables>) -> EngineProblems {
        let mut problems = EngineProblems {
            tables: Arc::clone(tables),
            reader: ProblemReader::default(),
        };
        problems.report();
        problems
    }

    /// Reports what has been found since.
    pub fn report(&mut self) {
        for problem in self.reader.unseen(&self.tables) {
            warn(&problem);
        }
    }
}

impl Drop for EngineProblems {
    fn drop(&mut self) {
        self.report();
    }
}

/// Reports on stderr the first table that an engine with these options cannot use. Reads all files; a folder that
/// cannot be read is left to the engine.
pub(super) fn report_unusable(options: &Options) {
    if let Ok(tables) = Tables::open(dir_of(options).as_deref())
        && let Err(problem) = tables.check(options.bb_size as u8)
    {
        warn(&problem);
    }
}

/// Refuses options with an endgame table that an engine cannot use. Reads all files; a folder that cannot be read is
/// left to the engine.
pub(super) fn refuse_unusable(options: &Options) -> Result<(), Failure> {
    match Tables::open(dir_of(options).as_deref()) {
        Ok(tables) => Ok(tables.check(options.bb_size as u8).map_err(error)?),
        Err(_) => Ok(()),
    }
}

/// The folder in the options, if they name one.
fn dir_of(options: &Options) -> Option<PathBuf> {
    let dir = &options.endgame_dir;
    (!dir.as_os_str().is_empty()).then(|| dir.clone())
}

/// Opens tables that are asked for as such: any problem is an error.
fn open(dir: Option<&Path>) -> Result<Arc<Tables>, Failure> {
    let tables = Tables::open(dir).map_err(error)?;
    match tables.problems().first() {
        Some(problem) => Err(error(problem)),
        None => Ok(tables),
    }
}

/// The folder of `--dir`, or else that of the options.
fn folder(dir: Option<&PathBuf>, engine: &GivenOptions) -> Result<Option<PathBuf>, Failure> {
    match dir {
        Some(dir) => Ok(Some(dir.clone())),
        None => Ok(dir_of(&engine.file_options()?)),
    }
}
