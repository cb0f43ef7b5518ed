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
        Variant::new("Best Node Search", &[("search", "bns")]),
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

pub(super) fn ordering() -> Vec<Variant> {
    let with = |name: &str, changes: &[&str]| Variant {
        name: name.to_owned(),
        changes: changes
            .iter()
            .map(|&change| ("param", change.to_owned()))
            .collect(),
    };
    // Between the second killer and the counter-move.
    const THIRD: &str = "order_killer_3=98304";
    const NO_KILLERS: [&str; 2] = ["order_killer_1=0", "order_killer_2=0"];
    vec![
        Variant::new("all", &[]),
        with("one killer", &["order_killer_2=0"]),
        with("three killers", &[THIRD]),
        with(
            "three killers, the first two stay",
            &[THIRD, "killers_stay=true"],
        ),
        with("no killers", &NO_KILLERS),
        with("no counter-move", &["order_counter=0"]),
        with("no history", &["history_bonus=0"]),
        with("relative history", &["history_relative=true"]),
        with(
            "neither killers, counter-move nor history",
            &[
                NO_KILLERS[0],
                NO_KILLERS[1],
                "order_counter=0",
                "history_bonus=0",
            ],
        ),
        with("history and forwardness", &["order_forward=500"]),
        with(
            "forwardness instead of history",
            &["history_bonus=0", "order_forward=500"],
        ),
        with(
            "TT move and forwardness only",
            &[
                NO_KILLERS[0],
                NO_KILLERS[1],
                "order_counter=0",
                "history_bonus=0",
                "order_forward=500",
            ],
        ),
        with("internal iterative deepening", &["iid_min_depth=4"]),
        with("TT move only", &["ordering=false"]),
        with("no table", &["table=off"]),
        with("nothing", &["ordering=false", "table=off"]),
    ]
}

pub(super) fn table() -> Vec<Variant> {
    let mut all = vec![
        Variant::new("all", &[]),
        Variant::new(
            "entries of the same depth only",
            &[("param", "table=same-depth")],
        ),
        Variant::new("no table", &[("param", "table=off")]),
        Variant::new(
            "a new entry of a position always counts",
            &[("param", "table_keep_plies=100")],
        ),
        Variant::new(
            "a deeper entry of a position is kept",
            &[("param", "table_keep_plies=0")],
        ),
    ];
    for size in [20, 24] {
        let value = size.to_string();
        all.push(Variant::new(
            format!("2^{size} entries"),
            &[("tt-size", &value)],
        ));
    }
    all
}

/// What decides which entry of the table gives way, and the changes for it.
pub(super) const POLICIES: &[(&str, &[(&str, &str)])] = &[
    ("age and depth", &[]),
    ("depth", &[("param", "table_age_plies=0")]),
    ("nodes of the subtree", &[("param", "table_replace=nodes")]),
    ("always the last", &[("param", "table_replace=always")]),
];

/// Sizes of tables in which entries do give way, as log2 of their entries.
pub(super) const SMALL_SIZES: [u32; 4] = [12, 14, 16, 18];

/// Each of [`POLICIES`] with each of [`SMALL_SIZES`], the policies of a size one after the other.
pub(super) fn replacement() -> Vec<Variant> {
    let mut all = Vec::new();
    for size in SMALL_SIZES {
        for (policy, changes) in POLICIES {
            let mut variant = Variant::new(format!("2^{size} entries, {policy}"), changes);
            variant.changes.push(("tt-size", size.to_string()));
            all.push(variant);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_variant_is_an_engine_of_its_own() {
        for list in [drivers(), ordering(), [table(), replacement()].concat()] {
            let base = Options::default();
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
}
