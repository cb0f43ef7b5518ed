//! `damier dataset score`.

use super::report_damages;
use crate::cli::training::train::{LabelArgs, columns};
use crate::cli::{Command, Failure, GivenOptions, error, progress};
use damier::notation::text::for_terminal;
use damier::training::dataset::Damage;
use damier::training::train::{Losses, TestSet};
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the losses of weights on games: how far the evaluations are from labels, results and scores
///
/// Losses are mean cross entropies of quantised weights; smaller is better. Labels and filters are those of `damier
/// train`. Compare weights only on the same games and options, and on games that none of them was
/// trained on.
///
/// Example: damier dataset score test.dgr embedded new.dwt
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct ScoreArgs {
    /// File of games
    #[arg(value_name = "GAMES")]
    pub games: PathBuf,
    /// Files of weights, or `embedded` for those in the program
    #[arg(id = "weights-files", value_name = "WEIGHTS", required = true)]
    pub weights: Vec<PathBuf>,
    #[command(flatten)]
    pub labels: LabelArgs,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for ScoreArgs {
    const NAME: &'static str = "score";

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        let bar = progress::bar(0, "games");
        let mut each = |done, total| {
            progress::show(&bar, done, total);
            true
        };
        let games = std::slice::from_ref(&self.games);
        let set = TestSet::load(games, self.labels.labels(), self.labels.filter(), &mut each);
        bar.finish_and_clear();
        let Some(set) = set.map_err(error)? else {
            return Ok(());
        };
        let mut rows: Vec<(String, Losses)> = Vec::new();
        for weights in &self.weights {
            rows.push((
                weights.display().to_string(),
                set.losses(weights).map_err(error)?,
            ));
        }
        let mut out = io::stdout().lock();
        if self.json {
            let weights = rows.iter().map(|(file, losses)| {
                json!({"file": file, "loss": losses.loss, "result": losses.result, "score": losses.score})
            });
            let object = json!({
                "games": self.games.display().to_string(),
                "positions": set.positions(),
                "results": set.results(),
                "weights": weights.collect::<Vec<_>>(),
                "damages": set.damages().iter().map(Damage::to_string).collect::<Vec<_>>(),
            });
            writeln!(out, "{object}")?;
        } else {
            let (positions, results) = (set.positions(), set.results());
            writeln!(out, "{positions} positions, {results} with a result")?;
            writeln!(out, "    loss    result     score  weights")?;
            for (file, losses) in rows {
                let [loss, result, score] = columns(Some(losses));
                writeln!(
                    out,
                    "{loss:>8}  {result:>8}  {score:>8}  {}",
                    for_terminal(&file)
                )?;
            }
        }
        out.flush()?;
        report_damages(set.damages())
    }
}
