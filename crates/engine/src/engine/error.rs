use crate::search::TableError;
use damier_cpu::CpuError;
use damier_endgame::StoreError;

/// Why an engine cannot be created with these options.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The processor lacks what the search is compiled for, or the environment asks for another.
    #[error(transparent)]
    Cpu(#[from] CpuError),
    /// Not enough memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The folder of endgame tables cannot be read.
    #[error("endgame-dir: {0}")]
    Endgame(#[from] StoreError),
    /// The weights inside the program are damaged.
    #[error("the weights in the program are damaged: install it again")]
    DamagedWeights,
    /// The weights cannot be loaded.
    #[error("weights {file}: {why}")]
    Weights {
        /// The file, as the user named it.
        file: String,
        /// What is wrong with it.
        why: String,
    },
}
