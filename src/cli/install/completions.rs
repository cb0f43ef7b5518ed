//! `damier completions`.

use crate::cli::{Command, Failure, GivenOptions, root};
use clap_complete::Shell;
use std::io::{self, Write};

/// Print a script that completes the command line in a shell
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  damier completions bash > ~/.local/share/bash-completion/completions/damier
  damier completions zsh > ~/.zfunc/_damier
  damier completions fish > ~/.config/fish/completions/damier.fish
  damier completions powershell >> $PROFILE")]
pub(in crate::cli) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

impl Command for CompletionsArgs {
    const NAME: &'static str = "completions";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut root(), "damier", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}
