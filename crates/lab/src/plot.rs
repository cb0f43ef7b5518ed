//! Curves as SVG.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use serde::Serialize;

/// A picture of curves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plot {
    /// What the horizontal axis shows.
    pub axis: &'static str,
    /// What the vertical axis shows.
    pub unit: String,
    /// How it is divided.
    pub scale: Scale,
    /// One curve for each variant.
    pub curves: Vec<Curve>,
}

/// How an axis is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Evenly, from 0.
    Linear,
    /// By powers of ten.
    Logarithmic,
}

/// A curve.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Curve {
    /// Whose it is.
    pub name: String,
    /// Places on the two axes.
    pub points: Vec<(u32, f64)>,
}

/// Width and height in pixels.
const SIZE: (u32, u32) = (900, 560);

/// Draws the curves.
///
/// # Errors
/// The drawing library fails; its words are returned.
pub(super) fn svg(title: &str, plot: &Plot) -> Result<String, String> {
    let mut out = String::new();
    {
        let area = SVGBackend::with_string(&mut out, SIZE).into_drawing_area();
        let (low, high) = range(plot);
        match plot.scale {
            Scale::Linear => draw((title, plot), &area, low.min(0.0)..high),
            Scale::Logarithmic => draw(
                (title, plot),
                &area,
                (low.max(1.0)..high.max(10.0)).log_scale(),
            ),
        }
        .and_then(|()| area.present().map_err(|error| error.to_string()))?;
    }
    Ok(out)
}

/// The least and the greatest value of all curves.
fn range(plot: &Plot) -> (f64, f64) {
    let curves = plot.curves.iter();
    let values = curves.flat_map(|curve| curve.points.iter().map(|&(_, value)| value));
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

fn draw<'a, R>(
    (title, plot): (&str, &Plot),
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    values: R,
) -> Result<(), String>
where
    R: AsRangedCoord<Value = f64>,
    R::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let words = |error: DrawingAreaErrorKind<_>| format!("{error:?}");
    area.fill(&WHITE).map_err(words)?;
    let curves = &plot.curves;
    let places = || {
        let points = curves.iter().flat_map(|curve| &curve.points);
        points.map(|&(place, _)| place)
    };
    let (first, last) = (places().min().unwrap_or(1), places().max().unwrap_or(1));
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(80)
        .build_cartesian_2d(first..last.max(first + 1), values)
        .map_err(words)?;
    chart
        .configure_mesh()
        .x_desc(plot.axis)
        .y_desc(plot.unit.as_str())
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
    use super::*;

    #[test]
    fn curves_are_drawn_on_both_scales() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let curve = |name: &str, values: &[f64]| Curve {
                name: name.to_owned(),
                points: (1..).zip(values.iter().copied()).collect(),
            };
            let plot = Plot {
                axis: "depth, plies",
                unit: "nodes".to_owned(),
                scale,
                curves: vec![
                    curve("a < b", &[1.0, 20.0, 300.0]),
                    curve("c", &[2.0, 10.0, 90.0]),
                ],
            };
            let text = svg("curves", &plot).expect("a picture");
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
            assert!(
                text.contains("a &lt; b") && text.matches("<polyline").count() >= 2,
                "{text}"
            );
        }
    }
}
