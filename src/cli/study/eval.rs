//! `damier eval`.

use crate::cli::shared_args::position;
use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error};
use damier::engine::{Engine, Options};
use damier::terminal::eval::Judgement;
use std::io::{self, Write};

/// Evaluate a position without a search, with the value of each piece
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier eval \"W:W31-50:B1-20\"")]
pub(in crate::cli) struct EvalArgs {
    /// The position, as FEN or in Hub notation [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for EvalArgs {
    const NAME: &'static str = "eval";
    const ENGINE: AcceptedOptions = AcceptedOptions::of(&[&["weights"]]);

    fn run(&self, engine: &GivenOptions) -> Result<(), Failure> {
        let weights = engine.file_options()?.weights;
        let position = position(self.fen.as_deref())?;
        // Of the file of options only the weights matter: no table and no endgame tables are used.
        let options = Options {
            weights,
            ..Options::default()
        };
        let judgement = Judgement::new(&Engine::new(options).map_err(error)?, &position);
        let mut out = io::stdout().lock();
        match self.json {
            true => writeln!(out, "{}", judgement.to_json())?,
            false => writeln!(out, "{judgement}")?,
        }
        Ok(out.flush()?)
    }
}
