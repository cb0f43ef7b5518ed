//! A bar on stderr for work that takes a while, where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar up to `total`, which its message explains. Draws nothing where stderr is no terminal.
pub(super) fn bar(total: u64, unit: &str) -> ProgressBar {
    let template =
        format!("{{wide_bar}} {{pos}} of {{len}} {unit}  {{msg}}  {{elapsed}}, {{eta}} left");
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
