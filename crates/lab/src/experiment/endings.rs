//! The endgame tables: counts and longest wins, beside those that others have published.

use super::{Grid, Plan};
use crate::LabError;
use damier_endgame::{Slice, Statistics, Tables};
use std::path::Path;

/// What GWDEGTB, the generator of Gijsbert Wiesenekker, has for a slice, as its README and reports say. It counts the
/// plies to the end too.
struct Published {
    slice: &'static str,
    positions: u64,
    /// Wins, draws and losses of the side to move.
    values: Option<[u64; 3]>,
    longest_win: Option<u32>,
}

const fn counted(slice: &'static str, positions: u64) -> Published {
    Published {
        slice,
        positions,
        values: None,
        longest_win: None,
    }
}

const PUBLISHED: [Published; 6] = [
    Published {
        longest_win: Some(3),
        ..counted("1k-1k", 2_450)
    },
    counted("1m1k-1k", 105_840),
    Published {
        values: Some([882_645, 3_568_953, 26_562]),
        longest_win: Some(19),
        ..counted("1m1k-1m1k", 4_478_160)
    },
    counted("1m2k-1m1k", 102_997_680),
    counted("2m1k-2k", 51_369_120),
    counted("1m2k-1m2k", 2_317_447_800),
];

/// All slices of the tables, and those others of which something is published.
pub(super) fn grid(plan: &Plan) -> Result<Grid, LabError> {
    let folder = &plan.engine.endgame_dir;
    let folder = (!folder.as_os_str().is_empty()).then_some(folder.as_path());
    let found = statistics(folder)?;
    let known = |slice: Slice| found.iter().any(|one| one.slice == slice);
    let mut rows: Vec<Vec<String>> = found.iter().map(|one| row(one.slice, Some(one))).collect();
    let others = PUBLISHED.iter().filter_map(|one| one.slice.parse().ok());
    rows.extend(
        others
            .filter(|&slice| !known(slice))
            .map(|slice| row(slice, None)),
    );
    Ok(Grid {
        title: "Endgame tables, from the side to move: counts, the longest win in plies, and whether GWDEGTB \
                (Wiesenekker) has the same, as far as it is published."
            .to_owned(),
        columns: vec![
            "slice",
            "positions",
            "wins",
            "draws",
            "losses",
            "longest win",
            "published",
        ],
        rows,
    })
}

fn statistics(folder: Option<&Path>) -> Result<Vec<Statistics>, LabError> {
    let tables = Tables::open(folder).map_err(LabError::step)?;
    tables.statistics().map_err(LabError::step)
}

fn row(slice: Slice, found: Option<&Statistics>) -> Vec<String> {
    let count = |value: fn(&Statistics) -> u64| {
        found.map_or_else(String::new, |found| value(found).to_string())
    };
    let longest = found.and_then(|found| found.longest);
    vec![
        slice.to_string(),
        slice.positions().to_string(),
        count(|found| found.wins),
        count(|found| found.draws),
        count(|found| found.losses),
        longest.map_or_else(String::new, |(plies, _)| plies.to_string()),
        compared(slice, found),
    ]
}

/// What is published, and whether it is the same.
fn compared(slice: Slice, found: Option<&Statistics>) -> String {
    let of_slice = |one: &&Published| one.slice.parse().is_ok_and(|known: Slice| known == slice);
    let Some(published) = PUBLISHED.iter().find(of_slice) else {
        return String::new();
    };
    let mut same = Vec::new();
    let mut others = Vec::new();
    let mut compare = |what: &'static str, is_same: bool, there: String| match is_same {
        true => same.push(what),
        false => others.push(format!("{what}: {there}")),
    };
    let positions = published.positions;
    compare(
        "positions",
        positions == slice.positions(),
        positions.to_string(),
    );
    if let (Some(found), Some([wins, draws, losses])) = (found, published.values) {
        compare("wins", wins == found.wins, wins.to_string());
        compare("draws", draws == found.draws, draws.to_string());
        compare("losses", losses == found.losses, losses.to_string());
    }
    if let (Some(found), Some(plies)) = (found, published.longest_win) {
        let own = found.longest.map(|(plies, _)| plies);
        compare("longest win", own == Some(plies), plies.to_string());
    }
    let same = (!same.is_empty()).then(|| format!("the same {}", same.join(", ")));
    same.into_iter()
        .chain(others)
        .collect::<Vec<_>>()
        .join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_what_is_published_and_a_difference_is_told() {
        let found = statistics(None).unwrap();
        let slices: Vec<String> = PUBLISHED.iter().map(|one| one.slice.to_owned()).collect();
        let of = |name: &String| found.iter().find(|one| one.slice.to_string() == *name);
        assert_eq!(slices.iter().filter(|name| of(name).is_some()).count(), 3);
        for name in &slices {
            let said = compared(name.parse().unwrap(), of(name));
            assert!(
                said.starts_with("the same positions") && !said.contains(';'),
                "{name}: {said}"
            );
        }
        let mut other = of(&slices[2]).unwrap().clone();
        other.wins += 1;
        let said = compared(other.slice, Some(&other));
        assert_eq!(
            said,
            "the same positions, draws, losses, longest win; wins: 882645"
        );
    }
}
