//! The `damier` binary.

use std::process::ExitCode;

use damier::engine::{Engine, Options};
use damier::hub::{self, EnginePlayer};

fn main() -> ExitCode {
    let Ok(engine) = Engine::new(Options::default()) else {
        return ExitCode::FAILURE;
    };
    match hub::run_on_stdio(EnginePlayer::new(engine)) {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
