//! The curves of an experiment as SVG.

use super::{Findings, Scale};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

/// Width and height in pixels.
const SIZE: (u32, u32) = (900, 560);

/// Draws the curves.
///
/// # Errors
/// The drawing library fails; its words are returned.
pub(super) fn svg(findings: &Findings) -> Result<String, String> {
    let mut out = String::new();
    {
        let area = SVGBackend::with_string(&mut out, SIZE).into_drawing_area();
        let (low, high) = range(findings);
        match findings.plot.scale {
            Scale::Linear => draw(findings, &area, low.min(0.0)..high),
            Scale::Logarithmic => draw(findings, &area, (low.max(1.0)..high.max(10.0)).log_scale()),
        }
        .and_then(|()| area.present().map_err(|error| error.to_string()))?;
    }
    Ok(out)
}

/// The least and the greatest value of all curves.
fn range(findings: &Findings) -> (f64, f64) {
    let curves = findings.plot.curves.iter();
    let values = curves.flat_map(|curve| curve.points.iter().map(|&(_, value)| value));
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

fn draw<'a, R>(
    findings: &Findings,
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    values: R,
) -> Result<(), String>
where
    R: AsRangedCoord<Value = f64>,
    R::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let words = |error: DrawingAreaErrorKind<_>| format!("{error:?}");
    area.fill(&WHITE).map_err(words)?;
    let curves = &findings.plot.curves;
    let places = || {
        let points = curves.iter().flat_map(|curve| &curve.points);
        points.map(|&(place, _)| place)
    };
    let (first, last) = (places().min().unwrap_or(1), places().max().unwrap_or(1));
    let title = format!("damier experiment {}", findings.experiment);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(80)
        .build_cartesian_2d(first..last.max(first + 1), values)
        .map_err(words)?;
    chart
        .configure_mesh()
        .x_desc(findings.plot.axis)
        .y_desc(findings.plot.unit.as_str())
        .draw()
        .map_err(words)?;
    for (index, curve) in curves.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        chart
            .draw_series(LineSeries::new(
                curve.points.iter().copied(),
                color.stroke_width(2),
            ))
            .map_err(words)?
            .label(curve.name.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .draw()
        .map_err(words)
}

#[cfg(test)]
mod tests {
    use super::super::{Curve, Plot};
    use super::*;

    #[test]
    fn curves_are_drawn_on_both_scales() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let curve = |name: &str, values: &[f64]| Curve {
                name: name.to_owned(),
                points: (1..).zip(values.iter().copied()).collect(),
            };
            let findings = Findings {
                experiment: "drivers",
                positions: 1,
                depth: Some(3),
                tables: Vec::new(),
                plot: Plot {
                    axis: "depth, plies",
                    unit: "nodes".to_owned(),
                    scale,
                    curves: vec![
                        curve("a < b", &[1.0, 20.0, 300.0]),
                        curve("c", &[2.0, 10.0, 90.0]),
                    ],
                },
            };
            let text = svg(&findings).expect("a picture");
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
            assert!(
                text.contains("a &lt; b") && text.matches("<polyline").count() >= 2,
                "{text}"
            );
        }
    }
}
