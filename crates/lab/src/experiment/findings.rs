//! What an experiment found: tables and curves, as Markdown and JSON.

use crate::plot::Plot;
use serde::Serialize;
use std::fmt;

/// The result of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Findings {
    /// Name of the experiment.
    pub experiment: &'static str,
    /// Positions searched, or from which games were played.
    pub positions: usize,
    /// Depth to which they were searched, in plies. None where games were played from them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Tables.
    pub tables: Vec<Grid>,
    /// Curves, by depth, threads or level.
    pub plot: Plot,
}

/// A table: the first cell of a row says what the row is of.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Grid {
    /// What it shows.
    pub title: String,
    /// Headings.
    pub columns: Vec<&'static str>,
    /// Rows, with a cell for each column.
    pub rows: Vec<Vec<String>>,
}

/// The tables in Markdown.
impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, table) in self.tables.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{table}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.title)?;
        writeln!(f, "| {} |", self.columns.join(" | "))?;
        writeln!(f, "|{}", "---|".repeat(self.columns.len()))?;
        for row in &self.rows {
            writeln!(f, "| {} |", row.join(" | "))?;
        }
        Ok(())
    }
}

/// `1.070 (1.041 to 1.100)`: the geometric mean of ratios, with its 95 % interval.
pub(super) fn mean_ratio(ratios: &[f64]) -> String {
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    if logs.len() < 2 {
        return format!("{:.3}", mean.exp());
    }
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = 1.96 * (variance / count).sqrt();
    let [mean, low, high] = [mean, mean - half, mean + half].map(f64::exp);
    format!("{mean:.3} ({low:.3} to {high:.3})")
}

/// `16.1 % (8.7 to 27.8)`: a share with its 95 % interval, that of Wilson.
pub(super) fn share(some: usize, all: usize) -> String {
    const Z: f64 = 1.96;
    let (count, share) = (all.max(1) as f64, some as f64 / all.max(1) as f64);
    let wide = Z * Z / count;
    let middle = (share + wide / 2.0) / (1.0 + wide);
    let half = Z * (share * (1.0 - share) / count + wide / count / 4.0).sqrt() / (1.0 + wide);
    format!(
        "{:.1} % ({:.1} to {:.1})",
        100.0 * share,
        100.0 * (middle - half).max(0.0),
        100.0 * (middle + half).min(1.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_an_interval() {
        assert_eq!(mean_ratio(&[2.0]), "2.000");
        assert_eq!(mean_ratio(&[2.0, 2.0]), "2.000 (2.000 to 2.000)");
        // Logarithms 0 and ln 4: mean ln 2, half width 1.96 ln 2, so 2 to the power of -0.96 and of 2.96.
        assert_eq!(mean_ratio(&[1.0, 4.0]), "2.000 (0.514 to 7.781)");
    }

    #[test]
    fn shares_have_the_interval_of_wilson() {
        assert_eq!(share(9, 56), "16.1 % (8.7 to 27.8)");
        assert_eq!(share(0, 10), "0.0 % (0.0 to 27.8)");
        assert_eq!(share(10, 10), "100.0 % (72.2 to 100.0)");
    }

    #[test]
    fn tables_are_markdown() {
        let table = Grid {
            title: "Nodes".to_owned(),
            columns: vec!["variant", "nodes"],
            rows: vec![vec!["all".to_owned(), "7".to_owned()]],
        };
        assert_eq!(
            table.to_string(),
            "Nodes\n\n| variant | nodes |\n|---|---|\n| all | 7 |\n"
        );
    }
}
