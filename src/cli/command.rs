//! What a command is, and how its name leads to it.

use super::Failure;
use super::engine_args::{AcceptedOptions, GivenOptions};
use clap::{ArgMatches, Args};
use std::path::PathBuf;

/// A command. Its arguments are its fields, its help is its documentation.
pub(super) trait Command: Args {
    const NAME: &'static str;
    /// The engine options that it takes.
    const ENGINE: AcceptedOptions = AcceptedOptions::NONE;

    /// The files that it writes.
    fn outputs(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Executes it with the engine options given.
    fn run(&self, engine: &GivenOptions) -> Result<(), Failure>;
}

/// A command whose arguments have been read.
pub(super) trait Ready {
    /// As [`Command::outputs`].
    fn outputs(&self) -> Vec<PathBuf>;
    /// As [`Command::run`].
    fn run(&self, engine: &GivenOptions) -> Result<(), Failure>;
}

impl<C: Command> Ready for C {
    fn outputs(&self) -> Vec<PathBuf> {
        Command::outputs(self)
    }

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        Command::run(self, engine)
    }
}

/// A row of the list of commands.
pub(super) enum Entry {
    Leaf(Leaf),
    Group(Group),
}

/// A command in the list.
#[derive(Clone, Copy)]
pub(super) struct Leaf {
    name: &'static str,
    pub engine: AcceptedOptions,
    arguments: fn(clap::Command) -> clap::Command,
    read: fn(&ArgMatches) -> Result<Box<dyn Ready>, clap::Error>,
}

/// Commands under a common name.
pub(super) struct Group {
    pub name: &'static str,
    pub about: &'static str,
    pub after_help: &'static str,
    pub entries: &'static [Entry],
}

impl Entry {
    /// The row of a command.
    pub const fn of<C: Command + 'static>() -> Entry {
        Entry::Leaf(Leaf {
            name: C::NAME,
            engine: C::ENGINE,
            arguments: C::augment_args,
            read: |matches| Ok(Box::new(C::from_arg_matches(matches)?)),
        })
    }

    pub fn name(&self) -> &'static str {
        match self {
            Entry::Leaf(leaf) => leaf.name,
            Entry::Group(group) => group.name,
        }
    }

    /// Arguments or subcommands. `parent`: the names before this one, each followed by a space.
    fn clap(&self, parent: &str) -> clap::Command {
        match self {
            Entry::Leaf(leaf) => leaf.clap(parent),
            Entry::Group(group) => {
                let parent = format!("{parent}{} ", group.name);
                let command = clap::Command::new(group.name)
                    .about(group.about)
                    .after_help(group.after_help)
                    .subcommand_required(true)
                    .arg_required_else_help(true);
                add_all(command, group.entries, &parent)
            }
        }
    }
}

impl Leaf {
    /// Arguments of the command.
    pub fn clap(&self, parent: &str) -> clap::Command {
        let command = (self.arguments)(clap::Command::new(self.name));
        let command = self
            .engine
            .add_to(command, &format!("{parent}{}", self.name));
        command.mut_args(|arg| match arg.get_action().takes_values() {
            // A value of -1 is refused as a value rather than as an unknown option.
            true => arg.allow_negative_numbers(true),
            false => arg,
        })
    }

    /// The command with these arguments, and the engine options among them.
    pub fn read(
        &self,
        matches: &ArgMatches,
    ) -> Result<(Box<dyn Ready>, GivenOptions), clap::Error> {
        Ok(((self.read)(matches)?, self.engine.read(matches)))
    }
}

/// Adds the commands of a list.
pub(super) fn add_all<'a>(
    command: clap::Command,
    entries: impl IntoIterator<Item = &'a Entry>,
    parent: &str,
) -> clap::Command {
    command.subcommands(entries.into_iter().map(|entry| entry.clap(parent)))
}

/// The command of this name, such as `perft` or `endgame build`.
pub(super) fn find(
    mut entries: impl Iterator<Item = &'static Entry>,
    name: &str,
) -> Option<&'static Leaf> {
    let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
    match entries.find(|entry| entry.name() == first)? {
        Entry::Leaf(leaf) => rest.is_empty().then_some(leaf),
        Entry::Group(group) => find(group.entries.iter(), rest),
    }
}

/// The name of the command in the arguments, empty for none, and its own arguments.
pub(super) fn called(matches: &ArgMatches) -> (String, &ArgMatches) {
    let (mut names, mut level) = (Vec::new(), matches);
    while let Some((name, below)) = level.subcommand() {
        names.push(name);
        level = below;
    }
    (names.join(" "), level)
}
