use damier_rules::Move;
use damier_rules::notation::fen::FenError;
use damier_rules::notation::moves::MoveError;

/// A wrong line of a file of positions.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}, line {line}: {kind}")]
pub struct LineError {
    /// The file as it was named.
    pub file: String,
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: LineErrorKind,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineErrorKind {
    /// The position.
    #[error(transparent)]
    Fen(FenError),
    /// A move of `bm` or `am`.
    #[error("{0}: {1}")]
    Move(&'static str, MoveError),
    /// A move twice in one list.
    #[error("{0} names {1} twice")]
    MoveTwice(&'static str, Move),
    /// Both `bm` and `am`.
    #[error("give bm (best moves) or am (moves to avoid), not both")]
    BestAndAvoid,
    /// All legal moves in `am`.
    #[error("am names every legal move")]
    AvoidsEveryMove,
    /// An unknown field.
    #[error("no field {0:?}; fields are bm, am, result, id, grade, proof and source")]
    UnknownField(String),
    /// A field given twice.
    #[error("{0} is given twice")]
    FieldTwice(&'static str),
    /// A field without a value.
    #[error("{0} has no value")]
    EmptyField(&'static str),
    /// A `result` other than `win`, `draw` or `loss`.
    #[error("result is win, draw or loss, not {0:?}")]
    Result(String),
    /// Neither `bm`, `am` nor `result`.
    #[error("nothing to find: give bm (best moves), am (moves to avoid) or result")]
    NothingToFind,
    /// The side to move has no move.
    #[error("the side to move has no legal move")]
    NoLegalMove,
}
