//! The passes of MTD(f) and of MTDfix over one position: what each asks, and what is answered.

use super::super::cost::Engines;
use super::super::{Curve, Findings, Grid, Plot, Scale};
use crate::LabError;
use damier_engine::search::{Control, Depth, Driver, Observer, PassReport, Report};
use damier_engine::{Job, Level, Options, Purpose};
use damier_rules::{Game, Position};

/// The passes of the iterations of a search.
#[derive(Default)]
struct Passes(Vec<PassReport>);

impl Observer for Passes {
    fn report(&mut self, _: &Report) {}

    fn pass(&mut self, pass: &PassReport) {
        self.0.push(*pass);
    }
}

/// The passes of the last iteration, of a search to this depth with an empty table.
///
/// # Errors
/// There is no memory for an engine's table, or its options are not usable.
pub fn passes(options: &Options, position: Position, depth: Depth) -> Result<Findings, LabError> {
    let mut makers = Engines::default();
    let (mut tables, mut curves) = (Vec::new(), Vec::new());
    for search in [Driver::Mtdf, Driver::Mtdfix] {
        let mut engine = makers.engine(&Options {
            search,
            ..options.clone()
        })?;
        let job = Job::new(Game::new(position), Level::depth(depth));
        let job = job.with_purpose(Purpose::Measure);
        let mut passes = Passes::default();
        let outcome = engine.run(&job, &Control::new(), &mut passes);
        let last = passes.0.iter().filter(|pass| pass.depth == depth);
        let numbered = last.zip(1..);
        let rows = numbered.clone().map(|(pass, number): (_, u32)| {
            let bound = match pass.score >= pass.window.beta {
                true => "at least",
                false => "at most",
            };
            vec![
                number.to_string(),
                format!("is it at least {}?", pass.window.beta),
                format!("{bound} {}", pass.score),
                pass.first.map_or_else(String::new, |mv| mv.to_string()),
            ]
        });
        tables.push(Grid {
            title: format!(
                "Passes of {search} at depth {depth}, values in men. It plays {}, worth {}.",
                outcome.best.map_or("none".to_owned(), |mv| mv.to_string()),
                outcome.report.score
            ),
            columns: vec!["pass", "question", "answer", "best move"],
            rows: rows.collect(),
        });
        curves.push(Curve {
            name: search.to_string(),
            points: numbered
                .map(|(pass, number)| (number, pass.score.men()))
                .collect(),
        });
    }
    Ok(Findings {
        experiment: "mtdfix",
        positions: 1,
        depth: Some(depth as u32),
        tables,
        plot: Plot {
            axis: "pass",
            unit: "bound, men".to_owned(),
            scale: Scale::Linear,
            curves,
        },
    })
}
