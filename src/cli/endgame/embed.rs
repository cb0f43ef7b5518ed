//! `damier endgame embed`.

use crate::cli::shared_args::whole;
use crate::cli::{Command, Failure, GivenOptions, error, print};
use damier::endgame;
use damier::notation::text::for_terminal;
use std::path::PathBuf;

/// Join tables into one file, in the format of the tables in the program
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: damier endgame embed --dir tables --pieces 4 --out crates/endgame/tables/four.dgt"
)]
pub(in crate::cli) struct EmbedArgs {
    /// Folder of the tables
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
    /// Maximum number of pieces
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u8>(2..=6))]
    pub pieces: u8,
    /// File to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

impl Command for EmbedArgs {
    const NAME: &'static str = "embed";

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.out.clone()]
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let bytes = endgame::embed(&self.dir, self.pieces, &self.out).map_err(error)?;
        let out = self.out.display().to_string();
        let text = format!("{}: {bytes} bytes", for_terminal(&out));
        print(&text)
    }
}
