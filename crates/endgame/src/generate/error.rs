use crate::{Slice, StoreError};

/// Why tables were not built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The slice has a win of more than 253 plies, which does not fit a byte.
    #[error("{0}: a win takes more than 253 plies")]
    TooLong(Slice),
    /// A slice on which this one depends is missing.
    #[error("{0} depends on {1}, which is missing: build that first")]
    Missing(Slice, Slice),
    /// A missing slice, without its name.
    #[error("a slice reached by a capture or promotion is missing")]
    MissingChild,
    /// The value of a position, given by its slot, does not follow from its successors: a software or hardware error.
    #[error("{0}: position {1} contradicts its successors (faulty memory?); nothing was written")]
    Inconsistent(Slice, u64),
    /// No threads can be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
