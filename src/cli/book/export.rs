//! `damier book export`.

use super::{PDN, count, hundredths, read, write_file};
use crate::cli::shared_args::whole;
use crate::cli::{Command, Failure, GivenOptions, error, print};
use damier::book::{Book, MAGIC};
use damier::lab::book::{self, JsonBook, Selection};
use std::fs;
use std::path::PathBuf;

const HELP: &str = "\
The end of the name decides the form: .dbk is a book to play from, .json the whole book as text (damier book import \
reads it), .pdn a game with variations to look through.

  damier book export my.dbj --out my.dbk
  damier book export my.dbj --out small.dbk --max-bytes 512000
  damier book export my.dbk --out my.pdn --plies 10
";

/// Write a book, as a file to play from or as text
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub(in crate::cli) struct ExportArgs {
    /// A book or a journal
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The file to write: .dbk, .json or .pdn
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Maximum number of positions; those on the cheapest lines are kept (journals only)
    #[arg(long, value_parser = whole::<usize>(1..), value_name = "N")]
    pub positions: Option<usize>,
    /// Maximum size of a .dbk in bytes
    #[arg(long, value_parser = whole::<usize>(1..), value_name = "N")]
    pub max_bytes: Option<usize>,
    /// Drop moves this many men worse than the best, unless the book continues after them
    #[arg(long, value_name = "MEN", default_value = "0.4", value_parser = hundredths)]
    pub within: u32,
    /// Maximum length of lines in a .pdn, in plies
    #[arg(long, value_parser = whole::<usize>(0..), value_name = "N", default_value_t = 10)]
    pub plies: usize,
}

impl Command for ExportArgs {
    const NAME: &'static str = "export";

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.out.clone()]
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let selection = Selection {
            positions: self.positions.unwrap_or(usize::MAX),
            bytes: self.max_bytes.unwrap_or(usize::MAX),
            within: self.within,
        };
        let limited = self.positions.is_some() || self.max_bytes.is_some();
        let bytes = match book::is_journal(&self.file) {
            true => {
                let mut contents = book::read_journal(&self.file)?;
                contents.close();
                book::compile(&mut contents.graph, &selection)
            }
            false if limited => {
                let message = "--positions and --max-bytes need a journal: a book does not store the costs of lines";
                return Err(Failure::Usage(message.to_owned()));
            }
            false => {
                Book::open(&self.file)?;
                read(&self.file)?
            }
        };
        let extension = self
            .out
            .extension()
            .and_then(|extension| extension.to_str());
        let book = Book::from_bytes(bytes.clone()).map_err(error)?;
        match extension {
            Some("dbk") => write_file(&self.out, MAGIC, &bytes)?,
            Some("json") => {
                let object = JsonBook::new(&book).map_err(error)?;
                let mut text = serde_json::to_vec(&object).map_err(error)?;
                text.push(b'\n');
                write_file(&self.out, b"{\"program\":", &text)?;
            }
            Some("pdn") => {
                let mut text = Vec::new();
                book::write_pdn(&book, self.plies, &mut text)?;
                write_file(&self.out, PDN, &text)?;
            }
            _ => {
                return Err(Failure::Usage(format!(
                    "{}: expected a name that ends in .dbk, .json or .pdn",
                    self.out.display()
                )));
            }
        }
        let (positions, size) = (book.header().positions, fs::metadata(&self.out)?.len());
        print(&format!(
            "{}: {}, {size} bytes",
            self.out.display(),
            count(positions, "position")
        ))
    }
}
