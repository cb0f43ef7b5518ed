use std::fmt;
use std::str::FromStr;

/// How many units a network has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Size {
    /// 64 hidden units for a view, no second layer.
    Small,
    /// 128, no second layer.
    Medium,
    /// 256, no second layer.
    Large,
    /// 128, and a second layer of 8 units.
    #[default]
    Deep,
}

/// Work on a network whose numbers of units are constants.
pub trait BySize {
    /// Result of the call.
    type Output;

    /// `H` hidden units for a view, `D` units of the second layer.
    fn with<const H: usize, const D: usize>(self) -> Self::Output;
}

impl Size {
    /// All sizes.
    pub const ALL: [Size; 4] = [Size::Small, Size::Medium, Size::Large, Size::Deep];
    /// Units of a second layer.
    pub const SECOND: usize = 8;

    /// Hidden units for a view, and units of the second layer for a bucket; 0 where there is none.
    pub const fn units(self) -> (usize, usize) {
        match self {
            Size::Small => (64, 0),
            Size::Medium => (128, 0),
            Size::Large => (256, 0),
            Size::Deep => (128, Size::SECOND),
        }
    }

    /// The size with these units.
    pub fn of(hidden: usize, second: usize) -> Option<Size> {
        let mut sizes = Size::ALL.into_iter();
        sizes.find(|size| size.units() == (hidden, second))
    }

    /// Does the work with this size's units.
    pub fn dispatch<Task: BySize>(self, task: Task) -> Task::Output {
        match self {
            Size::Small => task.with::<64, 0>(),
            Size::Medium => task.with::<128, 0>(),
            Size::Large => task.with::<256, 0>(),
            Size::Deep => task.with::<128, { Size::SECOND }>(),
        }
    }
}

/// `network-128`, `network-128x8`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.units() {
            (hidden, 0) => write!(f, "network-{hidden}"),
            (hidden, second) => write!(f, "network-{hidden}x{second}"),
        }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let found = Size::ALL.into_iter().find(|size| size.to_string() == text);
        found.ok_or_else(|| {
            let names = Size::ALL.map(|size| size.to_string());
            format!("expected one of {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Units;

    impl BySize for Units {
        type Output = (usize, usize);

        fn with<const H: usize, const D: usize>(self) -> (usize, usize) {
            (H, D)
        }
    }

    #[test]
    fn a_size_is_dispatched_to_its_own_units() {
        for size in Size::ALL {
            let (hidden, second) = size.units();
            assert_eq!(size.dispatch(Units), (hidden, second));
            assert_eq!(Size::of(hidden, second), Some(size));
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        assert_eq!(Size::of(64, 8), None);
        assert!("network-64x8".parse::<Size>().is_err());
    }
}
