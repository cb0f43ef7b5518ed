//! `damier games export`.

use super::filter::GamesArgs;
use super::shown;
use crate::cli::{Command, Failure, GivenOptions, error, print, progress};
use damier::base::{Base, Search};
use damier::os::files::AtomicFile;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Write games as PDN: all games, or a selection
///
/// Example: damier games export --base my.games --player sijbrands --out sijbrands.pdn
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ExportArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// The file to write [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Command for ExportArgs {
    const NAME: &'static str = "export";

    fn outputs(&self) -> Vec<PathBuf> {
        self.out.iter().cloned().collect()
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let search = self.games.search()?;
        let base = self.games.base.open()?;
        let Some(name) = &self.out else {
            let mut out = BufWriter::new(io::stdout().lock());
            write_games(&base, &search, &mut out)?;
            return Ok(out.flush()?);
        };
        let fail = |problem: &dyn std::fmt::Display| error(format!("{}: {problem}", shown(name)));
        let file =
            AtomicFile::begin(name, b"[", &[] as &[&Path]).map_err(|problem| fail(&problem))?;
        let mut out = BufWriter::new(file.file());
        let count = write_games(&base, &search, &mut out).map_err(|problem| match problem {
            Failure::Io(problem) => fail(&problem),
            other => other,
        })?;
        out.flush().map_err(|problem| fail(&problem))?;
        drop(out);
        file.commit().map_err(|problem| fail(&problem))?;
        print(&format!(
            "{}: {}",
            shown(name),
            progress::counted(count, "game")
        ))
    }
}

fn write_games(base: &Base, search: &Search, out: &mut impl Write) -> Result<u64, Failure> {
    let mut count = 0;
    for hit in base.query(search)?.hits()? {
        writeln!(out, "{}\n", base.pdn(hit?.game)?)?;
        count += 1;
    }
    Ok(count)
}
