//! A bar on stderr for work that takes a while, where that is a terminal.

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;

/// A bar up to `total`, 0 if that is not known, which its message explains. There is no estimate before something is
/// done. Draws nothing where stderr is no terminal.
pub(in crate::cli) fn bar(total: u64, unit: &str) -> ProgressBar {
    let template = format!("{{wide_bar}} {{pos}}{{of}} {unit}  {{msg}}  {{elapsed}}{{left}}");
    let known = |state: &ProgressState| state.len().filter(|&total| total > 0);
    let of = move |state: &ProgressState, out: &mut dyn Write| {
        // Writing to memory cannot fail.
        let _ = known(state).map_or(Ok(()), |total| write!(out, " of {total}"));
    };
    let left = move |state: &ProgressState, out: &mut dyn Write| {
        // Nothing done gives zero.
        let eta = state.eta();
        if known(state).is_some() && eta.as_secs() > 0 {
            let _ = write!(out, ", {:#} left", HumanDuration(eta));
        }
    };
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.with_key("of", of).with_key("left", left));
    }
    bar
}

/// Shows how much is done of all, in a bar begun without a total.
pub(in crate::cli) fn show(bar: &ProgressBar, done: u64, total: u64) {
    bar.set_length(total);
    bar.set_position(done);
}

/// Shows how much is done. `found` was done by an earlier run: the estimate is of the work since.
pub(in crate::cli) fn resumed(bar: &ProgressBar, found: u64, done: u64) {
    if bar.position() == 0 {
        bar.set_position(found);
        bar.reset_eta();
    }
    bar.set_position(done);
}

/// So many things, in words.
pub(in crate::cli) fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
