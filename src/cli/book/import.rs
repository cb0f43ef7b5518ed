//! `damier book import`.

use super::{count, read_text, write_file};
use crate::cli::shared_args::EncodingArgs;
use crate::cli::{Command, Failure, GivenOptions, error, print};
use damier::book::{Book, MAGIC};
use damier::lab::book;
use std::path::PathBuf;

/// Convert JSON written by export into a book
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier book import my.json --out my.dbk")]
pub(in crate::cli) struct ImportArgs {
    /// JSON that damier book export wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub text: EncodingArgs,
}

impl Command for ImportArgs {
    const NAME: &'static str = "import";

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.out.clone()]
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let text = read_text(&self.file, self.text)?;
        let json = text.trim_start_matches('\u{feff}');
        let bytes = book::from_json(&self.file, json.as_bytes())?;
        let book = Book::from_bytes(bytes.clone()).map_err(error)?;
        write_file(&self.out, MAGIC, &bytes)?;
        print(&format!(
            "{}: {}",
            self.out.display(),
            count(book.header().positions, "position")
        ))
    }
}
