//! How puzzles are written.

use super::{HEADER, MineArgs};
use crate::cli::progress::counted;
use crate::cli::study::list::ListedKind;
use crate::cli::{Failure, error, json, warn};
use damier::analysis::Seen;
use damier::analysis::mine::MinedPuzzleObject;
use damier::engine::NAME_AND_VERSION;
use std::io::Write;

/// How a puzzle is written.
enum Form {
    /// With the name of the annotator.
    Pdn(String),
    Suite,
    Json,
}

impl Form {
    fn write(&self, out: &mut dyn Write, puzzle: &MinedPuzzleObject) -> Result<(), Failure> {
        match self {
            Form::Pdn(by) => write!(out, "{}", puzzle.to_pdn(by).map_err(error)?)?,
            Form::Suite => writeln!(out, "{}", puzzle.to_suite())?,
            Form::Json => writeln!(out, "{}", json(puzzle))?,
        }
        Ok(())
    }
}

pub(super) struct Puzzles {
    form: Form,
    seen: Seen,
    written: u64,
}

impl Puzzles {
    pub fn new(args: &MineArgs) -> Puzzles {
        let by = format!("{NAME_AND_VERSION}, {} nodes", args.nodes);
        Puzzles {
            form: match (args.suite, args.json) {
                (true, _) => Form::Suite,
                (_, true) => Form::Json,
                _ => Form::Pdn(by),
            },
            seen: Seen::default(),
            written: 0,
        }
    }
}

impl ListedKind for Puzzles {
    type Found = Vec<MinedPuzzleObject>;
    const THING: &'static str = "puzzle";

    fn header(&self) -> Option<&'static str> {
        matches!(self.form, Form::Suite).then_some(HEADER)
    }

    fn count(found: &Vec<MinedPuzzleObject>) -> u64 {
        found.len() as u64
    }

    fn write(&mut self, out: &mut dyn Write, found: Vec<MinedPuzzleObject>) -> Result<(), Failure> {
        for puzzle in found {
            if self.seen.insert(&puzzle.position().map_err(error)?) {
                self.form.write(out, &puzzle)?;
                self.written += 1;
            }
        }
        Ok(())
    }

    fn end(&self, games: u64) -> Result<(), Failure> {
        let (puzzles, games) = (counted(self.written, "puzzle"), counted(games, "game"));
        warn(&format!("{puzzles} in {games}"));
        Ok(())
    }
}
