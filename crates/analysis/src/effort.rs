//! How hard something is for a search.

/// Depth and nodes from which on a search gets something right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Depth of that iteration, in plies.
    pub depth: u32,
    /// Nodes up to its end.
    pub nodes: u64,
}

impl Effort {
    /// The grade: 1 where up to 1,000 nodes were needed, 2 up to 10,000, 3 up to 100,000, 4 where more.
    pub fn grade(&self) -> u32 {
        match self.nodes {
            ..=1_000 => 1,
            1_001..=10_000 => 2,
            10_001..=100_000 => 3,
            _ => 4,
        }
    }
}
