//! Shares of numbered work, for several processes and machines.

use std::fmt;
use std::str::FromStr;

/// Most shares of one work.
const MOST: u64 = 1 << 20;

/// One of several shares of numbered work: the items whose index modulo `count` is `number - 1`.
///
/// ```
/// use damier_os::shard::Shard;
///
/// let third: Shard = "3/8".parse().unwrap();
/// assert!(third.holds(2) && third.holds(10) && !third.holds(3));
/// assert_eq!(third.items_below(11), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: u64,
    count: u64,
}

impl Shard {
    /// All items.
    pub const WHOLE: Shard = Shard {
        number: 1,
        count: 1,
    };

    /// Share `number` of `count`, from 1.
    pub fn new(number: u64, count: u64) -> Option<Shard> {
        let fits = number >= 1 && number <= count && count <= MOST;
        fits.then_some(Shard { number, count })
    }

    /// Into how many shares the work is divided.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Whether the item with this index, from 0, is the share's.
    pub fn holds(self, index: u64) -> bool {
        index % self.count == self.number - 1
    }

    /// The index of the share's item at this place, from 0.
    pub fn item(self, place: u64) -> u64 {
        place * self.count + self.number - 1
    }

    /// How many of the items below this index are the share's.
    pub fn items_below(self, index: u64) -> u64 {
        (index + self.count - self.number) / self.count
    }
}

/// `3/8`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let (number, count) = text.split_once('/').unwrap_or(("", ""));
        number
            .parse()
            .ok()
            .zip(count.parse().ok())
            .and_then(|(number, count)| Shard::new(number, count))
            .ok_or("a shard is I/N with I from 1 to N, such as 3/8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_disjoint_and_together_all() {
        let mut seen = vec![0; 100];
        for number in 1..=7 {
            let shard = Shard::new(number, 7).unwrap();
            for place in 0..shard.items_below(100) {
                seen[shard.item(place) as usize] += 1;
            }
            assert!(shard.item(shard.items_below(100)) >= 100);
            assert_eq!(shard.to_string().parse(), Ok(shard));
        }
        assert!(seen.iter().all(|&n| n == 1), "{seen:?}");
        for bad in ["", "1", "0/3", "4/3", "1/0", "a/b", "-1/2", "1/2/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
