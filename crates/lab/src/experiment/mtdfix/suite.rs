//! Real positions in which MTD(f) played a wrong move and MTDfix did not.

use super::super::cost::Engines;
use super::super::{Grid, Plan};
use super::pairings::drivers;
use crate::{LabError, SuiteEntry, parse_entries};
use damier_engine::search::{Control, Depth};
use damier_engine::{Engine, Job, Level, Purpose};
use damier_rules::{Game, Move};

/// The positions, found by [`super::find`]; the grade of each is the depth at which MTD(f) is wrong.
const POSITIONS: &str = damier_bench_positions::INCONSISTENCIES;
/// Drivers of the quick form: MTDfix and MTD(f).
const QUICK: usize = 2;
/// Name of the suite in errors.
const NAME: &str = "bench-positions/inconsistencies.fen";

/// The positions with their depths.
pub(super) fn entries() -> Result<Vec<(SuiteEntry, Depth)>, LabError> {
    let entries = parse_entries(NAME, POSITIONS)?;
    let with_depth = entries.into_iter().map(|entry| {
        let depth = entry.grade.parse().unwrap_or(1);
        (entry, depth)
    });
    Ok(with_depth.collect())
}

/// The move of a search with an empty table.
pub(super) fn best(engine: &mut Engine, entry: &SuiteEntry, depth: Depth) -> Option<Move> {
    engine.new_game();
    let job = Job::new(Game::new(entry.position), Level::depth(depth));
    let job = job.with_purpose(Purpose::Measure);
    engine.run(&job, &Control::new(), &mut ()).best
}

/// How many of the positions each driver solves. Each begins with an empty table.
pub(super) fn run(plan: &Plan) -> Result<Grid, LabError> {
    let entries = entries()?;
    let mut engines = Engines::default();
    let mut rows = Vec::new();
    let others = drivers().into_iter();
    let others = others.filter(|driver| !driver.name.contains("-clear"));
    for driver in others.take(if plan.quick { QUICK } else { usize::MAX }) {
        let mut engine = engines.engine(&driver.options(&plan.engine)?)?;
        let mut solved = 0;
        for (entry, depth) in &entries {
            let mv = best(&mut engine, entry, *depth);
            solved += usize::from(mv.is_some_and(|mv| is_right(entry, mv)));
        }
        let share = 100.0 * solved as f64 / entries.len() as f64;
        rows.push(vec![
            driver.name.clone(),
            format!("{solved} of {}", entries.len()),
            format!("{share:.0} %"),
        ]);
    }
    Ok(Grid {
        title: format!(
            "Right moves in the {} positions of {NAME}, in which MTD(f) played a wrong move when they were found, at \
             the depth of each, with an empty table.",
            entries.len()
        ),
        columns: vec!["driver", "right", "share"],
        rows,
    })
}

fn is_right(entry: &SuiteEntry, mv: Move) -> bool {
    entry
        .solution
        .is_met(Some(mv), damier_engine::eval::Score::DRAW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_engine::Options;
    use damier_engine::search::Driver;

    /// A change of the search may make any of them consistent. When too few are left, `damier experiment mtdfix --find
    /// 12` finds others.
    #[test]
    fn mtdfix_is_right_where_mtdf_is_wrong() {
        let entries = entries().expect("the suite");
        assert!(entries.len() >= 10);
        let mut engines = Engines::default();
        let mut solved = |search| {
            let options = Options {
                search,
                ..Options::default()
            };
            let mut engine = engines.engine(&options).expect("an engine");
            let right = entries.iter().filter(|(entry, depth)| {
                best(&mut engine, entry, *depth).is_some_and(|mv| is_right(entry, mv))
            });
            right.count()
        };
        let (fixed, plain) = (solved(Driver::Mtdfix), solved(Driver::Mtdf));
        assert!(plain < fixed, "mtdf {plain}, mtdfix {fixed}");
    }
}
