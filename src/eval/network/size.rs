use std::fmt;

/// How large a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Hidden units of a view.
    pub hidden: usize,
    /// Units of the second layer, for each bucket: [`Size::SECOND`], or 0 for no second layer.
    pub second: usize,
}

impl Size {
    /// Units of a second layer.
    pub const SECOND: usize = 8;

    /// The sizes that can be played with.
    pub const ALL: [Size; 4] = [
        Size::new(64, 0),
        Size::new(128, 0),
        Size::new(256, 0),
        Size::new(128, 8),
    ];

    /// A size by its numbers.
    pub const fn new(hidden: usize, second: usize) -> Size {
        Size { hidden, second }
    }
}

/// `128`, `128x8`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.hidden)?;
        match self.second {
            0 => Ok(()),
            second => write!(f, "x{second}"),
        }
    }
}
