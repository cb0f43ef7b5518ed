use serde::{Serialize, Serializer};
use std::fmt;

/// How the games of a run were made, as names and values in the order written. Files whose values differ do not fit
/// together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recipe(Vec<(String, String)>);

impl Recipe {
    /// The name of the entry that says how the positions were searched again.
    pub const RESCORED: &str = "rescored";

    /// The value of this name.
    pub fn get(&self, wanted: &str) -> Option<&str> {
        let found = self.0.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.as_str())
    }

    /// All names with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The seed of the run.
    pub fn seed(&self) -> Option<u64> {
        self.get("seed")?.parse().ok()
    }

    /// Whether both are of one run, that is, have the same games. The name of the weights does not matter: their
    /// content shows in the signature. Nor does whether the positions were searched again.
    pub fn is_same_run(&self, other: &Recipe) -> bool {
        let aside = ["weights", Recipe::RESCORED];
        let content = |recipe| Recipe::iter(recipe).filter(|(name, _)| !aside.contains(name));
        content(self).eq(content(other))
    }

    /// The first difference to another: name, own value, other value; `nothing` where a name is missing.
    pub fn difference(&self, other: &Recipe) -> Option<(String, String, String)> {
        let value = |recipe: &Recipe, name| recipe.get(name).unwrap_or("nothing").to_owned();
        self.iter()
            .chain(other.iter())
            .map(|(name, _)| (name.to_owned(), value(self, name), value(other, name)))
            .find(|(_, own, others)| own != others)
    }
}

impl<Name: Into<String>> FromIterator<(Name, String)> for Recipe {
    fn from_iter<I: IntoIterator<Item = (Name, String)>>(pairs: I) -> Recipe {
        let pairs = pairs.into_iter();
        Recipe(pairs.map(|(name, value)| (name.into(), value)).collect())
    }
}

/// `seed 7, level 2000 nodes`.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, value)) in self.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{name} {value}")?;
        }
        Ok(())
    }
}

/// An object.
impl Serialize for Recipe {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
