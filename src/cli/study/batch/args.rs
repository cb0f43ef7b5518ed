//! The arguments of every command that works on many games.

use crate::cli::shared_args::{EncodingArgs, WorkerArgs};
use damier::os::shard::Shard;

/// How the games are divided.
#[derive(clap::Args, Debug)]
pub(in crate::cli::study) struct BatchArgs {
    /// Take only the I-th of N shares of the games
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: Shard,
    #[command(flatten)]
    pub workers: WorkerArgs,
    #[command(flatten)]
    pub text: EncodingArgs,
}
