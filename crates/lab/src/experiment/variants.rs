//! The variants that the experiments compare. Each changes some options of the engine, so that `damier bench` and
//! `damier match` can repeat every line with the same `--search`, `--tt-size` and `--param`.

use damier_engine::Options;
use damier_engine::search::MAX_DEPTH;
use damier_engine::settings::SettingError;

/// A variant of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// Name of the variant in tables.
    pub name: String,
    /// Options that it changes: name and value. Several search parameters are several entries named `param`.
    pub changes: Vec<(&'static str, String)>,
}

impl Variant {
    pub(super) fn new(name: impl Into<String>, changes: &[(&'static str, &str)]) -> Variant {
        Variant {
            name: name.into(),
            changes: changes
                .iter()
                .map(|&(name, value)| (name, value.to_owned()))
                .collect(),
        }
    }

    /// The options with its changes.
    ///
    /// # Errors
    /// A change names no option, or a value out of its range: a mistake in this file, which a test finds.
    pub fn options(&self, base: &Options) -> Result<Options, SettingError> {
        let mut options = base.clone();
        for (name, value) in &self.changes {
            options.set(name, value)?;
        }
        Ok(options)
    }

    /// The changes as arguments of the command line; empty for the engine as it is.
    pub fn arguments(&self) -> String {
        let words = self.changes.iter();
        let words: Vec<String> = words
            .map(|(name, value)| format!("--{name} {value}"))
            .collect();
        words.join(" ")
    }
}

/// Every position begins with an empty table, so that `mtdf-clear` would be `mtdf`.
pub(super) fn drivers() -> Vec<Variant> {
    let no_window = format!("aspiration_min_depth={}", MAX_DEPTH + 1);
    let mut all = vec![
        Variant::new("mtdfix", &[]),
        Variant::new("mtdf", &[("search", "mtdf")]),
        Variant::new("pvs", &[("search", "pvs")]),
        Variant::new(
            "pvs without aspiration",
            &[("search", "pvs"), ("param", &no_window)],
        ),
        Variant {
            name: "plain alpha-beta".to_owned(),
            changes: vec![
                ("search", "pvs".to_owned()),
                ("param", no_window.clone()),
                ("param", "scout=false".to_owned()),
            ],
        },
        Variant::new("SSS*", &[("search", "sss")]),
        Variant::new("DUAL*", &[("search", "dual")]),
        Variant::new(
            "guess of the last depth",
            &[("param", "guess_parity_grains=1000")],
        ),
        Variant::new(
            "guess of the last but one",
            &[("param", "guess_parity_grains=0")],
        ),
    ];
    for grain in [1, 2, 4, 16, 32] {
        let value = format!("grain={grain}");
        all.push(Variant::new(format!("grain {grain}"), &[("param", &value)]));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_variant_is_an_engine_of_its_own() {
        let base = Options::default();
        let list = drivers();
        let sets: Vec<Options> = list
            .iter()
            .map(|variant| variant.options(&base).expect(&variant.name))
            .collect();
        assert_eq!(sets[0], base, "the first is the engine as it is");
        for (index, options) in sets.iter().enumerate() {
            let again = sets[..index].iter().any(|other| other == options);
            assert!(!again, "{}", list[index].name);
        }
        let names: HashSet<&str> = list.iter().map(|variant| &*variant.name).collect();
        assert_eq!(names.len(), list.len());
    }
}
