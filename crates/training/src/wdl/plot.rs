//! The calibration as a picture.

use super::{Bin, Calibration};
use damier_engine::eval::{Score, WdlModel};
use std::fmt::Write;

/// Side of a panel, and what is left around it.
const SIDE: f64 = 300.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
const SECOND: f64 = 480.0;
/// Numbers of pieces whose curves are drawn.
const CURVES: [(u32, &str); 3] = [(8, "#b45309"), (20, "#047857"), (36, "#1d4ed8")];
/// Largest score of the curves, in hundredths of a man.
const LARGEST: i32 = 400;

/// Two panels as SVG: predicted and observed shares in deciles; what a score means with 8, 20 and 36 pieces.
pub fn plot(calibration: &Calibration, model: &WdlModel) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = draw(&mut out, calibration, model);
    out
}

fn draw(out: &mut String, calibration: &Calibration, model: &WdlModel) -> std::fmt::Result {
    writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 400" font-family="sans-serif" font-size="12">
<rect width="840" height="400" fill="#fff"/>"##
    )?;
    axes(
        out,
        LEFT,
        "Predicted and observed, deciles of held-out positions",
    )?;
    axes(
        out,
        SECOND,
        "Probability by score for the side to move, in men",
    )?;
    for tick in 0..=5 {
        let share = f64::from(tick) / 5.0;
        label(
            out,
            LEFT + share * SIDE,
            TOP + SIDE + 16.0,
            "middle",
            &format!("{share:.1}"),
        )?;
        for left in [LEFT, SECOND] {
            let y = TOP + (1.0 - share) * SIDE + 4.0;
            label(out, left - 6.0, y, "end", &format!("{share:.1}"))?;
        }
        let men = (share * 2.0 - 1.0) * f64::from(LARGEST) / 100.0;
        label(
            out,
            SECOND + share * SIDE,
            TOP + SIDE + 16.0,
            "middle",
            &format!("{men:.1}"),
        )?;
    }
    writeln!(
        out,
        r##"<path d="M{LEFT} {}L{} {TOP}" stroke="#999" stroke-dasharray="4 4"/>"##,
        TOP + SIDE,
        LEFT + SIDE
    )?;
    dots(out, &calibration.win, "#1d4ed8")?;
    dots(out, &calibration.draw, "#b45309")?;
    legend(out, LEFT, 0, "#1d4ed8", "win or loss")?;
    legend(out, LEFT, 1, "#b45309", "draw")?;
    for (row, (pieces, color)) in CURVES.into_iter().enumerate() {
        curve(out, model, pieces, color)?;
        legend(out, SECOND, row, color, &format!("{pieces} pieces"))?;
    }
    writeln!(out, "</svg>")
}

fn axes(out: &mut String, left: f64, title: &str) -> std::fmt::Result {
    writeln!(
        out,
        r##"<rect x="{left}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#333"/>"##
    )?;
    label(out, left, TOP - 12.0, "start", title)
}

fn label(out: &mut String, x: f64, y: f64, anchor: &str, text: &str) -> std::fmt::Result {
    writeln!(
        out,
        r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
    )
}

fn legend(out: &mut String, left: f64, row: usize, color: &str, text: &str) -> std::fmt::Result {
    let x = left + 100.0 * row as f64;
    let y = TOP + SIDE + 40.0;
    writeln!(
        out,
        r#"<circle cx="{:.1}" cy="{:.1}" r="4" fill="{color}"/>"#,
        x + 4.0,
        y - 4.0
    )?;
    label(out, x + 12.0, y, "start", text)
}

fn dots(out: &mut String, bins: &[Bin], color: &str) -> std::fmt::Result {
    for bin in bins {
        let (x, y) = (
            LEFT + bin.predicted * SIDE,
            TOP + (1.0 - bin.observed) * SIDE,
        );
        writeln!(
            out,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{color}" fill-opacity="0.7"/>"#
        )?;
    }
    Ok(())
}

/// Win as a line, draw as a dashed one.
fn curve(out: &mut String, model: &WdlModel, pieces: u32, color: &str) -> std::fmt::Result {
    for (is_win, dash) in [(true, "none"), (false, "5 3")] {
        let points = (-LARGEST..=LARGEST).step_by(10).map(|centimen| {
            let wdl = model.wdl(Score::new(centimen), pieces);
            let share = if is_win { wdl.win } else { wdl.draw };
            let x = SECOND + f64::from(centimen + LARGEST) / f64::from(2 * LARGEST) * SIDE;
            format!("{x:.1},{:.1}", TOP + (1.0 - share) * SIDE)
        });
        let points: Vec<String> = points.collect();
        writeln!(
            out,
            r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dash}"/>"#,
            points.join(" ")
        )?;
    }
    Ok(())
}
