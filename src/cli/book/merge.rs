//! `damier book merge`.

use super::count;
use crate::cli::{Command, Failure, GivenOptions, print, print_json};
use damier::lab::book;
use serde::Serialize;
use std::borrow::Cow;
use std::path::PathBuf;

/// Merge the searches of other journals into a journal
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier book merge my.dbj my.dbj.1-of-8")]
pub(in crate::cli) struct MergeArgs {
    /// The journal that the others are added to
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,
    /// Journals with the same settings, or shards of the next round
    #[arg(value_name = "OTHER", required = true)]
    pub others: Vec<PathBuf>,
    /// Merge searches even if they are out of order
    #[arg(long)]
    pub any_order: bool,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for MergeArgs {
    const NAME: &'static str = "merge";

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.journal.clone()]
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let merged = book::merge(&self.journal, &self.others, self.any_order)?;
        let object = MergeObject {
            journal: self.journal.to_string_lossy(),
            positions: merged.positions,
            searches: merged.had + merged.added + merged.out_of_order,
            added: merged.added + merged.out_of_order,
            out_of_order: merged.out_of_order,
        };
        if self.json {
            return print_json(&object);
        }
        print(&format!(
            "{}: {}; searches added: {}, out of order: {}",
            object.journal,
            count(object.positions, "position"),
            object.added,
            object.out_of_order
        ))
    }
}

/// What `book merge --json` prints.
#[derive(Serialize)]
struct MergeObject<'a> {
    journal: Cow<'a, str>,
    positions: u64,
    searches: u64,
    added: u64,
    out_of_order: u64,
}
