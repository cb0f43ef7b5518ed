//! PDN given to `damier train`: imported, as by `damier dataset import`, to a file of games beside the weights.

use crate::cli::shared_args::EncodingArgs;
use crate::cli::{Failure, error, print, progress, warn};
use damier::engine::Options;
use damier::notation::text::for_terminal;
use damier::os::files;
use damier::os::signals::asked_to_end;
use damier::training::dataset::{Order, Reader};
use damier::training::selfplay::import::{self, Import, Imported};
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What `train` does with PDN among its files.
pub(super) struct PdnInput<'a> {
    /// The weights to be trained.
    pub out: &'a Path,
    /// Nodes for each position without a score.
    pub nodes: u64,
    pub text: EncodingArgs,
    pub threads: usize,
    pub json: bool,
}

/// The file of the games imported for weights.
pub(in crate::cli) fn imported(weights: &Path) -> PathBuf {
    files::beside(weights, ".pdn.dgr")
}

impl PdnInput<'_> {
    /// The files of games to train on: PDN is replaced by one file with the games of all of it, where the first of it
    /// stood.
    pub fn games(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let mut games = Vec::new();
        let mut is_there = false;
        for path in paths {
            match is_pdn(path) {
                true if is_there => {}
                true => {
                    is_there = true;
                    games.push(imported(self.out));
                }
                false => games.push(path.clone()),
            }
        }
        games
    }

    /// Imports the PDN among the files, once all others can be read. An import that was interrupted goes on; a complete
    /// one is used again.
    pub fn import(&self, paths: &[PathBuf]) -> Result<(), Failure> {
        let (pdn, games): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.iter().cloned().partition(|path| is_pdn(path));
        if pdn.is_empty() {
            return Ok(());
        }
        refuse_twice(&pdn)?;
        for path in &games {
            Reader::open(&[path], Order::Stored).map_err(error)?;
        }
        let import = Import {
            files: pdn,
            encoding: self.text.encoding,
            out: imported(self.out),
            nodes: self.nodes,
            search_all: false,
            engine: Options::default(),
            threads: self.threads,
        };
        let bar = progress::bar(0, "games of PDN");
        let found = import::import(&import, &mut |done, total| {
            progress::show(&bar, done, total);
            !asked_to_end()
        });
        bar.finish_and_clear();
        let found = found.map_err(|problem| {
            error(format!(
                "{problem}; `damier dataset import` makes a file of games elsewhere"
            ))
        })?;
        self.print_summary(&import.out, &found)?;
        if found.stopped {
            return Err(Failure::Error(format!(
                "stopped after {} games of PDN; the same command goes on with them",
                found.games
            )));
        }
        Ok(())
    }

    fn print_summary(&self, games: &Path, found: &Imported) -> Result<(), Failure> {
        for (file, encoding) in &found.encodings {
            self.text.print_note(file, *encoding);
        }
        for damage in &found.damages {
            warn(&format_args!("{}", for_terminal(damage)));
        }
        let games = games.display().to_string();
        match self.json {
            true => print(&json!({
                "imported": games,
                "games": found.games,
                "searched": found.searched,
                "left_out": found.left_out,
                "damages": found.damages.len(),
            })),
            false => print(&format_args!(
                "{}: {} games of PDN, {} positions searched, {} games without a result or a move left out",
                for_terminal(&games),
                found.games,
                found.searched,
                found.left_out
            )),
        }
    }
}

/// Games that stand twice would weigh twice.
fn refuse_twice(pdn: &[PathBuf]) -> Result<(), Failure> {
    let mut places = Vec::new();
    for path in pdn {
        let place = files::place(path);
        if places.contains(&place) {
            return Err(error(format!("{}: given twice", path.display())));
        }
        places.push(place);
    }
    Ok(())
}

/// Whether a file holds PDN, by its name or its first characters. A file that cannot be read does not: who reads the
/// games says why.
fn is_pdn(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = files::open_regular(path).and_then(|file| file.take(256).read_to_end(&mut start));
    if read.is_err() || start.starts_with(b"Damier") {
        return false;
    }
    let text = damier::text::decode(&start, None).text;
    let named = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("pdn"));
    named
        || text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with('[')
}
