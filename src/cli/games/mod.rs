//! `damier games`: a base of games in one file.

mod explore;
mod export;
mod filter;
mod import;
mod search;
mod show;
mod stat;
mod verify;

use super::command::{Entry, Group};
use super::{Failure, error};
use damier::base::{Base, BaseError, BaseErrorKind as Kind, Header, Tally};
use damier::notation::text::for_terminal;
use std::path::Path;

pub(super) const COMMANDS: Group = Group {
    name: "games",
    about: "Keep games in a base: import PDN, search, explore, export",
    after_help: "Example: damier games import club.pdn --base my.games",
    entries: &[
        Entry::of::<import::ImportArgs>(),
        Entry::of::<search::SearchArgs>(),
        Entry::of::<explore::ExploreArgs>(),
        Entry::of::<show::ShowArgs>(),
        Entry::of::<export::ExportArgs>(),
        Entry::of::<stat::StatArgs>(),
        Entry::of::<verify::VerifyArgs>(),
    ],
};

/// The base, which every command needs.
#[derive(clap::Args, Debug)]
struct BaseArgs {
    /// The base
    #[arg(long, value_name = "BASE")]
    base: std::path::PathBuf,
}

impl BaseArgs {
    fn open(&self) -> Result<Base, Failure> {
        Ok(Base::open(&self.base)?)
    }
}

impl From<BaseError> for Failure {
    /// What is wrong, and what can be done.
    fn from(problem: BaseError) -> Failure {
        let advice = match problem.kind {
            Kind::Search(wrong) => return Failure::Usage(wrong.to_string()),
            Kind::Missing => "`damier games import` makes one",
            Kind::NotABase => "give --base another name, or import PDN into a new one",
            Kind::Newer { .. } => "use that version, or export the games with it",
            Kind::Locked => "try again when it is done",
            Kind::Damaged(_) => {
                "nothing was changed; take a copy, or `damier games export` what can be read"
            }
            Kind::ReadOnly => "make it writable, or import into a copy",
            Kind::Full => "nothing is lost; make room, and the same command goes on",
            _ => return error(problem),
        };
        error(format!("{problem}; {advice}"))
    }
}

/// A game in one line.
fn line(header: &Header) -> String {
    let name = |name: &Option<String>| for_terminal(name.as_deref().unwrap_or("?"));
    let date = header
        .date
        .map_or("????.??.??".to_owned(), |day| day.to_string());
    let event = header
        .event
        .as_deref()
        .map_or(String::new(), |event| format!("  {}", for_terminal(event)));
    format!(
        "{:>7}  {date}  {:<3}  {} - {}{event}, {} moves",
        header.game,
        header.result,
        name(&header.white),
        name(&header.black),
        header.plies.div_ceil(2),
    )
}

/// Results in words: `3 games: 1 won by white, 2 drawn, 0 won by black`.
fn results(tally: &Tally) -> String {
    let other = match tally.other {
        0 => String::new(),
        other => format!(", {other} without a result"),
    };
    format!(
        "{}: {} won by white, {} drawn, {} won by black{other}",
        super::progress::counted(tally.games, "game"),
        tally.white,
        tally.draws,
        tally.black
    )
}

/// The name of a file for messages.
fn shown(path: &Path) -> String {
    for_terminal(&path.to_string_lossy())
}
