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
    /// A slice that this one leads to is missing.
    #[error("{0} leads to {1}, which is missing: build that first")]
    Missing(Slice, Slice),
    /// As above, without the name of the missing slice.
    #[error("a slice that a capture or promotion leads to is missing")]
    MissingChild,
    /// The value of a position, given by its slot, does not follow from its successors: a fault of program or machine.
    #[error("{0}: position {1} contradicts its successors (faulty memory?); nothing was written")]
    Inconsistent(Slice, u64),
    /// No threads can be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
