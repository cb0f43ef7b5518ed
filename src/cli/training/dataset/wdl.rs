//! `damier dataset wdl`.

use crate::cli::files::{SVG, begin};
use crate::cli::{Command, Failure, GivenOptions, error, warn};
use clap::builder::NonEmptyStringValueParser;
use damier::eval::{WdlModel, WeightsFile};
use damier::training::wdl::{Bin, Calibration, Histogram, adapt, fit, plot};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Fit the chances of win, draw and loss that scores stand for, and check them on other games
///
/// The constants depend on the number of pieces; docs/analysis.md has the formula. `damier train` fits them to its
/// games too.
///
/// Example: damier dataset wdl games.dgr --held-out test.dgr --plot calibration.svg
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct WdlArgs {
    /// Files of games to fit to; without them the constants of --weights are checked
    #[arg(value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    pub paths: Vec<String>,
    /// File with more games, of another level: the constants are fitted to its games, and then multiplied by two
    /// factors that are fitted to PATH, one for the margins and one for the spreads; may be repeated
    #[arg(long, value_name = "PATH", requires = "paths", value_parser = NonEmptyStringValueParser::new())]
    pub shape: Vec<String>,
    /// File of held-out games to check on; may be repeated
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    pub held_out: Vec<String>,
    /// Draw the calibration on the games of --held-out to this file, as SVG
    #[arg(long, value_name = "FILE", requires = "held_out")]
    pub plot: Option<String>,
    /// File of weights, or `embedded`
    #[arg(long, value_name = "FILE", default_value = WeightsFile::NAME)]
    pub weights: String,
    /// Write the weights of --weights, with the fitted constants, to this file
    #[arg(long, value_name = "FILE", requires = "paths")]
    pub out: Option<String>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

impl Command for WdlArgs {
    const NAME: &'static str = "wdl";

    fn outputs(&self) -> Vec<PathBuf> {
        let outputs = [&self.plot, &self.out].into_iter().flatten();
        outputs.map(PathBuf::from).collect()
    }

    fn run(&self, _: &GivenOptions) -> Result<(), Failure> {
        if self.paths.is_empty() && self.held_out.is_empty() {
            let message = "give games to fit to, or --held-out with games to check on";
            return Err(Failure::Usage(message.to_owned()));
        }
        // Before all else: what cannot be written need not be worked out.
        let plotted = begin(self.plot.as_deref().map(Path::new), SVG)?;
        let out = begin(self.out.as_deref().map(Path::new), b"DAMIERWT")?;
        let file = weights(&self.weights)?;
        let mut fitted = None;
        let mut model = WdlModel::of_record(&file.record).unwrap_or_default();
        if !self.paths.is_empty() {
            let games = Histogram::read(&self.paths).map_err(error)?;
            let found = match self.shape.is_empty() {
                true => fit(&games),
                false => fit(&Histogram::read(&self.shape).map_err(error)?)
                    .and_then(|shape| adapt(&shape, &games)),
            };
            let few =
                "too few won and drawn positions for a fit; play more games with `damier selfplay`";
            model = found.ok_or_else(|| error(few))?;
            fitted = Some(games);
        }
        let mut checked = None;
        if !self.held_out.is_empty() {
            let games = Histogram::read(&self.held_out).map_err(error)?;
            if games.positions == 0 {
                return Err(error("the games held out have no position with a score"));
            }
            checked = Some((Calibration::new(&games, &model), games));
        }
        if let (Some(file), Some((calibration, _))) = (plotted, &checked) {
            file.complete(plot(calibration, &model).as_bytes())?;
        }
        if let Some(out) = out {
            out.complete(&with_model(file, &model)?.to_bytes())?;
        }
        report(self, &model, fitted.as_ref(), checked.as_ref())
    }
}

fn weights(name: &str) -> Result<WeightsFile, Failure> {
    let failed = |problem: &dyn Display| error(format!("{name}: {problem}"));
    let bytes = WeightsFile::named(Path::new(name)).map_err(|problem| failed(&problem))?;
    WeightsFile::from_bytes(&bytes).map_err(|problem| failed(&problem))
}

/// The weights with the model in their record.
fn with_model(mut file: WeightsFile, model: &WdlModel) -> Result<WeightsFile, Failure> {
    let mut record: Value = serde_json::from_str(&file.record).map_err(error)?;
    record["wdl"] = json!(model);
    file.record = record.to_string();
    Ok(file)
}

fn report(
    args: &WdlArgs,
    model: &WdlModel,
    fitted: Option<&Histogram>,
    checked: Option<&(Calibration, Histogram)>,
) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if args.json {
        let of = |games: &Histogram| {
            let loss = games.loss(model);
            json!({"games": games.games, "positions": games.positions, "loss": loss})
        };
        let held_out = checked.map(|(calibration, games)| {
            let mut object = of(games);
            object["worst"] = json!(calibration.worst());
            object["win"] = json!(calibration.win);
            object["draw"] = json!(calibration.draw);
            object
        });
        let object = json!({"wdl": model, "fitted": fitted.map(of), "held_out": held_out});
        writeln!(out, "{object}")?;
        return Ok(out.flush()?);
    }
    let games = |what: &str, games: &Histogram| {
        let (count, positions, loss) = (games.games, games.positions, games.loss(model));
        format!("{what} {count} games, {positions} positions, cross entropy {loss:.5}")
    };
    if let Some(fitted) = fitted {
        writeln!(out, "{}", games("fitted to", fitted))?;
    }
    writeln!(out, "pieces  margin  spread    tail   upset")?;
    for knot in model.knots() {
        writeln!(
            out,
            "{:>6}  {:>6.3}  {:>6.3}  {:>6.3}  {:>6.3}",
            knot.pieces, knot.margin, knot.spread, knot.tail, knot.upset
        )?;
    }
    if let Some((calibration, held_out)) = checked {
        writeln!(out, "{}", games("held out", held_out))?;
        writeln!(
            out,
            "decile   win: predicted  observed   draw: predicted  observed"
        )?;
        let rows = calibration.win.iter().zip(&calibration.draw).enumerate();
        for (at, (win, draw)) in rows {
            writeln!(out, "{:>6}  {}  {}", at + 1, columns(win), columns(draw))?;
        }
        writeln!(
            out,
            "largest error {:.2} points",
            calibration.worst() * 100.0
        )?;
    }
    out.flush()?;
    if fitted.is_some() && args.out.is_none() {
        warn(&"the constants are in no file of weights yet; --out writes one");
    }
    Ok(())
}

fn columns(bin: &Bin) -> String {
    let [predicted, observed] = [bin.predicted, bin.observed].map(|share| share * 100.0);
    format!("{predicted:>14.2} % {observed:>7.2} %")
}
