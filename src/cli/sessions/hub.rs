//! `damier hub`.

use crate::cli::{AcceptedOptions, Command, Failure, GivenOptions, error};
use damier::engine::{Engine, EngineError, Options};
use damier::hub;

/// Speak the Hub protocol on stdin and stdout, for a graphical interface
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: damier hub --threads 2 --tt-size 24")]
pub(in crate::cli) struct HubArgs {
    /// Refuse parameters that name files or take memory or cores, for untrusted clients
    #[arg(long)]
    pub safe: bool,
}

impl Command for HubArgs {
    const NAME: &'static str = "hub";
    const ENGINE: AcceptedOptions = AcceptedOptions::ALL;

    /// Speaks Hub. Errors in the file of options go to the client, which may show them: stderr may be invisible.
    fn run(&self, given: &GivenOptions) -> Result<(), Failure> {
        let (config, mut problems) = given.lenient_config()?;
        let engine = usable_engine(config.engine, given, &mut problems)?;
        problems.iter().for_each(|problem| log::error!("{problem}"));
        let setting = hub::HubSettings {
            problems,
            safe: self.safe,
        };
        let exit = hub::run_on_stdio(engine, setting)?;
        log::info!("the session is over: {exit:?}");
        Ok(())
    }
}

/// An engine, with defaults for the options of a file that cannot be used.
fn usable_engine(
    mut options: Options,
    given: &GivenOptions,
    problems: &mut Vec<String>,
) -> Result<Engine, Failure> {
    loop {
        let failed = match Engine::new(options.clone()) {
            Ok(engine) => return Ok(engine),
            Err(error) => error,
        };
        let name = match failed {
            EngineError::Weights { .. } => "weights",
            EngineError::Endgame(_) => "endgame-dir",
            EngineError::Table(_) => "tt-size",
            EngineError::Cpu(_) | EngineError::DamagedWeights => return Err(error(failed)),
        };
        let default = Options::default().get(name).map_err(error)?;
        if given.value(name).is_some() || options.get(name).as_ref() == Ok(&default) {
            return Err(error(failed));
        }
        problems.push(failed.to_string());
        options.set(name, &default).map_err(error)?;
    }
}
