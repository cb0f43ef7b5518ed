//! `damier manual`.

use crate::cli::{Command, Failure, GivenOptions, error, root};
use clap_mangen::Man;
use damier::engine::PROGRAM;
use damier::os::files;
use std::fs;
use std::path::{Path, PathBuf};

/// What a page begins with: no other file is replaced.
const MAGIC: &[u8] = b".ie \\n(.g";

/// Write a manual page of each command, for `man`
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Example: damier manual ~/.local/share/man/man1
`man damier-analyze` then shows the page of `damier analyze`.")]
pub(in crate::cli) struct ManualArgs {
    /// The folder for the pages; it is created
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

impl Command for ManualArgs {
    const NAME: &'static str = "manual";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let fail = |problem| error(format!("{}: {problem}", self.folder.display()));
        fs::create_dir_all(&self.folder).map_err(fail)?;
        let mut command = root().disable_help_subcommand(true);
        command.build();
        write_pages(&command, "damier", &self.folder)
    }
}

/// The page with the indented lines of its last section, tables and examples, as they are in the help: a manual page
/// fills lines otherwise.
fn with_columns(page: &str) -> String {
    const LAST: &str = "\n.SH EXTRA\n";
    let Some((before, last)) = page.split_once(LAST) else {
        return page.to_owned();
    };
    let mut lines = Vec::from([before, ".SH NOTES"]);
    let mut is_kept = false;
    for line in last.lines() {
        if is_kept != line.starts_with("  ") {
            is_kept = !is_kept;
            lines.push(if is_kept { ".nf" } else { ".fi" });
        }
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

/// Writes the page of a command of this name, and those of the commands below it.
fn write_pages(command: &clap::Command, name: &str, folder: &Path) -> Result<(), Failure> {
    let mut page = Vec::new();
    Man::new(command.clone().display_name(name))
        .title(name)
        .source(PROGRAM)
        .render(&mut page)?;
    let page = with_columns(&String::from_utf8_lossy(&page));
    let file = folder.join(format!("{name}.1"));
    files::replace(&file, MAGIC, page.as_bytes())
        .map_err(|problem| error(format!("{}: {problem}", file.display())))?;
    for below in command.get_subcommands() {
        write_pages(below, &format!("{name}-{}", below.get_name()), folder)?;
    }
    Ok(())
}
